"""The desk on which blocks are drawn: rendered pages, each person's progress, and the requests of the pages.

Requests name pages by record id. They become operations of the journal: these name blocks by their ids, elements
by their places, and boxes in pixels of the document, and are complete, so that a journal can be read without the
rendering.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, jsonify, redirect, request, url_for

from dbce.annotate.core.pages import (
    DeskPages,
    FieldError,
    Json,
    add_desk,
    current_desk,
    page_request,
    worker,
)
from dbce.annotate.core.queue import Task, TaskQueue
from dbce.annotate.core.store import AnnotationStore, Line
from dbce.archive import iso
from dbce.model import NotInRun, UsageError
from dbce.output import Row
from dbce.view.routes import inert_file
from dbce.visual import Rect
from dbce.visual.annotate.blocks.agreement import BlockReview, Drawn, review
from dbce.visual.annotate.blocks.history import (
    Drawing,
    DrawingHistory,
    NoBlock,
    Operation,
    Part,
    block_of,
    descendants,
    uncovered_rect,
)
from dbce.visual.annotate.blocks.pages import BlockSheet, Pages, with_counts
from dbce.visual.measure import MarkedBlock, MarkedPage, block_fields, is_number
from dbce.visual.segment import overlaps
from dbce.visual.view.layers import COMPUTED, computed_blocks, stored_blocks, stored_names

ROLES = ("header", "footer", "section", "article", "nav", "aside")  # the labels of a block (M: six)

STORED = "stored:"
"""Prefix of the name of a stored table of blocks, unlike an algorithm."""

LEAST = 2.0  # least width and height of a block, in pixels
LONGEST = 60  # maximum characters of a free type


def operation_of(fields: Json, drawing: Drawing, sheet: BlockSheet, folder: str) -> Operation:
    """Return the operation in a request; `folder` has the rendered pages."""
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
    """Return the operation that resolves an overlap by cutting one of the two blocks."""
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
    """Return a drawn box, clipped to the page."""
    box = fields.get("rect")
    if not isinstance(box, list) or len(box) != 4 or not all(map(is_number, box)):
        raise FieldError("rect", "A box is [x, y, width, height] in pixels of the page.")
    x, y, w, h = box
    left, top = max(0.0, x), max(0.0, y)
    right, bottom = min(x + w, sheet.page.size[0]), min(y + h, sheet.page.size[1])
    if right - left < LEAST or bottom - top < LEAST:
        raise FieldError("rect", "The box is too small, or not on the page.")
    return Rect(*(round(value, 1) for value in (left, top, right - left, bottom - top)))


def _part(part: Part) -> dict[str, Any]:
    return {"rect": list(part.rect), "xpaths": list(part.xpaths)}


class BlockDesk:
    """Rendered pages, the gold that is made of them, and the pages to be drawn on, in order."""

    def __init__(
        self, pages: Pages, store: AnnotationStore[DrawingHistory], rows: Sequence[Row]
    ) -> None:
        self.pages = pages
        self.store = store
        self.queue = TaskQueue(store.people, rows, pages.rows_of, self._task)

    def marked_page(self, by: str, record_id: str) -> MarkedPage:
        """Return a page with somebody's blocks, to be drawn on.

        Raises NotInRun: there is no such page, or its blocks do not fit it.
        """
        self.pages.sheet(record_id)
        with self.store.turn() as history:
            page = history.marked_page(by, record_id, self.pages.page_fields(record_id))
        if why := self.pages.misfit(page):
            raise NotInRun(f"{why}; it stays in the gold as it is")
        return page

    def drawing(self, by: str, record_id: str) -> Drawing:
        with self.store.turn() as history:
            return history.drawing(by, record_id)

    def do(self, by: str, record_id: str, **change: object) -> None:
        """Apply an operation `op` in somebody's name, or `undo` or `redo`; it is saved when this returns.

        Raises:
            NoBlock: it is not possible, and not noted.
            StoreError: it cannot be saved.
        """
        event = self._event(by, record_id, **change)
        with self.store.turn() as history:
            history.drawing(by, record_id).with_event(event)  # raises if it is not possible
            self.store.note(event)

    def choose(self, by: str, record_id: str, author: str) -> None:
        """Save a reviewer's decision whose blocks are the gold of a page, as `do`."""
        self.store.note(self._event(by, record_id, counts=author))

    def _event(self, by: str, record_id: str, **change: object) -> Line:
        capture = self.pages.page_fields(record_id)
        return {"by": by, "at": iso(datetime.now(UTC), "seconds"), "capture": capture, **change}

    def state(self, by: str, record_id: str) -> dict[str, Any]:
        """Return somebody's blocks as the page shows them: see `annotate.js`."""
        page = self.marked_page(by, record_id)
        sheet = self.pages.sheet(record_id)
        drawing = self.drawing(by, record_id)
        boxes = [(block.id, block.rect) for block in page.terminal if block.rect]
        pairs = overlaps([rect for _, rect in boxes])
        return {
            "blocks": _block_rows(sheet.with_counts(page)),
            "overlaps": [(boxes[a][0], boxes[b][0]) for a, b in pairs],
            "covered": round(sheet.coverage(page), 4),
            "undo": len(drawing.past) > 1,
            "redo": bool(drawing.future),
        }

    def strays(self) -> list[str]:
        """Return a sentence for each page of the gold that does not fit the rendered pages."""
        by_name = {n: page for pages in self._all_drawn().values() for n, page in pages.items()}
        return list(filter(None, map(self.pages.misfit, by_name.values())))

    def export(self, by: str) -> list[Line]:
        """Return the pages of one person as lines of block gold."""
        with self.store.turn() as history:
            lines = [history.line(by, name) for name in history.people().get(by, ())]
        return [with_counts(line, self.pages) for line in lines]

    def review(self) -> BlockReview:
        """Return the agreement of annotators, and the pages that several have drawn on."""
        rows, misfit = self.pages.rows, self.pages.misfit
        drawn = {
            by: {name: page for name, page in pages.items() if name in rows and not misfit(page)}
            for by, pages in self._all_drawn().items()
        }
        names = {name for pages in drawn.values() for name in pages}
        with self.store.turn() as history:
            authors = {name: history.gold_author(name) for name in names}
        return review(drawn, authors, self.pages)

    def _all_drawn(self) -> Drawn:
        """Return all pages that were drawn on, by person and name."""
        with self.store.turn() as history:
            return {
                by: {name: history.marked_page(by, name) for name in names}
                for by, names in history.people().items()
            }

    def _task(self, by: str, row: Row) -> Task:
        blocks = len(self.drawing(by, row["record_id"]).tree)
        return {"page": row, "is_done": blocks > 0, "blocks": blocks}


