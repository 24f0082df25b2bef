"""BoM as the thesis has it: from page to blocks, its two steps by themselves, and roles.

The climb from leaves to the smallest blocks is algorithm 1. Merging is tried rule by rule (2.5), on a page of
1000 x 1000: 100,000 px² weigh 1. Roles are tried branch by branch (algorithm 5), on a page of 900 x 2700 with a
window of 900.
"""

from dataclasses import replace
from functools import partial

import pytest

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment import PaperOptions, segment
from dbce.visual.segment.bom import fine_grained, merge, merge_siblings, with_roles
from dbce.visual.segment.boxes import WEIGHTS, Node, Outline
from tests.visual.pages import HIDDEN, INLINE, box, page, words


def fig_2_1():
    """Header, two columns, footer, on 1000 x 1000: strips of weight 1, 8 and 1."""
    return page(
        box("div", (0, 0, 1000, 90), "Header"),
        box(
            "div",
            (0, 100, 1000, 800),
            box("p", (0, 100, 390, 800), "Left column"),
            box("p", (410, 100, 590, 800), "Right column"),
        ),
        box("div", (0, 910, 1000, 90), "Footer"),
        size=(1000, 1000),
    )


def rects(granularity, **options):
    chosen = PaperOptions(granularity=granularity, **options)
    return [tuple(b.rect) for b in segment(fig_2_1(), "bom-paper", chosen).terminal]


HEADER, FOOTER = (0, 0, 1000, 95), (0, 905, 1000, 95)
STRIP = (0, 95, 1000, 810)
COLUMNS = [(0, 95, 400, 810), (400, 95, 600, 810)]


def test_strips_are_cut_and_the_wide_one_into_columns():
    assert rects(0.5) == [HEADER, *COLUMNS, FOOTER]


def test_strips_merge_until_they_reach_pa():
    assert rects(8.5) == [(0, 0, 1000, 905), FOOTER]
    assert rects(9.5) == [(0, 0, 1000, 1000)]


def test_a_block_must_span_the_page_in_one_axis_or_in_both():
    # In both: the strip is not cut, its simple blocks are its children.
    assert rects(0.5, spans="both") == [HEADER, (0, 100, 390, 800), (410, 100, 590, 800), FOOTER]


def test_by_the_example_beside_the_rule_what_is_above_pa_is_not_cut():
    assert rects(4) == [HEADER, *COLUMNS, FOOTER]
    assert rects(4, cuts="below") == [HEADER, (0, 100, 390, 800), (410, 100, 590, 800), FOOTER]
    assert rects(9, cuts="below") == [(0, 0, 1000, 905), FOOTER]


def test_composite_blocks_hold_no_elements_and_simple_ones_do():
    found = segment(fig_2_1(), "bom-paper", PaperOptions(granularity=0.5))
    assert [tuple(b.rect) for b in found.blocks if not b.elements] == [(0, 0, 1000, 1000), STRIP]
    assert [b.elements for b in found.terminal] == [(1,), (3,), (4,), (5,)]


def test_a_page_with_nothing_on_it_is_one_block():
    (block,) = segment(page(), "bom-paper").blocks
    assert (block.parent, block.rect, block.elements) == (-1, Rect(0, 0, 1000, 2000), (0,))


weight = partial(WEIGHTS["area"], size=(1000, 1000))


def blocks(*inside, drop_at_body=False):
    """Tag of the element, category and rectangle of each block."""
    shown = page(*inside)
    found = fine_grained(Outline(shown), weight, drop_at_body=drop_at_body)
    return [(shown.elements[n.elements[0]].tag, n.category, tuple(n.rect)) for n in found]


LINK = box("a", (10, 0, 80, 20), box("b", (10, 0, 80, 20), "News", style=INLINE), style=INLINE)


def test_li_is_the_first_that_is_none_of_the_categories():
    # Thesis, fig. 2.2: from the leaf through a link to the list item, which is marked as flow.
    item = box("li", (0, 0, 200, 20), LINK)
    assert blocks(box("ul", (0, 0, 200, 100), item)) == [("li", "flow", (0, 0, 200, 20))]


