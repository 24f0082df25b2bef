"""What a source asks to be read: a whole file, a piece of it, or the records at some offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.inputs.page_file import open_page
from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import records, records_at
from dbce.storage import AHEAD, NEAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive.inputs.source import Source
    from dbce.archive.records import Damage, Record


def open_source(source: Source) -> BinaryIO:
    """The open file of a source; of a remote one little more is fetched than is asked for.

    Raises:
        FileNotFoundError: it is not there.
        StoreError: it cannot be opened; reading from it may raise the same.
    """
    if source.page:
        return open_page(source.uri, source.page)
    return open_binary(source.uri, AHEAD if source.offsets is None else NEAR)


def records_of(source: Source, file: BinaryIO) -> Iterator[Record | Damage]:
    """The records of a source and the damaged places among them, in order, from its open file.

    Raises:
        StoreError: the file cannot be read on.
    """
    if source.offsets is not None:
        return records_at(file, source.offsets)
    if source.piece is not None:
        return records(file, source.piece.start, source.piece.stop)
    return records(file)
