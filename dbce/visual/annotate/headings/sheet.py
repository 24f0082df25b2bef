"""A page as it lies before the people who mark its headings: its texts and images, as they look."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from dbce.archive import timestamp14
from dbce.visual.annotate.headings.outline import Outline, digest
from dbce.visual.headings import GoldHeading
from dbce.visual.render import read_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.view.run import Run
    from dbce.view.tables import Row
    from dbce.visual import Element, Rect, RenderedPage, Style, Text

BOLD = 600
"""The least font weight that is called bold."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text or an image that is laid out; `element` is a place in `RenderedPage.elements`.

    `part` is what a heading names it by: the number of a text node, or the XPath of an image. `text`
    is that of the node, or the `alt` of the image. `look` says how it looks. `runs` are the places of
    the text runs of the node among those of the capture. `rects` are the boxes of its lines, or of the image.
    """

    part: int | str
    text: str
    look: str
    element: int
    runs: tuple[int, ...]
    rects: tuple[Rect, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeadingSheet:
    """The items of a page in document order, and what gold says of the page."""

    page: Row
    rendered: RenderedPage
    items: Sequence[Item]

    def blank(self, by: str) -> Outline:
        """Return the outline of which nothing is said."""
        return Outline(
            record_id=self.page["record_id"],
            url=self.page["url"],
            timestamp=timestamp14(self.rendered.timestamp),
            set=self.page["warc_filename"].partition(".")[0],
            by=by,
        )

    def heading(self, places: Sequence[int], level: int) -> GoldHeading:
        """Return the heading of a level that some items are together."""
        items = [self.items[place] for place in places]
        return GoldHeading(
            nodes=tuple(item.part for item in items if isinstance(item.part, int)),
            images=tuple(item.part for item in items if isinstance(item.part, str)),
            level=level,
            optional=False,
            hash=digest(" ".join(item.text for item in items)),
        )

    def ordered(self, headings: Iterable[GoldHeading]) -> tuple[GoldHeading, ...]:
        """Return headings in document order: that of the first item of each."""
        places = {item.part: place for place, item in enumerate(self.items)}

        def first(heading: GoldHeading) -> int:
            return min(places.get(part, len(places)) for part in heading.parts)

        return tuple(sorted(headings, key=first))

    def body(self, places: Sequence[int]) -> str:
        """Return the XPath of the smallest element around all of some items."""
        paths = [self._path(self.items[place].element) for place in places]
        steps: Iterable[tuple[int, ...]] = zip(*paths, strict=False)
        shared = [one[0] for one in steps if len(set(one)) == 1]
        return self.rendered.elements[shared[-1]].xpath

    def inside(self, body: str) -> list[bool]:
        """Tell for each item whether it is in the element of an XPath."""
        elements = self.rendered.elements
        root = next((n for n, element in enumerate(elements) if element.xpath == body), None)
        return [root is not None and root in self._path(item.element) for item in self.items]

    def _path(self, element: int) -> list[int]:
        """Return an element and those that it is in, from the root."""
        path = []
        while element >= 0:
            path.append(element)
            element = self.rendered.elements[element].parent
        return path[::-1]


def read_heading_sheet(run: Run, page: Row) -> HeadingSheet:
    """Return a capture whose headings are to be marked.

    Raises:
        UsageError: it was not rendered.
    """
    rendered = read_page(run.folder.uri, page["record_id"])
    return HeadingSheet(page, rendered, items_of(rendered, run.runs(page)))


def items_of(page: RenderedPage, rows: Sequence[Row]) -> list[Item]:
    """Return the texts that a run has too, and the images, that can be seen; `rows` are the text runs."""
    runs: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        runs.setdefault(row["node"], []).append(place)
    texts = [
        (text.order, _text(page, text, runs.get(text.node, ())))
        for text in page.texts
        if text.node >= 0 and text.rects and _is_seen(page, text.parent)
    ]
    images = [
        (element.order, _image(element, place, element.rect))
        for place, element in enumerate(page.elements)
        if element.tag == "img" and element.rect and _is_seen(page, place)
    ]
    return [item for _, item in sorted(texts + images, key=itemgetter(0))]


def _text(page: RenderedPage, text: Text, runs: Sequence[int]) -> Item:
    style = page.styles[page.elements[text.parent].style]
    return Item(text.node, text.text, _look(style), text.parent, tuple(runs), text.rects)


def _image(element: Element, place: int, rect: Rect) -> Item:
    look = f"image, {rect.w:.0f} x {rect.h:.0f} px"
    return Item(element.xpath, element.attributes.get("alt", ""), look, place, (), (rect,))


def _is_seen(page: RenderedPage, element: int) -> bool:
    return page.styles[page.elements[element].style].visibility == "visible"


def _look(style: Style) -> str:
    said = [f"{style.font_size:.0f} px"]
    said += ["bold"] * (style.font_weight >= BOLD) + ["italic"] * (style.font_style != "normal")
    said += [style.text_decoration] * (style.text_decoration != "none")
    return ", ".join(filter(None, said))
