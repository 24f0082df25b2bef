"""Attributes of elements, and formulas, that the plain page does not keep, and only formats with markup ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from dbce.html.code import languages_of, set_beside, verbatim_text
from dbce.html.formulas import Formula, read_formulas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from dbce.model import Page

    Details = dict[int, Mapping[str, str]]

WANTED = {
    "a": ("href",),
    "base": ("href",),
    "img": ("src", "alt"),
    "li": ("value",),
    "ol": ("start", "reversed"),
    "table": ("role",),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
}
"""The attributes that are read, by element."""

LINKS = frozenset({"href", "src"})
NOT_ESCAPED = "\"#$%&+,/:;<=>?@[\\]^`{|}!*'()"
"""Signs that libxml2 leaves as they stand in a link that it writes (`htmlAttrDumpOutput`), beside letters and digits."""


class Markup(NamedTuple):
    """The attributes of some elements of a page, as `read_details` gives them, and its formulas."""

    details: Mapping[int, Mapping[str, str]]
    formulas: list[Formula]


def read_markup(
    root: Element, page: Page, elements: Sequence[Element], written: str | None = None
) -> Markup:
    """The markup of a page, whose `elements` in the tree of `root` are in the order of theirs.

    `written` is the page in HTML, where it is known.
    """
    return Markup(read_details(page, elements, written), read_formulas(root, page, elements))


def read_details(page: Page, elements: Sequence[Element], written: str | None = None) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node;
    and the programming `language` that it is in. What is set beside code, line numbers and buttons to
    copy it, is not in the text and has `beside`, "".
    """
    beside = set_beside(page, elements, written)
    left_out = {elements[index] for index in beside}
    languages = languages_of(page, elements)
    details: Details = {}
    for index, tag in enumerate(page.tags):
        if tag in WANTED:
            values = ((name, elements[index].get(name)) for name in WANTED[tag])
            details[index] = {
                name: _written(value) if name in LINKS else value
                for name, value in values
                if value is not None
            }
        elif index in languages:
            text = verbatim_text(elements[index], left_out)
            details[index] = {"text": text, "language": languages[index]}
        if index in beside:
            details[index] = {**details.get(index, {}), "beside": ""}
    return details


def _written(link: str) -> str:
    """A link as the annotated page has it, which says the same of one that is written already."""
    return quote(link.lstrip(" \t\n\r"), NOT_ESCAPED)


def read_attributes(elements: Sequence[Element], names: Sequence[str]) -> list[dict[str, str]]:
    """Those of the named attributes that each element of a page has, by its index in the page."""
    return [
        {name: str(value) for name in names if (value := element.get(name)) is not None}
        for element in elements
    ]
