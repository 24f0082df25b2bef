"""The operations of a journal, and their result: the tree of each person and page, with undo and redo.

A tree is its blocks, parents before children; "" is the page, which is no block. Trees are never changed
in place, so that earlier ones can be restored. The operations are those of Sanoja's thesis (4.4.2: MoB).

An event has `by`, `at`, `capture` (the fields of the page in gold) and one of `op` (a complete operation),
`undo`, `redo`, or `counts`: whose tree is the gold of a page that several people have drawn.
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

PAGE = ""  # the parent of blocks at the top of the tree


class NoBlock(LookupError):  # noqa: N818 - says what there is not
    """An impossible operation, perhaps on a missing block; the message says why."""


class Part(NamedTuple):
    """A part of a block: its box, and the XPaths of its elements."""

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
    """Return the tree without the blocks that are nested in a block."""
    block_of(tree, name)
    return remove_blocks(tree, descendants(tree, name))


def merge_blocks(tree: Tree, first: str, second: str) -> Tree:
    """Return the tree with two blocks merged: the union of their boxes, the elements of both, and no nested block.

    It has the label and the place of the first; its parent is the innermost block around both, for the
    box may reach out of the parent of either.
    """
    first_block, second_block = block_of(tree, first), block_of(tree, second)
    if first == second:
        raise NoBlock("two blocks are needed to merge; select one more")
    removed = (descendants(tree, first) | descendants(tree, second) | {second}) - {first}
    ancestors, other_ancestors = (_ancestors(tree, name) for name in (first, second))
    merged = replace(
        first_block,
        parent=next(name for name in ancestors if name in other_ancestors),
        rect=union(block.rect for block in (first_block, second_block) if block.rect),
        xpaths=tuple(dict.fromkeys((*first_block.xpaths, *second_block.xpaths))),
    )
    return replace_block(remove_blocks(tree, removed), merged)


def delete_block(tree: Tree, name: str) -> Tree:
    """Return the tree without a block, whose children and elements go to its parent, unless that is the page."""
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
    """Return the terminal blocks, all at the top of the tree."""
    parents = {block.parent for block in tree}
    return tuple(replace(block, parent=PAGE) for block in tree if block.id not in parents)


def split(tree: Tree, name: str, parts: Sequence[Part], second: str) -> Tree:
    """Return the tree with a block split in two, `second` the new one; each nested block goes to the part with its centre."""
    block = block_of(tree, name)
    if any(second_half.id == second for second_half in tree):
        raise NoBlock(f"there is a block {second} already")
    first_half, second_half = (replace(block, rect=part.rect, xpaths=part.xpaths) for part in parts)
    tree_after: list[MarkedBlock] = []
    for node in tree:
        if node.id == name:
            tree_after += [first_half, replace(second_half, id=second)]
        elif node.parent == name and node.rect and not parts[0].rect.has_centre_of(node.rect):
            tree_after.append(replace(node, parent=second))
        else:
            tree_after.append(node)
    return tuple(tree_after)


def change_block(tree: Tree, name: str, **values: Any) -> Tree:
    return replace_block(tree, replace(block_of(tree, name), **values))


def uncovered_rect(rect: Rect, other: Rect) -> Rect | None:
    """Return the largest part of a rectangle on one side of another; None if it is covered."""
    right, bottom = rect.x + rect.w, rect.y + rect.h
    other_right, other_bottom = other.x + other.w, other.y + other.h
    edges = (
        (rect.x, rect.y, right, other.y),
        (rect.x, other_bottom, right, bottom),
        (rect.x, rect.y, other.x, bottom),
        (other_right, rect.y, right, bottom),
    )
    parts = [Rect(x, y, x2 - x, y2 - y) for x, y, x2, y2 in edges if x2 > x and y2 > y]
    return max(parts, key=lambda part: part.w * part.h, default=None)


def in_reading_order(tree: Tree) -> Tree:
    """Return the tree parents before children, siblings from top to bottom, then from left to right."""

    def place(block: MarkedBlock) -> tuple[float, float]:
        return (block.rect.y, block.rect.x) if block.rect else (0.0, 0.0)

    children: defaultdict[str, list[MarkedBlock]] = defaultdict(list)
    for block in sorted(tree, key=place):
        children[block.parent].append(block)
    ordered: list[MarkedBlock] = []
    stack = children[PAGE][::-1]
    while stack:
        ordered.append(stack.pop())
        stack += reversed(children[ordered[-1].id])
    return tuple(ordered)


def remove_blocks(tree: Tree, names: Iterable[str]) -> Tree:
    """Return the tree without some blocks, none of which has children that stay."""
    removed = set(names)
    return tuple(block for block in tree if block.id not in removed)


def replace_block(tree: Tree, block: MarkedBlock) -> Tree:
    """Return the tree with a block in place of the one with its id."""
    return tuple(block if other.id == block.id else other for other in tree)


def _ancestors(tree: Tree, name: str) -> list[str]:
    """Return the ids of the ancestors of a block, from its parent to the page."""
    ancestors = []
    while name != PAGE:
        name = block_of(tree, name).parent
        ancestors.append(name)
    return ancestors


PageFields = dict[str, Any]
"""Fields of a page in block gold, but for its blocks."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A person's work on a page.

    `past` are the trees so far, the last is current; `future` those that were undone, the next last.
    `operations` counts all operations ever, also those undone.
    """

    past: tuple[Tree, ...] = ((),)
    future: tuple[Tree, ...] = ()
    operations: int = 0

    @property
    def tree(self) -> Tree:
        return self.past[-1]

    def with_event(self, event: Event) -> Drawing:
        """Return the work after an event, with its author and time in changed blocks; NoBlock if it is not possible."""
        if "undo" in event:
            if len(self.past) == 1:
                raise NoBlock("there is nothing to undo")
            return Drawing(self.past[:-1], (*self.future, self.past[-1]), self.operations)
        if "redo" in event:
            if not self.future:
                raise NoBlock("there is nothing to redo")
            return Drawing((*self.past, self.future[-1]), self.future[:-1], self.operations)
        operation = event["op"]
        tree = KINDS[operation["kind"]](self.tree, operation)
        if operation["kind"] != "taken over":  # those have author and time of their own
            old_blocks = {block.id: block for block in self.tree}
            by, at = str(event["by"]), str(event["at"])
            tree = tuple(b if b == old_blocks.get(b.id) else replace(b, by=by, at=at) for b in tree)
        return Drawing((*self.past, tree), (), self.operations + 1)

    def new_id(self) -> str:
        """Return an id that no block of the page has or had."""
        used = {block.id for tree in (*self.past, *self.future) for block in tree}
        number = self.operations + 1
        while f"B{number}" in used:
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
        """Apply an event; return the name of its page: its record id, or its URL if that is not known."""
        capture = event["capture"]
        name = str(capture["record_id"] or capture["url"])
        if "counts" in event:
            self._counts[name] = str(event["counts"])
        else:
            by = str(event["by"])
            self._drawings[by, name] = self.drawing(by, name).with_event(event)
        self._captures.setdefault(name, capture)
        return (name,)

    def drawing(self, by: str, name: str) -> Drawing:
        return self._drawings.get((by, name)) or Drawing()

    def people(self) -> dict[str, list[str]]:
        people: defaultdict[str, list[str]] = defaultdict(list)
        for (by, name), drawing in self._drawings.items():
            if drawing.tree:
                people[by].append(name)
        return people

    def marked_page(self, by: str, name: str, fields: PageFields | None = None) -> MarkedPage:
        """Return a page with somebody's blocks, siblings in reading order; `fields` are those of a page without events."""
        capture = self._captures[name] if fields is None else self._captures.get(name, fields)
        page = page_of(capture | {"blocks": []})
        return replace(page, blocks=in_reading_order(self.drawing(by, name).tree))

    def gold_author(self, name: str) -> str | None:
        """Return the annotator whose blocks are the gold of a page: the chosen one, or the only one."""
        drew = [by for (by, p), drawing in self._drawings.items() if p == name and drawing.tree]
        if self._counts.get(name) in drew:
            return self._counts[name]
        return drew[0] if len(drew) == 1 else None

    def line(self, by: str, name: str) -> Line:
        """Return a page that somebody has drawn on as a line of gold, without counts."""
        return self._captures[name] | fields_of(self.marked_page(by, name))

    def lines(self, key: Key) -> list[Line]:
        """Return the gold of a page; none if nobody has drawn on it, or several people without a choice."""
        (name,) = key
        by = self.gold_author(name)
        return [] if by is None else [self.line(by, name)]


