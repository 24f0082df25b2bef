"""The records of a stored file in file order, and the damaged places between them.

warcio's iterator stops at one damaged gzip member, and refuses a file that is one single member.
Here reading goes on at the next place where a record header parses. A member is one of gzip, or a
frame of Zstandard.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.records.feed import GZIP_MAGIC, Fault, GzipFeed, PlainFeed
from dbce.archive.records.record import (
    HEADER_LINE,
    HEADER_LINE_LENGTH,
    Record,
    next_header,
    open_record,
    starts_record,
)
from dbce.archive.records.window import Window
from dbce.archive.records.zstd import FRAME_MAGIC, ZstdFeed, behind_skippable, read_dictionary
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from zstandard import ZstdCompressionDict

_MAGIC = b"|".join(map(re.escape, (GZIP_MAGIC, FRAME_MAGIC)))
MEMBER = re.compile(_MAGIC)
_MEMBER_OR_RECORD = re.compile(rb"%s|^%s" % (_MAGIC, HEADER_LINE), re.MULTILINE)
_NOTHING = Fault(Reason.DAMAGED, "no record begins here")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place in the stored file where no record can be read; length 0 where it is unknown.

    `reached` is the offset behind the last byte that was read of the member that it lies in.
    """

    offset: int
    length: int
    fault: Fault
    reached: int = 0


class Container:
    """A stored file whose members can be opened, and what these need to be read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    @cached_property
    def size(self) -> int:
        return self.file.seek(0, 2)

    @cached_property
    def _dictionary(self) -> ZstdCompressionDict | None:
        return read_dictionary(self.file)

    def open(self, offset: int) -> Window | None:
        """The member at an offset, or the plain file from there on; None behind the end of the file."""
        self.file.seek(offset)
        head = self.file.read(len(FRAME_MAGIC))
        if not head:
            return None
        if head.startswith(GZIP_MAGIC):
            return Window(GzipFeed(self.file, offset))
        if head == FRAME_MAGIC:
            return Window(ZstdFeed(self.file, offset, self._dictionary))
        behind = behind_skippable(self.file, offset)
        return Window(PlainFeed(self.file, offset)) if behind == offset else self.open(behind)

    def next_place(
        self, offset: int, pattern: re.Pattern[bytes], stop: int | None = None
    ) -> int | None:
        """The next offset, before `stop`, where a match of the pattern opens a record."""
        window = Window(PlainFeed(self.file, offset, stop))
        while window.find(pattern, HEADER_LINE_LENGTH):
            candidate = self.open(window.position)
            if candidate:
                candidate.newlines()
                if isinstance(open_record(candidate), Record):
                    return window.position
            window.skip(1)
        return None


def records(file: BinaryIO, start: int = 0, stop: int | None = None) -> Iterator[Record | Damage]:
    """All records and damaged places, in order. Each record is closed when the next comes.

    With `start` and `stop`, offsets where records begin, those of that piece of the file.

    Raises:
        OSError: the file cannot be read on.
    """
    container = Container(file)
    window = container.open(start)
    if window and not window.compressed and not _begins(window):
        next_start = container.next_place(start, _MEMBER_OR_RECORD)
        yield Damage(start, (next_start or start) - start, _NOTHING)
        window = None if next_start is None else container.open(next_start)
    while window and (stop is None or window.feed.start < stop):
        yield from _unit(window, stop)
        if not window.compressed:
            return
        window = window.following() or (yield from _resume(container, window))


def records_at(file: BinaryIO, offsets: Sequence[int]) -> Iterator[Record | Damage]:
    """The records at the given offsets: one each, or all that share the member there.

    Raises:
        OSError: the file cannot be read on.
    """
    container = Container(file)
    for offset in offsets:
        window = container.open(offset)
        if window is None:
            yield Damage(offset, 0, Fault(Reason.DAMAGED, "the file ends before this offset"))
        elif window.compressed:
            yield from _unit(window)
        else:
            record = open_record(window)
            if isinstance(record, Fault):
                yield Damage(offset, 0, record)
            else:
                yield record
                record.close()


def _unit(window: Window, stop: int | None = None) -> Iterator[Record | Damage]:
    """The records of one member, or of a plain file from here to its end or to where `stop` is."""
    empty = True
    while True:
        window.newlines()
        if not window.peek(1) or _is_over(window, stop):
            break
        empty = False
        start = window.position
        record = open_record(window)
        if isinstance(record, Record):
            yield record
            record.close()
            continue
        next_header(window)
        if window.compressed:
            offset = window.feed.start
            # Of several records in one member none has a stored length of its own.
            length = 0 if start else window.member_length(offset)
            yield Damage(offset, length, window.fault or record, window.end)
        else:
            yield Damage(start, window.position - start, record)
    if empty and window.fault:
        yield Damage(window.feed.start, 0, window.fault)


def _is_over(window: Window, stop: int | None) -> bool:
    return stop is not None and not window.compressed and window.position >= stop


def _resume(container: Container, window: Window) -> Generator[Damage, None, Window | None]:
    """The next readable member where none follows directly."""
    start = window.feed.start + 1 if window.fault else window.end
    next_start = container.next_place(start, MEMBER)
    if window.fault is None and container.size > start and next_start != start:
        length = (container.size if next_start is None else next_start) - start
        yield Damage(start, length, Fault(Reason.DAMAGED, "no member begins here"))
    return None if next_start is None else container.open(next_start)


def _begins(window: Window) -> bool:
    window.newlines()
    return starts_record(window.peek(HEADER_LINE_LENGTH))
