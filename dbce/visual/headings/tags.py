"""The naive method, Hn & DT (H 5.4.3): what the tags of HTML call a heading or a term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.headings.blocks import Extent, HeadedBlock, Heading, by_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.visual import RenderedPage

TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
"""Tags that the naive method takes for headings (H 5.4.3), the highest first."""


def by_tags(page: RenderedPage, body: int) -> tuple[HeadedBlock, ...]:
    """The blocks of all h1 to h6 and dt in a content body; the highest tag there is at level 1."""
    found = list(_elements(page, body))
    levels = {tag: n for n, tag in enumerate(sorted({h for h, _ in found}), start=1)}
    headings = [heading._replace(level=levels[tag]) for tag, heading in found]
    return by_level(page, body, headings)


def _elements(page: RenderedPage, body: int) -> Iterator[tuple[int, Heading]]:
    ends = Extent(page).ends
    begin = page.elements[body].order
    for place, element in enumerate(page.elements):
        if element.tag in TAGS and begin < element.order < ends[body]:
            heading = _within(page, element.order, ends[place])
            if heading.texts or heading.images:
                yield TAGS.index(element.tag), heading


def _within(page: RenderedPage, first: int, end: int) -> Heading:
    texts = (n for n, text in enumerate(page.texts) if first <= text.order < end)
    images = (
        n for n, one in enumerate(page.elements) if one.tag == "img" and first <= one.order < end
    )
    return Heading(tuple(texts), tuple(images), 0)
