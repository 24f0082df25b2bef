"""The records of a stored file in file order: their headers, where each begins, and the damage between."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeadersParser

from dbce.archive.records import lines
from dbce.archive.records.feed import Fault, PlainFeed
from dbce.archive.records.members import LINE_ENDS, MEMBER, Container, Window
from dbce.archive.records.message import LINE_LENGTH, parse
from dbce.model import InputError, Reason

# warcio parses the headers. Comparing lengths and going on after damage is our own, because
# warcio returns truncated records without an error.

# What no header has, but a page whose crawler has left out the empty line before it.
_PAGE = re.compile(rb"<(?:!doctype|html|head|body|title|\?xml)\b", re.IGNORECASE)
_PAGE_LENGTH = 16  # bytes; no match of it is longer
# No text of a page, but of what is left of a record or of no record at all.
_NO_TEXT = re.compile(rb"^(?:HTTP/\d|WARC-|Content-)|[\x00-\x08\x0e-\x1a\x1c-\x1f]", re.MULTILINE)
_LONGEST_UNREAD = 1024 * 1024  # bytes of a record whose line cannot be read
_TOO_SHORT = Fault(Reason.BAD_RECORD, "does not end where it says")
_LONGEST = 2**63  # bytes; a length beyond is no length
_CANDIDATE = 64 * 1024  # bytes in which a header is to end that is found by searching


class Record:
    """One open record: its header, and its block to read. `close` it before the next is opened.

    `offset` and `length` are those of the stored record: of its gzip member (0 where that is
    damaged), or from the header to the end of the block in a plain file. `within` is the place in
    the decompressed member, not 0 where several records share one. `reached` is the offset in the
    stored file up to which the block was read. It, `length` and `fault` are final after `close`, and so is
    `odd_length`, which says that the block is longer than declared: there is all of it after `reopen`.
    """

    def __init__(
        self,
        window: Window,
        start: int,
        fields: Iterable[tuple[str, str]],
        *,
        is_arc: bool = False,
        separator: bytes = b"",
    ) -> None:
        self.is_arc = is_arc
        self._separator = (b"\n", b"\r\n") if is_arc else separator
        self.offset = window.feed.start if window.is_compressed else start
        self.within = start if window.is_compressed else 0
        self.length = self.reached = 0
        self.fault: Fault | None = None
        self.odd_length = ""
        self._fields: dict[str, str] = {}
        for name, value in fields:  # of several of one name the first counts
            self._fields.setdefault(name.lower(), value.strip())
        self._window = window
        self._start = start
        self._mark = window.mark()
        self._part: tuple[Window, int] | None = None  # of a truncated block: what there is of it
        self._closed = False
        declared = self.get("Content-Length")
        numeric = declared.isascii() and declared.isdigit() and len(declared) < len(str(_LONGEST))
        self._declared = self._left = int(declared) if numeric else 0
        self._said = (
            f"{declared} bytes are declared" if numeric else f"Content-Length is {declared[:80]!r}"
        )
        if numeric and window.goes_in_circles:
            self._look_ahead()

    def get(self, name: str) -> str:
        return self._fields.get(name.lower(), "")

    def peek(self, count: int) -> bytes:
        """The next `count` bytes of the block without passing them; fewer at its end."""
        return self._window.peek(min(count, self._left))

    def read(self, count: int) -> bytes:
        """Up to `count` bytes of the block; empty at its end, also an early one."""
        wanted = min(count, self._left)
        if not wanted:
            return b""
        data = self._window.read(wanted)
        if not data and lines.join_following(self._window):
            data = self._window.read(wanted)
        self._left -= len(data)
        return data

    def line(self) -> bytes:
        """The next line of the block's header, cut where it is too long; empty at its end, also where a page begins without an empty line."""
        if _PAGE.match(self.peek(_PAGE_LENGTH)):
            return b""
        data = lines.read_line(self._window, min(self._left, LINE_LENGTH))
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Passes over the rest, compares declared and real length, and moves to the next record."""
        if self._closed:
            return
        self._closed = True
        window = self._window
        end = self._mark.position + self._declared
        self.fault = self.fault or self._length_fault()
        if self.fault:
            end = self._go_back(self.fault)
        if window.is_compressed:
            self.length = window.member_length(self.offset)
        else:
            self.length = end - self._start
        self.reached = self.reached or window.end

    def reopen(self) -> bool:
        """After `close` of a record whose length is wrong: makes what there is of its block readable again.

        Returns True if there is anything. The reader's place in the file stays where it is.
        """
        if self._part is None:
            return False
        self._window, self._left = self._part
        return self._left > 0

    def _look_ahead(self) -> None:
        """Ends the block at the next header, if one comes before its end."""
        ahead = self._mark.mark()
        start = ahead.position
        if next_header(ahead) and ahead.position < start + self._declared:
            self._left = ahead.position - start
            self.fault = Fault(Reason.TRUNCATED, f"ends before its {self._declared} bytes")

    def _length_fault(self) -> Fault | None:
        window = self._window
        self._left -= window.skip(self._left)
        while self._left and lines.join_following(window):
            self._left -= window.skip(self._left)
        if self._left:
            real = self._declared - self._left
            return Fault(Reason.TRUNCATED, f"{real} of {self._declared} bytes")
        gap = window.padding(LINE_ENDS)
        if not window.peek(1):
            return window.fault
        # Behind two line ends (one in ARC), damage belongs to what follows, not to this record: unless it is
        # text, as where the length of a page is that of its letters.
        is_behind = gap.startswith(self._separator)
        is_warc_header = is_behind and not self.is_arc
        length = lines.WARC_LINE_LENGTH if is_warc_header else lines.HEADER_LINE_LENGTH
        ahead = lines.join_line(window).peek(length)
        is_whole = lines.starts_record(ahead) or (is_behind and not self._goes_on())
        return None if is_whole else _TOO_SHORT

    def _goes_on(self) -> bool:
        """Return whether the text behind line ends is of this block: of an ARC record, or the end of a gzip member."""
        ahead = self._window.peek(_CANDIDATE)
        following = lines.NEXT.search(ahead)
        if not (self.is_arc or (self._window.is_compressed and not following)):
            return False
        ends = following or self._window.is_compressed or len(ahead) < _CANDIDATE
        if self._window.fault:  # what comes out of a damaged member may be anything
            return False
        stop = following.start() if following else len(ahead)
        return bool(ends) and not _NO_TEXT.search(ahead, 0, stop)

    def _go_back(self, fault: Fault) -> int:
        """Returns to the block for records that a wrong length ran over; says where it ends."""
        window = self._window
        passed = window.position
        self.reached = window.end
        self.fault = window.fault or fault
        block = self._mark.mark()
        window.reset(self._mark)
        has_next = next_header(window)
        if has_next and window.position < passed:
            self.fault = Fault(Reason.TRUNCATED, f"ends before its {self._declared} bytes")
        elif not has_next and self.fault.reason is not Reason.TOO_LARGE:
            # Damage can show behind a place that it has garbled.
            self.fault = window.fault or self.fault
        real = window.position - block.position
        if self.fault.reason is Reason.TRUNCATED:
            self._part = block, real
        elif self.fault is _TOO_SHORT:
            real -= block.line_ends(real, 1 if self.is_arc else 2)
            self._part = block, real
            self.odd_length = f"{self._said}, {real} there"
            self.fault = None
            return block.position + real
        return window.position


def open_record(window: Window) -> Record | Fault:
    """The record whose header begins here, or why there is none."""
    start = window.position
    try:
        if lines.STARTS_WARC.match(window.peek(lines.WARC_LINE_LENGTH)):
            return _warc_record(window, start)
        if line := lines.STARTS_ARC.match(window.peek(lines.HEADER_LINE_LENGTH)):
            window.skip(line.end())
            return Record(window, start, _arc_fields(line), is_arc=True)
    except InputError as e:
        return Fault(e.reason, e.detail)
    if lines.STARTS_LONG_ARC.match(window.peek(lines.HEADER_LINE_LENGTH)):
        return Fault(Reason.DAMAGED, f"a header line of more than {lines.LONGEST_ARC_URL:,} bytes")
    return _TWICE if MEMBER.match(window.peek(lines.WARC_LINE_LENGTH)) else _NOTHING


def _arc_fields(line: re.Match[bytes]) -> Iterator[tuple[str, str]]:
    text_of = StatusAndHeadersParser.decode_header  # as that of WARC is read
    known = {name: text_of(value or b"") for name, value in line.groupdict().items()}
    kind = "warcinfo" if known["url"].lower().startswith("filedesc:") else "response"
    yield "WARC-Type", kind
    yield "WARC-Target-URI", known["url"]
    yield "WARC-Date", known["date"] or known["named"] or known["before"]
    yield "Content-Type", known["media"]
    yield "Content-Length", known["length"]


def _pass_damage(window: Window) -> None:
    """Moves behind an ARC record of whose line no more can be read than its length, else to the next header."""
    head = lines.ANY_ARC.match(window.peek(lines.HEADER_LINE_LENGTH))
    size = head.end() + int(head["length"]) if head else 0
    if 0 < size <= _LONGEST_UNREAD and not lines.NEXT.search(window.peek(size), 1):
        ahead = window.mark()
        ahead.skip(size)
        gap, following = ahead.padding(), ahead.peek(lines.HEADER_LINE_LENGTH)
        if gap and (lines.starts_record(following) or lines.ANY_ARC.match(following)):
            window.reset(ahead)
            return
    next_header(window)


def next_header(window: Window) -> bool:
    """Moves to the next place where a record header parses."""
    while window.find(lines.NEXT, lines.HEADER_LINE_LENGTH):
        # From what is ahead, without going there and back: a place costs the same wherever it is.
        ahead = Window(PlainFeed(BytesIO(window.peek(_CANDIDATE)), 0))
        if isinstance(open_record(ahead), Record):
            return True
        window.skip(1)
    return False


def _warc_record(window: Window, start: int) -> Record | Fault:
    block = lines.header_bytes(window)
    headers = parse(block)
    if not headers.get_header("WARC-Type") and not headers.get_header("Content-Length"):
        return Fault(Reason.DAMAGED, "a record header that cannot be read")
    separator = b"\r\n\r\n" if b"\r\n" in block else b"\n\n"
    record = Record(window, start, headers.headers, separator=separator)
    if block[len(block.rstrip()) :].count(b"\n") < 2:  # the last line's end, and the empty line
        record.fault = Fault(Reason.TRUNCATED, "the record header breaks off")
    elif b"\0" in block:
        record.fault = Fault(Reason.BAD_RECORD, "zero bytes in the record header")
    return record


# warcio's iterator stops at one damaged gzip member, and refuses a file that is one single
# member. Here reading goes on at the next place where a record header parses. A member is one of
# gzip, or a frame of Zstandard.

_MEMBER_OR_RECORD = re.compile(rb"%s|%s" % (MEMBER.pattern, lines.NEXT.pattern), re.MULTILINE)
_NOTHING = Fault(Reason.DAMAGED, "no record begins here")
_TWICE = Fault(Reason.DAMAGED, "this was compressed twice: decompress the file once")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place in the stored file where no record can be read; length 0 where it is unknown.

    `reached` is the offset behind the last byte that was read of the member that it lies in.
    """

    offset: int
    length: int
    fault: Fault
    reached: int = 0


