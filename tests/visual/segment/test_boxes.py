"""Parts that all algorithms start from: rectangles, what is seen of a page and where, weights, separators and the XY-cut."""

import numpy as np
import pytest

from dbce.visual import Rect
from dbce.visual.segment.boxes import (
    ACROSS,
    DOWN,
    WEIGHTS,
    Boxes,
    Node,
    Outline,
    aligned_flags,
    can_be_block,
    category,
    composite,
    corner_distances,
    cover_flags,
    gaps,
    separators,
    smallest_common,
)
from tests.visual.pages import HIDDEN, PLAIN, box, page, words

ONE = Rect(100, 100, 200, 100)


def boxes(*rects):
    return Boxes(*np.array(rects, dtype=float).T)


def test_the_gap_is_that_of_closed_rectangles():
    rects = [(100, 250, 200, 50), (330, 240, 10, 10), (300, 200, 10, 10), (150, 120, 10, 10)]
    assert gaps(boxes(*rects), ONE).tolist() == [50, 50, 0, 0]


def test_by_corners_a_long_block_beside_a_short_one_is_far():
    # It touches the short one, but both its corners are 500 px above and below.
    long = (300, -400, 50, 1100)
    assert gaps(boxes(long), ONE)[0] == 0
    assert corner_distances(boxes(long, (150, 130, 100, 50)), ONE).tolist() == [500, 20]
    assert corner_distances(boxes(ONE), Rect(*long))[0] == 0


@pytest.mark.parametrize(
    ("rect", "both", "either"),
    [
        ((120, 500, 190, 900), True, True),  # below: like x, like width
        ((900, 90, 700, 120), True, True),  # beside: like y, like height
        ((120, 500, 900, 900), False, True),  # like x alone
        ((900, 500, 210, 900), False, True),  # like width alone
        ((900, 500, 900, 900), False, False),
        ((150, 500, 200, 900), False, True),  # x differs by the tolerance itself
    ],
)
def test_aligned_asks_for_place_and_size_or_for_one_of_them(rect, both, either):
    assert aligned_flags(boxes(rect), ONE, 50, "and")[0] == both
    assert aligned_flags(boxes(rect), ONE, 50, "or")[0] == either


def test_cover_is_known_both_ways():
    small = Rect(120, 120, 20, 20)
    assert cover_flags(ONE, boxes(small, ONE, (90, 120, 20, 20))).tolist() == [True, True, False]
    assert cover_flags(boxes(small, ONE), small).tolist() == [True, True]
    assert not cover_flags(boxes(small), ONE)[0]


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
def test_elements_fall_out_as_the_table_has_it(tags, is_block, kind):
    found = {tag: (can_be_block(tag), kind_of(tag)) for tag in tags.split()}
    assert found == dict.fromkeys(tags.split(), (is_block, kind))


def kind_of(tag, **attributes):
    return category(page(box(tag, None, **attributes)).elements[1])


def test_a_hidden_input_is_not_interactive():
    assert kind_of("input", type="HIDDEN") == "phrasing"
    assert kind_of("input", type="text") == "interactive"


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
def test_a_label_is_the_smallest_category_that_holds_both(first, second, common):
    assert smallest_common(first, second) == smallest_common(second, first) == common


def test_a_wrapper_of_floats_has_the_box_of_what_is_in_it():
    floats = box("div", (0, 0, 300, 400), "a"), box("div", (300, 0, 300, 500), "b")
    outline = Outline(page(box("div", (0, 0, 1000, 0), *floats)))
    assert outline.boxes[1] == Rect(0, 0, 600, 500)


def test_what_is_hidden_not_laid_out_or_off_the_page_is_not_seen():
    unseen = (
        box("p", (0, 0, 100, 20), "hidden", style=HIDDEN),
        box("p", None, words("display: none")),
        box("a", (-9999, 0, 100, 20), "skip to content"),
        box("style", (0, 0, 10, 10), "p {}"),
    )
    outline = Outline(page(*unseen))
    assert outline.boxes[1:] == [None] * 4
    assert outline.places == [None] * 4


def test_a_visible_child_of_a_hidden_element_is_seen():
    shown = box("p", (0, 0, 100, 20), "x")
    outline = Outline(page(box("div", (0, 0, 500, 500), shown, style=HIDDEN)))
    assert outline.boxes[1] == outline.boxes[2] == Rect(0, 0, 100, 20)


