"""What the events of a journal come to: the tree of each person and page, and what can be undone.

An event has `by`, `at`, `capture` (what gold says of the page) and one of `op` (an operation), `undo`,
`redo`, or `counts`: whose tree is the gold of a page that several people have drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dbce.annotate.blocks.operations import applied
from dbce.annotate.blocks.tree import NoBlock, in_reading_order
from dbce.model import UsageError
from dbce.visual.measure import MarkedPage, fields_of, page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.annotate.blocks.tree import Tree
    from dbce.annotate.core.journal import Event

COMMAND = "dbce label"
"""What writes such journals."""

About = dict[str, Any]
"""The page of a tree, as in block gold but without blocks."""


@dataclass(frozen=True, slots=True)
class Session:
    """A person's work on a page.

    `past` are the trees that were, the last is that which is; `future` those taken back, the next last.
    `made` counts the operations ever, those taken back too.
    """

    past: tuple[Tree, ...] = ((),)
    future: tuple[Tree, ...] = ()
    made: int = 0

    @property
    def tree(self) -> Tree:
        """The blocks as they are now."""
        return self.past[-1]

    @property
    def can_undo(self) -> bool:
        """Whether something can be taken back."""
        return len(self.past) > 1

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back last."""
        return bool(self.future)

    def after(self, event: Event) -> Session:
        """The work after an event.

        Raises:
            NoBlock: it is about a block that is not there, or there is nothing to undo or redo.
            ValueError, LookupError, TypeError: it is no event.
        """
        if "undo" in event:
            if not self.can_undo:
                raise NoBlock("nothing is left to take back")
            return Session(self.past[:-1], (*self.future, self.past[-1]), self.made)
        if "redo" in event:
            if not self.can_redo:
                raise NoBlock("nothing was taken back")
            return Session((*self.past, self.future[-1]), self.future[:-1], self.made)
        tree = applied(self.tree, event["op"], str(event["by"]), str(event["at"]))
        return Session((*self.past, tree), (), self.made + 1)

    def fresh(self) -> str:
        """An id that no block of the page has or had by an operation."""
        taken = {block.id for tree in (*self.past, *self.future) for block in tree}
        number = self.made + 1
        while f"B{number}" in taken:
            number += 1
        return f"B{number}"


class Sessions:
    """What the events say, in the order in which they come.

    Raises:
        ValueError, LookupError, TypeError: an event is none.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._of: dict[tuple[str, str], Session] = {}
        self._counts: dict[str, str] = {}
        self.captures: dict[str, About] = {}
        for event in events:
            self.add(event)

    def check(self, event: Event) -> None:
        """Makes sure that an event can be taken in.

        Raises:
            ValueError, LookupError, TypeError: it cannot.
        """
        if "counts" not in event:
            session = self.session(str(event["by"]), key_of(event["capture"]))
            session.after(event)

    def add(self, event: Event) -> str:
        """Takes an event in; the key of the page that it is about.

        Raises:
            ValueError, LookupError, TypeError: it cannot be taken in.
        """
        about = event["capture"]
        key = key_of(about)
        if "counts" in event:
            self._counts[key] = str(event["counts"])
        else:
            by = str(event["by"])
            self._of[by, key] = self.session(by, key).after(event)
        self.captures.setdefault(key, about)
        return key

    def session(self, by: str, key: str) -> Session:
        """Somebody's work on a page."""
        return self._of.get((by, key)) or Session()

    def people(self) -> dict[str, list[str]]:
        """The keys of the pages on which each person has blocks, by name."""
        found: dict[str, list[str]] = {}
        for (by, key), session in self._of.items():
            if session.tree:
                found.setdefault(by, []).append(key)
        return found

    def drawn_by(self, by: str, key: str) -> MarkedPage:
        """A page with the blocks of somebody, those of one level in reading order."""
        return marked(self.captures[key], self.session(by, key).tree)

    def counting(self, key: str) -> str | None:
        """Whose blocks are the gold of a page: those of who was chosen, or of who alone has drawn some."""
        drew = [by for (by, own), session in self._of.items() if own == key and session.tree]
        if self._counts.get(key) in drew:
            return self._counts[key]
        return drew[0] if len(drew) == 1 else None

    def gold(self, key: str) -> MarkedPage | None:
        """The gold of a page; None if nobody has drawn on it, or several people and none was chosen."""
        by = self.counting(key)
        return None if by is None else self.drawn_by(by, key)


def sessions_of(events: Sequence[Event], journal: str) -> Sessions:
    """What the events of a journal say.

    Raises:
        UsageError: one of them is none.
    """
    done = Sessions()
    for number, event in enumerate(events, 1):
        try:
            done.add(event)
        except (ValueError, LookupError, TypeError, AttributeError) as e:
            raise UsageError(f"{journal}, line {number}: not what {COMMAND} wrote ({e})") from e
    return done


def key_of(about: About) -> str:
    """What a page is called: its record id, or its URL if that is not known."""
    return str(about["record_id"] or about["url"])


def about_of(page: MarkedPage) -> About:
    """What events say of a page."""
    return {name: value for name, value in fields_of(page).items() if name != "blocks"}


def marked(about: About, tree: Tree) -> MarkedPage:
    """A page with a tree of blocks, those of one level in reading order."""
    return replace(page_of(about | {"blocks": []}), blocks=in_reading_order(tree))
