"""The head of a record: what its header says of its capture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from dbce.archive.records.dates import dated, intended_date
from dbce.archive.records.feed import Fault
from dbce.archive.records.identity import parse_date
from dbce.model import Reason, Reference, stable_id

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.archive.records.dates import WarcinfoDate
    from dbce.archive.records.record import Record
    from dbce.model import DateSource

CAPTURES = frozenset({"response", "resource", "revisit"})
# Records of any other type are passed over, also those of types that are not known (WARC 1.1, 5.5).
# One without a type counts as a damaged capture, so that nothing is lost silently.
_LONGEST_TYPE = 80  # characters

# What no line of an index, no header and no table can hold: controls, line ends, halves of characters.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a record, read; `media` is the media type of the block.

    `dated_by` says whose the timestamp is, and `odd_date` what is wrong with that of the record.
    """

    kind: str
    record_id: str
    url: str
    timestamp: datetime | None
    digest: str
    media: str
    dated_by: DateSource | None
    odd_date: str


def read_head(name: str, record: Record, warcinfo_date: WarcinfoDate) -> Head:
    """The head of a record of the file called `name`; `warcinfo_date` says when that was begun."""
    url = plain_url(record.get("WARC-Target-URI", arc="uri"))
    kind = _writable(record.get("WARC-Type").lower())[:_LONGEST_TYPE]
    if record.is_arc:
        kind = "warcinfo" if url.startswith("filedesc:") else "response"
    when = dated(record, warcinfo_date)
    place = f"{name}:{record.offset}" + (f"+{record.within}" if record.within else "")
    return Head(
        kind=kind,
        record_id=plain_id(record.get("WARC-Record-ID")) or stable_id(place),
        url=url,
        timestamp=when.timestamp,
        digest=record.get("WARC-Payload-Digest"),
        media=record.get("Content-Type", arc="content-type"),
        dated_by=when.source,
        odd_date=when.odd,
    )


def plain_url(text: str) -> str:
    """A URL as it can be written anywhere: what cannot be has percent codes, and it stands in no brackets."""
    url = _writable(text.strip())
    while url.startswith("<") and url.endswith(">") and url != "<":  # as wget wrote it
        url = url[1:-1].strip()
    return url


def plain_id(text: str) -> str:
    """A record id without its angle brackets, as it can be written anywhere."""
    return _writable(text).strip("<> ")


def _writable(text: str) -> str:
    return _UNWRITABLE.sub(_percent_code, text) if _UNWRITABLE.search(text) else text


def _percent_code(sign: re.Match[str]) -> str:
    return quote_from_bytes(sign[0].encode("utf-8", "surrogatepass"))


def contradiction(record: Record, head: Head) -> Fault | None:
    """A fault where a capture's header lacks something or says what it should not."""
    if not head.kind:
        return Fault(Reason.BAD_RECORD, "no WARC-Type")
    if not head.url:
        return Fault(Reason.BAD_RECORD, "no WARC-Target-URI")
    if record.get("WARC-Segment-Number"):
        return Fault(Reason.TRUNCATED, "only the first segment of a segmented record")
    return None


def read_reference(record: Record) -> Reference:
    """The reference in the header of a revisit to the capture that it repeats."""
    when = record.get("WARC-Refers-To-Date")
    return Reference(
        record_id=plain_id(record.get("WARC-Refers-To")),
        url=plain_url(record.get("WARC-Refers-To-Target-URI")),
        timestamp=parse_date(when) or intended_date(when)[1],
    )
