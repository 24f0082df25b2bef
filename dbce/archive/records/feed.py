"""The bytes of a stored file: piece by piece, plain or decompressed, and read forward with look-ahead."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

import zstandard
from zlib_ng import zlib_ng

from dbce.model import Reason

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj  # not there at runtime

# warcio's readers end quietly on a damaged member and cannot be copied to go back; here both
# matter. zlib-ng takes half the time of zlib, which is most of what reading costs.

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


@dataclass(slots=True)
class WorkDone:
    """Number of bytes that a feed and all copies of it have read together, decompressed."""

    done: int = 0


class PlainFeed:
    """The stored bytes from an offset to the end of the file, or to `stop`."""

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
        """Passes over `count` bytes without reading them; returns how many those were."""
        passed = max(0, min(count, self._file.seek(0, 2) - self._at))
        self._at += passed
        return passed

    def copy(self) -> PlainFeed:
        return copy(self)

    def following(self) -> None:
        return None


class _Safe(NamedTuple):
    """A place in a member to decompress from again: its offset, and the bytes handed out before."""

    inflate: zlib._Decompress
    offset: int
    handed_out: int


class GzipFeed:
    """The decompressed bytes of one gzip member; of a damaged one all before the byte that is wrong.

    zlib gives nothing of the stretch in which it finds damage, so that what can be read of a member
    would depend on where the stretches begin. That one is read again in ever smaller steps, the last of one byte.
    """

    def __init__(self, file: BinaryIO, offset: int, raw: bytes = b"") -> None:
        self.start = offset
        self.fault: Fault | None = None
        self.work = WorkDone()
        self._file = file
        self._raw = raw  # read from the file, not decompressed yet
        self._at = offset + len(raw)
        self._inflate = _inflater()
        self._handed_out = 0  # bytes handed out
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
                return self._sound_bytes()
            inflate = self._inflate
            self._raw = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            self._handed_out += len(data)
            self.work.done += len(data)
            safe = self._safe.offset if self._safe else self.start
            if self.end - safe >= _SAFE and not inflate.eof:
                self._safe = _Safe(inflate.copy(), self.end, self._handed_out)
            if data:
                return data
            if last and not inflate.eof:
                self.fault = Fault(Reason.TRUNCATED, "the gzip member breaks off")
        return b""

    def copy(self) -> GzipFeed:
        twin = copy(self)
        twin._inflate = self._inflate.copy()  # noqa: SLF001 - a copy's own
        return twin

    def following(self) -> GzipFeed | None:
        if self.fault or not self._inflate.eof:
            return None
        while len(self._raw) < len(GZIP_MAGIC) and self._refill():
            pass
        if not self._raw.startswith(GZIP_MAGIC):
            return None
        return GzipFeed(self._file, self.end, self._raw)

    def _sound_bytes(self) -> bytes:
        """The bytes before damage that were not handed out yet; `end` is then where the damage is."""
        safe = self._safe or _Safe(_inflater(), self.start, 0)
        inflate, self._raw, self._at = safe.inflate.copy(), b"", safe.offset
        sound, handed_out = b"", safe.handed_out
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
            sound += new[max(0, self._handed_out - handed_out) :]
            handed_out += len(new)
            self._at += len(data)
            if not data or inflate.eof:  # the file is another by now
                break
        self._handed_out += len(sound)
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


# A `.warc.zst` has one frame a record, and may begin with a dictionary in a skippable frame of
# its own kind (https://iipc.github.io/warc-specifications/specifications/warc-zstd/). The library
# neither says where a frame ends nor lets a decompressor be copied, so frames are read block by
# block (RFC 8878, section 3.1.1), and a copy reads its frame again.

FRAME_MAGIC = b"\x28\xb5\x2f\xfd"
DICTIONARY_MAGIC = b"\x5d\x2a\x4d\x18"
# Sixteen magic numbers (RFC 8878, section 3.1.2); that of a dictionary is one of them.
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_HEAD = 8  # bytes of a skippable frame before its content: magic and size
_LONGEST_HEADER = 18  # bytes of a frame's header
_RLE = 1  # the type of a block that is one byte, repeated
_CHECKSUM = 4  # bytes
WINDOW = 128 * 1024 * 1024  # bytes back that a frame may refer to; what zstd itself reads unasked
_LARGEST = 64 * 1024 * 1024  # bytes of a dictionary; usual ones have some hundred thousand


def read_dictionary(file: BinaryIO, offset: int) -> zstandard.ZstdCompressionDict | None:
    """The dictionary at an offset, itself compressed or not; None where there is none."""
    file.seek(offset)
    head = file.read(_HEAD)
    size = int.from_bytes(head[4:], "little")
    if not head.startswith(DICTIONARY_MAGIC) or size > _LARGEST:
        return None
    data = file.read(size)
    if data.startswith(FRAME_MAGIC):
        try:
            reader = zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(BytesIO(data))
            data = reader.read(_LARGEST)
        except zstandard.ZstdError:
            return None  # every frame that needs it will say so
    return zstandard.ZstdCompressionDict(data)


def skippable_end(file: BinaryIO, offset: int) -> int:
    """The offset behind frames at an offset that decoders pass over; the same where none stand.

    One that breaks off is none, as its length may be wrong; but what a dictionary holds is no records.
    """
    while True:
        file.seek(offset)
        head = file.read(_HEAD)
        if len(head) < _HEAD or not _SKIPPABLE.match(head):
            return offset
        behind = offset + _HEAD + int.from_bytes(head[4:], "little")
        if behind > file.seek(0, 2) and not head.startswith(DICTIONARY_MAGIC):
            return offset
        offset = behind


# That which frames name by a number; 0 of one that they do not name.
Dictionary: TypeAlias = Callable[[int], zstandard.ZstdCompressionDict | None]


class ZstdFeed:
    """The decompressed bytes of one frame, at most a block of 128 KB at a time."""

    def __init__(self, file: BinaryIO, offset: int, dictionary: Dictionary) -> None:
        self.start = offset
        self.end = offset
        self.fault: Fault | None = None
        self.work = WorkDone()
        self._file = file
        self._dictionary = dictionary
        self._raw = b""  # read from the file, not decompressed yet; begins at `end`
        self._frame: ZstdDecompressionObj | None = None
        self._over = False
        self._checksum = 0
        self._handed_out = 0  # blocks that were handed out
        self._known = 0  # of these, blocks that another feed of the frame has handed out

    def more(self) -> bytes:
        while self.fault is None and not self._over:
            try:
                data = self._block() if self._frame else self._open()
            except zstandard.ZstdError as e:
                self.fault = Fault(Reason.DAMAGED, f"zstd frame: {e}")
            except EOFError:
                self.fault = Fault(Reason.TRUNCATED, "the zstd frame breaks off")
            else:
                self._handed_out += bool(data)
                if data and self._handed_out > self._known:
                    return data
        return b""

    def copy(self) -> ZstdFeed:
        twin = ZstdFeed(self._file, self.start, self._dictionary)
        twin.fault, twin._over, twin.work = self.fault, self._over, self.work
        if self.fault or self._over:
            twin.end = self.end
        else:
            twin._known = max(self._handed_out, self._known)
        return twin

    def following(self) -> ZstdFeed | None:
        """The frame that begins behind this one and what decoders pass over."""
        if self.fault or not self._over:
            return None
        self.end = skippable_end(self._file, self.end)
        self._file.seek(self.end)
        if self._file.read(len(FRAME_MAGIC)) != FRAME_MAGIC:
            return None
        return ZstdFeed(self._file, self.end, self._dictionary)

    def _open(self) -> bytes:
        self._fill(_LONGEST_HEADER)
        try:
            header = zstandard.get_frame_parameters(self._raw)
        except zstandard.ZstdError:
            if len(self._raw) < _LONGEST_HEADER:
                raise EOFError from None
            raise
        self._checksum = _CHECKSUM if header.has_checksum else 0
        # A decompressor of its own: one reads no second frame before it is through with the first.
        decompressor = zstandard.ZstdDecompressor(
            dict_data=self._dictionary(header.dict_id), max_window_size=WINDOW
        )
        self._frame = decompressor.decompressobj()
        return self._decompress(zstandard.frame_header_size(self._raw))

    def _block(self) -> bytes:
        self._fill(3)
        head = int.from_bytes(self._raw[:3], "little")
        last, kind, size = head & 1, head >> 1 & 3, head >> 3
        length = 3 + (1 if kind == _RLE else size) + (self._checksum if last else 0)
        self._fill(length)
        data = self._decompress(length)
        self._over = bool(last)
        return data

    def _decompress(self, count: int) -> bytes:
        if len(self._raw) < count or self._frame is None:
            raise EOFError
        data = self._frame.decompress(self._raw[:count])
        self._raw = self._raw[count:]
        self.end += count
        self.work.done += len(data)
        return data

    def _fill(self, count: int) -> None:
        """Reads on until so many bytes are at hand, or the file ends."""
        while len(self._raw) < count:
            self._file.seek(self.end + len(self._raw))
            data = self._file.read(max(READ, count - len(self._raw)))
            if not data:
                return
            self._raw += data


# Bytes from a place in a stored file on; where that is compressed, those of one member. `more` gives the next ones,
# nothing at the end: then `fault` says what is wrong, or `end` is the offset behind what was read, and `following`
# gives the member that begins there. `copy` is a second feed at the same place.
Feed: TypeAlias = PlainFeed | GzipFeed | ZstdFeed
