"""The methods by name, and the function to run them on a page.

The naive one, Hn & DT (H 5.4.3), is here: headings are the elements for headings and terms in HTML.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dbce.html import HEADINGS, Document
from dbce.model import UsageError
from dbce.visual import RenderedPage
from dbce.visual.headings import hierarchy
from dbce.visual.headings.heps import HepsOptions, HepsPublishedOptions, heps
from dbce.visual.headings.lines import LineOptions, PageContext, by_lines
from dbce.visual.headings.sheets import from_sheets
from dbce.visual.segment import NoOptions, Options, name_with_options, read_options

TAGS = (*HEADINGS, "dt")
"""Tags of headings for the naive method (H 5.4.3), the highest first."""


def by_tags(page: RenderedPage, body: int, *_: object) -> tuple[hierarchy.HeadedBlock, ...]:
    """Return the blocks of all h1 to h6 and dt in a content body; its highest tag is at level 1."""
    ends = hierarchy.ends_of(page)
    headings = []
    for place, element in enumerate(page.elements):
        if element.tag in TAGS and page.elements[body].order < element.order < ends[body]:
            span = range(element.order, ends[place])
            texts = (n for n, text in enumerate(page.texts) if text.order in span)
            images = (n for n, e in enumerate(page.elements) if e.tag == "img" and e.order in span)
            headings.append(hierarchy.Heading(tuple(texts), tuple(images), TAGS.index(element.tag)))
    visible = [heading for heading in headings if heading.texts or heading.images]
    levels = sorted({heading.level for heading in visible})
    ranked = (heading._replace(level=levels.index(heading.level) + 1) for heading in visible)
    return hierarchy.by_level(page, body, ranked)


class Method(NamedTuple):
    """A method: its options, and its function of a page, its content body, options and context to blocks."""

    options: type[Options]
    find: Callable[[RenderedPage, int, Any, PageContext], tuple[hierarchy.HeadedBlock, ...]]


METHODS = {
    "dbce": Method(LineOptions, by_lines),
    "heps-paper": Method(HepsOptions, heps),
    "heps-published": Method(HepsPublishedOptions, heps),
    "hn-dt": Method(NoOptions, by_tags),
}

DEFAULT = "dbce"


def headings(
    page: RenderedPage,
    body: int = 0,
    method: str = DEFAULT,
    options: Options | None = None,
    known: PageContext | None = None,
) -> hierarchy.Hierarchy:
    """Return the headings of a content body, a place in `page.elements`, and the blocks that they introduce.

    Raises UsageError: there is no such method, or the options are not its own.
    """
    finder = _method(method)
    chosen = finder.options() if options is None else options
    if type(chosen) is not finder.options:
        raise UsageError(f"{method} takes {finder.options.__name__}, not {chosen!r}")
    blocks = finder.find(page, body, chosen, known or PageContext())
    return hierarchy.Hierarchy(name_with_options(method, chosen), page.record_id, body, blocks)


def heading_levels(document: Document, content: Sequence[int]) -> dict[int, int]:
    """Return the level of each text node that is in a heading, by its number; as `outline_of`."""
    return {node: level for level, nodes in outline_of(document, content) for node in nodes}


def outline_of(document: Document, content: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the level of each heading and the numbers of its text nodes, by the page's own style sheets.

    `content` are the numbers of the text nodes that are content; headings are searched in the smallest
    element that contains all of them. A picture without text is left out.
    """
    no_time = datetime(1, 1, 1, tzinfo=UTC)  # headings do not depend on the time of capture
    page = from_sheets(document, "", "", no_time)
    share = dict.fromkeys(range(len(document.page.nodes)), 0.0) | dict.fromkeys(content, 1.0)
    tree = headings(page, hierarchy.body_of(page, "verdicts", share), known=PageContext(share))
    return [
        (heading.level, tuple(page.texts[n].node for n in heading.texts))
        for heading in tree.headings
        if heading.texts
    ]


def options_of(method: str, words: Mapping[str, str]) -> Options:
    """Return the options of a method from words of a command line.

    Raises UsageError: no such method or option, or an invalid value.
    """
    return read_options(_method(method).options, words)


def _method(name: str) -> Method:
    if name not in METHODS:
        raise UsageError(f"no method is called {name!r}: say one of {', '.join(METHODS)}")
    return METHODS[name]