def test_boxes_end_where_the_page_ends():
    outline = Outline(page(box("div", (900, 0, 30000, 100), "a strip of pictures")))
    assert outline.boxes[1] == Rect(900, 0, 100, 100)


def test_a_text_in_an_element_without_a_box_of_its_own_is_seen():
    contents = PLAIN._replace(display="contents")
    outline = Outline(page(box("div", None, words("text", (0, 0, 90, 20)), style=contents)))
    assert outline.boxes[1] == Rect(0, 0, 90, 20)


SIZE = (1000, 2000)
FOOTER = Rect(0, 1900, 1000, 100)


@pytest.mark.parametrize(
    ("name", "weight"), [("area", 0.5), ("cells", 1.0), ("corner", 1), ("sides", 5)]
)
def test_a_full_width_footer_weighs_from_half_to_five(name, weight):
    assert WEIGHTS[name](FOOTER, SIZE) == pytest.approx(weight)


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_page_itself_weighs_ten(name):
    assert WEIGHTS[name](Rect(0, 0, *SIZE), SIZE) == 10


def test_halves_are_rounded_up_as_javascript_does_and_low_corners_weigh_less_than_nothing():
    # 45 % and 5 %: 25 / 10 = 2.5; Python would round to 2.
    assert WEIGHTS["sides"](Rect(0, 0, 450, 100), SIZE) == 3
    assert WEIGHTS["corner"](Rect(900, 1900, 100, 100), SIZE) == -8


PAGE = Rect(0, 0, 1000, 2000)


def nodes(*rects):
    return [Node(Rect(*rect)) for rect in rects]


def rects(node):
    return [tuple(child.rect) for child in node.children]


@pytest.mark.parametrize(
    ("spans", "cuts"),
    [
        ([(50, 100), (200, 100), (220, 30)], [(149, 201)]),
        ([(0, 100), (100, 100)], [(99, 101)]),
        ([(0, 100), (98, 100)], []),
    ],
    ids=["apart", "touching", "overlapping"],
)
def test_separators_lie_between_boxes_and_none_at_the_edges(spans, cuts):
    assert separators([Rect(9, start, 9, length) for start, length in spans], DOWN) == cuts
    assert separators([Rect(start, 9, length, 9) for start, length in spans], ACROSS) == cuts


def test_horizontal_separators_cut_first_and_all_at_once_in_their_middle():
    places = (0, 0, 1000, 100), (0, 200, 400, 800), (500, 200, 500, 800), (0, 1100, 1000, 900)
    cut = composite(PAGE, nodes(*places), lambda rect: rect == PAGE)
    assert rects(cut) == [(0, 0, 1000, 150), (0, 150, 1000, 900), (0, 1050, 1000, 950)]
    assert rects(cut.children[1]) == [(0, 200, 400, 800), (500, 200, 500, 800)]


def test_vertical_separators_cut_where_there_is_no_horizontal_one():
    cut = composite(PAGE, nodes((0, 0, 300, 2000), (400, 100, 600, 300)), lambda rect: rect == PAGE)
    assert rects(cut) == [(0, 0, 350, 2000), (350, 0, 650, 2000)]


def test_children_tile_their_parent():
    places = (0, 0, 90, 90), (0, 100, 90, 90), (0, 300, 90, 1500)
    tiles = [child.rect for child in composite(PAGE, nodes(*places), lambda _: True).children]
    assert sum(tile.w * tile.h for tile in tiles) == pytest.approx(PAGE.w * PAGE.h)


def test_reading_order_is_that_of_the_cuts_and_not_of_the_dom():
    # Thesis, fig. 2.3: the article stands before the menu in the DOM, and to the right of it.
    article, menu, header = nodes((300, 110, 700, 1800), (0, 110, 290, 900), (0, 0, 1000, 100))
    cut = composite(PAGE, [article, menu, header], lambda _: True)
    below, (top,) = cut.children[1], cut.children[0].children
    assert [top, *(column.children[0] for column in below.children)] == [header, menu, article]


def test_simple_blocks_of_one_rectangle_are_read_from_top_to_bottom_then_from_the_left():
    blocks = nodes((500, 0, 100, 100), (0, 0, 100, 100), (0, 50, 700, 500))
    cut = composite(PAGE, blocks, lambda _: False)
    assert rects(cut) == [(0, 0, 100, 100), (500, 0, 100, 100), (0, 50, 700, 500)]
