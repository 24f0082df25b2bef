"""The bytes of a stored file, piece by piece: plain, or decompressed one gzip member at a time.

warcio's readers end quietly on a damaged member and cannot be copied to go back; here both matter.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import BinaryIO

from dbce.model import Reason

GZIP_MAGIC = b"\x1f\x8b\x08"
READ = 16 * 1024  # bytes read from the file at a time; zlib copies what lies behind a member's end
PIECE = 256 * 1024  # bytes decompressed at a time, whatever a member expands to


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a stretch of a file."""

    reason: Reason
    detail: str


class PlainFeed:
    """The stored bytes from an offset to the end of the file."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self.start = offset
        self.fault: Fault | None = None
        self._file = file
        self._at = offset

    def more(self) -> bytes:
        self._file.seek(self._at)
        data = self._file.read(READ)
        self._at += len(data)
        return data

    def skip(self, count: int) -> int:
        """Passes over `count` bytes without reading them; returns how many there were."""
        size = self._file.seek(0, 2)
        passed = max(0, min(count, size - self._at))
        self._at += passed
        return passed

    def copy(self) -> PlainFeed:
        twin = PlainFeed(self._file, self.start)
        twin._at = self._at
        return twin


class GzipFeed:
    """The decompressed bytes of one gzip member.

    After the last one either `fault` is set or `end` is the offset behind the member.
    """

    def __init__(self, file: BinaryIO, offset: int, raw: bytes = b"") -> None:
        self.start = offset
        self.fault: Fault | None = None
        self._file = file
        self._raw = raw  # read from the file, not decompressed yet
        self._at = offset + len(raw)
        self._inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def end(self) -> int:
        return self._at - len(self._raw)

    def more(self) -> bytes:
        while self.fault is None and not self._inflate.eof:
            last = not self._raw and not self._refill()
            try:
                data = self._inflate.decompress(self._raw, PIECE)
            except zlib.error as e:
                self.fault = Fault(Reason.DAMAGED, f"gzip member: {e}")
                return b""
            inflate = self._inflate
            self._raw = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
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
        return twin

    def following(self) -> GzipFeed | None:
        """The member that begins where this one ends; None if none does."""
        if self.fault or not self._inflate.eof:
            return None
        while len(self._raw) < len(GZIP_MAGIC) and self._refill():
            pass
        if not self._raw.startswith(GZIP_MAGIC):
            return None
        return GzipFeed(self._file, self.end, self._raw)

    def _refill(self) -> bool:
        self._file.seek(self._at)
        data = self._file.read(READ)
        self._at += len(data)
        self._raw += data
        return bool(data)
