"""The operations of a journal, and what they come to: the tree of each person and page, and what can be undone.

An event has `by`, `at`, `capture` (what gold says of the page) and one of `op` (an operation with all that the
tree needs), `undo`, `redo`, or `counts`: whose tree is the gold of a page that several people have drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dbce.visual.annotate.blocks import tree as trees
from dbce.visual.annotate.blocks.tree import NoBlock, Part, in_reading_order
from dbce.visual.measure import MarkedBlock, MarkedPage, blocks_of, fields_of, page_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dbce.annotate.core.history import Key, Line
    from dbce.annotate.core.journal import Event
    from dbce.visual.annotate.blocks.tree import Tree

    Operation = dict[str, Any]

DRAWN = "drawn"
CANDIDATE = "candidate"

About = dict[str, Any]
"""The page of a tree, as in block gold but without blocks."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A person's work on a page.

    `past` are the trees that were, the last is that which is; `future` those taken back, the next last.
    `made` counts the operations ever, those taken back too.
    """

    past: tuple[Tree, ...] = ((),)
    future: tuple[Tree, ...] = ()
    made: int = 0

    @property
    def tree(self) -> Tree:
        """Blocks as they are now."""
        return self.past[-1]

    @property
    def can_undo(self) -> bool:
        """Tell whether something can be taken back."""
        return len(self.past) > 1

    @property
    def can_redo(self) -> bool:
        """Tell whether something was taken back last."""
        return bool(self.future)

    def after(self, event: Event) -> Drawing:
        """Return the work after an event.

        Raises:
            NoBlock: it is about a block that is not there, or there is nothing to undo or redo.
            ValueError, LookupError, TypeError: it is no event.
        """
        if "undo" in event:
            if not self.can_undo:
                raise NoBlock("nothing is left to take back")
            return Drawing(self.past[:-1], (*self.future, self.past[-1]), self.made)
        if "redo" in event:
            if not self.can_redo:
                raise NoBlock("nothing was taken back")
            return Drawing((*self.past, self.future[-1]), self.future[:-1], self.made)
        tree = applied(self.tree, event["op"], str(event["by"]), str(event["at"]))
        return Drawing((*self.past, tree), (), self.made + 1)

    def fresh(self) -> str:
        """Return an id that no block of the page has or had by an operation."""
        taken = {block.id for tree in (*self.past, *self.future) for block in tree}
        number = self.made + 1
        while f"B{number}" in taken:
            number += 1
        return f"B{number}"


class DrawingHistory:
    """All that was drawn, after some events.

    Raises:
        ValueError, LookupError, TypeError: an event is none.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._drawings: dict[tuple[str, str], Drawing] = {}
        self._counts: dict[str, str] = {}
        self._captures: dict[str, About] = {}
        for event in events:
            self.add(event)

    def doing(self, by: str, at: str, about: About, **what: object) -> Event:
        """Return the event of an operation `op`, of `undo` or of `redo`.

        Raises:
            NoBlock: it is not possible.
        """
        event = {"by": by, "at": at, "capture": about, **what}
        self.drawing(by, page_name(about)).after(event)
        return event

    def add(self, event: Event) -> Key:
        """Take an event in; return the name of the page that it is about."""
        about = event["capture"]
        name = page_name(about)
        if "counts" in event:
            self._counts[name] = str(event["counts"])
        else:
            by = str(event["by"])
            self._drawings[by, name] = self.drawing(by, name).after(event)
        self._captures.setdefault(name, about)
        return (name,)

    def drawing(self, by: str, name: str) -> Drawing:
        """Return somebody's work on a page."""
        return self._drawings.get((by, name)) or Drawing()

    def people(self) -> dict[str, list[str]]:
        """Return the names of the pages on which each person has blocks, by that person's name."""
        drew: dict[str, list[str]] = {}
        for (by, name), drawing in self._drawings.items():
            if drawing.tree:
                drew.setdefault(by, []).append(name)
        return drew

    def drawn(self, by: str, name: str, about: About | None = None) -> MarkedPage:
        """Return a page with the blocks of somebody, those of one level in reading order.

        `about` is what is said of a page on which nobody has drawn yet.
        """
        of_page = self._captures[name] if about is None else self._captures.get(name, about)
        page = page_of(of_page | {"blocks": []})
        return replace(page, blocks=in_reading_order(self.drawing(by, name).tree))

    def counting(self, name: str) -> str | None:
        """Return whose blocks are the gold of a page: of who was chosen, or of who alone has drawn some."""
        drew = [by for (by, own), drawing in self._drawings.items() if own == name and drawing.tree]
        if self._counts.get(name) in drew:
            return self._counts[name]
        return drew[0] if len(drew) == 1 else None

    def line(self, by: str, name: str) -> Line:
        """Return a page that somebody has drawn on as a line of gold, but for what is counted on the page."""
        return self._captures[name] | fields_of(self.drawn(by, name))

    def lines(self, key: Key) -> list[Line]:
        """Return the gold of a page; none if nobody has drawn on it, or several people and none was chosen."""
        (name,) = key
        by = self.counting(name)
        return [] if by is None else [self.line(by, name)]


