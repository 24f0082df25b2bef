"""The block gold that people make, and its journal beside it.

Whatever is done goes to FILE.journal first, then FILE is written anew from it. FILE is read by
`dbce evaluate-blocks`; all that several people did, and in which order, is in the journal.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.annotate.blocks.sessions import COMMAND, key_of, marked, sessions_of
from dbce.annotate.blocks.taken import drawn_in, taken_event, taken_over
from dbce.annotate.core.file import GoldFile
from dbce.visual.measure import block_gold_objects, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dbce.annotate.blocks.operations import Operation
    from dbce.annotate.blocks.pages import Pages
    from dbce.annotate.blocks.sessions import About, Session, Sessions
    from dbce.annotate.core.journal import Event
    from dbce.visual.measure import MarkedBlock, MarkedPage


class BlockBook(GoldFile):
    """A file of block gold that is open to be added to, by as many threads as like.

    Gold that is there without a journal is taken over first. `pages` are those that are drawn on. From
    `others`, gold files with or without journals, comes what people drew who have done nothing here on the
    same page.

    Raises:
        UsageError: the file is no block gold, or of other pages, was changed by something else, cannot
            be written, or is open elsewhere.
    """

    def __init__(self, path: Path, pages: Pages, others: Sequence[Path] = ()) -> None:
        self._pages = pages
        self._others = others
        super().__init__(path, COMMAND)

    def _open(self) -> None:
        self._done = self._replayed()
        for other in self._others:
            self._take(other)
        known = _lines_in(self.path)
        self._lines = {key: self._known_line(key, known) for key in self._done.captures}
        if self._done.captures:
            self._write()

    def people(self) -> dict[str, list[str]]:
        """The keys of the pages on which each person has blocks, by name."""
        with self._turn:
            return self._done.people()

    def session(self, by: str, key: str) -> Session:
        """Somebody's work on a page."""
        with self._turn:
            return self._done.session(by, key)

    def drawn_by(self, by: str, key: str) -> MarkedPage:
        """A page that somebody has drawn on, with the blocks."""
        with self._turn:
            return self._done.drawn_by(by, key)

    def drawn(self, by: str, about: About) -> MarkedPage:
        """The page with the blocks of somebody, none if there are none yet."""
        with self._turn:
            return marked(
                self._done.captures.get(key_of(about), about), self.session(by, key_of(about)).tree
            )

    def counting(self, key: str) -> str | None:
        """Whose blocks are the gold of a page; None if it has none."""
        with self._turn:
            return self._done.counting(key)

    def do(self, by: str, at: str, about: About, operation: Operation) -> str:
        """Does an operation in somebody's name; it is saved when this returns. The key of the page.

        Raises:
            NoBlock: it is not possible, and not noted.
            StoreError: it cannot be saved.
        """
        return self._note({"by": by, "at": at, "capture": about, "op": operation})

    def undo(self, by: str, at: str, about: About) -> str:
        """Takes back what somebody did last on a page, as `do`.

        Raises:
            NoBlock: nothing is left.
        """
        return self._note({"by": by, "at": at, "capture": about, "undo": True})

    def redo(self, by: str, at: str, about: About) -> str:
        """Does again what somebody took back last, as `do`.

        Raises:
            NoBlock: nothing was taken back.
        """
        return self._note({"by": by, "at": at, "capture": about, "redo": True})

    def choose(self, by: str, at: str, about: About, name: str) -> str:
        """Notes a reviewer's decision whose blocks are the gold of a page, as `do`."""
        return self._note({"by": by, "at": at, "capture": about, "counts": name})

    def export(self, by: str) -> Iterator[str]:
        """The pages of one person, a line of block gold each."""
        with self._turn:
            for key in self._done.people().get(by, ()):
                yield self._written(key, self._done.drawn_by(by, key))

    def _take(self, other: Path) -> None:
        """Notes what people drew in another file who have done nothing here on the same page."""
        for by, key, page in drawn_in(other, self._pages):
            if self._done.session(by, key).made == 0:
                event = taken_event(by, page)
                self._journal.append(event)
                self._done.add(event)

    def _note(self, event: Event) -> str:
        with self._turn:
            self._done.check(event)
            self._journal.append(event)
            key = self._done.add(event)
            self._lines[key] = self._line(key)
            self._write()
            return key

    def _known_line(self, key: str, known: Mapping[str, tuple[MarkedPage, str]]) -> str:
        """The gold of a page as the file has it, where it has the same blocks, counted: a page is not read."""
        found, stored = self._done.gold(key), known.get(key)
        if found and stored and _is_counted(stored[0]) and _said(stored[0]) == _said(found):
            return stored[1]
        return self._line(key)

    def _line(self, key: str) -> str:
        """The gold of a page as a line, "" if it has none."""
        found = self._done.gold(key)
        return self._written(key, found) if found else ""

    def _written(self, key: str, page: MarkedPage) -> str:
        fields = self._done.captures[key] | fields_of(self._pages.counted(page))
        return json.dumps(fields, ensure_ascii=False) + "\n"

    def _write(self) -> None:
        self._put(map(str.encode, self._lines.values()))

    def _replayed(self) -> Sessions:
        """What the journal says, after taking over gold that has none."""
        events = self._journal.events
        there = self.path.exists() and self.path.stat().st_size > 0
        if there and not events:
            self._journal.append(*taken_over(self.path, self._pages))
            return sessions_of(events, str(self._journal.path))
        done = sessions_of(events, str(self._journal.path))
        # The last event may have come to the journal only, before the machine died.
        before = sessions_of(events[:-1], "")
        if there and _blocks_in(self.path) not in (_blocks_of(done), _blocks_of(before)):
            raise self._changed_elsewhere()
        return done


def _lines_in(path: Path) -> dict[str, tuple[MarkedPage, str]]:
    """The pages of a gold file with their lines, by key."""
    if not path.exists() or path.stat().st_size == 0:
        return {}
    return {
        page.record_id or page.url: (page, json.dumps(fields, ensure_ascii=False) + "\n")
        for _, fields, page in block_gold_objects(str(path))
    }


def _blocks_of(done: Sessions) -> dict[str, list[MarkedBlock]]:
    """The blocks of all gold by page, without what is counted anew."""
    found = {key: done.gold(key) for key in done.captures}
    return {key: _said(page) for key, page in found.items() if page}


def _blocks_in(path: Path) -> dict[str, list[MarkedBlock]]:
    return {key: _said(page) for key, (page, _) in _lines_in(path).items()}


def _said(page: MarkedPage) -> list[MarkedBlock]:
    return [replace(block, elements=None, words=None) for block in page.blocks]


def _is_counted(page: MarkedPage) -> bool:
    return all(block.words is not None for block in page.blocks)
