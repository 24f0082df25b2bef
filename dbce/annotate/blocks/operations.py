"""The operations as a journal has them: objects, each with all that the tree needs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.annotate.blocks import tree as trees
from dbce.annotate.blocks.tree import Part
from dbce.visual.measure import MarkedBlock, blocks_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from dbce.annotate.blocks.tree import Tree

    Operation = dict[str, Any]

DRAWN = "drawn"
CANDIDATE = "candidate"


def applied(tree: Tree, operation: Operation, by: str, at: str) -> Tree:
    """The tree after an operation; blocks that it made or changed say by whom and when.

    Raises:
        NoBlock: it is about a block that is not there.
        ValueError, LookupError, TypeError: it is no operation.
    """
    found = KINDS[operation["kind"]](tree, operation)
    if operation["kind"] == "taken over":  # these say themselves
        return found
    before = {block.id: block for block in tree}
    return tuple(
        block if block == before.get(block.id) else replace(block, by=by, at=at) for block in found
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
"""What each kind of operation does; `cut` is how an overlap is resolved, `taken over` is gold that was there."""


def drawn(name: str, parent: str, part: Part) -> MarkedBlock:
    """A block as somebody draws it."""
    return MarkedBlock(name, parent, part.rect, part.xpaths, origin=DRAWN)