def test_leaves_that_climb_to_one_element_are_one_block():
    bold = box("b", (0, 0, 50, 20), "Two", style=INLINE)
    italic = box("i", (60, 0, 50, 20), "words", style=INLINE)
    assert blocks(box("p", (0, 0, 500, 20), bold, italic)) == [("p", "flow", (0, 0, 500, 20))]


DRAWING = box("svg", (0, 0, 50, 50), box("path", (0, 0, 50, 50)), box("title", None))


@pytest.mark.parametrize(
    ("tag", "inside", "kind"),
    [
        ("h2", "Title", "heading"),
        ("div", box("a", (0, 0, 300, 80), box("img", (0, 0, 300, 70)), style=INLINE), "flow"),
        ("form", box("fieldset", (5, 5, 290, 90), box("input", (10, 10, 100, 20))), "flow"),
        ("div", DRAWING, "flow"),
    ],
    ids=["a heading", "a link round a card", "a fieldset on the way to a form", "a drawing"],
)
def test_what_is_no_block_of_its_own_is_a_part_of_the_element_around(tag, inside, kind):
    assert blocks(box(tag, (0, 0, 300, 100), inside)) == [(tag, kind, (0, 0, 300, 100))]


def test_a_text_beside_elements_is_a_leaf_and_does_not_cover_the_blocks_inside():
    inside = words("Loose text", (0, 0, 120, 20)), box("p", (0, 40, 500, 200), "A paragraph")
    assert blocks(box("div", (0, 0, 500, 300), *inside)) == [
        ("div", "flow", (0, 0, 120, 20)),
        ("p", "flow", (0, 40, 500, 200)),
    ]


def test_what_parts_or_is_not_seen_is_no_leaf():
    unseen = [
        box("hr", (0, 0, 1000, 2)),
        box("br", (0, 10, 0, 20)),
        box("script", (0, 0, 10, 10), words("x()")),
        box("p", (0, 0, 10, 10), "hidden", style=HIDDEN),
        box("div", None, box("p", None, words("not laid out"))),
    ]
    assert blocks(*unseen) == []


def test_to_the_letter_a_climb_to_body_is_lost():
    inside = LINK, box("p", (0, 30, 90, 20), "Text"), words("Loose", (0, 60, 50, 20))
    link, text, loose = blocks(*inside)
    assert link == ("a", "interactive", (10, 0, 80, 20)), "it ends below body"
    assert loose == ("body", "phrasing", (0, 60, 50, 20))
    assert blocks(*inside, drop_at_body=True) == [text] == [("p", "flow", (0, 30, 90, 20))]


FOUR = PaperOptions(granularity=4, distance=50)


def node(x, y, w, h, category="flow", *, element=1):
    rect = Rect(x, y, w, h)
    return Node(rect, [element], category, weight(rect))


def merged(*nodes, options=FOUR):
    """The rectangles that are left; the nodes stay as they are."""
    left, _ = merge_siblings([replace(n) for n in nodes], weight, options)
    return [tuple(n.rect) for n in left]


def test_near_aligned_small_blocks_merge_to_their_union():
    assert merged(node(0, 0, 400, 100), node(10, 140, 390, 100)) == [(0, 0, 400, 240)]


def test_the_merged_block_has_the_elements_of_both_and_their_smallest_category():
    pair = [node(0, 0, 400, 100, "heading", element=3), node(0, 110, 400, 100, element=7)]
    (one,), _ = merge_siblings(pair, weight, FOUR)
    assert (one.elements, one.category, one.weight) == ([3, 7], "flow", pytest.approx(0.84))


