"""The four weights, on the footer of SEGMENTS' page of 1000 x 2000; separators and the XY-cut."""

from __future__ import annotations

import pytest

from dbce.visual import Rect
from dbce.visual.segment import WEIGHTS
from dbce.visual.segment.boxes import Node, composite, separators

SIZE = (1000, 2000)
FOOTER = Rect(0, 1900, 1000, 100)


@pytest.mark.parametrize(
    ("name", "weight"), [("area", 0.5), ("cells", 1.0), ("corner", 1), ("sides", 5)]
)
def test_a_full_width_footer_weighs_from_half_to_five(name: str, weight: float) -> None:
    assert WEIGHTS[name](FOOTER, SIZE) == pytest.approx(weight)


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_page_itself_weighs_ten(name: str) -> None:
    assert WEIGHTS[name](Rect(0, 0, *SIZE), SIZE) == 10


def test_halves_are_rounded_up_as_javascript_does() -> None:
    # 45 % and 5 %: 25 / 10 = 2.5; Python would round to 2.
    assert WEIGHTS["sides"](Rect(0, 0, 450, 100), SIZE) == 3


def test_what_begins_low_on_the_page_may_weigh_less_than_nothing_by_its_corner() -> None:
    assert WEIGHTS["corner"](Rect(900, 1900, 100, 100), SIZE) == -8


PAGE = Rect(0, 0, 1000, 2000)


def nodes(*rects: tuple[float, float, float, float]) -> list[Node]:
    return [Node(Rect(*rect)) for rect in rects]


def rects(node: Node) -> list[tuple[float, ...]]:
    return [tuple(child.rect) for child in node.children]


def test_separators_lie_between_boxes_and_none_at_the_edges() -> None:
    assert separators([(50, 100), (200, 100), (220, 30)]) == [(149, 201)]


def test_boxes_that_touch_are_parted_but_not_those_that_overlap() -> None:
    assert separators([(0, 100), (100, 100)]) == [(99, 101)]
    assert separators([(0, 100), (98, 100)]) == []


def test_horizontal_separators_cut_first_and_all_at_once_in_their_middle() -> None:
    cut = composite(
        PAGE,
        nodes((0, 0, 1000, 100), (0, 200, 400, 800), (500, 200, 500, 800), (0, 1100, 1000, 900)),
        lambda rect: rect == PAGE,
    )
    assert rects(cut) == [(0, 0, 1000, 150), (0, 150, 1000, 900), (0, 1050, 1000, 950)]
    assert rects(cut.children[1]) == [(0, 200, 400, 800), (500, 200, 500, 800)]


def test_vertical_separators_cut_where_there_is_no_horizontal_one() -> None:
    cut = composite(PAGE, nodes((0, 0, 300, 2000), (400, 100, 600, 300)), lambda rect: rect == PAGE)
    assert rects(cut) == [(0, 0, 350, 2000), (350, 0, 650, 2000)]


def test_children_tile_their_parent() -> None:
    cut = composite(
        PAGE, nodes((0, 0, 90, 90), (0, 100, 90, 90), (0, 300, 90, 1500)), lambda _: True
    )
    tiles = [child.rect for child in cut.children]
    assert sum(tile.w * tile.h for tile in tiles) == pytest.approx(PAGE.w * PAGE.h)


def test_reading_order_is_that_of_the_cuts_and_not_of_the_dom() -> None:
    # Thesis, fig. 2.3: the article stands before the menu in the DOM, and to the right of it.
    article, menu, header = nodes((300, 110, 700, 1800), (0, 110, 290, 900), (0, 0, 1000, 100))
    cut = composite(PAGE, [article, menu, header], lambda _: True)
    assert list(cut.terminal()) == [header, menu, article]


def test_simple_blocks_of_one_rectangle_are_read_from_top_to_bottom_then_from_the_left() -> None:
    blocks = nodes((500, 0, 100, 100), (0, 0, 100, 100), (0, 50, 700, 500))
    cut = composite(PAGE, blocks, lambda _: False)
    assert rects(cut) == [(0, 0, 100, 100), (500, 0, 100, 100), (0, 50, 700, 500)]
