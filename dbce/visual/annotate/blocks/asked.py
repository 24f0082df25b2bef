"""Requests of the page on which blocks are drawn, made into operations for the journal.

The page names blocks, elements by their places, and boxes in pixels of the document; the operation has
all that the tree needs, so that a journal can be read without the rendering.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dbce.annotate.core.given import Wrong
from dbce.visual import Rect
from dbce.visual.annotate.blocks.history import new_block
from dbce.visual.annotate.blocks.tree import NoBlock, Part, below, beside, block_of
from dbce.visual.measure import block_fields
from dbce.visual.view import segmentations as stored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dbce.visual.annotate.blocks.history import Drawing, Operation
    from dbce.visual.annotate.blocks.sheet import BlockSheet
    from dbce.visual.annotate.blocks.tree import Tree

    Asked = Mapping[str, Any]

ROLES = ("header", "footer", "section", "article", "nav", "aside")
"""The labels of a block (M: six)."""

STORED = "stored:"
"""Prefix of the name of a table of blocks that is there, to tell it from an algorithm."""

LEAST = 2.0
"""Least width and height of a block, in pixels."""

LONGEST = 60
"""Characters of a free type at most."""


def operation_of(asked: Asked, drawing: Drawing, sheet: BlockSheet, folder: str) -> Operation:
    """Return the operation that is asked for; `folder` has the rendered pages.

    Raises:
        Wrong: it makes no sense; the message says what would.
        UsageError: the algorithm of candidates is not there.
    """
    kind = asked.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Wrong("kind", f"An operation is one of {', '.join(_KINDS)}.")
    return {"kind": kind} | _KINDS[kind](asked, drawing, sheet, folder)


def _insert(asked: Asked, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    parent = _name(asked, "parent") if asked.get("parent") else ""
    if parent:
        _existing(drawing.tree, parent)
    if "element" in asked:
        try:
            part = sheet.element(asked["element"])
        except (LookupError, TypeError) as e:
            raise Wrong("element", "Point at an element of the page.") from e
    else:
        part = sheet.within(_rect(asked.get("rect"), sheet))
    return {"block": block_fields(new_block(drawing.fresh(), parent, part))}


def _one(asked: Asked, drawing: Drawing, *_: object) -> Operation:
    return {"block": _existing(drawing.tree, _name(asked, "block")).id}


def _merge(asked: Asked, drawing: Drawing, *_: object) -> Operation:
    first, second = (_existing(drawing.tree, _name(asked, name)).id for name in ("first", "second"))
    return {"first": first, "second": second}


def _split(asked: Asked, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    block = _existing(drawing.tree, _name(asked, "block"))
    axis, at = asked.get("axis"), asked.get("at", "")
    if axis not in ("x", "y") or not _is_number(at) or block.rect is None:
        raise Wrong("at", "Say where the block is to be split: axis x or y, and at which pixel.")
    x, y, w, h = block.rect
    start, length = (x, w) if axis == "x" else (y, h)
    if not start + LEAST <= at <= start + length - LEAST:
        raise Wrong("at", "Split the block between its edges.")
    first, second = (
        (Rect(x, y, at - x, h), Rect(at, y, x + w - at, h))
        if axis == "x"
        else (Rect(x, y, w, at - y), Rect(x, at, w, y + h - at))
    )
    parts = [_part(sheet.within(rect, block.xpaths)) for rect in (first, second)]
    return {"block": block.id, "parts": parts, "second": drawing.fresh()}


def _label(asked: Asked, drawing: Drawing, *_: object) -> Operation:
    block = _existing(drawing.tree, _name(asked, "block"))
    label, kind = (
        asked.get(name, old) for name, old in (("label", block.label), ("type", block.type))
    )
    if label not in ("", *ROLES):
        raise Wrong("label", f"A role is one of {', '.join(ROLES)}, or none.")
    if not isinstance(kind, str) or len(kind) > LONGEST or not (kind.isprintable()):
        raise Wrong("type", f"A type has up to {LONGEST} characters.")
    return {"block": block.id, "label": label, "type": " ".join(kind.split())}


def _flatten(_: Asked, drawing: Drawing, *__: object) -> Operation:
    if not any(block.parent for block in drawing.tree):
        raise Wrong("kind", "No block holds another; there is nothing to flatten.")
    return {}


def _cut(asked: Asked, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    """Return how an overlap of two is resolved: the one that is not kept whole is cut."""
    block, other = (_existing(drawing.tree, _name(asked, name)) for name in ("block", "beside"))
    rest = beside(block.rect, other.rect) if block.rect and other.rect else None
    if rest is None:
        raise Wrong("block", "Nothing of it would be left; merge the two, or delete one.")
    if below(drawing.tree, block.id):
        raise Wrong("block", "It holds other blocks; accept it first, or cut these.")
    return {
        "block": block.id,
        "beside": other.id,
        "parts": [_part(sheet.within(rest, block.xpaths))],
    }


def _candidates(asked: Asked, _: Drawing, sheet: BlockSheet, folder: str) -> Operation:
    name = _name(asked, "algorithm")
    if name.startswith(STORED):
        candidates = stored.stored(folder, name.removeprefix(STORED), sheet.page.record_id)
    else:
        candidates = stored.computed(sheet.page, name)
    offered = sheet.without_adverts(candidates.blocks) if candidates else []
    if candidates is None or not offered:
        raise Wrong("algorithm", "This algorithm has no blocks of this page.")
    blocks = [block_fields(block) for block in offered]
    return {"algorithm": candidates.algorithm, "blocks": blocks}


_KINDS: dict[str, Callable[[Asked, Drawing, BlockSheet, str], Operation]] = {
    "insert": _insert,
    "accept": _one,
    "merge": _merge,
    "split": _split,
    "delete": _one,
    "label": _label,
    "flatten": _flatten,
    "cut": _cut,
    "candidates": _candidates,
}


def _existing(tree: Tree, name: str) -> Any:
    try:
        return block_of(tree, name)
    except NoBlock as e:
        raise Wrong("block", "This block no longer exists; reload the page.") from e


def _name(asked: Asked, field: str) -> str:
    name = asked.get(field)
    if not isinstance(name, str) or not name:
        raise Wrong(field, "Choose a block first.")
    return name


def _rect(given: object, sheet: BlockSheet) -> Rect:
    """Return a box as it was drawn, as far as it lies on the page."""
    if not isinstance(given, list) or len(given) != 4 or not all(map(_is_number, given)):
        raise Wrong("rect", "A box is [x, y, width, height] in pixels of the page.")
    x, y, w, h = given
    left, top = max(0.0, x), max(0.0, y)
    right, bottom = min(x + w, sheet.page.size[0]), min(y + h, sheet.page.size[1])
    if right - left < LEAST or bottom - top < LEAST:
        raise Wrong("rect", "The box is too small, or not on the page.")
    return Rect(*(round(value, 1) for value in (left, top, right - left, bottom - top)))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _part(part: Part) -> dict[str, Any]:
    return {"rect": list(part.rect), "xpaths": list(part.xpaths)}
