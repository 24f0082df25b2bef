"""The addresses of the annotator: pages that only read, and requests that change something.

Requests that change something carry JSON, and name pages by record id and blocks by their ids. That they
come from our own pages is seen to before (`dbce.view.guard`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)

from dbce.annotate.blocks.asked import ROLES, STORED, operation_of
from dbce.annotate.blocks.desk import elements_of
from dbce.annotate.blocks.review import review
from dbce.annotate.blocks.told import told
from dbce.annotate.blocks.tree import NoBlock
from dbce.annotate.core.begun import to_the_next, who_works
from dbce.annotate.core.names import Wrong, name_of
from dbce.annotate.core.sent import given_object
from dbce.model import DbceError, UsageError
from dbce.view.not_in_run import NotInRun
from dbce.view.segmentations import COMPUTED, stored_names

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response as AnyResponse

    from dbce.annotate.blocks.desk import BlockDesk
    from dbce.annotate.core.sent import Json

blocks = Blueprint(
    "blocks", __name__, url_prefix="/blocks", template_folder="templates", static_folder="static"
)


def add_annotator(app: Flask, desk: BlockDesk) -> None:
    """Gives an application the pages of the annotator."""
    app.config["BLOCK_DESK"] = desk
    app.register_blueprint(blocks)
    app.add_url_rule("/", "start", lambda: redirect(url_for("blocks.start")))
    app.context_processor(_sections)
    app.jinja_env.globals |= {"roles": ROLES, "gold_file": str(desk.book.path)}


def the_desk() -> BlockDesk:
    """What is worked on."""
    found: BlockDesk = current_app.config["BLOCK_DESK"]
    return found


@blocks.get("")
def start() -> str:
    """Who draws, and what there is to do."""
    desk = the_desk()
    return render_template("blocks_start.html", **who_works(desk), strays=desk.strays())


@blocks.get("/page")
def page() -> str | AnyResponse:
    """A page to draw on."""
    desk = the_desk()
    try:
        by = name_of(request.args.get("by"), desk.book.people())
    except Wrong:
        return redirect(url_for("blocks.start", by=request.args.get("by")))
    record_id = request.args.get("id", "")
    sheet = desk.pages.sheet(record_id)
    desk.drawn(by, record_id)  # tells why, where it cannot be drawn on
    return render_template(
        "blocks_page.html",
        by=by,
        page=sheet.page,
        stored=[(f"{STORED}{name}", name) for name in stored_names(desk.pages.uri)],
        computed=tuple(COMPUTED),
        token=current_app.config["TOKEN"],
    )


@blocks.get("/state")
def state() -> Response:
    """The blocks of somebody on a page, and the elements that can be picked."""
    desk = the_desk()
    by, record_id = _by(request.args.get("by")), request.args.get("id", "")
    found = desk.state(by, record_id)
    return jsonify(elements=elements_of(desk.pages.sheet(record_id)), **found)


@blocks.get("/screenshot")
def screenshot() -> Response:
    """The picture of a page."""
    found = the_desk().pages.screenshot(request.args.get("id", ""))
    answer = Response(found, content_type="image/png")
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@blocks.get("/next")
def next_page() -> AnyResponse:
    """To the next page without blocks, or back to the list."""
    return to_the_next(the_desk(), "blocks")


@blocks.get("/gold")
def gold() -> Response:
    """The pages of one person as block gold, to keep."""
    by = _by(request.args.get("by"))
    lines = "".join(the_desk().book.export(by))
    answer = Response(lines, content_type="application/jsonl; charset=utf-8")
    answer.headers["Content-Disposition"] = "attachment; filename=blocks.jsonl"
    return answer


@blocks.get("/review")
def review_page() -> str:
    """How far people agree, and whose blocks are the gold of pages that several have drawn."""
    desk = the_desk()
    return render_template(
        "blocks_review.html",
        by=request.args.get("by", ""),
        review=review(desk.book, desk.pages),
        people=desk.book.people(),
        token=current_app.config["TOKEN"],
    )


@blocks.post("/do")
def do() -> Response:
    """Does an operation: `by`, `id`, and `kind` with what it needs (`dbce.annotate.blocks.asked`)."""
    desk, given = the_desk(), given_object()
    by, record_id = _by(given.get("by")), str(given.get("id"))
    before = desk.drawn(by, record_id)
    sheet, about = desk.pages.sheet(record_id), desk.pages.about(record_id)
    kind = given.get("kind")
    if kind == "undo":
        desk.book.undo(by, _now(), about)
    elif kind == "redo":
        desk.book.redo(by, _now(), about)
    else:
        session = desk.book.session(by, record_id)
        desk.book.do(by, _now(), about, operation_of(given, session, sheet, desk.pages.uri))
    sentence, chosen = told(kind, before, desk.drawn(by, record_id))
    return jsonify(said=sentence, chosen=chosen, **desk.state(by, record_id))


@blocks.post("/choose")
def choose() -> Response:
    """Decides whose blocks are the gold of a page: `by`, `id`, `whose`."""
    desk, given = the_desk(), given_object()
    by, record_id, whose = _by(given.get("by")), str(given.get("id")), given.get("whose")
    if record_id not in desk.book.people().get(str(whose), ()):
        raise Wrong("whose", "Nobody of that name has drawn on this page.")
    desk.book.choose(by, _now(), desk.pages.about(record_id), str(whose))
    return jsonify(said=f"The gold of this page is what {whose} has drawn. Saved.")


@blocks.errorhandler(Wrong)
def wrong(error: Wrong) -> tuple[Response, int]:
    """What was sent makes no sense: which field, and what to give."""
    return jsonify(field=error.field, message=str(error)), 400


@blocks.errorhandler(NoBlock)
@blocks.errorhandler(UsageError)
def impossible(error: Exception) -> tuple[Response, int]:
    """What cannot be done to these blocks."""
    sentence = f"{str(error)[0].upper()}{str(error)[1:]}."
    return jsonify(field="", message=sentence), 400


@blocks.errorhandler(DbceError)
@blocks.errorhandler(NotInRun)
def failed(error: Exception) -> tuple[Response, int] | tuple[str, int]:
    """What cannot be done, as the one who asks can read it."""
    code = 404 if isinstance(error, NotInRun) else 500
    if request.method == "POST":
        return jsonify(field="", message=str(error)), code
    return render_template("error.html", message=str(error)), code


def _by(given: object) -> str:
    return name_of(given, the_desk().book.people())


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _sections() -> Json:
    """What the top of every page leads to."""
    by = request.args.get("by") or None
    return {
        "sections": (
            (url_for("blocks.start", by=by), "Blocks", request.endpoint in _DRAWING),
            (url_for("blocks.review_page", by=by), "Review", request.endpoint == _REVIEW),
        )
    }


_DRAWING = frozenset({"blocks.start", "blocks.page"})
_REVIEW = "blocks.review_page"
