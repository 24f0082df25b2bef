"""The methods by name, and the one way to run them on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.model import UsageError
from dbce.visual.headings.blocks import Hierarchy
from dbce.visual.headings.heps import HepsOptions, PublishedOptions, heps
from dbce.visual.headings.lines import LineOptions, by_lines
from dbce.visual.headings.tags import by_tags
from dbce.visual.segment.boxes import described, read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dbce.visual import RenderedPage
    from dbce.visual.headings.blocks import HeadedBlock
    from dbce.visual.headings.lines import Groups
    from dbce.visual.segment.boxes import Options


class Known(NamedTuple):
    """Facts about a page that are not on the page itself; all may be missing.

    `content` is the share of each text node that is content, by its number in `nodes`; `groups` are those
    of the lines of all pages of its template.
    """

    content: Mapping[int, float] = {}
    groups: Groups | None = None


@dataclass(frozen=True, slots=True)
class TagOptions:
    """None."""


class Method(NamedTuple):
    """A method: its options, and what makes blocks of a page, its content body, options and what is known."""

    options: type[Options]
    find: Callable[[RenderedPage, int, Any, Known], tuple[HeadedBlock, ...]]


METHODS: dict[str, Method] = {
    "dbce": Method(
        LineOptions,
        lambda page, body, options, known: by_lines(page, body, options, *known),
    ),
    "heps-paper": Method(HepsOptions, lambda page, body, options, _: heps(page, body, options)),
    "heps-published": Method(
        PublishedOptions, lambda page, body, options, _: heps(page, body, options)
    ),
    "hn-dt": Method(TagOptions, lambda page, body, _, __: by_tags(page, body)),
}
"""All methods by name."""

DEFAULT = "dbce"
"""The one that is taken if none is named."""


def headings(
    page: RenderedPage,
    body: int = 0,
    method: str = DEFAULT,
    options: Options | None = None,
    known: Known | None = None,
) -> Hierarchy:
    """The headings of a content body, a place in `page.elements`, and the blocks that they name.

    Raises:
        UsageError: there is no such method, or the options are not its own.
    """
    found = _method(method)
    chosen = found.options() if options is None else options
    if type(chosen) is not found.options:
        raise UsageError(f"{method} takes {found.options.__name__}, not {chosen!r}")
    blocks = found.find(page, body, chosen, known or Known())
    return Hierarchy(described(method, chosen), page.record_id, body, blocks)


def options_of(method: str, given: Mapping[str, str]) -> Options:
    """Options of a method from words, as a command line gives them.

    Raises:
        UsageError: no such method or option, or a word that is none of its values.
    """
    return read(_method(method).options, given)


def _method(name: str) -> Method:
    if name not in METHODS:
        raise UsageError(f"no method is called {name!r}: say one of {', '.join(METHODS)}")
    return METHODS[name]