ROW = (0, 0, 400, 100)
RULES = {
    "1: large": ((0, 0, 500, 850), (0, 860, 500, 100), 2, {}),
    # The other way round: algorithm 3 asks the first one alone.
    "1: second large": ((0, 0, 500, 100), (0, 110, 500, 850), 2, {"small": "first"}),
    "2: as far as pD": (ROW, (0, 150, 400, 100), 2, {"distance": 51}),
    "2: near": (ROW, (0, 149, 400, 100), 1, {}),
    "3: not aligned": (ROW, (0, 110, 340, 100), 2, {"aligned": "or"}),
    "4: covered": ((300, 300, 100, 20), (0, 0, 500, 500), 1, {"cover": "first"}),
    "4: covers": ((0, 0, 500, 500), (300, 300, 100, 20), 1, {}),
    "5: sectioning": (ROW, (0, 110, 400, 100, "sectioning"), 2, {}),
    "5: first sectioning": ((*ROW, "sectioning"), (0, 110, 400, 100), 2, {}),
}
"""By the rule that is tried: two blocks, how many are left by default, and options by which it is otherwise."""


@pytest.mark.parametrize(
    ("first", "second", "by_default", "options"), RULES.values(), ids=RULES.keys()
)
def test_two_blocks_merge_or_stay_apart(first, second, by_default, options):
    pair = node(*first), node(*second)
    assert len(merged(*pair)) == by_default
    if options:
        other = PaperOptions(**{"granularity": 4, "distance": 50} | options)
        assert len(merged(*pair, options=other)) == 3 - by_default


def test_a_block_takes_no_more_once_it_has_reached_pa():
    rows = [node(0, 200 * n, 1000, 200) for n in range(5)]
    assert merged(*rows) == [(0, 0, 1000, 400), (0, 400, 1000, 400), (0, 800, 1000, 200)]


def test_rounds_go_on_until_nothing_merges():
    # As in fig. 2.5: e and h, side by side, are one block first; then that is aligned with d.
    d, e, h = node(520, 0, 470, 520), node(520, 560, 200, 200), node(730, 560, 260, 200)
    assert merged(d, e, h) == [(520, 0, 470, 760)]


def test_distance_by_corners_keeps_a_long_block_from_a_short_one_that_is_first():
    short, long = node(0, 200, 100, 100), node(100, 0, 100, 500)
    options = PaperOptions(granularity=4, aligned="or", gap="corners")
    assert len(merged(short, long, options=options)) == 2
    assert len(merged(short, long, options=PaperOptions(granularity=4, aligned="or"))) == 1


def composite(*children, rect=(0, 0, 1000, 1000)):
    return Node(Rect(*rect), children=list(children))


def test_a_composite_block_that_is_not_above_pa_becomes_simple():
    pair = [node(x, 0, 400, 400, "heading", element=n) for x, n in ((0, 4), (600, 9))]
    page = composite(*pair, rect=(0, 0, 1000, 400))
    merge(page, weight, FOUR)
    assert (page.children, page.elements, page.category) == ([], [4, 9], "heading")


def test_a_single_child_is_dropped():
    page = composite(node(0, 0, 1000, 500, element=2), node(0, 510, 1000, 400, element=5))
    merge(page, weight, PaperOptions(granularity=9))
    assert (page.children, page.elements) == ([], [2, 5])


@pytest.mark.parametrize(
    ("options", "left"),
    [({}, 4), ({"small_unmerged": False}, 0), ({"small_share": 0.7}, 0)],
    ids=["three of four", "four of four, merged or not", "three of four are more than .7"],
)
def test_children_are_dropped_if_more_than_three_quarters_are_small_and_never_merged(options, left):
    # Five blocks that are far from each other, one of which takes a sixth.
    apart = [node(0, 0, 100, 100), node(500, 0, 30, 30), node(0, 500, 30, 30), node(900, 900, 9, 9)]
    page = composite(*apart, node(0, 110, 100, 100))
    merge(page, weight, PaperOptions(granularity=4, **options))
    assert len(page.children) == left


def test_the_deepest_composite_blocks_come_first():
    top, bottom = (
        composite(node(0, y, 400, 400), node(600, y, 400, 400), rect=(0, y, 1000, 500))
        for y in (0, 500)
    )
    page = composite(top, bottom)
    merge(page, weight, PaperOptions(granularity=6))
    # Both strips are simple then, and small; merged they are one child, which is dropped.
    assert (page.children, len(page.elements)) == ([], 4)


