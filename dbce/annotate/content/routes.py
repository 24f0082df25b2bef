"""The pages on which texts are labelled, and the requests that they send, which name captures and runs as the run does."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, jsonify, request

from dbce.annotate.content.desk import SHOWN, LabelDesk, is_disputed
from dbce.annotate.content.history import Mark, Span
from dbce.annotate.core import pages
from dbce.annotate.core.agreement import kappa, observed_agreement

KEYS = {
    Mark.CONTENT: ("c", "Content"),
    Mark.BOILERPLATE: ("b", "Boilerplate"),
    Mark.COMMENT: ("m", "Comment"),
    Mark.UNDECIDED: ("u", "Undecided"),
}
"""The key and the name of each mark."""


def add_labelling(app: Flask, desk: LabelDesk) -> None:
    pages.add_desk(app, label, desk, marks=KEYS, kappa=kappa, observed_agreement=observed_agreement)


def _page(by: str, record_id: str) -> pages.Json:
    desk: LabelDesk = pages.current_desk()
    sheet = desk.sheet(record_id)
    chosen = sheet.place(request.args.get("xpath", ""), request.args.get("start", 0, int))
    said = desk.marks(by, record_id)
    return {"page": sheet.page, "sheet": sheet, "said": said, "chosen": chosen}


def _review() -> pages.Json:
    desk: LabelDesk = pages.current_desk()
    return {"review": desk.review(), "shown": SHOWN}


label = pages.DeskPages("label", "Label", _page, _review).blueprint(__name__)


@label.post("/say")
def say() -> Response:
    """Label runs of a capture: `by`, `id`, `runs` (their places), `label`."""
    desk, by, record_id, given = pages.page_request()
    sheet = desk.sheet(record_id)
    mark = _mark(given)
    places = pages.places_of(given, "runs", len(sheet.runs), "text runs")
    desk.label(by, sheet, places, mark)
    what = "1 text run is" if len(places) == 1 else f"{len(places)} text runs are"
    return _state(desk, by, record_id, f"{what} {mark}")


@label.post("/undo")
def undo() -> Response:
    """Take back what somebody said last of a capture: `by`, `id`."""
    desk, by, record_id, _ = pages.page_request()
    sheet = desk.sheet(record_id)
    undone = desk.undo(by, record_id)
    places = {sheet.place(span.xpath, span.start) for span in undone} - {None}
    what = "Last label undone" if undone else "There is nothing to undo"
    return _state(desk, by, record_id, what, undone=sorted(places, key=str))


@label.post("/settle")
def settle() -> Response:
    """Decide a text on which people disagree: `by`, `id`, `xpath`, `start`, `end`, `label`."""
    desk, by, record_id, given = pages.page_request()
    mark = _mark(given)
    place = (given.get("xpath"), given.get("start"), given.get("end"))
    with desk.store.turn() as history:
        pieces = filter(is_disputed, history.pieces(record_id))
    piece = next((p for p in pieces if (p.xpath, p.start, p.end) == place), None)
    if piece is None:
        raise pages.FieldError("xpath", "There is no disagreement on this text; reload the page.")
    span = Span(piece.node, piece.xpath, piece.start, piece.end, piece.text, mark)
    desk.settle(by, record_id, span)
    return jsonify(settled=mark, said=f"Settled: {mark}. Saved.")


def _mark(given: Mapping[str, Any]) -> Mark:
    try:
        return Mark(str(given.get("label")))
    except ValueError as e:
        raise pages.FieldError("label", f"A label is one of {', '.join(Mark)}.") from e


def _state(desk: LabelDesk, by: str, record_id: str, what: str, **more: object) -> Response:
    """Answer what all runs of a capture are now, with a sentence for those who do not see it."""
    marks = desk.marks(by, record_id)
    left = marks.count(None)
    return jsonify(
        marks=[span and span.mark for span in marks],
        left=left,
        counts=Counter(span.mark for span in marks if span),
        said=f"{what}. {left} left." if left else f"{what}. Nothing is left on this page.",
        **more,
    )
