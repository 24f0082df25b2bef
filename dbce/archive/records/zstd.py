"""The decompressed bytes of one frame of Zstandard, and the dictionary that a file's frames share.

A `.warc.zst` has one frame a record, and may begin with a dictionary in a skippable frame of its own
kind (https://iipc.github.io/warc-specifications/specifications/warc-zstd/). The library neither says
where a frame ends nor lets a decompressor be copied, so frames are read block by block (RFC 8878,
section 3.1.1), and a copy reads its frame again.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from zstandard import (
    ZstdCompressionDict,
    ZstdDecompressor,
    ZstdError,
    frame_header_size,
    get_frame_parameters,
)

from dbce.archive.records.feed import READ, Fault, WorkDone
from dbce.model import Reason

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj

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


class _BreaksOffError(Exception):
    """The file ends before the frame does."""


def read_dictionary(file: BinaryIO) -> ZstdCompressionDict | None:
    """The dictionary that a file begins with, itself compressed or not; None where there is none."""
    file.seek(0)
    head = file.read(_HEAD)
    size = int.from_bytes(head[4:], "little")
    if not head.startswith(DICTIONARY_MAGIC) or size > _LARGEST:
        return None
    data = file.read(size)
    if data.startswith(FRAME_MAGIC):
        try:
            reader = ZstdDecompressor(max_window_size=WINDOW).stream_reader(BytesIO(data))
            data = reader.read(_LARGEST)
        except ZstdError:
            return None  # every frame that needs it will say so
    return ZstdCompressionDict(data)


def behind_skippable(file: BinaryIO, offset: int) -> int:
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


class ZstdFeed:
    """The decompressed bytes of one frame, at most a block of 128 KB at a time."""

    compressed: ClassVar[bool] = True

    def __init__(self, file: BinaryIO, offset: int, dictionary: ZstdCompressionDict | None) -> None:
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
        self._given = 0  # blocks that were handed out
        self._known = 0  # of these, blocks that another feed of the frame has handed out

    def more(self) -> bytes:
        while self.fault is None and not self._over:
            try:
                data = self._block() if self._frame else self._open()
            except ZstdError as e:
                self.fault = Fault(Reason.DAMAGED, f"zstd frame: {e}")
            except _BreaksOffError:
                self.fault = Fault(Reason.TRUNCATED, "the zstd frame breaks off")
            else:
                self._given += bool(data)
                if data and self._given > self._known:
                    return data
        return b""

    def skip(self, count: int) -> int:  # noqa: ARG002 - a frame can only be read through
        return 0

    def copy(self) -> ZstdFeed:
        twin = ZstdFeed(self._file, self.start, self._dictionary)
        twin.fault, twin._over, twin.work = self.fault, self._over, self.work
        if self.fault or self._over:
            twin.end = self.end
        else:
            twin._known = max(self._given, self._known)
        return twin

    def following(self) -> ZstdFeed | None:
        """The frame that begins behind this one and what decoders pass over."""
        if self.fault or not self._over:
            return None
        self.end = behind_skippable(self._file, self.end)
        self._file.seek(self.end)
        if self._file.read(len(FRAME_MAGIC)) != FRAME_MAGIC:
            return None
        return ZstdFeed(self._file, self.end, self._dictionary)

    def _open(self) -> bytes:
        """Reads the header of the frame."""
        self._fill(_LONGEST_HEADER)
        try:
            header = get_frame_parameters(self._raw)
        except ZstdError:
            if len(self._raw) < _LONGEST_HEADER:
                raise _BreaksOffError from None
            raise
        self._checksum = _CHECKSUM if header.has_checksum else 0
        # A decompressor of its own: one reads no second frame before it is through with the first.
        decompressor = ZstdDecompressor(dict_data=self._dictionary, max_window_size=WINDOW)
        self._frame = decompressor.decompressobj()
        return self._decompress(frame_header_size(self._raw))

    def _block(self) -> bytes:
        """The content of the next block."""
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
            raise _BreaksOffError
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
