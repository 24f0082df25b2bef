"""VIPS: visual blocks, separators, and blocks divided until they are coherent."""

import pytest

from dbce.visual import Rect
from dbce.visual.segment import VipsOptions, segment
from dbce.visual.segment.boxes import ACROSS, DOWN, Outline
from dbce.visual.segment.vips import Cut, Divider, VisualBlock
from tests.visual.pages import INLINE, PLAIN, box, page

BLUE = PLAIN._replace(background_color="rgb(0, 0, 255)")
WHITE = "rgb(255, 255, 255)"


def visual(*inside, level=0):
    """Rectangles and DoC of the visual blocks of a page."""
    found = Divider(Outline(page(*inside))).divide(0, level)
    return sorted((tuple(b.rect), b.doc) for b in found)


def test_rule_1_what_holds_nothing_is_not_divided():
    blocks = visual(box("img", (0, 0, 90, 90)), box("p", (0, 100, 9, 9), "x"))
    assert blocks[0] == ((0, 0, 90, 90), 10)


def test_rule_2_an_only_child_is_looked_into():
    inner = box("div", (0, 0, 90, 90), box("img", (0, 0, 30, 30)))
    assert visual(box("div", (0, 0, 900, 90), inner)) == [((0, 0, 30, 30), 10)]


def test_rule_4_texts_alone_are_one_block():
    bold = box("b", (50, 0, 50, 20), "bold", style=INLINE._replace(font_weight=700))
    link = box("a", (50, 0, 50, 20), "link", style=INLINE)
    assert visual(box("p", (0, 0, 900, 20), "text", link)) == [((0, 0, 900, 20), 10)]
    assert visual(box("p", (0, 0, 900, 20), "text", bold)) == [((0, 0, 900, 20), 9)]


def test_rule_6_a_rule_divides_and_is_no_block():
    halves = [
        box("p", (0, 0, 90, 20), "a"),
        box("hr", (0, 30, 90, 2)),
        box("p", (0, 40, 90, 20), "b"),
    ]
    assert visual(box("div", (0, 0, 90, 60), *halves, "text")) == [
        ((0, 0, 90, 20), 10),
        ((0, 0, 90, 60), 10),
        ((0, 40, 90, 20), 10),
    ]


def test_rule_8_what_has_a_background_of_its_own_is_not_divided_in_this_round():
    parts = [box("p", (0, y, 900, 90), "x") for y in (0, 100)]
    small = box("div", (0, 0, 900, 190), *parts, style=BLUE)
    blocks = visual(small, box("p", (0, 900, 9, 9), "y"))
    assert blocks == [((0, 0, 900, 190), 8), ((0, 900, 9, 9), 10)]
    large = box("div", (0, 0, 1000, 1500), *parts, style=BLUE)
    assert ((0, 0, 1000, 1500), 4) in visual(large, box("p", (0, 1900, 9, 9), "y"))


def test_rule_9_a_small_node_with_text_is_not_divided_until_later():
    small = box("div", (0, 0, 300, 300), "text", box("p", (0, 20, 300, 90), "x"))
    blocks = visual(small, box("p", (0, 900, 9, 9), "y"))
    assert [doc for _, doc in blocks] == [8, 10]
    assert len(visual(small, box("p", (0, 900, 9, 9), "y"), level=3)) == 3


def block(y, h=100, *, size=16, colour=WHITE, text=True):
    return VisualBlock(Rect(0, y, 1000, h), (1,), 10, None, (size, 400, colour), is_text=text)


@pytest.mark.parametrize(("gap", "weight"), [(4, 1), (12, 2), (20, 4), (30, 6), (40, 8)])
def test_rule_1_of_separators_the_thicker_the_more_visible(gap, weight):
    pair = [block(0, text=False), block(100 + gap - 2, text=False)]  # boxes are 1 px smaller
    assert Cut(pair, DOWN).weights == [weight]


def test_other_rules_of_separators():
    plain = [block(0, text=False), block(120, text=False)]
    (base,) = Cut(plain, DOWN).weights
    assert Cut(plain, DOWN, [110]).weights == [base + 2]
    for other in (block(120, colour="black", text=False), block(120, size=32, text=False)):
        assert Cut([plain[0], other], DOWN).weights == [base + 2]
    assert Cut([block(0), block(120)], DOWN).weights == [base - 2]


def test_fonts_do_not_weigh_between_columns():
    left = block(0)._replace(rect=Rect(0, 0, 400, 900))
    right = block(0, size=32)._replace(rect=Rect(420, 0, 500, 900))
    assert Cut([left, right], ACROSS).weights == [4]


@pytest.mark.parametrize(
    ("gap", "rects"), [(40, [(0, 0, 1000, 500), (0, 540, 1000, 500)]), (4, [(0, 0, 1000, 2000)])]
)
def test_blocks_are_cut_where_what_parts_them_is_visible_enough(gap, rects):
    parts = [(0, y, 1000, 500) for y in (0, 500 + gap)]
    shown = page(*(box("div", part, box("img", part)) for part in parts))
    assert [tuple(block.rect) for block in segment(shown, "vips").terminal] == rects


def test_the_higher_pdoc_the_more_is_cut():
    strips = [box("p", (0, y, 1000, 90), "x" * n) for n, y in enumerate((0, 100, 220, 360), 1)]
    counts = [
        len(segment(page(*strips), "vips", VipsOptions(pdoc)).terminal) for pdoc in (1, 5, 8, 10)
    ]
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] == 4


def test_a_page_where_nothing_parts_is_one_block():
    assert len(segment(page(), "vips").blocks) == 1
    crossed = [box("p", (0, 0, 1000, 500), "a"), box("p", (0, 300, 1000, 500), "b")]
    assert len(segment(page(*crossed), "vips").blocks) == 1
