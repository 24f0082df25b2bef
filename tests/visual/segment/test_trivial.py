"""The segmentations that ask nothing of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment import segment
from tests.visual.pages import HIDDEN, Box, box, page

if TYPE_CHECKING:
    from dbce.visual import RenderedPage


def wrapped(*inside: Box) -> RenderedPage:
    return page(
        box("script", None),
        box("p", (0, 0, 10, 10), "hidden", style=HIDDEN),
        box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), *inside)),
    )


HEAD, MAIN, FOOT = (
    box("header", (0, 0, 1000, 100), "head"),
    box(
        "main",
        (0, 100, 1000, 1800),
        box("article", (0, 100, 700, 1800), "text"),
        box("aside", (700, 100, 300, 900), "x"),
    ),
    box("footer", (0, 1900, 1000, 100), "foot"),
)


def tops(algorithm: str, *inside: Box) -> list[float]:
    return [block.rect.y for block in segment(wrapped(*inside), algorithm).terminal]


def test_the_page_is_one_block() -> None:
    (block,) = segment(wrapped(HEAD, MAIN, FOOT), "page").blocks
    assert tuple(block.rect) == (0, 0, 1000, 2000)


def test_children_of_body_are_those_that_can_be_seen() -> None:
    assert tops("body-children", HEAD, MAIN, FOOT) == [0]


def test_the_first_branching_element_is_looked_for_from_body_down() -> None:
    assert tops("first-branching", FOOT, HEAD, MAIN) == [0, 100, 1900]


def test_without_a_branch_the_page_is_one_block() -> None:
    assert len(segment(wrapped(), "first-branching").blocks) == 1


def test_html5_elements_lie_in_each_other() -> None:
    found = segment(wrapped(HEAD, MAIN, FOOT), "html5")
    assert [(b.parent, b.rect.y, b.rect.x) for b in found.blocks] == [
        (-1, 0, 0),
        (0, 0, 0),
        (0, 100, 0),
        (2, 100, 0),
        (2, 100, 700),
        (0, 1900, 0),
    ]


def test_a_page_without_html5_elements_is_one_block() -> None:
    assert len(segment(wrapped(), "html5").blocks) == 1
