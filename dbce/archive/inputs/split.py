"""Large files as several sources, so that several tasks read one file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.archive.inputs.pieces import pieces
from dbce.archive.inputs.source import Piece, Source
from dbce.archive.inputs.uri import open_binary, size
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


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
            yield replace(source, offsets=offsets, piece=Piece(number, start, stop))


def _borders(uri: str, split_bytes: int) -> list[tuple[int, int | None]]:
    with suppress(FileNotFoundError):  # who reads it says so
        stored = size(uri)
        if stored > split_bytes:
            with open_binary(uri, NEAR) as file:
                return pieces(file, stored, split_bytes)
    return [(0, None)]