def elements_of(sheet: BlockSheet) -> list[list[Any]]:
    """Return the elements that can be picked: place, place of the nearest such ancestor (-1 for none), x, y, w, h, tag."""
    valid = set(sheet.valid)
    rows: list[list[Any]] = []
    for place in sheet.valid:
        ancestor = sheet.page.elements[place].parent
        while ancestor >= 0 and ancestor not in valid:
            ancestor = sheet.page.elements[ancestor].parent
        box = sheet.outline.boxes[place] or ()
        rows.append([place, ancestor, *(round(v, 1) for v in box), sheet.page.elements[place].tag])
    return rows


NOTICES = {
    "insert": "Block added",
    "accept": "Nested blocks removed",
    "merge": "Blocks merged",
    "split": "Block split",
    "delete": "Block deleted",
    "label": "Block labelled",
    "flatten": "Nested blocks flattened",
    "cut": "Overlap removed",
    "candidates": "Candidates imported; correct them as needed",
    "undo": "Last change undone",
    "redo": "Change redone",
}


def notice(kind: object, before: MarkedPage, after: MarkedPage) -> tuple[str, list[str]]:
    """Return a sentence on the change, and the ids of the new blocks and then of the changed ones."""
    old = {block.id: block for block in before.blocks}
    new = [block.id for block in after.blocks if block.id not in old]
    changed = [block.id for block in after.blocks if block.id in old and block != old[block.id]]
    count = len(after.blocks)
    number = "1 block" if count == 1 else f"{count} blocks"
    return f"{NOTICES[str(kind)]}. {number}. Saved.", [*new, *changed]


