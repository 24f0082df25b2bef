"""Operations on the tree of blocks of a page (Sanoja's thesis, 4.4.2: MoB).

A tree is its blocks, parents before children; "" is the page, which is no block. Nothing is changed in
place, so that what was can be had again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual import Rect
from dbce.visual.measure import MarkedBlock, union

if TYPE_CHECKING:
    from collections.abc import Iterable

    Tree = tuple[MarkedBlock, ...]

PAGE = ""
"""The parent of blocks that are in no other."""


class NoBlock(LookupError):  # noqa: N818 - says what there is not
    """An operation that is not possible, or on a block that is not there; the message says why."""


class Part(NamedTuple):
    """A part of a block: where it is, and the XPaths of its elements."""

    rect: Rect
    xpaths: tuple[str, ...]


def block_of(tree: Tree, name: str) -> MarkedBlock:
    """Return a block by its id.

    Raises:
        NoBlock: there is none.
    """
    for block in tree:
        if block.id == name:
            return block
    raise NoBlock(f"there is no block {name or 'of that name'}; the page itself is none")


def below(tree: Tree, name: str) -> frozenset[str]:
    """Return the ids of all blocks in a block."""
    inside: set[str] = set()
    for block in tree:
        if block.parent == name or block.parent in inside:
            inside.add(block.id)
    return frozenset(inside)


def inserted(tree: Tree, block: MarkedBlock) -> Tree:
    """Return the tree with one more block, last in its parent.

    Raises:
        NoBlock: its parent is not there, or its id is another's.
    """
    if block.parent != PAGE:
        block_of(tree, block.parent)
    if any(other.id == block.id for other in tree):
        raise NoBlock(f"there is a block {block.id} already")
    return (*tree, block)


def accepted(tree: Tree, name: str) -> Tree:
    """Return the tree where a block holds no others any more: all in it are dropped."""
    block_of(tree, name)
    return without(tree, below(tree, name))


def merged(tree: Tree, first: str, second: str) -> Tree:
    """Return the tree with the second in the first: the union of their boxes, the elements of both, and no block in it.

    It takes the label of the first, and its place; that is in the innermost block around both, for
    the box may reach out of the parent of one.

    Raises:
        NoBlock: they are not two.
    """
    one, other = block_of(tree, first), block_of(tree, second)
    if first == second:
        raise NoBlock("two blocks are needed to merge; choose one more")
    gone = (below(tree, first) | below(tree, second) | {second}) - {first}
    grown = replace(
        one,
        parent=_around(tree, first, second),
        rect=union(block.rect for block in (one, other) if block.rect),
        xpaths=tuple(dict.fromkeys((*one.xpaths, *other.xpaths))),
    )
    return changed(without(tree, gone), grown)


def deleted(tree: Tree, name: str) -> Tree:
    """Return the tree without a block, whose children and elements go to its parent.

    The page has all elements of its blocks anyway.
    """
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


def labelled(tree: Tree, name: str, label: str, kind: str) -> Tree:
    """Return the tree where a block has a role and a free type, "" for none."""
    return changed(tree, replace(block_of(tree, name), label=label, type=kind))


def flattened(tree: Tree) -> Tree:
    """Return the blocks that hold no others, side by side on the page."""
    parents = {block.parent for block in tree}
    return tuple(replace(block, parent=PAGE) for block in tree if block.id not in parents)


def split(tree: Tree, name: str, parts: tuple[Part, Part], second: str) -> Tree:
    """Return the tree with a block in two, both labelled as it was; `second` is the id of the new one.

    Each block in it goes to the part that has its centre.

    Raises:
        NoBlock: there is a block of that id already.
    """
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


def cut(tree: Tree, name: str, part: Part) -> Tree:
    """Return the tree with a smaller block: what is left of it beside another that it overlapped."""
    return changed(tree, replace(block_of(tree, name), rect=part.rect, xpaths=part.xpaths))


def beside(rect: Rect, other: Rect) -> Rect | None:
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
    children: dict[str, list[MarkedBlock]] = {}
    for block in tree:
        children.setdefault(block.parent, []).append(block)
    ordered: list[MarkedBlock] = []
    waiting = _last_first(children.get(PAGE, ()))
    while waiting:
        block = waiting.pop()
        ordered.append(block)
        waiting += _last_first(children.get(block.id, ()))
    return tuple(ordered)


def without(tree: Tree, names: Iterable[str]) -> Tree:
    """Return the tree without some blocks, of which none holds others that stay."""
    gone = set(names)
    return tuple(block for block in tree if block.id not in gone)


def changed(tree: Tree, block: MarkedBlock) -> Tree:
    """Return the tree with a block in the place of the one that has its id."""
    return tuple(block if other.id == block.id else other for other in tree)


def _last_first(blocks: Iterable[MarkedBlock]) -> list[MarkedBlock]:
    def place(block: MarkedBlock) -> tuple[float, float]:
        return (block.rect.y, block.rect.x) if block.rect else (0.0, 0.0)

    return sorted(blocks, key=place)[::-1]


def _around(tree: Tree, first: str, second: str) -> str:
    """Return the innermost block that holds both; of one within the other, what holds the outer."""
    lines = [_line(tree, name) for name in (first, second)]
    return next(name for name in lines[0] if name in lines[1])


def _line(tree: Tree, name: str) -> list[str]:
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
