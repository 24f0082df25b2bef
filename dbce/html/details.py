"""What the plain page does not keep of its elements, and only formats with markup ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.html.walk import walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.config import Limits
    from dbce.html.document import Document

    Details = dict[int, Mapping[str, str]]

WANTED = {
    "a": ("href",),
    "base": ("href",),
    "img": ("src", "alt"),
    "table": ("role",),
    "td": ("colspan",),
    "th": ("colspan",),
}
"""The attributes that are read, by element."""


def read_details(document: Document, limits: Limits) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are."""
    elements = walk(document.root, limits).elements
    found: Details = {}
    for index, tag in enumerate(document.page.tags):
        if tag in WANTED:
            values = ((name, elements[index].get(name)) for name in WANTED[tag])
            found[index] = {name: value for name, value in values if value is not None}
    return found
