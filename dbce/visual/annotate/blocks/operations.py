"""The operations for the journal that requests of the desk are made into.

They name blocks by their ids, elements by their places, and boxes in pixels of the document; an operation has all that
the tree needs, so that a journal can be read without the rendering.
"""

from collections.abc import Callable
from typing import Any

from dbce.annotate.core.pages import FieldError, Json
from dbce.visual import Rect
from dbce.visual.annotate.blocks.history import (
    Drawing,
    NoBlock,
    Operation,
    Part,
    block_of,
    descendants,
    uncovered_rect,
)
from dbce.visual.annotate.blocks.pages import BlockSheet
from dbce.visual.measure import MarkedBlock, block_fields, is_number
from dbce.visual.view.layers import computed_blocks, stored_blocks

ROLES = ("header", "footer", "section", "article", "nav", "aside")  # the labels of a block (M: six)

STORED = "stored:"
"""Prefix of the name of a table of blocks that is there, to tell it from an algorithm."""

LEAST = 2.0  # least width and height of a block, in pixels
LONGEST = 60  # characters of a free type at most


def operation_of(fields: Json, drawing: Drawing, sheet: BlockSheet, folder: str) -> Operation:
    """Return the operation that a request asks for; `folder` has the rendered pages."""
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise FieldError("kind", f"An operation is one of {', '.join(_KINDS)}.")
    return {"kind": kind} | _KINDS[kind](fields, drawing, sheet, folder)


def _insert(fields: Json, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    parent = _block(fields, drawing, "parent").id if fields.get("parent") else ""
    is_picked = "element" in fields
    part = sheet.element(fields["element"]) if is_picked else sheet.part_in(_rect(fields, sheet))
    if part is None:
        raise FieldError("element", "Point at an element of the page.")
    block = MarkedBlock(drawing.new_id(), parent, part.rect, part.xpaths)
    return {"block": block_fields(block)}


def _block_operation(fields: Json, drawing: Drawing, *_: object) -> Operation:
    return {"block": _block(fields, drawing).id}


def _merge(fields: Json, drawing: Drawing, *_: object) -> Operation:
    return {name: _block(fields, drawing, name).id for name in ("first", "second")}


def _split(fields: Json, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    block = _block(fields, drawing)
    axis, at = fields.get("axis"), fields.get("at", "")
    if axis not in ("x", "y") or not is_number(at) or block.rect is None:
        raise FieldError(
            "at", "Say where the block is to be split: axis x or y, and at which pixel."
        )
    x, y, w, h = block.rect
    start, length = (x, w) if axis == "x" else (y, h)
    if not start + LEAST <= at <= start + length - LEAST:
        raise FieldError("at", "Split the block between its edges.")
    halves = (Rect(x, y, at - x, h), Rect(at, y, x + w - at, h))
    if axis == "y":
        halves = (Rect(x, y, w, at - y), Rect(x, at, w, y + h - at))
    parts = [_part(sheet.part_in(rect, block.xpaths)) for rect in halves]
    return {"block": block.id, "parts": parts, "second": drawing.new_id()}


def _label(fields: Json, drawing: Drawing, *_: object) -> Operation:
    block = _block(fields, drawing)
    label, kind = fields.get("label", block.label), fields.get("type", block.type)
    if label not in ("", *ROLES):
        raise FieldError("label", f"A role is one of {', '.join(ROLES)}, or none.")
    if not isinstance(kind, str) or len(kind) > LONGEST or not (kind.isprintable()):
        raise FieldError("type", f"A type has up to {LONGEST} characters.")
    return {"block": block.id, "label": label, "type": " ".join(kind.split())}


def _flatten(_: Json, drawing: Drawing, *__: object) -> Operation:
    if not any(block.parent for block in drawing.tree):
        raise FieldError("kind", "No block is nested; there is nothing to flatten.")
    return {}


def _cut(fields: Json, drawing: Drawing, sheet: BlockSheet, _: str) -> Operation:
    """Return how an overlap of two is resolved: the one that is not kept whole is cut."""
    block, other = (_block(fields, drawing, name) for name in ("block", "beside"))
    rest = uncovered_rect(block.rect, other.rect) if block.rect and other.rect else None
    if rest is None:
        raise FieldError(
            "block", "The other block covers it entirely; merge the two, or delete one."
        )
    if descendants(drawing.tree, block.id):
        raise FieldError("block", "It has nested blocks; remove or cut these first.")
    part = _part(sheet.part_in(rest, block.xpaths))
    return {"block": block.id, "beside": other.id, "parts": [part]}


def _candidates(fields: Json, _: Drawing, sheet: BlockSheet, folder: str) -> Operation:
    name = _name(fields, "algorithm")
    if name.startswith(STORED):
        candidates = stored_blocks(folder, name.removeprefix(STORED), sheet.page.record_id)
    else:
        candidates = computed_blocks(sheet.page, name)
    offered = sheet.without_adverts(candidates.blocks) if candidates else []
    if candidates is None or not offered:
        raise FieldError("algorithm", "This algorithm has no blocks of this page.")
    blocks = [block_fields(block) for block in offered]
    return {"algorithm": candidates.algorithm, "blocks": blocks}


_KINDS: dict[str, Callable[[Json, Drawing, BlockSheet, str], Operation]] = {
    "insert": _insert,
    "accept": _block_operation,
    "merge": _merge,
    "split": _split,
    "delete": _block_operation,
    "label": _label,
    "flatten": _flatten,
    "cut": _cut,
    "candidates": _candidates,
}


def _block(fields: Json, drawing: Drawing, field: str = "block") -> MarkedBlock:
    name = _name(fields, field)
    try:
        return block_of(drawing.tree, name)
    except NoBlock as e:
        raise FieldError("block", "This block no longer exists; reload the page.") from e


def _name(fields: Json, field: str) -> str:
    name = fields.get(field)
    if not isinstance(name, str) or not name:
        raise FieldError(field, "Select a block first.")
    return name


def _rect(fields: Json, sheet: BlockSheet) -> Rect:
    """Return a box as it was drawn, as far as it lies on the page."""
    given = fields.get("rect")
    if not isinstance(given, list) or len(given) != 4 or not all(map(is_number, given)):
        raise FieldError("rect", "A box is [x, y, width, height] in pixels of the page.")
    x, y, w, h = given
    left, top = max(0.0, x), max(0.0, y)
    right, bottom = min(x + w, sheet.page.size[0]), min(y + h, sheet.page.size[1])
    if right - left < LEAST or bottom - top < LEAST:
        raise FieldError("rect", "The box is too small, or not on the page.")
    return Rect(*(round(value, 1) for value in (left, top, right - left, bottom - top)))


def _part(part: Part) -> dict[str, Any]:
    return {"rect": list(part.rect), "xpaths": list(part.xpaths)}
