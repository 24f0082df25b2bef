"""The desk on which headings are marked: its pages, their requests, and the agreement of annotators.

Headings that either calls optional are left out on both sides. As the data set of HEPS was measured (Manabe and
Tajima, VLDB 2015, 5.3 and 5.4.1): a heading is the same if it consists of the same texts and images; kappa
is that of texts and images of the content body, each of them a heading or not. Requests name items by their places.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from operator import itemgetter

from flask import Flask, Response, jsonify

from dbce.annotate.core.agreement import common_pages, kappa
from dbce.annotate.core.pages import (
    DeskPages,
    FieldError,
    Json,
    add_desk,
    current_desk,
    page_request,
    places_of,
)
from dbce.annotate.core.queue import KEPT, Task, TaskQueue, rows_of
from dbce.annotate.core.store import AnnotationStore
from dbce.archive import iso, timestamp14
from dbce.output import Row
from dbce.view.run import Run
from dbce.visual import Rect, RenderedPage, Style
from dbce.visual.annotate.headings.history import DEEPEST, KINDS, Outline, OutlineHistory, line_of
from dbce.visual.headings import BOLD, GoldHeading, digest
from dbce.visual.render import RenderedFolder

Part = int | str


@dataclass(frozen=True, slots=True)
class HeadingAgreement:
    """Agreement of two people on the same pages.

    `bodies` is the number of pages with the same content body from both, `same` that of equal headings,
    `same_level` that of these with equal levels, `headings` those of all headings of each. `counts` are
    numbers of texts and images by (heading of the one, heading of the other).
    """

    one: str
    other: str
    pages: int
    bodies: int
    same: int
    same_level: int
    headings: tuple[int, int]
    counts: Mapping[tuple[bool, bool], int]

    @property
    def f(self) -> float | None:
        """F over exact headings: 2 same / (headings of the one + of the other); None without any."""
        total = sum(self.headings)
        return 2 * self.same / total if total else None

    @property
    def kappa(self) -> float | None:
        return kappa(self.counts)


def heading_agreement(
    one: str,
    other: str,
    pairs: Iterable[tuple[Outline, Outline]],
    parts: Callable[[Outline], Iterable[Part]],
) -> HeadingAgreement:
    """Return the agreement of `one` and `other` on pages with outlines of both.

    `parts` returns the texts and images of the content body of an outline. Those of either body count.
    """
    pages = bodies = same = same_level = 0
    of_one = of_other = 0
    counts: Counter[tuple[bool, bool]] = Counter()
    for first, second in pairs:
        pages += 1
        bodies += first.body == second.body
        a, b = _certain(first, second), _certain(second, first)
        of_one, of_other = of_one + len(a), of_other + len(b)
        same += len(a.keys() & b.keys())
        same_level += sum(a[key].level == b[key].level for key in a.keys() & b.keys())
        first_parts, second_parts = frozenset().union(*a), frozenset().union(*b)
        optional = _optional(first) | _optional(second)
        for part in {*parts(first), *parts(second)} - optional:
            counts[part in first_parts, part in second_parts] += 1
    return HeadingAgreement(one, other, pages, bodies, same, same_level, (of_one, of_other), counts)


def _certain(outline: Outline, other: Outline) -> dict[frozenset[Part], GoldHeading]:
    """Return the headings of an outline that neither calls optional, by their parts."""
    optional = _optional(outline) | _optional(other)
    return {h.parts: h for h in outline.headings if not h.parts & optional}


def _optional(outline: Outline) -> frozenset[Part]:
    return frozenset(part for h in outline.headings if h.optional for part in h.parts)


@dataclass(frozen=True, slots=True)
class Item:
    """A text or an image that is laid out; `element` is a place in `RenderedPage.elements`.

    `part` identifies it in a heading: the number of a text node, or the XPath of an image. `text` is that
    of the node, or the `alt` of the image. `look` describes its style. `runs` are the places of the text
    runs of the node among those of the capture. `rects` are the boxes of its lines, or of the image.
    """

    part: Part
    text: str
    look: str
    element: int
    runs: tuple[int, ...]
    rects: tuple[Rect, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeadingSheet:
    """The items of a page in document order, and the fields of the page in gold."""

    page: Row
    rendered: RenderedPage
    items: Sequence[Item]

    def empty_outline(self, by: str) -> Outline:
        return Outline(
            record_id=self.page["record_id"],
            url=self.page["url"],
            timestamp=timestamp14(self.rendered.timestamp),
            set=self.page["warc_filename"].partition(".")[0],
            by=by,
        )

    def heading(self, places: Sequence[int], level: int) -> GoldHeading:
        """Return the heading of a level that consists of some items."""
        items = [self.items[place] for place in places]
        return GoldHeading(
            nodes=tuple(item.part for item in items if isinstance(item.part, int)),
            images=tuple(item.part for item in items if isinstance(item.part, str)),
            level=level,
            optional=False,
            hash=digest(" ".join(item.text for item in items)),
        )

    def sort_headings(self, headings: Iterable[GoldHeading]) -> tuple[GoldHeading, ...]:
        """Return headings in document order, by their first items."""
        places = {item.part: place for place, item in enumerate(self.items)}
        end = len(places)
        return tuple(sorted(headings, key=lambda h: min(places.get(part, end) for part in h.parts)))

    def body(self, places: Sequence[int]) -> str:
        """Return the XPath of the smallest element around all of some items."""
        return posixpath.commonpath(self._path(self.items[place]) for place in places)

    def body_flags(self, body: str) -> list[bool]:
        """Return for each item whether it is in the element of an XPath."""
        is_there = any(element.xpath == body for element in self.rendered.elements)
        return [is_there and f"{self._path(item)}/".startswith(f"{body}/") for item in self.items]

    def _path(self, item: Item) -> str:
        return self.rendered.elements[item.element].xpath


def items_of(page: RenderedPage, rows: Sequence[Row]) -> list[Item]:
    """Return the texts that a run has too, and the images, that can be seen; `rows` are the text runs."""
    runs: defaultdict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        runs[row["node"]].append(place)
    styles = [page.styles[element.style] for element in page.elements]
    items = []
    for text in page.texts:
        style = styles[text.parent]
        if text.node >= 0 and text.rects and style.visibility == "visible":
            placement = text.parent, tuple(runs[text.node]), text.rects
            items.append((text.order, Item(text.node, text.text, _look(style), *placement)))
    for place, element in enumerate(page.elements):
        rect = element.rect
        if element.tag == "img" and rect and styles[place].visibility == "visible":
            alt, look = element.attributes.get("alt", ""), f"image, {rect.w:.0f} x {rect.h:.0f} px"
            items.append((element.order, Item(element.xpath, alt, look, place, (), (rect,))))
    return [item for _, item in sorted(items, key=itemgetter(0))]


def _look(style: Style) -> str:
    parts = [f"{style.font_size:.0f} px"]
    parts += ["bold"] * (style.font_weight >= BOLD) + ["italic"] * (style.font_style != "normal")
    parts += [style.text_decoration] * (style.text_decoration != "none")
    return ", ".join(filter(None, parts))


class HeadingDesk:
    """A run with its rendered pages, its heading gold, and the captures to be labelled."""

    def __init__(
        self, run: Run, store: AnnotationStore[OutlineHistory], rows: Sequence[Row]
    ) -> None:
        self.run = run
        self.store = store
        self.queue = TaskQueue(store.people, rows, partial(rows_of, run), self._task)
        self.sheet = lru_cache(KEPT)(self._read)

    def outline(self, by: str, record_id: str) -> Outline:
        """Return somebody's outline of a page, empty before the first."""
        return self._last(by, record_id) or self.sheet(record_id).empty_outline(by)

    def say(self, by: str, record_id: str, change: Callable[[Outline], Outline]) -> Outline:
        """Save somebody's outline of a page after a change; return it, headings in document order.

        Raises StoreError: it cannot be saved.
        """
        sheet = self.sheet(record_id)
        with self.store.turn():
            outline = change(self.outline(by, record_id))
            now = iso(datetime.now(UTC), "seconds")
            outline = replace(outline, at=now, headings=sheet.sort_headings(outline.headings))
            self.store.note(line_of(outline))
            return outline

    def undo(self, by: str, record_id: str) -> bool:
        """Undo somebody's last change of a page; return whether there was one."""
        with self.store.turn() as history:
            events = history.undo_events(by, record_id)
            self.store.note(*events)
            return bool(events)

    def agreements(self) -> list[HeadingAgreement]:
        """Return the agreement of each two people on the pages of this run that both have done."""
        with self.store.turn() as history:
            gold = history.gold()
        here = {row["record_id"] for row in rows_of(self.run, [entry.record_id for entry in gold])}
        outlines: defaultdict[str, dict[str, Outline]] = defaultdict(dict)
        for outline in gold:
            if outline.record_id in here:  # not one of another run's captures
                outlines[outline.by][outline.record_id] = outline
        return [
            heading_agreement(first, second, shared.values(), self._parts)
            for first, second, shared in common_pages(outlines)
        ]

    def _last(self, by: str, record_id: str) -> Outline | None:
        with self.store.turn() as history:
            return history.last(by, record_id)

    def _task(self, by: str, row: Row) -> Task:
        outline = self._last(by, row["record_id"])
        return {"page": row, "is_done": bool(outline and outline.body), "outline": outline}

    def _parts(self, outline: Outline) -> list[Part]:
        sheet = self.sheet(outline.record_id)
        flags = sheet.body_flags(outline.body)
        return [item.part for item, is_inside in zip(sheet.items, flags, strict=True) if is_inside]

    def _read(self, record_id: str) -> HeadingSheet:
        page = self.run.page(record_id)
        rendered = RenderedFolder(self.run.folder.uri).page(record_id)
        return HeadingSheet(page, rendered, items_of(rendered, self.run.runs(page)))