def next_place(
    container: Container, offset: int, pattern: re.Pattern[bytes], stop: int | None = None
) -> int | None:
    """The next offset, before `stop`, where a match of the pattern opens a record."""
    window = Window(PlainFeed(container.file, offset, stop))
    while window.find(pattern, lines.HEADER_LINE_LENGTH):
        candidate = container.open(window.position)
        if candidate:
            candidate.padding()
            if isinstance(open_record(candidate), Record):
                return window.position
        window.skip(1)
    return None


def records(file: BinaryIO, start: int = 0, stop: int | None = None) -> Iterator[Record | Damage]:
    """All records and damaged places, in order. Each record is closed when the next comes; OSErrors are passed on.

    With `start` and `stop`, offsets where records begin, those of that piece of the file.
    """
    container = Container(file)
    window = container.open(start)
    if window and not window.is_compressed:
        window.padding()
        ahead = window.peek(lines.HEADER_LINE_LENGTH)
        if not (lines.starts_record(ahead) or MEMBER.match(ahead)):
            next_start = next_place(container, start, _MEMBER_OR_RECORD)
            yield Damage(start, (next_start or start) - start, _NOTHING)
            window = None if next_start is None else container.open(next_start)
    while window and (stop is None or window.feed.start < stop):
        yield from _unit(window, stop)
        if window.is_compressed:
            window = window.following() or (yield from _resume(container, window))
        else:  # at the end, or at a member of a file that was put together from several
            window = container.open(window.position)


