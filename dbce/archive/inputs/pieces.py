"""Large files as several sources, so that several tasks read one file.

A file is cut at offsets at which a reader of the whole file finds a record. In a compressed file a place
that looks like the beginning of a member may lie inside another one, which
holds an archive that was itself archived. Compressors store what they cannot compress as it is, but
never more than VERBATIM bytes of it in one go, with bytes of their own between. So a place counts only
where whole members follow each other directly for longer than that. A plain file has no such sign: it
is walked through from its beginning, from header to header by the lengths they declare.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.inputs.source import FilePiece, Source
from dbce.archive.inputs.uri import open_binary, size
from dbce.archive.records import MEMBER, PIECE, Container, Record, records
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


VERBATIM = 128 * 1024  # bytes; a block of Zstandard, twice one of deflate
SEARCH = 64 * 1024 * 1024  # bytes behind a cut that are searched, and decompressed to make sure


def split(sources: Iterable[Source], split_bytes: int) -> tuple[Source, ...]:
    """The sources in the same order, large ones in pieces of about `split_bytes`; 0 leaves all whole.

    Raises:
        StoreError: a file cannot be read.
    """
    return tuple(piece for source in sources for piece in _pieces(source, split_bytes))


def _pieces(source: Source, split_bytes: int) -> Iterator[Source]:
    whole = source.page is not None or not split_bytes
    borders = [(0, None)] if whole else _borders(source.uri, split_bytes)
    if len(borders) == 1:
        yield source
        return
    for number, (start, stop) in enumerate(borders):
        offsets = source.offsets
        if offsets is not None:
            offsets = tuple(o for o in offsets if start <= o and (stop is None or o < stop))
        if offsets != ():
            yield replace(source, offsets=offsets, piece=FilePiece(number, start, stop))


def _borders(uri: str, split_bytes: int) -> list[tuple[int, int | None]]:
    with suppress(FileNotFoundError):  # who reads it says so
        stored = size(uri)
        if stored > split_bytes:
            with open_binary(uri, NEAR) as file:
                return pieces(file, stored, split_bytes)
    return [(0, None)]


def pieces(file: BinaryIO, size: int, split_bytes: int) -> list[tuple[int, int | None]]:
    """The start and the stop of every piece of a file, about `split_bytes` each; one if it is small.

    They depend on the file alone. A piece begins where a record does, and stops where the next piece
    begins; the last has no stop. Where no record begins near a cut, that cut is left out.
    """
    count = (size + split_bytes // 2) // split_bytes if split_bytes else 1
    if count < 2:
        return [(0, None)]
    cuts = [size * number // count for number in range(1, count)]
    container = Container(file)
    first = container.open(0)
    if first and first.compressed:
        certain = [_certain_place(container, cut) for cut in cuts]
        starts = sorted({0, *(place for place in certain if place is not None)})
    else:
        starts = [0, *_plain_places(file, cuts)]
    return list(zip(starts, [*starts[1:], None], strict=True))


def _plain_places(file: BinaryIO, cuts: list[int]) -> Iterator[int]:
    """The first record at or behind every cut, as a reader of the whole file finds it."""
    left = list(cuts)
    for entry in records(file):
        if left and isinstance(entry, Record) and entry.offset >= left[0]:
            yield entry.offset
            left = [cut for cut in left if cut > entry.offset]
        if not left:
            return


def _certain_place(container: Container, cut: int) -> int | None:
    """The first place at or behind a cut where a member surely begins, and a record in it."""
    place, stop = cut, cut + SEARCH
    while (candidate := container.next_place(place, MEMBER, stop)) is not None:
        if _is_certain(container, candidate, stop):
            return candidate
        place = candidate + 1
    return None


def _is_certain(container: Container, place: int, stop: int) -> bool:
    """True where whole members follow each other from here on, for longer than is stored verbatim."""
    window = container.open(place)
    passed = 0
    while window:
        while data := window.read(PIECE):
            passed += len(data)
            if passed > SEARCH or window.end > stop:
                return False
        if window.fault:
            return False
        if window.end - place > VERBATIM:
            return True
        end, window = window.end, window.following()
    return end == container.size
