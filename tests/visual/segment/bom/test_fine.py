"""The climb from leaves to the smallest blocks (algorithm 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.bom.fine import fine_grained
from dbce.visual.segment.boxes import WEIGHTS, Outline
from tests.visual.pages import HIDDEN, INLINE, Box, box, page, words

if TYPE_CHECKING:
    from dbce.visual.segment.boxes import Node


def blocks(*inside: Box, drop_at_body: bool = False) -> list[tuple[str, str, tuple[float, ...]]]:
    """Tag of the element, category and rectangle of each block."""
    shown = page(*inside)
    found: list[Node] = fine_grained(Outline(shown), WEIGHTS["area"], drop_at_body=drop_at_body)
    return [(shown.elements[n.elements[0]].tag, n.category, tuple(n.rect)) for n in found]


def test_li_is_the_first_that_is_none_of_the_categories() -> None:
    # Thesis, fig. 2.2: from the leaf through a link to the list item, which is marked as flow.
    link = box("a", (10, 0, 80, 20), box("b", (10, 0, 80, 20), "News", style=INLINE), style=INLINE)
    assert blocks(box("ul", (0, 0, 200, 100), box("li", (0, 0, 200, 20), link))) == [
        ("li", "flow", (0, 0, 200, 20))
    ]


def test_leaves_that_climb_to_one_element_are_one_block() -> None:
    bold = box("b", (0, 0, 50, 20), "Two", style=INLINE)
    italic = box("i", (60, 0, 50, 20), "words", style=INLINE)
    assert blocks(box("p", (0, 0, 500, 20), bold, italic)) == [("p", "flow", (0, 0, 500, 20))]


def test_a_heading_keeps_its_category() -> None:
    assert blocks(box("h2", (0, 0, 500, 40), "Title")) == [("h2", "heading", (0, 0, 500, 40))]


def test_a_link_round_a_card_is_no_block_but_its_parent_is() -> None:
    card = box("a", (0, 0, 300, 300), box("img", (0, 0, 300, 200)), style=INLINE)
    assert blocks(box("div", (0, 0, 320, 320), card)) == [("div", "flow", (0, 0, 320, 320))]


def test_a_fieldset_is_passed_on_the_way_to_its_form() -> None:
    field = box("fieldset", (5, 5, 290, 90), box("input", (10, 10, 100, 20)))
    assert blocks(box("form", (0, 0, 300, 100), field)) == [("form", "flow", (0, 0, 300, 100))]


def test_a_text_beside_elements_is_a_leaf_and_does_not_cover_the_blocks_inside() -> None:
    outer = box(
        "div",
        (0, 0, 500, 300),
        words("Loose text", (0, 0, 120, 20)),
        box("p", (0, 40, 500, 200), "A paragraph"),
    )
    assert blocks(outer) == [("div", "flow", (0, 0, 120, 20)), ("p", "flow", (0, 40, 500, 200))]


def test_what_parts_or_is_not_seen_is_no_leaf() -> None:
    assert (
        blocks(
            box("hr", (0, 0, 1000, 2)),
            box("br", (0, 10, 0, 20)),
            box("script", (0, 0, 10, 10), words("x()")),
            box("p", (0, 0, 10, 10), "hidden", style=HIDDEN),
            box("div", None, box("p", None, words("not laid out"))),
        )
        == []
    )


def test_what_is_in_a_drawing_is_a_part_of_it() -> None:
    drawing = box("svg", (0, 0, 50, 50), box("path", (0, 0, 50, 50)), box("title", None))
    assert blocks(box("div", (0, 0, 100, 60), drawing)) == [("div", "flow", (0, 0, 100, 60))]


def test_a_climb_to_body_ends_below_it() -> None:
    link = box("a", (0, 0, 90, 20), box("b", (0, 0, 90, 20), "Home", style=INLINE), style=INLINE)
    assert blocks(link) == [("a", "interactive", (0, 0, 90, 20))]


def test_to_the_letter_a_climb_to_body_is_lost() -> None:
    link = box("a", (0, 0, 90, 20), "Home", style=INLINE)
    assert blocks(link, box("p", (0, 30, 90, 20), "Text"), drop_at_body=True) == [
        ("p", "flow", (0, 30, 90, 20))
    ]


def test_a_text_in_body_itself_is_a_block_of_body() -> None:
    shown = page(words("Loose", (0, 0, 50, 20)), box("p", (0, 30, 90, 20), "Text"))
    found = fine_grained(Outline(shown), WEIGHTS["area"], drop_at_body=False)
    assert [(n.elements, n.category, n.rect.w) for n in found] == [
        ([1], "flow", 90),
        ([0], "phrasing", 50),
    ]
    found = fine_grained(Outline(shown), WEIGHTS["area"], drop_at_body=True)
    assert [n.elements for n in found] == [[1]]