def records_at(file: BinaryIO, offsets: Sequence[int]) -> Iterator[Record | Damage]:
    """The records at the given offsets: one each, or all that share the member there; OSErrors are passed on."""
    container = Container(file)
    for offset in offsets:
        window = container.open(offset)
        if window is None:
            yield Damage(offset, 0, Fault(Reason.DAMAGED, "the file ends before this offset"))
        elif window.is_compressed:
            yield from _unit(window)
        elif isinstance(record := open_record(window), Fault):
            yield Damage(offset, 0, record)
        else:
            yield record
            record.close()


def _unit(window: Window, stop: int | None = None) -> Iterator[Record | Damage]:
    """The records of one member, or of a plain file from here to a member, its end or to where `stop` is."""
    empty = True
    while True:
        window.padding(LINE_ENDS)
        start = window.position  # of damage, if no record is behind the padding
        window.padding()
        is_over = not window.is_compressed and (
            (stop is not None and window.position >= stop)
            or MEMBER.match(window.peek(lines.WARC_LINE_LENGTH))
        )
        if is_over or not window.peek(1):
            break
        empty, offset = False, window.feed.start
        window.reset(lines.join_line(window))
        record = open_record(window)
        if isinstance(record, Record):
            if window.is_compressed:  # its header may go on in another member
                record.offset = offset
            yield record
            record.close()
            continue
        _pass_damage(window)
        if window.is_compressed:
            # Of several records in one member none has a stored length of its own.
            length = 0 if start else window.member_length(offset)
            yield Damage(offset, length, window.fault or record, window.end)
        else:
            yield Damage(start, window.position - start, record)
    if empty and window.fault:
        yield Damage(window.feed.start, 0, window.fault)


def _resume(container: Container, window: Window) -> Generator[Damage, None, Window | None]:
    """The next readable member where none follows directly."""
    ahead = Window(PlainFeed(container.file, window.end))
    ahead.padding()
    start = window.feed.start + 1 if window.fault else ahead.position
    next_start = next_place(container, start, MEMBER if window.fault else _MEMBER_OR_RECORD)
    if window.fault is None and container.size > start and next_start != start:
        length = (container.size if next_start is None else next_start) - start
        yield Damage(start, length, Fault(Reason.DAMAGED, "no member begins here"))
    return None if next_start is None else container.open(next_start)
