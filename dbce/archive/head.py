"""What a record's header says of its capture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive.feed import Fault
from dbce.archive.identity import parse_date
from dbce.hashing import stable_id
from dbce.model import Reason, Reference

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.archive.record import Record

CAPTURES = frozenset({"response", "resource", "revisit"})
# Any other type counts as a damaged capture, so that nothing is lost silently.
NO_CAPTURES = frozenset({"warcinfo", "request", "metadata", "conversion", "continuation"})


@dataclass(frozen=True, slots=True)
class Head:
    """What a record's header says of its capture; `media` is the media type of the block."""

    kind: str
    record_id: str
    url: str
    timestamp: datetime | None
    digest: str
    media: str


def read_head(name: str, record: Record) -> Head:
    """The head of a record of the file called `name`."""
    url = record.get("WARC-Target-URI", arc="uri")
    if url.startswith("<") and url.endswith(">"):  # as wget wrote it
        url = url[1:-1]
    kind = record.get("WARC-Type").lower()
    if record.is_arc:
        kind = "warcinfo" if url.startswith("filedesc:") else "response"
    place = f"{name}:{record.offset}" + (f"+{record.within}" if record.within else "")
    return Head(
        kind=kind,
        record_id=record.get("WARC-Record-ID").strip("<>") or stable_id(place),
        url=url,
        timestamp=parse_date(record.get("WARC-Date", arc="archive-date")),
        digest=record.get("WARC-Payload-Digest"),
        media=record.get("Content-Type", arc="content-type"),
    )


def contradiction(record: Record, head: Head) -> Fault | None:
    """What a capture's header lacks or should not say."""
    if head.kind not in CAPTURES:
        return Fault(Reason.BAD_RECORD, f"WARC-Type is {head.kind[:80]!r}")
    if not head.url:
        return Fault(Reason.BAD_RECORD, "no WARC-Target-URI")
    if record.get("WARC-Segment-Number"):
        return Fault(Reason.TRUNCATED, "only the first segment of a segmented record")
    return None


def read_reference(record: Record) -> Reference:
    """What the header of a revisit says of the capture that it repeats."""
    return Reference(
        record_id=record.get("WARC-Refers-To").strip("<> "),
        url=record.get("WARC-Refers-To-Target-URI").strip("<> "),
        timestamp=parse_date(record.get("WARC-Refers-To-Date")),
    )
