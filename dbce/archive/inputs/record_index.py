"""What an archive holds, record by record, as their headers tell: what answers are looked up in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.scan import headed
from dbce.archive.records import CAPTURES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from dbce.archive.inputs.source import Source


class Held(NamedTuple):
    """A record that answers a request: of what URL and time, and its byte offset in the stored file."""

    record_id: str
    url: str
    timestamp: datetime
    offset: int


def held(source: Source) -> Iterator[Held]:
    """All captures in a file with a URL and a time, whatever its selection wants; revisits too.

    Of a file that is not there nothing.

    Raises:
        StoreError: the file cannot be read, or not to its end.
    """
    for record, head in headed(source):
        if head.kind in CAPTURES and head.url and head.timestamp is not None:
            yield Held(head.record_id, head.url, head.timestamp, record.offset)