def page_name(about: About) -> str:
    """Return what a page is called: its record id, or its URL if that is not known."""
    return str(about["record_id"] or about["url"])


def about_of(page: MarkedPage) -> About:
    """Return what events say of a page."""
    return {name: value for name, value in fields_of(page).items() if name != "blocks"}


def new_block(name: str, parent: str, part: Part) -> MarkedBlock:
    """Return a block as somebody draws it."""
    return MarkedBlock(name, parent, part.rect, part.xpaths, origin=DRAWN)


def applied(tree: Tree, operation: Operation, by: str, at: str) -> Tree:
    """Return the tree after an operation; blocks that it made or changed say by whom and when.

    Raises:
        NoBlock: it is about a block that is not there.
        ValueError, LookupError, TypeError: it is no operation.
    """
    blocks = KINDS[operation["kind"]](tree, operation)
    if operation["kind"] == "taken over":  # these say themselves
        return blocks
    before = {block.id: block for block in tree}
    return tuple(
        block if block == before.get(block.id) else replace(block, by=by, at=at) for block in blocks
    )


def _insert(tree: Tree, given: Operation) -> Tree:
    (block,) = blocks_of([given["block"] | {"parent": ""}])
    return trees.inserted(tree, replace(block, parent=given["block"]["parent"]))


def _candidates(_: Tree, given: Operation) -> Tree:
    algorithm = given["algorithm"]
    return tuple(
        replace(block, origin=CANDIDATE, algorithm=algorithm)
        for block in blocks_of(given["blocks"])
    )


def _parts(given: Operation) -> list[Part]:
    blocks = blocks_of([{"id": str(n), **part} for n, part in enumerate(given["parts"])])
    return [Part(block.rect, block.xpaths) for block in blocks if block.rect]


def _split(tree: Tree, given: Operation) -> Tree:
    one, other = _parts(given)
    return trees.split(tree, given["block"], (one, other), given["second"])


def _cut(tree: Tree, given: Operation) -> Tree:
    (part,) = _parts(given)
    return trees.cut(tree, given["block"], part)


KINDS: dict[str, Callable[[Tree, Operation], Tree]] = {
    "insert": _insert,
    "accept": lambda tree, given: trees.accepted(tree, given["block"]),
    "merge": lambda tree, given: trees.merged(tree, given["first"], given["second"]),
    "split": _split,
    "delete": lambda tree, given: trees.deleted(tree, given["block"]),
    "label": lambda tree, given: trees.labelled(
        tree, given["block"], given["label"], given["type"]
    ),
    "flatten": lambda tree, _: trees.flattened(tree),
    "cut": _cut,
    "candidates": _candidates,
    "taken over": lambda _, given: blocks_of(given["blocks"]),
}
"""The kinds of operation; `cut` is how an overlap is resolved, `taken over` is gold that was there."""
