"""VIPS, BlockFusion on the numbers of its definition and on whole pages, and the segmentations that ask nothing of a page."""

import pytest

from dbce.visual import Rect
from dbce.visual.segment import BlockFusionOptions, VipsOptions, segment
from dbce.visual.segment.baselines import TextStretch, atomic, fuse, wrap_words
from dbce.visual.segment.boxes import ACROSS, DOWN, Outline
from dbce.visual.segment.vips import Cut, Divider, VisualBlock
from tests.visual.pages import HIDDEN, INLINE, PLAIN, box, page, words

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
    upper, lower = (0, 0, 90, 20), (0, 40, 90, 20)
    halves = box("p", upper, "a"), box("hr", (0, 30, 90, 2)), box("p", lower, "b")
    found = visual(box("div", (0, 0, 90, 60), *halves, "text"))
    assert found == [(upper, 10), ((0, 0, 90, 60), 10), (lower, 10)]


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
    found = (segment(page(*strips), "vips", VipsOptions(pdoc)) for pdoc in (1, 5, 8, 10))
    counts = [len(one.terminal) for one in found]
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] == 4


def test_a_page_where_nothing_parts_is_one_block():
    assert len(segment(page(), "vips").blocks) == 1
    crossed = [box("p", (0, 0, 1000, 500), "a"), box("p", (0, 300, 1000, 500), "b")]
    assert len(segment(page(*crossed), "vips").blocks) == 1


def in_wrappers(*inside):
    return page(
        box("script", None),
        box("p", (0, 0, 10, 10), "hidden", style=HIDDEN),
        box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), *inside)),
    )


COLUMNS = box("article", (0, 100, 700, 1800), "text"), box("aside", (700, 100, 300, 900), "x")
HEAD, MAIN, FOOT = (
    box("header", (0, 0, 1000, 100), "head"),
    box("main", (0, 100, 1000, 1800), *COLUMNS),
    box("footer", (0, 1900, 1000, 100), "foot"),
)


def tops(algorithm, *inside):
    return [block.rect.y for block in segment(in_wrappers(*inside), algorithm).terminal]


def test_the_page_is_one_block():
    (block,) = segment(in_wrappers(HEAD, MAIN, FOOT), "page").blocks
    assert tuple(block.rect) == (0, 0, 1000, 2000)


def test_children_are_those_of_body_or_of_the_first_that_branches():
    assert tops("body-children", HEAD, MAIN, FOOT) == [0]
    assert tops("first-branching", FOOT, HEAD, MAIN) == [0, 100, 1900]


@pytest.mark.parametrize("algorithm", ["first-branching", "html5"])
def test_a_page_without_what_is_looked_for_is_one_block(algorithm):
    assert len(segment(in_wrappers(), algorithm).blocks) == 1


def test_html5_elements_lie_in_each_other():
    found = segment(in_wrappers(HEAD, MAIN, FOOT), "html5")
    places = [(b.parent, b.rect.y, b.rect.x) for b in found.blocks]
    inside = [(2, 100, 0), (2, 100, 700)]
    assert places == [(-1, 0, 0), (0, 0, 0), (0, 100, 0), *inside, (0, 1900, 0)]


def text(*lines):
    """Words that fill so many lines: `lines` are the numbers of words on each, the last may be short."""
    found = []
    for count in lines[:-1]:
        # A full line has 80 characters: count words and count - 1 spaces.
        letters, more = divmod(80 - (count - 1), count)
        found += ["x" * (letters + (n < more)) for n in range(count)]
    found += ["y" * 7] * lines[-1]
    return " ".join(found)


def test_lines_are_wrapped_at_80_characters():
    assert wrap_words(text(12, 11, 4).split(), 80) == [12, 11, 4]
    assert wrap_words(["x" * 80, "y"], 80) == [1, 1]
    assert wrap_words(["x" * 200, "y"], 80) == [1, 1]
    assert wrap_words(["x" * 40, "y" * 39], 80) == [2]
    assert wrap_words(["x" * 40, "y" * 40], 80) == [1, 1]


@pytest.mark.parametrize(("lines", "least"), [("all", 0.22), ("full", 0.39)])
def test_neighbours_merge_above_their_slope(lines, least):
    # Tokens a line: 9 and 7 in all lines, 11.5 and 7 in full ones.
    upper, lower = box("p", (0, 0, 500, 90), text(12, 11, 4)), box("p", (0, 100, 500, 90), text(7))
    shown = page(upper, lower)
    counts = [
        len(segment(shown, "blockfusion", BlockFusionOptions(threshold, lines=lines)).terminal)
        for threshold in (least - 0.005, least + 0.005)
    ]
    assert counts == [2, 1]


def test_a_merged_block_goes_on_merging_until_nothing_does():
    # 6 and 4 merge to 5 tokens a line, from which 3 is .4 away.
    shown = [TextStretch(0, 1, 6, 1), TextStretch(1, 2, 4, 1), TextStretch(2, 3, 3, 1)]
    assert fuse(shown, 0.38) == [TextStretch(0, 2, 10, 2), TextStretch(2, 3, 3, 1)]
    assert fuse(shown, 0.41) == [TextStretch(0, 3, 13, 3)]


P, DIV = ((0, 0, 500, 20), (0, 30, 500, 20))
BOLD = box("b", P, "bold", style=INLINE)


@pytest.mark.parametrize(
    ("inside", "runs"),
    [
        ([box("p", P, "a", BOLD, "b"), box("p", DIV, "c")], ["a bold b", "c"]),
        (["before", box("div", DIV, "inside"), "behind"], ["before", "inside", "behind"]),
        (["before", box("div", DIV), "behind"], ["before", "behind"]),
        ([words("gone"), words("seen", P)], ["seen"]),
    ],
    ids=["inline", "a block between", "an empty one", "not seen"],
)
def test_texts_are_parted_by_tags_of_blocks_and_not_by_others(inside, runs):
    shown = page(box("div", (0, 0, 500, 80), *inside))
    found = [" ".join(shown.texts[n].text for n in run) for run in atomic(Outline(shown))]
    assert found == runs


def test_a_block_is_where_its_texts_are_and_a_page_without_any_is_one():
    lines = words("left", (10, 20, 100, 20), (10, 50, 80, 20))
    found = segment(page(box("div", (0, 0, 1000, 500), lines)), "blockfusion")
    assert [tuple(b.rect) for b in found.terminal] == [(10, 20, 100, 50)]
    assert len(segment(page(box("img", (0, 0, 9, 9))), "blockfusion").blocks) == 1
