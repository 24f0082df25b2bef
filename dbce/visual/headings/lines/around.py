"""Surroundings of each element of a page, found once on the way down."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.html import place

if TYPE_CHECKING:
    from dbce.visual import RenderedPage

IN_LINE = ("inline", "contents", "ruby")
"""Beginnings of the `display` of elements that run along in a line."""

ROLE = 7
"""The level of what has the role of a heading and no tag of one."""

LEVELS = {f"h{level}": level for level in range(1, 7)}
"""Level of each heading tag, by its name."""


class Around(NamedTuple):
    """An element with those above it.

    `holder` is the nearest element, itself included, that is set as a block; `tags` are the names from the
    root to it, `place` is a hash of them with their classes. `level` is that of the innermost h1 to h6, 7
    of what has the role of a heading, 0 of all else; `heading` is the element that has it, -1 if none.
    """

    holder: int
    tags: frozenset[str]
    place: int
    level: int
    heading: int
    is_link: bool
    is_underlined: bool
    is_seen: bool


NOTHING = Around(0, frozenset(), 0, 0, -1, is_link=False, is_underlined=False, is_seen=True)
"""Surroundings of the root, which has no element above it."""


def around(page: RenderedPage) -> list[Around]:
    """Surroundings of each element, in the order of the elements."""
    found: list[Around] = []
    for number, element in enumerate(page.elements):
        above = found[element.parent] if element.parent >= 0 else NOTHING
        style = page.styles[element.style]
        said = element.attributes
        is_block = not style.display.startswith(IN_LINE)
        is_link = above.is_link or (element.tag == "a" and "href" in said)
        is_heading = element.tag in LEVELS or said.get("role") == "heading"
        level = LEVELS.get(element.tag, ROLE) if is_heading else above.level
        found.append(
            Around(
                holder=number if is_block or number == 0 else above.holder,
                tags=above.tags if element.tag in above.tags else above.tags | {element.tag},
                place=place(element.tag, said.get("class", ""), above.place),
                level=level,
                heading=number if is_heading else above.heading,
                is_link=is_link,
                is_underlined=(above.is_underlined and not is_block)
                or ("underline" in style.text_decoration and not is_link),
                is_seen=style.visibility == "visible" and style.display != "none",
            )
        )
    return found
