"""Attributes of elements, and formulas, that the plain page does not keep, and its formats need."""

from __future__ import annotations

import re
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

SIGNS = re.compile(r"[\s¶#§⚓🔗∞☍⛓⎘❡\N{ZERO WIDTH SPACE}\N{VARIATION SELECTOR-16}]*")
"""Text of a link that is only the address of the place where it stands."""

LINKS = frozenset({"href", "src"})
NOT_ESCAPED = "\"#$%&+,/:;<=>?@[\\]^`{|}!*'()"
"""Signs that libxml2 leaves as they stand in a link that it writes (`htmlAttrDumpOutput`), beside letters and digits."""


class Markup(NamedTuple):
    """The attributes of some elements of a page, as `read_details` gives them, and its formulas."""

    details: Mapping[int, Mapping[str, str]]
    formulas: list[Formula]


def read_markup(
    root: Element,
    page: Page,
    elements: Sequence[Element],
    written: str | None = None,
    *,
    to_format: bool = True,
) -> Markup:
    """The markup of a page, whose `elements` in the tree of `root` are in the order of theirs.

    `written` is the page in HTML, where it is known; details are there `to_format` its content, or as plain text needs them.
    """
    details = read_details(page, elements, written, to_format=to_format)
    return Markup(details, read_formulas(root, page, elements))


def read_details(
    page: Page, elements: Sequence[Element], written: str | None = None, *, to_format: bool = True
) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node;
    and the programming `language` that it is in. What is set beside code, line numbers and buttons to
    copy it, is not in the text and has `beside`, "". Unless it is `to_format` its content, attributes are those of
    `sign_links` alone.
    """
    beside = set_beside(page, elements, written)
    left_out = {elements[index] for index in beside}
    wanted = enumerate(page.tags) if to_format else ((link, "a") for link in sign_links(page))
    details: Details = {
        index: _attributes(elements[index], WANTED[tag]) for index, tag in wanted if tag in WANTED
    }
    for index, language in languages_of(page, elements).items():
        text = verbatim_text(elements[index], left_out)
        details[index] = {"text": text, "language": language}
    for index in beside:
        details[index] = {**details.get(index, {}), "beside": ""}
    return details


def _attributes(element: Element, names: Sequence[str]) -> Mapping[str, str]:
    values = ((name, element.get(name)) for name in names)
    return {
        name: _written(value) if name in LINKS else value
        for name, value in values
        if value is not None
    }


def sign_links(page: Page) -> set[int]:
    """The links around texts that are only signs, of which the address of a place may be made."""
    return {
        link
        for element in {node.element for node in page.nodes if SIGNS.fullmatch(node.text)}
        if (link := _link_around(page, element)) >= 0
    }


def _link_around(page: Page, element: int) -> int:
    while element >= 0 and page.tags[element] != "a":
        element = page.parents[element]
    return element


def _written(link: str) -> str:
    """A link as the annotated page has it, which says the same of one that is written already."""
    return quote(link.lstrip(" \t\n\r"), NOT_ESCAPED)


def read_attributes(elements: Sequence[Element], names: Sequence[str]) -> list[dict[str, str]]:
    """Those of the named attributes that each element of a page has, by its index in the page."""
    return [
        {name: str(value) for name in names if (value := element.get(name)) is not None}
        for element in elements
    ]