def add_headings(app: Flask, desk: HeadingDesk) -> None:
    add_desk(app, headings, desk, kinds=KINDS, levels=range(1, DEEPEST + 1))


def _page(by: str, record_id: str) -> Json:
    desk: HeadingDesk = current_desk()
    sheet = desk.sheet(record_id)
    state = _state(desk, desk.outline(by, record_id))
    boxes = [[[round(value, 1) for value in rect] for rect in item.rects] for item in sheet.items]
    size = sheet.rendered.size
    return {"page": sheet.page, "size": size, "boxes": boxes, "items": sheet.items, "said": state}


headings = DeskPages(
    "headings", "Headings", _page, lambda: {"agreements": current_desk().agreements()}
).blueprint(__name__)

Change = Callable[[Outline], Outline]


def _say_heading(sheet: HeadingSheet, places: Sequence[int], fields: Json) -> tuple[Change, str]:
    """Return the change by which items become one heading, of a `level`, and its notice."""
    level = fields.get("level")
    if type(level) is not int or not 1 <= level <= DEEPEST:
        raise FieldError("level", f"A level is a number from 1 to {DEEPEST}.")
    heading = sheet.heading(places, level)
    return lambda outline: outline.with_heading(heading), f"A heading of level {level}."


def _say_none(sheet: HeadingSheet, places: Sequence[int], _: Json) -> tuple[Change, str]:
    """Return the change by which items belong to no heading, and its notice."""
    parts = [sheet.items[place].part for place in places]
    return lambda outline: outline.without_parts(parts), "No heading."


