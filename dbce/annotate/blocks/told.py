"""What became of the blocks, as a sentence, and which of them are to be looked at next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.visual.measure import MarkedPage

DONE = {
    "insert": "A block was drawn",
    "accept": "The block holds no others",
    "merge": "The two are one block",
    "split": "The block is two",
    "delete": "The block is deleted",
    "label": "Labelled",
    "flatten": "Only blocks that held no others are left",
    "cut": "The overlap is cut off",
    "candidates": "Candidates are there; change what is wrong",
    "undo": "The last change was taken back",
    "redo": "Done again",
}


def told(kind: object, before: MarkedPage, after: MarkedPage) -> tuple[str, list[str]]:
    """A sentence, and the ids of the blocks that are new or changed, the new ones first."""
    old = {block.id: block for block in before.blocks}
    new = [block.id for block in after.blocks if block.id not in old]
    changed = [block.id for block in after.blocks if block.id in old and block != old[block.id]]
    count = len(after.blocks)
    number = "1 block" if count == 1 else f"{count} blocks"
    return f"{DONE[str(kind)]}. {number}. Saved.", [*new, *changed]
