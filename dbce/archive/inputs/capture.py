"""From records to captures and to the texts that crawlers stored of pages; and why a record is neither."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import BinaryIO, NamedTuple

from dbce.archive.inputs.source import Source, is_wanted, open_source, records_of
from dbce.archive.inputs.texts import is_stored_text, listed_texts, read_stored_text
from dbce.archive.inputs.wacz import ENDING as WACZ
from dbce.archive.records.answer import Answer, Block, read_answer
from dbce.archive.records.feed import Fault
from dbce.archive.records.head import (
    CAPTURES,
    Head,
    HeadReader,
    contradiction,
    plain_id,
    plain_url,
    read_reference,
)
from dbce.archive.records.identity import parse_date, sha1, surt, timestamp14
from dbce.archive.records.message import HTTP_TYPE, header_block, is_chunked, media_type, parse
from dbce.archive.records.record import Damage, Record
from dbce.model import (
    Capture,
    CrawlerText,
    InputError,
    Limits,
    Origin,
    Reason,
    Reject,
    Stage,
    Status,
    fault_detail,
    speakable,
    stable_id,
)

# No fault of an archive: these are skipped, what has any other reason is rejected.
_SKIPPED = frozenset({Reason.REVISIT, Reason.HTTP_STATUS, Reason.NOT_HTML, Reason.NO_TEXT})
RECORD = "record"  # the `truncated` of a page whose record is shorter than declared


class Odd(StrEnum):
    """Kinds of oddity: something is not as it should be, and yet is no fault."""

    DATE = "date"
    LENGTH = "length"
    REVISIT_DIGEST = "revisit-digest"


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something odd about a record, and which that is."""

    what: Odd
    detail: str
    origin: Origin
    record_id: str
    url: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, or one place where none can be read, and what became of it.

    `kind` is the WARC-Type ("warcinfo" and "response" in ARC), "" of a damaged place. `result` is the
    capture, or why it is none, or what is wrong with another record; None where nothing is. Only
    entries that count are captures of a run. `offset` and `end` are in the stored file: behind `end`
    nothing was read. `digests` is the number of declared ones that were compared; `odd` is what
    is not as it should be and yet no fault; `text` the text of a page that its crawler stored.
    """

    kind: str
    offset: int
    end: int
    result: Capture | Reject | None
    counts: bool = True
    digests: int = 0
    selected: bool = True
    odd: tuple[Oddity, ...] = ()
    text: CrawlerText | None = None


def read(
    source: Source,
    limits: Limits,
    *,
    verify: bool = False,
    take_text: Callable[[CrawlerText], None] | None = None,
) -> Iterator[Capture | Reject]:
    """Every capture of a file in file order, as a page or as what became of it.

    A damaged place is one rejected row, and so is a file that is no archive, or not on its web server. With
    `source.offsets` only the records there are read. What `source.selection` does not want is left
    out before its body is read. A page that breaks off is returned as far as it goes, and says so.
    With `verify` a capture is rejected whose declared digests are wrong. `take_text` is given the texts of
    pages that crawlers stored in records, selected or not, and in the page list of the file's WACZ.
    Raises StoreError: the file has vanished, or cannot be read to its end: what it holds is not known.
    """
    surts: set[str] = set()
    for entry in inspect(source, limits, verify=verify, texts=take_text is not None):
        if take_text and entry.text:
            take_text(entry.text)
        if entry.counts and (result := entry.result):
            if source.is_packed and (isinstance(result, Capture) or result.is_html):
                surts.add(result.surt)
            yield result
    if take_text:
        for text in listed_texts(source, surts, limits):
            take_text(text)


def inspect(
    source: Source, limits: Limits, *, verify: bool = False, texts: bool = False
) -> Iterator[Entry]:
    """Every record of a file and every damaged place, in file order.

    With `texts` records of texts of pages have them, and are there though nobody has selected them. What is rejected
    and has no stored length of its own gets that of the bytes that are lost with it, up to the next sound record.
    Raises StoreError: the file has vanished, or cannot be read to its end: what it holds is not known.
    """
    # Of a part of a file it is known that the whole is an archive.
    is_archive = source.offsets is not None or source.piece is not None
    # Held back until a record is found: of what is no archive there is one reject, not one a place.
    early: list[Entry] = []
    size = reached = 0
    try:
        with open_source(source) as file:
            reader = _Reader(source, limits, verify, texts, HeadReader(source.name, file))
            for entry in reader.entries(file):
                early.append(entry)
                reached = max(reached, entry.end)
                is_archive = is_archive or entry.kind != ""
                if is_archive:
                    yield from (known for known in early if known.selected or known.text)
                    early.clear()
            size = file.seek(0, 2)
    except OSError as e:
        reason = Reason.DAMAGED if is_archive else Reason.NOT_AN_ARCHIVE
        yield _damage_entry(
            source.name,
            Damage(0, 0, Fault(reason, f"cannot be read: {e.strerror or speakable(str(e))}")),
        )
        return
    except Exception as e:  # noqa: BLE001 - of whatever lies behind what was read nothing is known
        fault = Fault(Reason.FAULT, fault_detail(e, Origin(source.name, reached, 0)))
        yield _damage_entry(source.name, Damage(reached, 0, fault))
        return
    if not is_archive:
        first = early[0].result if early else None
        nothing = "no record in it" if size else "the file is empty"
        detail = first.detail if isinstance(first, Reject) else nothing
        detail = "no archive in this WACZ" if size and source.uri.endswith(WACZ) else detail
        yield _damage_entry(source.name, Damage(0, size, Fault(Reason.NOT_AN_ARCHIVE, detail)))


class _Reader(NamedTuple):
    source: Source
    limits: Limits
    verify: bool
    texts: bool
    heads: HeadReader

    def entries(self, file: BinaryIO) -> Iterator[Entry]:
        source = self.source
        waiting: Entry | None = None
        start, before = 0, -1
        for item in records_of(source, file):
            entry = self._entry(item)
            if waiting:
                yield _with_length(waiting, entry.offset - start)
                waiting = None
            if source.offsets is None and _lacks_length(entry):
                # Of a damaged gzip member the records before the damage were read.
                waiting, start = entry, entry.end if entry.offset == before else entry.offset
            else:
                yield entry
            before = entry.offset
        if waiting:
            stop = source.piece.stop if source.piece else None
            yield _with_length(waiting, (stop or file.seek(0, 2)) - start)

    def _entry(self, item: Record | Damage) -> Entry:
        name = self.source.name
        if isinstance(item, Damage):
            return _damage_entry(name, item)
        try:
            return self._record_entry(item)
        except Exception as e:  # noqa: BLE001 - whatever it is, it is of this record
            fault = Fault(Reason.FAULT, fault_detail(e, Origin(name, item.offset, 0)))
        item.close()
        damage = Damage(item.offset, item.length, fault, item.reached)
        kind = item.get("WARC-Type").lower() or "response"
        return replace(_damage_entry(name, damage), kind=kind)

    def _record_entry(self, record: Record) -> Entry:
        head = self.heads.read(record)
        wanted = is_wanted(self.source.selection, record, head)
        has_text = self.texts and is_stored_text(head)
        if not (wanted or has_text):
            record.close()
            return Entry(
                head.kind, record.offset, record.reached, None, counts=False, selected=False
            )
        block = Block(record, verify=self.verify)
        # It is no page, whatever it holds, so that nobody else reads it.
        text = read_stored_text(head, block, self.limits) if has_text else None
        if head.kind and head.kind not in CAPTURES:
            result: Capture | Reject | None = self._without_capture(record, head, block)
            # A wrong length costs nothing here, as the next record was found; a cut file counts.
            fault = record.fault
            harmless = fault is None or fault.reason is Reason.BAD_RECORD or record.is_arc
        else:
            result, harmless = self._read_capture(record, head, block), False
        if isinstance(result, Reject) and result.reason is not Reason.NOT_HTML:
            text = None  # damaged, or not what its digest says
        if not wanted:
            return Entry(
                head.kind, record.offset, record.reached, None, False, selected=False, text=text
            )
        return Entry(
            *(head.kind, record.offset, record.reached, result, not harmless, block.compared),
            odd=tuple(_oddities(self.source.name, record, head, block)),
            text=text,
        )

    def _without_capture(self, record: Record, head: Head, block: Block) -> Reject | None:
        """Reject of a record that is no capture and has a fault; None where it has none."""
        if block.compared and media_type(head.media) == HTTP_TYPE:
            with suppress(InputError):  # no header: all of it is the payload
                block.begin_payload(chunked=is_chunked(parse(header_block(block.line))))
        digest_fault = block.verify()
        record.close()
        fault = record.fault or digest_fault
        return _dropped_capture(self.source.name, record, head, fault) if fault else None

    def _read_capture(self, record: Record, head: Head, block: Block) -> Capture | Reject:
        """The capture that a record holds, or why it holds no page."""
        wrong = contradiction(record, head)
        fault = record.fault or wrong
        answer = Answer(fault, is_html=False) if fault else self._answer(record, head, block)
        record.close()
        if wrong:
            answer = replace(answer, fault=record.fault or wrong)
        elif record.fault:
            answer = self._truncated_answer(record, head, record.fault)
        elif record.odd_length and record.reopen():
            whole = Block(record, verify=block.compared > 0)
            answer = self._answer(record, head, whole)
        if answer.fault or head.timestamp is None or head.dated_by is None:
            fault = answer.fault
            # A revisit without a date would be a snapshot of no time.
            if fault is None or (fault.reason is Reason.REVISIT and head.timestamp is None):
                fault = Fault(Reason.BAD_RECORD, head.odd_date)
            return _dropped_capture(self.source.name, record, head, fault, answer)
        return Capture(
            record_id=head.record_id,
            url=head.url,
            surt=surt(head.url),
            timestamp=head.timestamp,
            origin=Origin(self.source.name, record.offset, record.length),
            digest=answer.digest,
            content_type=answer.content_type,
            payload=answer.payload,
            truncated=answer.truncated,
            dated_by=head.dated_by,
            http_status=answer.http_status,
        )

    def _answer(self, record: Record, head: Head, block: Block) -> Answer:
        """The answer in a block, or why its digests say that it is another one."""
        answer = read_answer(record, block, head, self.limits, record.get("WARC-Truncated").lower())
        fault = block.verify()
        return replace(answer, fault=fault) if fault else answer

    def _truncated_answer(self, record: Record, head: Head, fault: Fault) -> Answer:
        """Answer of a record whose length is wrong, as far as its page is there."""
        answer = Answer(fault, is_html=False)
        if fault.reason is Reason.TRUNCATED and record.reopen():
            answer = read_answer(record, Block(record, verify=False), head, self.limits, RECORD)
        return replace(answer, fault=fault) if answer.fault else answer


def _lacks_length(entry: Entry) -> bool:
    """True if something is wrong with an entry and that has no stored length of its own."""
    result = entry.result
    if result is None or result.origin.length:
        return False
    if isinstance(result, Capture):
        return result.truncated == RECORD
    return result.status is Status.REJECTED


def _with_length(entry: Entry, length: int) -> Entry:
    result = entry.result
    if result is None or length <= 0:
        return entry
    origin = replace(result.origin, length=length)
    return replace(entry, result=replace(result, origin=origin))


def _oddities(name: str, record: Record, head: Head, block: Block) -> Iterator[Oddity]:
    origin = Origin(name, record.offset, record.length)
    if head.odd_date and head.timestamp:  # without any it is a reject
        yield Oddity(Odd.DATE, head.odd_date, origin, head.record_id, head.url)
    if record.odd_length:
        yield Oddity(Odd.LENGTH, record.odd_length, origin, head.record_id, head.url)
    if block.odd and not record.fault:
        yield Oddity(Odd.REVISIT_DIGEST, block.odd, origin, head.record_id, head.url)


def _dropped_capture(
    name: str, record: Record, head: Head, fault: Fault, answer: Answer | None = None
) -> Reject:
    return Reject(
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
        is_html=bool(answer and answer.is_html),
        refers_to=read_reference(record) if fault.reason is Reason.REVISIT else None,
        dated_by=head.dated_by,
        content_type=answer.content_type if answer else "",
        http_status=answer.http_status if answer else None,
    )


def _damage_entry(name: str, damage: Damage) -> Entry:
    origin = Origin(name, damage.offset, damage.length)
    fault = damage.fault
    result = Reject(Status.REJECTED, fault.reason, Stage.READ, fault.detail, origin)
    return Entry("", damage.offset, damage.reached, result)


def capture(
    url: str, html: str | bytes, at: str, *, record_id: str = "", content_type: str = ""
) -> Capture:
    """A capture of a page in memory; `at` is a 14-digit timestamp or an ISO date in UTC.

    A `str` is encoded as UTF-8, and declared so. Raises ValueError: `at` is no date.
    """
    timestamp = parse_date(at)
    if timestamp is None:
        raise ValueError(f"not a date: {at!r}")
    payload = html.encode(errors="replace") if isinstance(html, str) else html
    url = plain_url(url)
    declared = "text/html; charset=utf-8" if isinstance(html, str) else "text/html"
    return Capture(
        record_id=plain_id(record_id) or stable_id(url, timestamp14(timestamp)),
        url=url,
        surt=surt(url),
        timestamp=timestamp,
        origin=Origin("memory", 0, len(payload)),
        digest=sha1(payload),
        content_type=content_type or declared,
        payload=payload,
    )
