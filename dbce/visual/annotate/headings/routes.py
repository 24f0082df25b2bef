"""The pages on which headings are marked, and the requests that they send.

Items of a page are named by their places.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from flask import Flask, Response, jsonify, request

from dbce.annotate.core.pages import (
    DeskPages,
    FieldError,
    Json,
    add_desk,
    current_desk,
    page_request,
    places_of,
)
from dbce.model import NotInRun, UsageError
from dbce.visual.annotate.headings.desk import HeadingDesk, HeadingSheet
from dbce.visual.annotate.headings.history import DEEPEST, KINDS, Outline
from dbce.visual.render import read_picture


def add_headings(app: Flask, desk: HeadingDesk) -> None:
    add_desk(app, headings, desk, kinds=KINDS, levels=range(1, DEEPEST + 1))


def _page(by: str, record_id: str) -> Json:
    desk: HeadingDesk = current_desk()
    sheet = desk.sheet(record_id)
    said = _state(desk, desk.outline(by, record_id))
    boxes = [[[round(value, 1) for value in rect] for rect in item.rects] for item in sheet.items]
    size = sheet.rendered.size
    return {"page": sheet.page, "size": size, "boxes": boxes, "items": sheet.items, "said": said}


headings = DeskPages(
    "headings", "Headings", _page, lambda: {"agreements": current_desk().agreements()}
).blueprint(__name__)


@headings.get("/picture")
def picture() -> Response:
    """Answer with the picture of a page as it was rendered, or a wireframe of it."""
    desk: HeadingDesk = current_desk()
    page = desk.run.page(request.args.get("id", ""))
    try:
        image = read_picture(desk.run.folder.uri, page["record_id"])
    except UsageError as e:
        raise NotInRun(str(e)) from e
    return Response(image.data, content_type=image.media)


@headings.post("/say")
def say() -> Response:
    """Note that items are one heading: `by`, `id`, `items` (their places), `level`."""
    by, sheet, places, given = _parse_request()
    level = given.get("level")
    if type(level) is not int or not 1 <= level <= DEEPEST:
        raise FieldError("level", f"A level is a number from 1 to {DEEPEST}.")
    heading = sheet.heading(places, level)
    what = f"A heading of level {level}."
    return _note_change(by, sheet, lambda said: said.with_heading(heading), what)


@headings.post("/none")
def mark_none() -> Response:
    """Note that items belong to no heading: `by`, `id`, `items`."""
    by, sheet, places, _ = _parse_request()
    parts = [sheet.items[place].part for place in places]
    return _note_change(by, sheet, lambda said: said.without_parts(parts), "No heading.")


@headings.post("/optional")
def optional() -> Response:
    """Note that the heading of an item may be found or not, or must again: `by`, `id`, `items`."""
    by, sheet, places, _ = _parse_request()

    def change(said: Outline) -> Outline:
        heading = said.heading_of(sheet.items[places[0]].part)
        if heading is None:
            raise FieldError("items", "This is not a heading yet; give it a level first.")
        return said.with_heading(replace(heading, optional=not heading.optional))

    return _note_change(by, sheet, change, "Optional setting changed.")


@headings.post("/end")
def end() -> Response:
    """Note that the block of the heading above ends before a text: `by`, `id`, `items`."""
    by, sheet, places, _ = _parse_request()
    before = sheet.items[places[0]].part
    if not isinstance(before, int):
        raise FieldError("items", "A block ends before a text, not before an image.")

    def change(said: Outline) -> Outline:
        above = (said.heading_of(item.part) for item in reversed(sheet.items[: places[0]]))
        heading = next(filter(None, above), None)
        if heading is None:
            raise FieldError("items", "There is no heading above it.")
        return said.with_heading(replace(heading, end=before))

    return _note_change(by, sheet, change, "The block of the heading above now ends here.")


@headings.post("/body")
def body() -> Response:
    """Note that the smallest element around items is the body: `by`, `id`, `items`, `kind` of site."""
    by, sheet, places, given = _parse_request()
    kind = given.get("kind")
    if kind not in KINDS:
        raise FieldError("kind", f"Say what kind of site it is: {', '.join(KINDS)}.")
    change = partial(replace, body=sheet.body(places), kind=kind)
    return _note_change(by, sheet, change, "Content body set.")


@headings.post("/undo")
def undo() -> Response:
    """Take back what somebody said last of a page: `by`, `id`."""
    desk, by, record_id, _ = page_request()
    undone = desk.undo(by, record_id)
    what = "Last change undone." if undone else "There is nothing to undo."
    return jsonify(**_state(desk, desk.outline(by, record_id)), said=what)


def _parse_request() -> tuple[str, HeadingSheet, list[int], Json]:
    """Return who asks for a change, of which page, the places of which items; and all that is given."""
    desk, by, record_id, given = page_request()
    sheet = desk.sheet(record_id)
    return by, sheet, places_of(given, "items", len(sheet.items), "texts and images"), given


def _note_change(
    by: str, sheet: HeadingSheet, change: Callable[[Outline], Outline], what: str
) -> Response:
    """Note a change of what somebody says of a page, and answer what is said now."""
    desk: HeadingDesk = current_desk()
    outline = desk.say(by, sheet.page["record_id"], change)
    return jsonify(**_state(desk, outline), said=f"{what} Saved.")


def _state(desk: HeadingDesk, outline: Outline) -> Json:
    """Return for each item its heading's level, 0 of none, and whether that is optional; the content body."""
    sheet = desk.sheet(outline.record_id)
    of_items = [outline.heading_of(item.part) for item in sheet.items]
    ends = {heading.end for heading in outline.headings}
    return {
        "levels": [heading.level if heading else 0 for heading in of_items],
        "optional": [bool(heading and heading.optional) for heading in of_items],
        "ends": [item.part in ends for item in sheet.items],
        "inside": sheet.body_flags(outline.body),
        "kind": outline.kind,
        "done": bool(outline.body),
    }
