"""The pages on which blocks are drawn, and the requests that they send.

Requests name pages by record id and blocks by their ids.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flask import Response, jsonify, redirect, request, url_for

from dbce.annotate.core.given import Wrong, given_object
from dbce.annotate.core.pages import DeskPages, add_desk, the_desk, worker
from dbce.model import UsageError
from dbce.visual.annotate.blocks.asked import ROLES, STORED, operation_of
from dbce.visual.annotate.blocks.desk import elements_of, notice
from dbce.visual.annotate.blocks.tree import NoBlock
from dbce.visual.view.segmentations import COMPUTED, stored_names

if TYPE_CHECKING:
    from flask import Flask

    from dbce.annotate.core.given import Json
    from dbce.visual.annotate.blocks.desk import BlockDesk


def add_drawing(app: Flask, desk: BlockDesk) -> None:
    """Give an application the pages on which blocks are drawn; it has no others."""
    add_desk(app, blocks, desk, roles=ROLES)
    app.add_url_rule("/", "start", lambda: redirect(url_for("blocks.start")))


def _page(by: str, record_id: str) -> Json:
    """Return what the page to draw on shows."""
    desk: BlockDesk = the_desk()
    sheet = desk.pages.sheet(record_id)
    desk.drawn(by, record_id)  # tells why, where it cannot be drawn on
    stored = [(f"{STORED}{name}", name) for name in stored_names(desk.pages.uri)]
    title = desk.pages.rows[record_id]["title"]
    return {"page": sheet.page, "title": title, "stored": stored, "computed": tuple(COMPUTED)}


def _review() -> Json:
    """Return how far people agree, and the pages of which somebody has to say whose blocks are gold."""
    desk: BlockDesk = the_desk()
    return {"review": desk.review()}


def _start() -> Json:
    """Return the pages that cannot be drawn on, and the number of those that nobody is asked for."""
    desk: BlockDesk = the_desk()
    return {"strays": desk.strays(), "adverts": len(desk.pages.adverts)}


blocks = DeskPages("blocks", "Blocks", _page, _review, _start).blueprint(__name__)


@blocks.get("/state")
def state() -> Response:
    """Answer with the blocks of somebody on a page, and the elements that can be picked."""
    desk: BlockDesk = the_desk()
    by, record_id = worker(request.args.get("by")), request.args.get("id", "")
    elements = elements_of(desk.pages.sheet(record_id))
    return jsonify(elements=elements, **desk.state(by, record_id))


@blocks.get("/screenshot")
def screenshot() -> Response:
    """Answer with the picture of a page."""
    desk: BlockDesk = the_desk()
    picture = desk.pages.screenshot(request.args.get("id", ""))
    answer = Response(picture, content_type="image/png")
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@blocks.get("/gold")
def gold() -> Response:
    """Answer with the pages of one person as block gold, to keep."""
    desk: BlockDesk = the_desk()
    lines = desk.export(worker(request.args.get("by")))
    written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    answer = Response(written, content_type="application/jsonl; charset=utf-8")
    answer.headers["Content-Disposition"] = "attachment; filename=blocks.jsonl"
    return answer


@blocks.post("/do")
def do() -> Response:
    """Do an operation: `by`, `id`, and `kind` with what it needs (`dbce.visual.annotate.blocks.asked`)."""
    desk: BlockDesk = the_desk()
    given = given_object()
    by, record_id = worker(given.get("by")), str(given.get("id"))
    before = desk.drawn(by, record_id)
    kind = given.get("kind")
    if kind in ("undo", "redo"):
        desk.do(by, record_id, **{str(kind): True})
    else:
        sheet, drawing = desk.pages.sheet(record_id), desk.drawing(by, record_id)
        desk.do(by, record_id, op=operation_of(given, drawing, sheet, desk.pages.uri))
    sentence, chosen = notice(kind, before, desk.drawn(by, record_id))
    return jsonify(said=sentence, chosen=chosen, **desk.state(by, record_id))


@blocks.post("/choose")
def choose() -> Response:
    """Decide whose blocks are the gold of a page: `by`, `id`, `whose`."""
    desk: BlockDesk = the_desk()
    given = given_object()
    by, record_id, whose = worker(given.get("by")), str(given.get("id")), given.get("whose")
    if record_id not in desk.store.people().get(str(whose), ()):
        raise Wrong("whose", "Nobody of that name has drawn on this page.")
    desk.choose(by, record_id, str(whose))
    return jsonify(said=f"The gold of this page is what {whose} has drawn. Saved.")


@blocks.errorhandler(NoBlock)
@blocks.errorhandler(UsageError)
def impossible(error: Exception) -> tuple[Response, int]:
    """Answer that something cannot be done to these blocks."""
    sentence = f"{str(error)[0].upper()}{str(error)[1:]}."
    return jsonify(field="", message=sentence), 400
