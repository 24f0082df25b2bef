"""The records of a stored file in file order, and the damaged places between them.

warcio's iterator stops at one damaged gzip member, and refuses a file that is one single member.
Here reading goes on at the next place where a record header parses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.feed import GZIP_MAGIC, Fault, GzipFeed, PlainFeed
from dbce.archive.record import (
    HEADER_LINE,
    HEADER_LINE_LENGTH,
    Record,
    next_header,
    open_record,
    starts_record,
)
from dbce.archive.window import Window
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

_MEMBER = re.compile(re.escape(GZIP_MAGIC))
_MEMBER_OR_RECORD = re.compile(rb"%s|^%s" % (re.escape(GZIP_MAGIC), HEADER_LINE), re.MULTILINE)
_NOTHING = Fault(Reason.DAMAGED, "no record begins here")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place in the stored file where no record can be read; length 0 where it is unknown."""

    offset: int
    length: int
    fault: Fault


def records(file: BinaryIO) -> Iterator[Record | Damage]:
    """All records and damaged places, in order. Each record is closed when the next comes.

    Raises:
        OSError: the file cannot be read on.
    """
    window = _open(file, 0)
    if window and not window.compressed and not _begins(window):
        found = _next_place(file, 0, _MEMBER_OR_RECORD)
        yield Damage(0, found or 0, _NOTHING)
        window = None if found is None else _open(file, found)
    while window:
        yield from _unit(window)
        if not window.compressed:
            return
        window = window.following() or (yield from _resume(file, window))


def records_at(file: BinaryIO, offsets: Sequence[int]) -> Iterator[Record | Damage]:
    """The records at the given offsets: one each, or all that share the gzip member there.

    Raises:
        OSError: the file cannot be read on.
    """
    for offset in offsets:
        window = _open(file, offset)
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


def _unit(window: Window) -> Iterator[Record | Damage]:
    """What one gzip member holds, or a plain file from here to its end."""
    empty = True
    while True:
        window.newlines()
        if not window.peek(1):
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
            yield Damage(offset, window.member_length(offset), window.fault or record)
        else:
            yield Damage(start, window.position - start, record)
    if empty and window.fault:
        yield Damage(window.feed.start, 0, window.fault)


def _resume(file: BinaryIO, window: Window) -> Generator[Damage, None, Window | None]:
    """The next readable gzip member where none follows directly."""
    size = file.seek(0, 2)
    start = window.feed.start + 1 if window.fault else window.end
    found = _next_place(file, start, _MEMBER)
    if window.fault is None and size > start:
        length = (size if found is None else found) - start
        yield Damage(start, length, Fault(Reason.DAMAGED, "no gzip member begins here"))
    return None if found is None else _open(file, found)


def _next_place(file: BinaryIO, offset: int, pattern: re.Pattern[bytes]) -> int | None:
    """The next offset where a match of the pattern opens a record."""
    window = Window(PlainFeed(file, offset))
    while window.find(pattern, HEADER_LINE_LENGTH):
        candidate = _open(file, window.position)
        if candidate:
            candidate.newlines()
            if isinstance(open_record(candidate), Record):
                return window.position
        window.skip(1)
    return None


def _open(file: BinaryIO, offset: int) -> Window | None:
    """What is stored at an offset; None behind the end of the file."""
    file.seek(offset)
    head = file.read(len(GZIP_MAGIC))
    if not head:
        return None
    return Window(GzipFeed(file, offset) if head == GZIP_MAGIC else PlainFeed(file, offset))


def _begins(window: Window) -> bool:
    window.newlines()
    return starts_record(window.peek(HEADER_LINE_LENGTH))
