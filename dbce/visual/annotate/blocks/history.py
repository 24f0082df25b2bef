"""The operations of a journal, and what they come to: the tree of each person and page, and what can be undone.

A tree is its blocks, parents before children; "" is the page, which is no block. Nothing is changed in
place, so that what was can be had again. The operations are those of Sanoja's thesis (4.4.2: MoB).

An event has `by`, `at`, `capture` (what gold says of the page) and one of `op` (an operation with all that the
tree needs), `undo`, `redo`, or `counts`: whose tree is the gold of a page that several people have drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from dbce.annotate.core.store import Event, Key, Line
from dbce.visual import Rect, union
from dbce.visual.measure import MarkedBlock, MarkedPage, blocks_of, fields_of, page_of

Tree = tuple[MarkedBlock, ...]
Operation = dict[str, Any]

PAGE = ""  # the parent of blocks that are in no other


class NoBlock(LookupError):  # noqa: N818 - says what there is not
    """An operation that is not possible, or on a block that is not there; the message says why."""


class Part(NamedTuple):
    """A part of a block: where it is, and the XPaths of its elements."""

    rect: Rect
    xpaths: tuple[str, ...]


def block_of(tree: Tree, name: str) -> MarkedBlock:
    for block in tree:
        if block.id == name:
            return block
    raise NoBlock(f"there is no block {name or 'of that name'}; the page itself is none")


def descendants(tree: Tree, name: str) -> frozenset[str]:
    """Return the ids of all blocks in a block."""
    inside: set[str] = set()
    for block in tree:
        if block.parent == name or block.parent in inside:
            inside.add(block.id)
    return frozenset(inside)


def insert_block(tree: Tree, block: MarkedBlock) -> Tree:
    """Return the tree with one more block, last in its parent."""
    if block.parent != PAGE:
        block_of(tree, block.parent)
    if any(other.id == block.id for other in tree):
        raise NoBlock(f"there is a block {block.id} already")
    return (*tree, block)


def accept_block(tree: Tree, name: str) -> Tree:
    """Return the tree where a block holds no others any more: all in it are dropped."""
    block_of(tree, name)
    return remove_blocks(tree, descendants(tree, name))


def merge_blocks(tree: Tree, first: str, second: str) -> Tree:
    """Return the tree with the second in the first: the union of their boxes, the elements of both, and no block in it.

    It takes the label of the first, and its place; that is in the innermost block around both, for
    the box may reach out of the parent of one.
    """
    one, other = block_of(tree, first), block_of(tree, second)
    if first == second:
        raise NoBlock("two blocks are needed to merge; select one more")
    gone = (descendants(tree, first) | descendants(tree, second) | {second}) - {first}
    around, around_other = (_ancestors(tree, name) for name in (first, second))
    grown = replace(
        one,
        parent=next(name for name in around if name in around_other),
        rect=union(block.rect for block in (one, other) if block.rect),
        xpaths=tuple(dict.fromkeys((*one.xpaths, *other.xpaths))),
    )
    return replace_block(remove_blocks(tree, gone), grown)


def delete_block(tree: Tree, name: str) -> Tree:
    """Return the tree without a block, whose children and elements go to its parent; the page has all anyway."""
    block = block_of(tree, name)
    kept = []
    for other in tree:
        if other.parent == name:
            kept.append(replace(other, parent=block.parent))
        elif other.id == block.parent:
            kept.append(replace(other, xpaths=tuple(dict.fromkeys((*other.xpaths, *block.xpaths)))))
        elif other.id != name:
            kept.append(other)
    return tuple(kept)


def flatten(tree: Tree) -> Tree:
    """Return the blocks that hold no others, side by side on the page."""
    parents = {block.parent for block in tree}
    return tuple(replace(block, parent=PAGE) for block in tree if block.id not in parents)


def split(tree: Tree, name: str, parts: Sequence[Part], second: str) -> Tree:
    """Return the tree with a block in two, `second` the new one; each block in it goes to the part that has its centre."""
    block = block_of(tree, name)
    if any(other.id == second for other in tree):
        raise NoBlock(f"there is a block {second} already")
    one, other = (replace(block, rect=part.rect, xpaths=part.xpaths) for part in parts)
    tree_after: list[MarkedBlock] = []
    for each in tree:
        if each.id == name:
            tree_after += [one, replace(other, id=second)]
        elif each.parent == name and not _has_centre(parts[0].rect, each.rect):
            tree_after.append(replace(each, parent=second))
        else:
            tree_after.append(each)
    return tuple(tree_after)


def change_block(tree: Tree, name: str, **values: Any) -> Tree:
    """Return the tree where some fields of a block have other values."""
    return replace_block(tree, replace(block_of(tree, name), **values))


def uncovered_rect(rect: Rect, other: Rect) -> Rect | None:
    """Return the largest rectangle of one that lies beside another, above or below; None if it is covered."""
    right, bottom = rect.x + rect.w, rect.y + rect.h
    end, foot = other.x + other.w, other.y + other.h
    edges = (
        (rect.x, rect.y, right, other.y),
        (rect.x, foot, right, bottom),
        (rect.x, rect.y, other.x, bottom),
        (end, rect.y, right, bottom),
    )
    parts = [Rect(x, y, to - x, down - y) for x, y, to, down in edges if to > x and down > y]
    return max(parts, key=lambda part: part.w * part.h, default=None)


def in_reading_order(tree: Tree) -> Tree:
    """Return the tree parents before children, siblings from top to bottom, then from left to right."""

    def place(block: MarkedBlock) -> tuple[float, float]:
        return (block.rect.y, block.rect.x) if block.rect else (0.0, 0.0)

    children: defaultdict[str, list[MarkedBlock]] = defaultdict(list)
    for block in sorted(tree, key=place):
        children[block.parent].append(block)
    ordered: list[MarkedBlock] = []
    waiting = children[PAGE][::-1]
    while waiting:
        ordered.append(waiting.pop())
        waiting += reversed(children[ordered[-1].id])
    return tuple(ordered)


def remove_blocks(tree: Tree, names: Iterable[str]) -> Tree:
    """Return the tree without some blocks, of which none holds others that stay."""
    gone = set(names)
    return tuple(block for block in tree if block.id not in gone)


def replace_block(tree: Tree, block: MarkedBlock) -> Tree:
    """Return the tree with a block in the place of the one that has its id."""
    return tuple(block if other.id == block.id else other for other in tree)


def _ancestors(tree: Tree, name: str) -> list[str]:
    """Return the blocks around a block, from its parent to the page."""
    around = []
    while name != PAGE:
        name = block_of(tree, name).parent
        around.append(name)
    return around


def _has_centre(rect: Rect, inner: Rect | None) -> bool:
    if inner is None:
        return True
    x, y = inner.x + inner.w / 2, inner.y + inner.h / 2
    return rect.x <= x < rect.x + rect.w and rect.y <= y < rect.y + rect.h


PageFields = dict[str, Any]
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
        return self.past[-1]

    @property
    def can_undo(self) -> bool:
        return len(self.past) > 1

    @property
    def can_redo(self) -> bool:
        return bool(self.future)

    def with_event(self, event: Event) -> Drawing:
        """Return the work after an event, whose blocks say by whom and when; NoBlock if it is not possible."""
        if "undo" in event:
            if not self.can_undo:
                raise NoBlock("there is nothing to undo")
            return Drawing(self.past[:-1], (*self.future, self.past[-1]), self.made)
        if "redo" in event:
            if not self.can_redo:
                raise NoBlock("there is nothing to redo")
            return Drawing((*self.past, self.future[-1]), self.future[:-1], self.made)
        operation = event["op"]
        tree = KINDS[operation["kind"]](self.tree, operation)
        if operation["kind"] != "taken over":  # these say themselves by whom and when
            before = {block.id: block for block in self.tree}
            by, at = str(event["by"]), str(event["at"])
            tree = tuple(b if b == before.get(b.id) else replace(b, by=by, at=at) for b in tree)
        return Drawing((*self.past, tree), (), self.made + 1)

    def new_id(self) -> str:
        """Return an id that no block of the page has or had by an operation."""
        taken = {block.id for tree in (*self.past, *self.future) for block in tree}
        number = self.made + 1
        while f"B{number}" in taken:
            number += 1
        return f"B{number}"


class DrawingHistory:
    """Blocks that people drew, after some events."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._drawings: dict[tuple[str, str], Drawing] = {}
        self._counts: dict[str, str] = {}
        self._captures: dict[str, PageFields] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> Key:
        """Take an event in; return the name of the page that it is about: its record id, or its URL if that is not known."""
        about = event["capture"]
        name = str(about["record_id"] or about["url"])
        if "counts" in event:
            self._counts[name] = str(event["counts"])
        else:
            by = str(event["by"])
            self._drawings[by, name] = self.drawing(by, name).with_event(event)
        self._captures.setdefault(name, about)
        return (name,)

    def drawing(self, by: str, name: str) -> Drawing:
        return self._drawings.get((by, name)) or Drawing()

    def people(self) -> dict[str, list[str]]:
        drew: defaultdict[str, list[str]] = defaultdict(list)
        for (by, name), drawing in self._drawings.items():
            if drawing.tree:
                drew[by].append(name)
        return drew

    def marked_page(self, by: str, name: str, about: PageFields | None = None) -> MarkedPage:
        """Return a page with somebody's blocks, those of a level in reading order; `about` is said of one without any."""
        of_page = self._captures[name] if about is None else self._captures.get(name, about)
        page = page_of(of_page | {"blocks": []})
        return replace(page, blocks=in_reading_order(self.drawing(by, name).tree))

    def gold_author(self, name: str) -> str | None:
        """Return whose blocks are the gold of a page: of who was chosen, or of who alone has drawn some."""
        drew = [by for (by, own), drawing in self._drawings.items() if own == name and drawing.tree]
        if self._counts.get(name) in drew:
            return self._counts[name]
        return drew[0] if len(drew) == 1 else None

    def line(self, by: str, name: str) -> Line:
        """Return a page that somebody has drawn on as a line of gold, but for what is counted on the page."""
        return self._captures[name] | fields_of(self.marked_page(by, name))

    def lines(self, key: Key) -> list[Line]:
        """Return the gold of a page; none if nobody has drawn on it, or several people and none was chosen."""
        (name,) = key
        by = self.gold_author(name)
        return [] if by is None else [self.line(by, name)]