def _say_optional(sheet: HeadingSheet, places: Sequence[int], _: Json) -> tuple[Change, str]:
    """Return the change that toggles whether the heading of an item is optional, and its notice."""

    def change(outline: Outline) -> Outline:
        heading = outline.heading_of(sheet.items[places[0]].part)
        if heading is None:
            raise FieldError("items", "This is not a heading yet; give it a level first.")
        return outline.with_heading(replace(heading, optional=not heading.optional))

    return change, "Optional setting changed."


def _say_end(sheet: HeadingSheet, places: Sequence[int], _: Json) -> tuple[Change, str]:
    """Return the change by which the block of the heading above ends before a text, and its notice."""
    end = sheet.items[places[0]].part
    if not isinstance(end, int):
        raise FieldError("items", "A block ends before a text, not before an image.")

    def change(outline: Outline) -> Outline:
        preceding = (outline.heading_of(item.part) for item in reversed(sheet.items[: places[0]]))
        heading = next(filter(None, preceding), None)
        if heading is None:
            raise FieldError("items", "There is no heading above it.")
        return outline.with_heading(replace(heading, end=end))

    return change, "The block of the heading above now ends here."


def _say_body(sheet: HeadingSheet, places: Sequence[int], fields: Json) -> tuple[Change, str]:
    """Return the change by which the smallest element around items is the body of a `kind` of site, and its notice."""
    kind = fields.get("kind")
    if kind not in KINDS:
        raise FieldError("kind", f"Say what kind of site it is: {', '.join(KINDS)}.")
    return partial(replace, body=sheet.body(places), kind=kind), "Content body set."


CHANGES: dict[str, Callable[[HeadingSheet, Sequence[int], Json], tuple[Change, str]]] = {
    "say": _say_heading,
    "none": _say_none,
    "optional": _say_optional,
    "end": _say_end,
    "body": _say_body,
}
"""Operations on items, by their addresses."""


def change(kind: str) -> Response:
    """Save a change of items: `by`, `id`, `items` (their places), and the fields of the kind of change."""
    desk, by, record_id, fields = page_request()
    sheet = desk.sheet(record_id)
    places = places_of(fields, "items", len(sheet.items), "texts and images")
    edit, message = CHANGES[kind](sheet, places, fields)
    return jsonify(**_state(desk, desk.say(by, record_id, edit)), said=f"{message} Saved.")


for name in CHANGES:
    headings.add_url_rule(f"/{name}", name, partial(change, name), methods=["POST"])


@headings.post("/undo")
def undo() -> Response:
    """Undo somebody's last change of a page: `by`, `id`."""
    desk, by, record_id, _ = page_request()
    undone = desk.undo(by, record_id)
    message = "Last change undone." if undone else "There is nothing to undo."
    return jsonify(**_state(desk, desk.outline(by, record_id)), said=message)


def _state(desk: HeadingDesk, outline: Outline) -> Json:
    """Return for each item its heading's level, 0 for none, and whether that is optional; flags of the content body."""
    sheet = desk.sheet(outline.record_id)
    item_headings = [outline.heading_of(item.part) for item in sheet.items]
    ends = {heading.end for heading in outline.headings}
    return {
        "levels": [heading.level if heading else 0 for heading in item_headings],
        "optional": [bool(heading and heading.optional) for heading in item_headings],
        "ends": [item.part in ends for item in sheet.items],
        "inside": sheet.body_flags(outline.body),
        "kind": outline.kind,
        "done": bool(outline.body),
    }
