"""A forward reader over a stored file, with look-ahead, search, and marks to return to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.archive.feed import PIECE, READ, Fault, GzipFeed, PlainFeed

if TYPE_CHECKING:
    import re

_NEWLINES = b"\r\n"


class Window:
    """One gzip member, or a plain file from an offset on.

    `position` counts the bytes handed out; for a plain file it is the offset in the file.
    """

    def __init__(self, feed: PlainFeed | GzipFeed) -> None:
        self.feed = feed
        self.position = feed.start if isinstance(feed, PlainFeed) else 0
        self._buffer = b""
        self._at = 0
        self._member = (-1, 0)  # start and end of the gzip member that was measured last

    @property
    def compressed(self) -> bool:
        return isinstance(self.feed, GzipFeed)

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
        jumped = self.feed.skip(count - passed) if passed < count else 0
        self.position += jumped
        passed += jumped
        while passed < count and (data := self.read(count - passed)):
            passed += len(data)
        return passed

    def newlines(self) -> bytes:
        """Passes over line ends; returns the first of them (16 bytes at most)."""
        first = b""
        while (ahead := self.peek(512)) and ahead[0] in _NEWLINES:
            passed = len(ahead) - len(ahead.lstrip(_NEWLINES))
            first = first or ahead[: min(passed, 16)]
            self._pass(passed)
        return first

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
        """The gzip member right behind this one, when this one is read to its end."""
        feed = self.feed.following() if isinstance(self.feed, GzipFeed) else None
        return Window(feed) if feed else None

    def join(self, following: Window) -> None:
        """Goes on in the next gzip member as if it were this one."""
        self.feed, self._buffer, self._at = following.feed, following._buffer, following._at

    @property
    def end(self) -> int:
        """The offset behind the gzip member that is read to its end."""
        return self.feed.end if isinstance(self.feed, GzipFeed) else self.position

    def member_length(self, offset: int) -> int:
        """Bytes from `offset` to the end of this gzip member; 0 when it is damaged."""
        if self._member[0] != self.feed.start:
            ahead = self.mark() if self.peek(1) else self
            while ahead is not self and ahead.read(PIECE):
                pass
            self._member = (self.feed.start, 0 if ahead.fault else ahead.end)
        return max(0, self._member[1] - offset)

    def mark(self) -> Window:
        """A second window at the same place, to `reset` to."""
        twin = Window(self.feed.copy())
        twin.position, twin._buffer, twin._at = self.position, self._buffer, self._at
        return twin

    def reset(self, mark: Window) -> None:
        self.feed, self.position = mark.feed, mark.position
        self._buffer, self._at = mark._buffer, mark._at

    def _more(self) -> bool:
        data = self.feed.more()
        self._buffer, self._at = self._buffer[self._at :] + data, 0
        return bool(data)

    def _pass(self, count: int) -> None:
        self._at += count
        self.position += count
