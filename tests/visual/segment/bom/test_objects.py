"""Geometric and logical objects of the published BoM."""

from __future__ import annotations

from functools import partial

from dbce.visual.segment.bom.objects import logical_objects
from dbce.visual.segment.boxes import WEIGHTS, Node, Outline
from tests.visual.pages import HIDDEN, Box, Words, box, page, words

HERE = (0, 0, 500, 500)


def blocks(*inside: Box | Words, text_moving: bool = False, wrappers: bool = True) -> str:
    """The tree of blocks as tags: `body(div(p p))`."""
    shown = page(*inside)
    outline = Outline(shown)
    weight = partial(WEIGHTS["sides"], size=outline.size)
    root = logical_objects(outline, weight, text_moving=text_moving, wrappers=wrappers)

    def tree(node: Node) -> str:
        inner = " ".join(tree(child) for child in node.children)
        return shown.elements[node.elements[0]].tag + (f"({inner})" if inner else "")

    return tree(root)


def p(text: str = "text") -> Box:
    return box("p", HERE, text)


def test_containers_and_contents_are_blocks() -> None:
    assert blocks(box("div", HERE, p(), box("ul", HERE, box("li", HERE, "x")))) == "body(div(p li))"


def test_an_object_with_one_child_stands_for_it() -> None:
    assert (
        blocks(box("div", HERE, box("div", HERE, box("div", HERE, p(), p())))) == "body(div(p p))"
    )


def test_elements_outside_the_lists_are_no_blocks_and_their_children_go_up() -> None:
    shown = blocks(box("form", HERE, p(), p()), box("center", HERE, p(), p()), box("h6", HERE, "x"))
    assert shown == "body(p p p p)"


def test_rows_are_passed_through() -> None:
    row = box("tr", HERE, box("td", HERE, "a"), box("td", HERE, "b"))
    assert blocks(p(), box("table", HERE, box("tbody", HERE, row))) == "body(p table(td td))"


def test_excluded_elements_are_skipped_with_all_in_them() -> None:
    assert blocks(p(), box("noscript", HERE, p(), p()), box("hr", HERE)) == "body(p)"


def test_what_is_empty_or_invisible_has_no_type() -> None:
    hidden = box("div", HERE, p(), p(), style=HIDDEN)
    assert (
        blocks(box("div", HERE), box("iframe", HERE), hidden, box("img", HERE)) == "body(p p img)"
    )


def test_a_block_must_have_size_and_lie_on_the_page() -> None:
    assert (
        blocks(p(), box("p", (-1, 0, 50, 50), "x"), box("p", (0, 0, 50, 0), words("x")))
        == "body(p)"
    )


def test_a_wrapper_of_floats_has_the_box_of_what_is_in_it_or_none() -> None:
    wrapper = box("div", (0, 0, 900, 0), p(), p())
    assert blocks(p(), wrapper) == "body(p div(p p))"
    assert blocks(p(), wrapper, wrappers=False) == "body(p p p)"
    empty = box("div", (0, 0, 0, 0), p(), p())
    assert blocks(p(), empty, wrappers=False) == "body(p)"


def test_a_text_beside_elements_is_an_object_behind_them_if_texts_move() -> None:
    mixed = box("div", HERE, words("loose", (0, 0, 50, 20)), p())
    assert blocks(p(), mixed) == "body(p p)"
    assert blocks(p(), mixed, text_moving=True) == "body(p div(p div))"
