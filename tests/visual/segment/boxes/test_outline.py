"""What is seen of a page, and where."""

from __future__ import annotations

from dbce.visual import Rect
from dbce.visual.segment.boxes import Outline
from tests.visual.pages import HIDDEN, PLAIN, box, page, words


def test_a_wrapper_of_floats_has_the_box_of_what_is_in_it() -> None:
    outline = Outline(
        page(
            box(
                "div",
                (0, 0, 1000, 0),
                box("div", (0, 0, 300, 400), "a"),
                box("div", (300, 0, 300, 500), "b"),
            )
        )
    )
    assert outline.boxes[1] == Rect(0, 0, 600, 500)


def test_what_is_hidden_not_laid_out_or_off_the_page_is_not_seen() -> None:
    outline = Outline(
        page(
            box("p", (0, 0, 100, 20), "hidden", style=HIDDEN),
            box("p", None, words("display: none")),
            box("a", (-9999, 0, 100, 20), "skip to content"),
            box("style", (0, 0, 10, 10), "p {}"),
        )
    )
    assert outline.boxes[1:] == [None] * 4
    assert outline.places == [None] * 4


def test_a_visible_child_of_a_hidden_element_is_seen() -> None:
    outline = Outline(
        page(box("div", (0, 0, 500, 500), box("p", (0, 0, 100, 20), "x"), style=HIDDEN))
    )
    assert outline.boxes[1] == outline.boxes[2] == Rect(0, 0, 100, 20)


def test_boxes_end_where_the_page_ends() -> None:
    outline = Outline(page(box("div", (900, 0, 30000, 100), "a strip of pictures")))
    assert outline.boxes[1] == Rect(900, 0, 100, 100)


def test_a_text_in_an_element_without_a_box_of_its_own_is_seen() -> None:
    contents = PLAIN._replace(display="contents")
    outline = Outline(page(box("div", None, words("text", (0, 0, 90, 20)), style=contents)))
    assert outline.boxes[1] == Rect(0, 0, 90, 20)
