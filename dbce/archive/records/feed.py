"""The bytes of a stored file, piece by piece: plain, or decompressed one gzip member at a time.

Frames of Zstandard are in dbce.archive.records.zstd.

warcio's readers end quietly on a damaged member and cannot be copied to go back; here both matter.
zlib-ng takes half the time of zlib, which is most of what reading costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, ClassVar, NamedTuple, Protocol, Self

from zlib_ng import zlib_ng

from dbce.model import Reason

if TYPE_CHECKING:
    import zlib

GZIP_MAGIC = b"\x1f\x8b\x08"
READ = 16 * 1024  # bytes read from the file at a time; zlib copies what lies behind a member's end
PIECE = 256 * 1024  # bytes decompressed at a time, whatever a member expands to
_SAFE = 4 * 1024 * 1024  # bytes of a member between two places to go back to
_STEP = 4 * 1024  # bytes read at a time on the way from there to damage


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a stretch of a file: its reason and a sentence on it."""

    reason: Reason
    detail: str


class WorkDone:
    """Number of bytes that a feed and all copies of it have read together, decompressed."""

    __slots__ = ("done",)

    def __init__(self) -> None:
        self.done = 0


class Feed(Protocol):
    """Bytes from a place in a stored file on; where that is compressed, those of one member.

    After the last bytes, `fault` says what is wrong, or `end` is the offset behind what was read.
    """

    compressed: ClassVar[bool]
    start: int
    fault: Fault | None
    work: WorkDone

    @property
    def end(self) -> int: ...

    def more(self) -> bytes:
        """The next bytes; empty at the end."""

    def skip(self, count: int) -> int:
        """Passes over `count` bytes without reading them, if it can; returns how many those were."""

    def copy(self) -> Self:
        """A second feed at the same place."""

    def following(self) -> Feed | None:
        """The member that begins where this one ends; None if none does."""


class PlainFeed:
    """The stored bytes from an offset to the end of the file, or to `stop`."""

    compressed: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, offset: int, stop: int | None = None) -> None:
        self.start = offset
        self.fault: Fault | None = None
        self.work = WorkDone()
        self._file = file
        self._at = offset
        self._stop = stop

    @property
    def end(self) -> int:
        return self._at

    def more(self) -> bytes:
        wanted = READ if self._stop is None else max(0, min(READ, self._stop - self._at))
        self._file.seek(self._at)
        data = self._file.read(wanted)
        self._at += len(data)
        self.work.done += len(data)
        return data

    def skip(self, count: int) -> int:
        size = self._file.seek(0, 2)
        passed = max(0, min(count, size - self._at))
        self._at += passed
        return passed

    def copy(self) -> PlainFeed:
        twin = PlainFeed(self._file, self.start, self._stop)
        twin._at, twin.work = self._at, self.work
        return twin

    def following(self) -> None:
        return None


class _Safe(NamedTuple):
    """A place in a member to decompress from again: its offset, and the bytes handed out before."""

    inflate: zlib._Decompress
    offset: int
    given: int


class GzipFeed:
    """The decompressed bytes of one gzip member; of a damaged one all before the byte that is wrong.

    zlib gives nothing of the stretch in which it finds damage, so that what can be read of a member
    would depend on where the stretches begin. That one is read again in ever smaller steps, the last of one byte.
    """

    compressed: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, offset: int, raw: bytes = b"") -> None:
        self.start = offset
        self.fault: Fault | None = None
        self.work = WorkDone()
        self._file = file
        self._raw = raw  # read from the file, not decompressed yet
        self._at = offset + len(raw)
        self._inflate = _inflater()
        self._given = 0  # bytes handed out
        self._safe: _Safe | None = None  # None: the beginning of the member

    @property
    def end(self) -> int:
        return self._at - len(self._raw)

    def more(self) -> bytes:
        while self.fault is None and not self._inflate.eof:
            last = not self._raw and not self._refill()
            try:
                data = self._inflate.decompress(self._raw, PIECE)
            except zlib_ng.error as e:
                self.fault = Fault(Reason.DAMAGED, f"gzip member: {e}")
                return self._before_damage()
            inflate = self._inflate
            self._raw = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            self._given += len(data)
            self.work.done += len(data)
            safe = self._safe.offset if self._safe else self.start
            if self.end - safe >= _SAFE and not inflate.eof:
                self._safe = _Safe(inflate.copy(), self.end, self._given)
            if data:
                return data
            if last and not inflate.eof:
                self.fault = Fault(Reason.TRUNCATED, "the gzip member breaks off")
        return b""

    def skip(self, count: int) -> int:  # noqa: ARG002 - a member can only be read through
        return 0

    def copy(self) -> GzipFeed:
        twin = GzipFeed(self._file, self.start, self._raw)
        twin._at, twin.fault, twin._inflate = self._at, self.fault, self._inflate.copy()
        twin._given, twin._safe, twin.work = self._given, self._safe, self.work
        return twin

    def following(self) -> GzipFeed | None:
        if self.fault or not self._inflate.eof:
            return None
        while len(self._raw) < len(GZIP_MAGIC) and self._refill():
            pass
        if not self._raw.startswith(GZIP_MAGIC):
            return None
        return GzipFeed(self._file, self.end, self._raw)

    def _before_damage(self) -> bytes:
        """The bytes before damage that were not handed out yet; `end` is then where the damage is."""
        safe = self._safe or _Safe(_inflater(), self.start, 0)
        inflate, self._raw, self._at = safe.inflate.copy(), b"", safe.offset
        sound, given = b"", safe.given
        step = _STEP
        while step:
            self._file.seek(self._at)
            data = self._file.read(step)
            before = inflate.copy()
            try:
                new = inflate.decompress(data)
            except zlib_ng.error:
                inflate, step = before, step // 2
                continue
            sound += new[max(0, self._given - given) :]
            given += len(new)
            self._at += len(data)
            if not data or inflate.eof:  # the file is another by now
                break
        self._given += len(sound)
        return sound

    def _refill(self) -> bool:
        self._file.seek(self._at)
        data = self._file.read(READ)
        self._at += len(data)
        self._raw += data
        return bool(data)


def _inflater() -> zlib._Decompress:
    inflater: zlib._Decompress = zlib_ng.decompressobj(16 + zlib_ng.MAX_WBITS)
    return inflater