def _block_rows(page: MarkedPage) -> list[dict[str, Any]]:
    depth = {"": 0}
    parents = {block.parent for block in page.blocks}
    rows = []
    for block in page.blocks:
        depth[block.id] = depth[block.parent] + 1
        fields = block_fields(block)
        row = {
            key: fields[key] for key in ("id", "parent", "rect", "label", "type", "from", "words")
        }
        rows.append(row | {"depth": depth[block.id], "holds": block.id in parents})
    return rows


def add_drawing(app: Flask, desk: BlockDesk) -> None:
    add_desk(app, blocks, desk, roles=ROLES)
    app.add_url_rule("/", "start", lambda: redirect(url_for("blocks.start")))


def _page(by: str, record_id: str) -> Json:
    desk: BlockDesk = current_desk()
    sheet = desk.pages.sheet(record_id)
    desk.marked_page(by, record_id)  # raises if it cannot be drawn on
    stored = [(f"{STORED}{name}", name) for name in stored_names(desk.pages.uri)]
    title = desk.pages.rows[record_id]["title"]
    return {"page": sheet.page, "title": title, "stored": stored, "computed": tuple(COMPUTED)}


blocks = DeskPages(
    "blocks",
    "Blocks",
    _page,
    of_review=lambda: {"review": current_desk().review()},
    of_start=lambda: {"strays": current_desk().strays(), "adverts": current_desk().pages.adverts},
).blueprint(__name__)


@blocks.get("/state")
def state() -> Response:
    """Return somebody's blocks on a page, and the elements that can be picked."""
    desk: BlockDesk = current_desk()
    by, record_id = worker(request.args.get("by")), request.args.get("id", "")
    elements = elements_of(desk.pages.sheet(record_id))
    return jsonify(elements=elements, **desk.state(by, record_id))


@blocks.get("/screenshot")
def screenshot() -> Response:
    return inert_file(
        current_desk().pages.folder.screenshot(request.args.get("id", "")), "image/png"
    )


@blocks.get("/gold")
def gold() -> Response:
    """Return the pages of one person as block gold, for download."""
    lines = current_desk().export(worker(request.args.get("by")))
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers["Content-Disposition"] = "attachment; filename=blocks.jsonl"
    return response


@blocks.post("/do")
def do() -> Response:
    """Apply an operation: `by`, `id`, `kind`, and the fields of the kind (see `operation_of`)."""
    desk, by, record_id, fields = page_request()
    before = desk.marked_page(by, record_id)
    kind = fields.get("kind")
    if kind in ("undo", "redo"):
        desk.do(by, record_id, **{str(kind): True})
    else:
        sheet, drawing = desk.pages.sheet(record_id), desk.drawing(by, record_id)
        desk.do(by, record_id, op=operation_of(fields, drawing, sheet, desk.pages.uri))
    sentence, chosen = notice(kind, before, desk.marked_page(by, record_id))
    return jsonify(said=sentence, chosen=chosen, **desk.state(by, record_id))


@blocks.post("/choose")
def choose() -> Response:
    """Decide whose blocks are the gold of a page: `by`, `id`, `whose`."""
    desk, by, record_id, fields = page_request()
    author = fields.get("whose")
    if record_id not in desk.store.people().get(str(author), ()):
        raise FieldError("whose", "No annotator of that name has drawn on this page.")
    desk.choose(by, record_id, str(author))
    return jsonify(said=f"The gold of this page is now the blocks of {author}. Saved.")


@blocks.errorhandler(NoBlock)
@blocks.errorhandler(UsageError)
def impossible(error: Exception) -> tuple[Response, int]:
    """Return the reason why an operation on these blocks is impossible, as a response 400."""
    sentence = f"{str(error)[0].upper()}{str(error)[1:]}."
    return jsonify(field="", message=sentence), 400
