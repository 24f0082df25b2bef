"""Numbers of the items of lists, as a page has them (HTML Standard, 4.4.5 and 4.4.8)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dbce.formats.part import Part
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]

INTEGER = re.compile(r"[ \t\n\f\r]*([+-]?)(?=[0-9])0*([0-9]*)")

LARGEST = 2**31 - 1
"""Largest number that browsers know; what is larger is a slip, and counts as if it were not there."""

LISTS = frozenset({"ol", "ul", "menu", "dir"})


def integer(text: str | None) -> int | None:
    """The integer that an attribute begins with, as browsers read it; None where there is none."""
    integer_text = INTEGER.match(text or "")
    # More digits than the largest has are not read: Python refuses thousands of them.
    if integer_text is None or len(integer_text[2]) > len(str(LARGEST)):
        return None
    number = int(f"{integer_text[1]}{integer_text[2] or 0}")
    return number if abs(number) <= LARGEST else None


def item_numbers(page: Page, details: Details) -> dict[int, int]:
    """The number of each item of a numbered list, by element, items that are no content counted too."""
    items = _items(page)
    numbers: dict[int, int] = {}
    for ol, of_list in items.items():
        attributes = details.get(ol, {})
        step = -1 if "reversed" in attributes else 1
        start = integer(attributes.get("start"))
        number = start if start is not None else len(of_list) if step < 0 else 1
        for item in of_list:
            value = integer(details.get(item, {}).get("value"))
            number = number if value is None else value
            numbers[item] = number
            number += step
    return numbers


def numbers_of(items: Iterable[Part]) -> Iterator[int]:
    """The numbers of the items of a list; one without goes on from the one before."""
    last = 0
    for item in items:
        last = last + 1 if item.number is None else item.number
        yield last


def _items(page: Page) -> dict[int, list[int]]:
    """The items of each numbered list, in order: an item is one of the nearest list around it."""
    around: list[int] = []
    items: dict[int, list[int]] = defaultdict(list)
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        above = around[parent] if parent >= 0 else -1
        if tag == "li" and above >= 0 and page.tags[above] == "ol":
            items[above].append(element)
        around.append(element if tag in LISTS else above)
    return items