@pytest.mark.parametrize("mixed", [False, True])
def test_simple_children_beside_composite_ones_merge_if_asked(mixed):
    columns = composite(node(0, 0, 450, 500), node(550, 0, 450, 500), rect=(0, 0, 1000, 500))
    page = composite(columns, node(0, 510, 1000, 100), node(0, 620, 1000, 100))
    merge(page, weight, PaperOptions(granularity=3, small_share=1, mixed=mixed))
    strips = [(0, 510, 1000, 210)] if mixed else [(0, 510, 1000, 100), (0, 620, 1000, 100)]
    assert [tuple(child.rect) for child in page.children] == [(0, 0, 1000, 500), *strips]


WHOLE = Block(-1, Rect(0, 0, 900, 2700), (), "", "", 10)


def roles(*blocks, viewport=900):
    """Roles of blocks that are given by rectangle, number of elements, and of links among them.

    Around them are 100 elements of no block.
    """
    inside = [
        box("div", rect, *[box("a" if n < links else "b", rect, "x") for n in range(elements - 1)])
        for rect, elements, links in blocks
    ]
    around = [box("i", (0, 0, 1, 1))] * 100
    shown = page(*inside, *around, size=(900, 2700), viewport=(900, viewport))
    tops = [n for n, element in enumerate(shown.elements) if element.tag == "div"]
    placed = zip(tops, blocks, strict=True)
    of_page = [Block(0, Rect(*rect), (top,), "flow", "", 5) for top, (rect, _, _) in placed]
    segmentation = Segmentation("test", shown.record_id, (WHOLE, *of_page))
    found = with_roles(Outline(shown), segmentation)
    return [b.role for b in found.blocks[1:]]


TOP = ((0, 0, 900, 100), 2, 0)
LAST = ((0, 2600, 900, 100), 2, 0)


def test_the_first_on_top_is_the_header():
    assert roles(TOP, LAST) == ["header", "footer"]


def test_a_large_first_block_is_a_section_if_it_is_alone_else_a_header():
    assert roles(((0, 0, 900, 2700), 50, 0)) == ["section"]
    assert roles(((0, 0, 900, 800), 50, 0), LAST)[0] == "header"


MENU = ((0, 120, 900, 40), 10, 8)
MIDDLE = ((300, 500, 300, 1000), 5, 0)
LOW = ((0, 2000, 200, 200), 5, 0)

BETWEEN = {
    "large": (((0, 200, 900, 800), 60, 59), "article", {}),
    "links": (MENU, "nav", {}),
    "middle": (MIDDLE, "article", {}),
    "left": (((0, 600, 300, 500), 5, 0), "aside", {}),
    "right": (((600, 600, 300, 500), 5, 0), "aside", {}),
    "on top, wide": (((0, 120, 900, 300), 5, 0), "article", {}),
    "below the window": (((0, 1000, 200, 200), 10, 9), "article", {}),
    "bottom third": (LOW, "footer", {"viewport": 2700}),
}


@pytest.mark.parametrize(("block", "role", "options"), BETWEEN.values(), ids=BETWEEN.keys())
def test_a_block_between_header_and_footer_has_a_role(block, role, options):
    assert roles(TOP, block, LAST, **options) == ["header", role, "footer"]


def test_a_composite_block_has_what_is_in_its_children():
    inner = [box("p", (0, 200 + 50 * n, 900, 40), "x") for n in range(30)]
    shown = page(box("div", (0, 0, 900, 50), "top"), *inner, size=(900, 2700), viewport=(900, 900))
    blocks = (
        WHOLE,
        Block(0, Rect(0, 0, 900, 50), (1,), "", "", 1),
        Block(0, Rect(0, 200, 900, 1500), (), "", "", 1),
        *(Block(2, Rect(0, 200 + 50 * n, 900, 40), (2 + n,), "", "", 1) for n in range(30)),
    )
    found = with_roles(Outline(shown), Segmentation("", "", blocks))
    assert [b.role for b in found.blocks[:3]] == ["", "header", "section"]
