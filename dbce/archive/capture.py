"""From records to captures: which are pages, which are not, and which cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive.answer import Answer, read_answer
from dbce.archive.container import Damage, records, records_at
from dbce.archive.feed import Fault
from dbce.archive.identity import parse_date, sha1, timestamp14
from dbce.archive.surt import surt
from dbce.archive.uri import open_binary
from dbce.hashing import stable_id
from dbce.model import Capture, Dropped, Origin, Reason, Stage, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from dbce.archive.record import Record
    from dbce.archive.source import Source
    from dbce.config import Limits

_CAPTURES = frozenset({"response", "resource", "revisit"})
# Any other type counts as a damaged capture, so that nothing is lost silently.
_NO_CAPTURES = frozenset({"warcinfo", "request", "metadata", "conversion", "continuation"})
_SKIPPED = frozenset({Reason.REVISIT, Reason.HTTP_STATUS, Reason.NOT_HTML, Reason.NO_TEXT})


def read(source: Source, limits: Limits) -> Iterator[Capture | Dropped]:
    """Every capture of a file in file order, as a page or as what became of it.

    Never raises: a damaged place is one rejected row, and so is a file that cannot be read. With
    `source.offsets` only the records there are read. What a crawler cut short on purpose
    (WARC-Truncated) is taken as it is.
    """
    found = False
    early: list[Damage] = []  # before the first record: perhaps the file is no archive at all
    try:
        with open_binary(source.uri) as file:
            entries = records(file) if source.offsets is None else records_at(file, source.offsets)
            for entry in entries:
                if isinstance(entry, Damage):
                    early.append(entry)
                found = found or source.offsets is not None or not isinstance(entry, Damage)
                if found:
                    yield from (_damaged(source.name, damage) for damage in early)
                    early.clear()
                if not isinstance(entry, Damage):
                    yield from _captured(source.name, entry, limits)
    except OSError as e:
        reason = Reason.DAMAGED if found else Reason.NOT_AN_ARCHIVE
        yield _damaged(
            source.name, Damage(0, 0, Fault(reason, f"cannot be read: {e.strerror or e}"))
        )
        return
    if not found and source.offsets is None:
        detail = early[0].fault.detail if early else "the file is empty"
        yield _damaged(source.name, Damage(0, 0, Fault(Reason.NOT_AN_ARCHIVE, detail)))


@dataclass(frozen=True, slots=True)
class _Head:
    """What a record's header says of its capture."""

    kind: str
    record_id: str
    url: str
    timestamp: datetime | None
    digest: str
    media: str


def _captured(name: str, record: Record, limits: Limits) -> Iterator[Capture | Dropped]:
    """The capture that a record holds, if it holds one."""
    head = _head(name, record)
    if head.kind in _NO_CAPTURES:
        record.close()
        # A wrong length costs nothing here, as the next record was found; a cut file counts.
        if record.fault and record.fault.reason is not Reason.BAD_RECORD and not record.is_arc:
            yield _dropped(name, record, head, record.fault)
        return
    fault = record.fault or _contradiction(record, head)
    if fault:
        answer = Answer(fault, is_html=False)
    else:
        answer = read_answer(record, head.kind, head.url, head.media, limits)
    record.close()
    fault = record.fault or answer.fault
    if fault or head.timestamp is None:
        date = record.get("WARC-Date", arc="archive-date")
        fault = fault or Fault(Reason.BAD_RECORD, f"the date is {date[:80]!r}")
        yield _dropped(name, record, head, fault, answer.is_html)
        return
    yield Capture(
        record_id=head.record_id,
        url=head.url,
        surt=surt(head.url),
        timestamp=head.timestamp,
        origin=Origin(name, record.offset, record.length),
        digest=head.digest or answer.digest,
        content_type=answer.content_type,
        payload=answer.payload,
    )


def _head(name: str, record: Record) -> _Head:
    url = record.get("WARC-Target-URI", arc="uri").removeprefix("<").removesuffix(">")
    kind = record.get("WARC-Type").lower()
    if record.is_arc:
        kind = "warcinfo" if url.startswith("filedesc:") else "response"
    place = f"{name}:{record.offset}" + (f"+{record.within}" if record.within else "")
    return _Head(
        kind=kind,
        record_id=record.get("WARC-Record-ID").strip("<>") or stable_id(place),
        url=url,
        timestamp=parse_date(record.get("WARC-Date", arc="archive-date")),
        digest=record.get("WARC-Payload-Digest"),
        media=record.get("Content-Type", arc="content-type"),
    )


def _contradiction(record: Record, head: _Head) -> Fault | None:
    """What a capture's header lacks or should not say."""
    if head.kind not in _CAPTURES:
        return Fault(Reason.BAD_RECORD, f"WARC-Type is {head.kind[:80]!r}")
    if not head.url:
        return Fault(Reason.BAD_RECORD, "no WARC-Target-URI")
    if record.get("WARC-Segment-Number"):
        return Fault(Reason.TRUNCATED, "only the first segment of a segmented record")
    return None


def _dropped(
    name: str, record: Record, head: _Head, fault: Fault, is_html: bool = False
) -> Dropped:
    return Dropped(
        status=Status.SKIPPED if fault.reason in _SKIPPED else Status.REJECTED,
        reason=fault.reason,
        stage=Stage.READ,
        detail=fault.detail,
        origin=Origin(name, record.offset, record.length),
        record_id=head.record_id,
        url=head.url,
        surt=surt(head.url) if head.url else "",
        timestamp=head.timestamp,
        digest=head.digest,
        is_html=is_html,
    )


def _damaged(name: str, damage: Damage) -> Dropped:
    origin = Origin(name, damage.offset, damage.length)
    return Dropped(Status.REJECTED, damage.fault.reason, Stage.READ, damage.fault.detail, origin)


def capture(
    url: str, html: str | bytes, at: str, *, record_id: str = "", content_type: str = ""
) -> Capture:
    """A capture of a page in memory; `at` is a 14-digit timestamp or an ISO date in UTC.

    A `str` is encoded as UTF-8, and declared so.

    Raises:
        ValueError: `at` is no date.
    """
    timestamp = parse_date(at)
    if timestamp is None:
        raise ValueError(f"not a date: {at!r}")
    payload = html.encode() if isinstance(html, str) else html
    declared = "text/html; charset=utf-8" if isinstance(html, str) else "text/html"
    return Capture(
        record_id=record_id or stable_id(url, timestamp14(timestamp)),
        url=url,
        surt=surt(url),
        timestamp=timestamp,
        origin=Origin("memory", 0, len(payload)),
        digest=sha1(payload),
        content_type=content_type or declared,
        payload=payload,
    )
