"""The headers of captures, without their blocks: samples are drawn and revisits resolved by them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.reading import is_wanted, open_source, records_of, selection_facts
from dbce.archive.inputs.sample import Draw
from dbce.archive.inputs.selection import rank
from dbce.archive.records import CAPTURES, Damage, read_head, warcinfo_date

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from dbce.archive.inputs.source import Source
    from dbce.archive.records import Head, Record


def ranks(source: Source) -> Iterator[int]:
    """The ranks of the captures in a file that its selection wants; places that are damaged have none.

    A file that is not on its web server has none either: who reads it says so.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in headed(source):
        known = _rank(source, record, head)
        if known is not None:
            yield known


def heads(source: Source) -> Iterator[Head]:
    """The heads of the captures in a file that its selection wants, but those of revisits.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in headed(source):
        is_original = head.kind in CAPTURES and head.kind != "revisit"
        if is_original and is_wanted(source.selection, record, head):
            yield head


def headed(source: Source) -> Iterator[tuple[Record, Head]]:
    """The sound records of a file with what their headers say.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    with suppress(OSError), open_source(source) as file:
        file_date = warcinfo_date(file)
        for item in records_of(source, file):
            if not isinstance(item, Damage):
                yield item, read_head(source.name, item, file_date)


def _rank(source: Source, record: Record, head: Head) -> int | None:
    url, timestamp, mime = selection_facts(source.selection, record, head)
    if head.kind not in CAPTURES or url is None or timestamp is None:
        return None
    return rank(url, timestamp) if source.selection.wants(url, timestamp, mime) else None


def drawn(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources with the sample drawn that they are to take together, if one is still to be drawn.

    Raises:
        StoreError: a file cannot be read, or not to its end.
    """
    if not sources or not sources[0].selection.is_undrawn:
        return tuple(sources)
    draw = Draw(sources[0].selection.sample or 0)
    for source in sources:
        for each in ranks(source):
            draw.offer(each)
    selection = replace(sources[0].selection, cutoff=draw.cutoff)
    return tuple(replace(source, selection=selection) for source in sources)


class Held(NamedTuple):
    """A record that answers a request: of what URL and time, and its byte offset in the stored file."""

    record_id: str
    url: str
    timestamp: datetime
    offset: int


def held(source: Source) -> Iterator[Held]:
    """All captures in a file with a URL and a time, whatever its selection wants; revisits too.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in headed(source):
        if head.kind in CAPTURES and head.url and head.timestamp is not None:
            yield Held(head.record_id, head.url, head.timestamp, record.offset)
