"""Whether a reader accounts for every byte of a file: what lies outside of all that it found."""

import zlib
from io import BytesIO
from itertools import pairwise

import zstandard

from dbce.archive.records.record import Record, records

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SKIPPABLE = b"\x2a\x4d\x18"  # behind a byte from 50 to 5F


def places(data: bytes) -> list[tuple[int, int]]:
    """Offset and length of everything found in a file, in the order found; 0 where it is unknown."""
    found = []
    for one in records(BytesIO(data)):
        if isinstance(one, Record):
            one.close()
        found.append((one.offset, one.length))
    return found


def unaccounted(data: bytes, found: list[tuple[int, int]] | None = None) -> list[str]:
    """One sentence for every stretch of the file that is found twice, or not at all.

    What has no known length reaches up to what comes next. Between records there may be line ends, and
    members and frames that hold nothing else. `found` is what `places` gives, where it is not given.
    """
    found = places(data) if found is None else found
    if not found:  # the file as a whole is rejected
        return []
    size = len(data)
    wrong = [f"{at}+{length} of {size}" for at, length in found if not 0 <= at + length <= size]
    spans = {at: max(length for place, length in found if place == at) for at, _ in found}
    wrong += [f"{at} comes before {before}" for before, at in pairwise(spans) if at < before]
    starts = [*spans, size]
    ends = [0]
    for (at, length), following in zip(spans.items(), starts[1:], strict=True):
        ends.append(at + length if length else following)
    for end, at in zip(ends, starts, strict=True):
        if end > at and not _shares_its_member(data, at, spans.get(at, 0), end):
            wrong.append(f"{at} begins before {end} ends")
        if end < at and not holds_nothing(data[end:at].lstrip(b"\r\n\0 \t\xef\xbb\xbf")):
            wrong.append(f"{data[end:at][:40]!r} between {end} and {at}")
    return wrong


def _shares_its_member(data: bytes, at: int, length: int, end: int) -> bool:
    """Whether what begins at an offset may begin before a record of several members ends, in its last."""
    if not data.startswith((GZIP, ZSTD), at):
        return False
    return not length or at + length == end or data.startswith((GZIP, ZSTD), end)


def holds_nothing(data: bytes) -> bool:
    """Whether bytes are line ends, or members or frames of nothing but line ends."""
    while data := data.lstrip(b"\r\n"):
        try:
            if data.startswith(GZIP):
                member = zlib.decompressobj(31)
                content, data, whole = member.decompress(data), member.unused_data, member.eof
            elif data.startswith(ZSTD):
                frame = zstandard.ZstdDecompressor().decompressobj()
                content, data, whole = frame.decompress(data), frame.unused_data, frame.eof
            else:
                end = 8 + int.from_bytes(data[4:8], "little")
                whole = data[1:4] == SKIPPABLE and 0x50 <= data[0] <= 0x5F and end <= len(data)
                content, data = b"", data[end:]
        except (zlib.error, zstandard.ZstdError):
            return False
        if not whole or content.strip(b"\r\n"):
            return False
    return True
