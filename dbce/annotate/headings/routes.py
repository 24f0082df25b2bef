"""The addresses of label mode for headings: pages that only read, and requests that change something.

They are guarded as those of label mode are (`dbce.annotate.content.routes`). Items of a page are named by their
places.
"""

from __future__ import annotations

from dataclasses import replace
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

from dbce.annotate.content import typed
from dbce.annotate.core.begun import to_the_next, who_works
from dbce.annotate.core.names import Wrong, name_of
from dbce.annotate.core.sent import given_object, tell_errors
from dbce.annotate.headings.outline import DEEPEST, KINDS
from dbce.visual.render import read_screenshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.wrappers import Response as AnyResponse

    from dbce.annotate.core.sent import Json
    from dbce.annotate.headings.desk import HeadingDesk
    from dbce.annotate.headings.outline import Outline
    from dbce.annotate.headings.sheet import HeadingSheet

headings = Blueprint("headings", __name__, url_prefix="/headings")
tell_errors(headings)


def add_heading_mode(app: Flask, desk: HeadingDesk) -> None:
    """Gives an application the pages on which headings are marked."""
    app.config["DESK"] = desk
    app.register_blueprint(headings)
    app.context_processor(_sections)
    app.jinja_env.globals |= {
        "gold_file": str(desk.book.path),
        "kinds": KINDS,
        "levels": range(1, DEEPEST + 1),
    }


def the_desk() -> HeadingDesk:
    """What is worked on."""
    found: HeadingDesk = current_app.config["DESK"]
    return found


@headings.get("")
def start() -> str:
    """Who labels, and what there is to do."""
    return render_template("headings_start.html", **who_works(the_desk()))


@headings.get("/page")
def page() -> str | AnyResponse:
    """A page whose headings are to be marked."""
    desk = the_desk()
    try:
        by = name_of(request.args.get("by"), desk.book.people())
    except Wrong:
        return redirect(url_for("headings.start", by=request.args.get("by")))
    record_id = request.args.get("id", "")
    sheet = desk.sheet(record_id)
    return render_template(
        "headings_page.html",
        by=by,
        page=sheet.page,
        items=sheet.items,
        said=_state(desk, desk.outline(by, record_id)),
        token=current_app.config["TOKEN"],
    )


@headings.get("/picture")
def picture() -> Response:
    """The picture of a page as it was rendered."""
    desk = the_desk()
    page = desk.run.page(request.args.get("id", ""))
    png = read_screenshot(desk.run.folder.uri, page["record_id"])
    return Response(png, content_type="image/png")


@headings.get("/next")
def next_page() -> AnyResponse:
    """To the next page that is not done, or back to the list."""
    return to_the_next(the_desk(), "headings")


@headings.get("/review")
def review_page() -> str:
    """How far people agree."""
    return render_template("headings_review.html", agreements=the_desk().agreements())


@headings.post("/say")
def say() -> Response:
    """Items are one heading: `by`, `id`, `items` (their places), `level`."""
    by, sheet, places, given = _asked()
    level = given.get("level")
    if type(level) is not int or not 1 <= level <= DEEPEST:
        raise Wrong("level", f"A level is a number from 1 to {DEEPEST}.")
    heading = sheet.heading(places, level)
    return _said(by, sheet, lambda said: said.with_heading(heading), f"A heading of level {level}.")


@headings.post("/none")
def none() -> Response:
    """Items belong to no heading: `by`, `id`, `items`."""
    by, sheet, places, _ = _asked()
    parts = [sheet.items[place].part for place in places]
    return _said(by, sheet, lambda said: said.without(parts), "No heading.")


@headings.post("/optional")
def optional() -> Response:
    """The heading of an item may be found or not, or must again: `by`, `id`, `items`."""
    by, sheet, places, _ = _asked()

    def change(said: Outline) -> Outline:
        heading = said.heading_of(sheet.items[places[0]].part)
        if heading is None:
            raise Wrong("items", "This is no heading yet; give it a level first.")
        return said.with_heading(replace(heading, optional=not heading.optional))

    return _said(by, sheet, change, "Optional, or no longer.")


@headings.post("/end")
def end() -> Response:
    """The block of the heading above ends before a text: `by`, `id`, `items`."""
    by, sheet, places, _ = _asked()
    before = sheet.items[places[0]].part
    if not isinstance(before, int):
        raise Wrong("items", "A block ends before a text, not before an image.")

    def change(said: Outline) -> Outline:
        above = (said.heading_of(item.part) for item in reversed(sheet.items[: places[0]]))
        heading = next(filter(None, above), None)
        if heading is None:
            raise Wrong("items", "There is no heading above it.")
        return said.with_heading(replace(heading, end=before))

    return _said(by, sheet, change, "The block of the heading above ends here.")


@headings.post("/body")
def body() -> Response:
    """The smallest element around items is the content body: `by`, `id`, `items`, `kind` of site."""
    by, sheet, places, given = _asked()
    kind = given.get("kind")
    if kind not in KINDS:
        raise Wrong("kind", f"Say what kind of site it is: {', '.join(KINDS)}.")
    found = sheet.body(places)
    return _said(
        by, sheet, lambda said: replace(said, body=found, kind=kind), "This is the content body."
    )


@headings.post("/undo")
def undo() -> Response:
    """Takes back what somebody said last of a page: `by`, `id`."""
    desk, given = the_desk(), given_object()
    by = name_of(given.get("by"), desk.book.people())
    record_id = str(given.get("id"))
    taken = desk.book.undo(by, record_id)
    what = "The last was taken back." if taken else "Nothing is left to take back."
    return jsonify(**_state(desk, desk.outline(by, record_id)), said=what)


def _asked() -> tuple[str, HeadingSheet, list[int], Json]:
    """Who asks for a change, of which page, the places of which items; and all that is given."""
    desk, given = the_desk(), given_object()
    by = name_of(given.get("by"), desk.book.people())
    sheet = desk.sheet(str(given.get("id")))
    return by, sheet, typed.places_of(given, len(sheet.items), "items"), given


def _said(
    by: str, sheet: HeadingSheet, change: Callable[[Outline], Outline], what: str
) -> Response:
    """Notes a change of what somebody says of a page, and tells what is said now."""
    desk = the_desk()
    outline = desk.say(by, sheet.page["record_id"], change)
    return jsonify(**_state(desk, outline), said=f"{what} Saved.")


def _state(desk: HeadingDesk, outline: Outline) -> Json:
    """For each item its heading's level, 0 of none, and whether that is optional; the content body."""
    sheet = desk.sheet(outline.record_id)
    found = [outline.heading_of(item.part) for item in sheet.items]
    ends = {heading.end for heading in outline.headings}
    return {
        "levels": [heading.level if heading else 0 for heading in found],
        "optional": [bool(heading and heading.optional) for heading in found],
        "ends": [item.part in ends for item in sheet.items],
        "inside": sheet.inside(outline.body),
        "kind": outline.kind,
        "done": bool(outline.body),
    }


def _sections() -> dict[str, object]:
    """What the top of every page leads to beside what it has without label mode."""
    by = request.args.get("by") or None
    here = request.endpoint
    return {
        "sections": (
            (url_for("headings.start", by=by), "Headings", here in _LABELLING),
            (url_for("headings.review_page", by=by), "Review", here == _REVIEW),
        )
    }


_LABELLING = frozenset({"headings.start", "headings.page"})
_REVIEW = "headings.review_page"
