"""What formats with markup ask of a page besides its plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.html.details import read_details
from dbce.html.formulas import Formula, read_formulas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from dbce.model import Page


class Markup(NamedTuple):
    """The attributes of some elements of a page, as `dbce.html.read_details` gives them, and its formulas."""

    details: Mapping[int, Mapping[str, str]]
    formulas: list[Formula]


def read_markup(root: Element, page: Page, elements: Sequence[Element]) -> Markup:
    """The markup of a page, whose `elements` in the tree of `root` are in the order of theirs."""
    return Markup(read_details(page, elements), read_formulas(root, page, elements))
