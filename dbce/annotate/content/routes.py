"""The addresses of label mode: pages that only read, and requests that change something.

Requests that change something carry JSON, and name captures and text runs by what the run has. That
they come from our own pages is seen to before (`dbce.view.guard`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, current_app, jsonify, redirect, render_template, request, url_for

from dbce.annotate.content import typed
from dbce.annotate.content.agreement import is_disputed
from dbce.annotate.content.desk import counts
from dbce.annotate.content.review import SHOWN, review
from dbce.annotate.content.spans import Mark, Span
from dbce.annotate.core.begun import to_the_next, who_works
from dbce.annotate.core.names import Wrong, name_of
from dbce.annotate.core.sent import given_object, tell_errors

if TYPE_CHECKING:
    from flask import Flask, Response
    from werkzeug.wrappers import Response as AnyResponse

    from dbce.annotate.content.desk import Desk

KEYS = {
    Mark.CONTENT: ("c", "Content"),
    Mark.BOILERPLATE: ("b", "Boilerplate"),
    Mark.COMMENT: ("m", "Comment"),
    Mark.UNDECIDED: ("u", "Undecided"),
}
"""The key and the name of each mark."""

label = Blueprint("label", __name__, url_prefix="/label")
tell_errors(label)


def add_label_mode(app: Flask, desk: Desk) -> None:
    """Gives an application the pages of label mode."""
    app.config["DESK"] = desk
    app.register_blueprint(label)
    app.context_processor(_sections)
    app.jinja_env.globals |= {"marks": KEYS, "gold_file": str(desk.book.path)}


def the_desk() -> Desk:
    """What is worked on."""
    found: Desk = current_app.config["DESK"]
    return found


@label.get("")
def start() -> str:
    """Who labels, and what there is to do."""
    return render_template("label_start.html", **who_works(the_desk()))


@label.get("/page")
def page() -> str | AnyResponse:
    """A capture to be labelled."""
    desk = the_desk()
    try:
        by = name_of(request.args.get("by"), desk.book.people())
    except Wrong:
        return redirect(url_for("label.start", by=request.args.get("by")))
    record_id = request.args.get("id", "")
    sheet = desk.sheet(record_id)
    chosen = sheet.place(request.args.get("xpath", ""), request.args.get("start", 0, int))
    return render_template(
        "label_page.html",
        by=by,
        page=sheet.page,
        sheet=sheet,
        said=desk.marks(by, record_id),
        chosen=chosen,
        token=current_app.config["TOKEN"],
    )


@label.get("/next")
def next_page() -> AnyResponse:
    """To the next capture with something left, or back to the list."""
    return to_the_next(the_desk(), "label")


@label.get("/review")
def review_page() -> str:
    """Where people disagree, and how far they agree."""
    desk = the_desk()
    return render_template(
        "label_review.html",
        by=request.args.get("by", ""),
        review=review(desk.run, desk.book),
        people=desk.book.people(),
        shown=SHOWN,
        token=current_app.config["TOKEN"],
    )


@label.post("/say")
def say() -> Response:
    """Labels runs of a capture: `by`, `id`, `runs` (their places), `label`."""
    desk, given = the_desk(), given_object()
    by = name_of(given.get("by"), desk.book.people())
    sheet = desk.sheet(str(given.get("id")))
    mark = typed.mark_of(given)
    places = typed.places_of(given, len(sheet.runs))
    desk.book.say(
        by,
        sheet.about,
        sheet.spans(places, mark),
        hidden=sheet.hidden_spans(),
        texts=sheet.texts,
    )
    what = "1 text run is" if len(places) == 1 else f"{len(places)} text runs are"
    return _state(desk, by, sheet.page["record_id"], f"{what} {mark}")


@label.post("/undo")
def undo() -> Response:
    """Takes back what somebody said last of a capture: `by`, `id`."""
    desk, given = the_desk(), given_object()
    by = name_of(given.get("by"), desk.book.people())
    sheet = desk.sheet(str(given.get("id")))
    record_id = sheet.page["record_id"]
    undone = desk.book.undo(by, record_id)
    places = {sheet.place(xpath, start) for xpath, start, _ in undone} - {None}
    what = "The last label was taken back" if undone else "Nothing is left to take back"
    return _state(desk, by, record_id, what, undone=sorted(places, key=str))


@label.post("/settle")
def settle() -> Response:
    """Decides a text on which people disagree: `by`, `id`, `xpath`, `start`, `end`, `label`."""
    desk, given = the_desk(), given_object()
    by = name_of(given.get("by"), desk.book.people())
    record_id = str(given.get("id"))
    mark = typed.mark_of(given)
    wanted = (given.get("xpath"), given.get("start"), given.get("end"))
    known = desk.book.pieces(record_id)
    piece = next((p for p in known if (p.xpath, p.start, p.end) == wanted and is_disputed(p)), None)
    if piece is None:
        raise Wrong("xpath", "Nobody disagrees on that; reload the page.")
    place = (piece.node, piece.xpath, piece.start, piece.end, piece.text)
    desk.book.settle(by, record_id, Span(*place, mark))
    return jsonify(settled=mark, said=f"Settled: {mark}. Saved.")


def _state(desk: Desk, by: str, record_id: str, what: str, **more: object) -> Response:
    """What all runs of a capture are now, and a sentence for those who do not see it."""
    marks = desk.marks(by, record_id)
    left = marks.count(None)
    return jsonify(
        marks=[span and span.mark for span in marks],
        left=left,
        counts=counts(marks),
        said=f"{what}. {left} left." if left else f"{what}. Nothing is left on this page.",
        **more,
    )


def _sections() -> dict[str, object]:
    """What the top of every page leads to beside what it has without label mode."""
    by = request.args.get("by") or None
    return {
        "sections": (
            (url_for("label.start", by=by), "Label", request.endpoint in _LABELLING),
            (url_for("label.review_page", by=by), "Review", request.endpoint == _REVIEW),
        )
    }


_LABELLING = frozenset({"label.start", "label.page"})
_REVIEW = "label.review_page"
