"""Attributes of elements that the plain page does not keep, and only formats with markup ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.html.code import VERBATIM, language_of, set_beside, verbatim_text
from dbce.html.walk import walk_again

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.html.document import Document
    from dbce.model import Limits

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


def read_details(document: Document, limits: Limits) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node;
    and the programming `language` that it is in. What is set beside code, line numbers and buttons to
    copy it, is not in the text and has `beside`, "".
    """
    elements = walk_again(document.root, document.page.tags, limits).elements
    beside = set_beside(document.page, elements)
    left_out = {elements[index] for index in beside}
    details: Details = {}
    for index, tag in enumerate(document.page.tags):
        if tag in WANTED:
            values = ((name, elements[index].get(name)) for name in WANTED[tag])
            details[index] = {name: value for name, value in values if value is not None}
        elif tag in VERBATIM and next(elements[index].iterancestors(*VERBATIM), None) is None:
            text = verbatim_text(elements[index], left_out)
            details[index] = {"text": text, "language": language_of(elements[index])}
        if index in beside:
            details[index] = {**details.get(index, {}), "beside": ""}
    return details


def read_attributes(
    document: Document, names: Sequence[str], limits: Limits
) -> list[dict[str, str]]:
    """Those of the named attributes that each element of a page has, by its index in the page."""
    elements = walk_again(document.root, document.page.tags, limits).elements
    return [
        {name: str(value) for name in names if (value := element.get(name)) is not None}
        for element in elements
    ]
