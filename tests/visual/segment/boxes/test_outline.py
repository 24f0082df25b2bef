"""Elements that can be blocks, by the table of appendix A, and what is seen of a page, and where."""

from __future__ import annotations

import pytest

from dbce.visual import Rect
from dbce.visual.segment.boxes import Outline, can_be_block, category, smallest_common
from tests.visual.pages import HIDDEN, PLAIN, box, page, words


@pytest.mark.parametrize(
    ("tags", "is_block", "kind"),
    [
        ("address div dl form hr ol p pre table ul blockquote td", True, "flow"),
        ("h1 h2 h3 h4 h5 h6", True, "heading"),
        ("li dt dd th tr tbody thead tfoot caption center dir menu legend", True, "flow"),
        ("frameset noframes listing xmp plaintext marquee x-unknown", True, "flow"),
        ("article aside nav section", True, "sectioning"),
        ("header footer main figure details dialog figcaption hgroup summary", True, "flow"),
        ("fieldset", False, "flow"),
        ("a button select textarea label isindex option optgroup input", False, "interactive"),
        ("iframe img object applet picture audio video svg math canvas", False, "embedded"),
        ("abbr b big cite em font i span strike tt nobr blink u var wbr", False, "phrasing"),
        ("del ins map noscript", False, "phrasing"),
    ],
)
def test_elements_fall_out_as_the_table_has_it(tags: str, is_block: bool, kind: str) -> None:
    found = {tag: (can_be_block(tag), category(tag, {})) for tag in tags.split()}
    assert found == dict.fromkeys(tags.split(), (is_block, kind))


def test_a_hidden_input_is_not_interactive() -> None:
    assert category("input", {"type": "HIDDEN"}) == "phrasing"
    assert category("input", {"type": "text"}) == "interactive"


@pytest.mark.parametrize(
    ("first", "second", "common"),
    [
        ("heading", "heading", "heading"),
        ("embedded", "phrasing", "phrasing"),
        ("interactive", "phrasing", "phrasing"),
        ("embedded", "interactive", "phrasing"),
        ("embedded", "heading", "flow"),
        ("sectioning", "flow", "flow"),
    ],
)
def test_a_label_is_the_smallest_category_that_holds_both(
    first: str, second: str, common: str
) -> None:
    assert smallest_common(first, second) == smallest_common(second, first) == common


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