def page_fields(page: MarkedPage) -> PageFields:
    return {name: value for name, value in fields_of(page).items() if name != "blocks"}


def _insert(tree: Tree, op: Operation) -> Tree:
    (block,) = blocks_of([op["block"] | {"parent": ""}])
    return insert_block(tree, replace(block, parent=op["block"]["parent"]))


def _candidates(_: Tree, op: Operation) -> Tree:
    algorithm = op["algorithm"]
    return tuple(
        replace(block, origin="candidate", algorithm=algorithm) for block in blocks_of(op["blocks"])
    )


def _parts(op: Operation) -> list[Part]:
    blocks = blocks_of([{"id": str(n), **part} for n, part in enumerate(op["parts"])])
    return [Part(block.rect, block.xpaths) for block in blocks if block.rect]


KINDS: dict[str, Callable[[Tree, Operation], Tree]] = {
    "insert": _insert,
    "accept": lambda tree, op: accept_block(tree, op["block"]),
    "merge": lambda tree, op: merge_blocks(tree, op["first"], op["second"]),
    "split": lambda tree, op: split(tree, op["block"], _parts(op), op["second"]),
    "delete": lambda tree, op: delete_block(tree, op["block"]),
    "label": lambda tree, op: change_block(tree, op["block"], label=op["label"], type=op["type"]),
    "flatten": lambda tree, _: flatten(tree),
    "cut": lambda tree, op: change_block(tree, op["block"], **_parts(op)[0]._asdict()),
    "candidates": _candidates,
    "taken over": lambda _, op: blocks_of(op["blocks"]),
}
"""The kinds of operation; `cut` leaves the part of a block outside of another, `taken over` imports existing gold."""
