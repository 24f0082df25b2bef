"""Lines: text nodes that a browser would set as one paragraph, and their places."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from dbce.model import Page

# Phrasing content of the HTML standard that runs along in a line, its dead relatives, and what
# stands in a line like a word. Not <br>.
INLINE = frozenset(
    "a abbr acronym b basefont bdi bdo big blink cite code data del dfn em font i ins kbd label "
    "mark nobr q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var wbr "
    "area audio button canvas embed img input map meter object output picture progress select "
    "source svg video".split()
)


def holders(page: Page) -> list[int]:
    """For each element the one that sets its text: the nearest, itself included, not inline."""
    holder: list[int] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        inline = tag in INLINE and parent >= 0
        holder.append(holder[parent] if inline else len(holder))
    return holder


def around(page: Page, chosen: Container[int]) -> list[int]:
    """For each element the nearest chosen one, itself included; -1 where there is none."""
    nearest: list[int] = []
    for element, parent in enumerate(page.parents):
        nearest.append(element if element in chosen else nearest[parent] if parent >= 0 else -1)
    return nearest


def places(page: Page) -> list[int]:
    """For each element a 32-bit hash of its path in the template: tags and classes from the root."""
    hashes: list[int] = []
    for tag, classes, parent in zip(page.tags, page.classes, page.parents, strict=True):
        hashes.append(place(tag, classes, hashes[parent] if parent >= 0 else 0))
    return hashes


def place(tag: str, classes: str, above: int) -> int:
    """The place of an element whose parent is at the place `above`; that above a root is 0."""
    # A CRC goes on where that of the path above ended: no path is ever put together.
    step = f"{tag}.{classes}/" if classes else f"{tag}/"
    return crc32(step.encode("utf-8", "replace"), above)


def lines(page: Page, holder: Sequence[int]) -> list[int]:
    """For each text node the number of its line.

    A line ends where another block begins or ends, and at a `<br>`. `holder` is `holders(page)`.
    """
    numbers: list[int] = []
    number, before = -1, None
    for node in page.nodes:
        if (
            before is None
            or holder[before.element] != holder[node.element]
            or not INLINE.issuperset(page.tags[before.after + 1 : node.after + 1])
        ):
            number += 1
        numbers.append(number)
        before = node
    return numbers