def page_fields(page: MarkedPage) -> PageFields:
    return {name: value for name, value in fields_of(page).items() if name != "blocks"}


def _insert(tree: Tree, given: Operation) -> Tree:
    (block,) = blocks_of([given["block"] | {"parent": ""}])
    return insert_block(tree, replace(block, parent=given["block"]["parent"]))


def _candidates(_: Tree, given: Operation) -> Tree:
    algorithm = given["algorithm"]
    return tuple(
        replace(one, origin="candidate", algorithm=algorithm) for one in blocks_of(given["blocks"])
    )


def _parts(given: Operation) -> list[Part]:
    blocks = blocks_of([{"id": str(n), **part} for n, part in enumerate(given["parts"])])
    return [Part(block.rect, block.xpaths) for block in blocks if block.rect]


KINDS: dict[str, Callable[[Tree, Operation], Tree]] = {
    "insert": _insert,
    "accept": lambda tree, given: accept_block(tree, given["block"]),
    "merge": lambda tree, given: merge_blocks(tree, given["first"], given["second"]),
    "split": lambda tree, given: split(tree, given["block"], _parts(given), given["second"]),
    "delete": lambda tree, given: delete_block(tree, given["block"]),
    "label": lambda tree, given: change_block(
        tree, given["block"], label=given["label"], type=given["type"]
    ),
    "flatten": lambda tree, _: flatten(tree),
    "cut": lambda tree, given: change_block(tree, given["block"], **_parts(given)[0]._asdict()),
    "candidates": _candidates,
    "taken over": lambda _, given: blocks_of(given["blocks"]),
}
"""The kinds of operation; `cut` leaves what a block has beside another that it overlapped, `taken over` is gold that was there."""
