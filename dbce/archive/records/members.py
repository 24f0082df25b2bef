"""Members of a stored file, or all of a plain one: opened, and read forward with look-ahead, search, and marks to return to."""

from __future__ import annotations

import re
from copy import copy
from functools import cached_property
from typing import BinaryIO

from zstandard import ZstdCompressionDict

from dbce.archive.records.feed import (
    DICTIONARY_MAGIC,
    FRAME_MAGIC,
    GZIP_MAGIC,
    PIECE,
    READ,
    Fault,
    Feed,
    GzipFeed,
    PlainFeed,
    WorkDone,
    ZstdFeed,
    read_dictionary,
    skippable_end,
)
from dbce.model import Reason

# What may stand between records, and says nothing: line ends, blanks, zeros, marks of the byte order.
_PADDING = re.compile(rb"(?:[\r\n\0 \t]|\xef\xbb\xbf)*")
LINE_ENDS = re.compile(rb"[\r\n]*")
_LAST_LINE_ENDS = {count: re.compile(rb"(?:\r?\n){1,%d}\Z" % count) for count in (1, 2)}
# A member that expands to more bytes than this, and to more than so many times of its own, is a bomb
# and not read on. Text comes to a tenth of its size, zeros to a thousandth.
BOMB = 250_000_000
BOMB_RATIO = 200
# Behind a wrong length bytes are read again. Where that comes to so many times what was read, and so
# many bytes beside, lengths are not believed any more; at twice as much a member is not read on.
AGAIN = 16
AGAIN_BYTES = 16_000_000


class Window:
    """One gzip member or frame of Zstandard, or a plain file from an offset on.

    `position` counts the bytes handed out; for a plain file it is the offset in the file.
    """

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.position = 0 if self.is_compressed else feed.start
        self._buffer = b""
        self._at = 0
        self._made = 0  # bytes that the member has been expanded to
        self._member = (-1, 0)  # start and end of the member that was measured last

    @property
    def is_compressed(self) -> bool:
        return not isinstance(self.feed, PlainFeed)

    @property
    def fault(self) -> Fault | None:
        return self.feed.fault

    def peek(self, count: int) -> bytes:
        """The next `count` bytes without passing them; fewer at the end."""
        while len(self._buffer) - self._at < count and self._more():
            pass
        return self._buffer[self._at : self._at + count]

    def read(self, count: int) -> bytes:
        """Up to `count` bytes, as many as are at hand; empty only at the end."""
        if self._at >= len(self._buffer) and not self._more():
            return b""
        data = self._buffer[self._at : self._at + count]
        self._pass(len(data))
        return data

    def line(self, limit: int) -> bytes:
        """The next line with its end, cut at `limit` bytes; empty only at the end."""
        stop = self._buffer.find(b"\n", self._at)
        while stop < 0 and len(self._buffer) - self._at < limit:
            seen = len(self._buffer) - self._at
            if not self._more():
                break
            stop = self._buffer.find(b"\n", self._at + seen)
        end = len(self._buffer) if stop < 0 else stop + 1
        data = self._buffer[self._at : min(end, self._at + limit)]
        self._pass(len(data))
        return data

    def skip(self, count: int) -> int:
        """Passes over `count` bytes; returns how many there were."""
        passed = min(count, len(self._buffer) - self._at)
        self._pass(passed)
        if passed < count and isinstance(self.feed, PlainFeed):
            jumped = self.feed.skip(count - passed)
            self.position += jumped
            passed += jumped
        while passed < count and (data := self.read(count - passed)):
            passed += len(data)
        return passed

    def padding(self, kind: re.Pattern[bytes] = _PADDING) -> bytes:
        """Passes over what may stand between records; returns the first of it (16 bytes at most)."""
        first = b""
        while (padding := kind.match(self.peek(512))) and padding[0]:
            first = first or padding[0][:16]
            self._pass(padding.end())
        return first

    def line_ends(self, length: int, count: int) -> int:
        """Bytes of the line ends, `count` (1 or 2) at most, with which the next `length` bytes end."""
        ahead = self.mark()
        ahead.skip(max(0, length - 2 * count))
        ends = _LAST_LINE_ENDS[count].search(ahead.peek(min(length, 2 * count)))
        return len(ends[0]) if ends else 0

    def find(self, pattern: re.Pattern[bytes], overlap: int) -> bool:
        """Moves to the next match of a pattern that is at most `overlap` bytes long."""
        while ahead := self.peek(READ + overlap):
            match = pattern.search(ahead)
            if match and match.start() < READ:
                self._pass(match.start())
                return True
            self._pass(min(len(ahead), READ))
        return False

    def following(self) -> Window | None:
        """The member right behind this one, when this one is read to its end."""
        feed = self.feed.following()
        return Window(feed) if feed else None

    def join(self, following: Window) -> None:
        """Goes on in the next member as if it were this one."""
        self._buffer, self._at = self._buffer[self._at :] + following._buffer[following._at :], 0
        self.feed = following.feed
        self._made = following._made

    @property
    def end(self) -> int:
        """The offset behind the member that is read to its end, or of the place in a plain file."""
        return self.feed.end if self.is_compressed else self.position

    def member_length(self, offset: int) -> int:
        """Bytes from `offset` to the end of this member; 0 when it is damaged."""
        if self._member[0] != self.feed.start:
            ahead = self
            if self.peek(1):
                ahead = self.mark()
                ahead.feed.work = WorkDone()  # measuring a member once is no wrong length
                while ahead.read(PIECE):
                    pass
            self._member = (self.feed.start, 0 if ahead.fault else ahead.end)
        return max(0, self._member[1] - offset)

    def mark(self) -> Window:
        twin = copy(self)
        twin.feed = self.feed.copy()
        return twin

    def reset(self, mark: Window) -> None:
        self.feed, self.position = mark.feed, mark.position
        self._buffer, self._at, self._made = mark._buffer, mark._at, mark._made

    def _more(self) -> bool:
        data = self.feed.more()
        self._made += len(data)
        if self._is_too_much():
            data = b""
        self._buffer, self._at = self._buffer[self._at :] + data, 0
        return bool(data)

    @property
    def goes_in_circles(self) -> bool:
        """True where most of the reading was for nothing, because lengths are wrong."""
        return self.feed.work.done > AGAIN_BYTES + AGAIN * self._made

    def _is_too_much(self) -> bool:
        """True if the member takes more work than its size is worth; it ends here, with a fault."""
        feed, made = self.feed, self._made
        if not self.is_compressed:
            return False
        if feed.work.done > 2 * (AGAIN_BYTES + AGAIN * made):
            detail = f"wrong lengths: read again and again, {feed.work.done} bytes for {made}"
        elif made > BOMB and made > BOMB_RATIO * (feed.end - feed.start):
            detail = f"{feed.end - feed.start} bytes expand to more than {made}"
        else:
            return False
        feed.fault = Fault(Reason.TOO_LARGE, detail)
        return True

    def _pass(self, count: int) -> None:
        self._at += count
        self.position += count


_DICTIONARY = re.compile(re.escape(DICTIONARY_MAGIC))
_DICTIONARIES = 100  # of a file; more are an attack
MEMBER = re.compile(b"|".join(map(re.escape, (GZIP_MAGIC, FRAME_MAGIC))))  # where one begins


class Container:
    """A stored file whose members can be opened, and what these need to be read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self._last: tuple[int, ZstdCompressionDict | None] = (-1, None)  # number and dictionary

    @cached_property
    def size(self) -> int:
        return self.file.seek(0, 2)

    def _dictionary(self, number: int) -> ZstdCompressionDict | None:
        """The dictionary of a number; that which the file begins with where no other has it."""
        if self._last[0] != number:
            first = read_dictionary(self.file, 0)
            is_first = number in (0, first.dict_id() if first else 0)
            place = 0 if is_first else self._dictionaries.get(number, 0)
            self._last = number, read_dictionary(self.file, place) if place else first
        return self._last[1]

    @cached_property
    def _dictionaries(self) -> dict[int, int]:
        """Offsets of the dictionaries by their numbers: a file that was put together has several."""
        places: dict[int, int] = {}
        window = Window(PlainFeed(self.file, 0))
        while len(places) < _DICTIONARIES and window.find(_DICTIONARY, len(DICTIONARY_MAGIC)):
            dictionary = read_dictionary(self.file, window.position)
            places.setdefault(dictionary.dict_id() if dictionary else 0, window.position)
            window.skip(self.file.tell() - window.position)
        return places

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
        behind = skippable_end(self.file, offset)
        return Window(PlainFeed(self.file, offset)) if behind == offset else self.open(behind)
