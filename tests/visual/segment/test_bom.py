"""BoM as the thesis has it: from page to blocks, its two steps by themselves, and roles.

The climb from leaves to the smallest blocks is algorithm 1. Merging is tried rule by rule (2.5), on a page of
1000 x 1000: 100,000 px² weigh 1. Roles are tried branch by branch (algorithm 5), on a page of 900 x 2700 with a
window of 900.
"""

from dataclasses import replace
from functools import partial

import pytest

from dbce.visual import Block, Rect, RenderedPage, Segmentation
from dbce.visual.segment import PaperOptions, RoleOptions, segment
from dbce.visual.segment.bom import fine_grained, merge, merge_siblings, with_roles
from dbce.visual.segment.boxes import WEIGHTS, Node, Outline
from tests.visual.pages import HIDDEN, INLINE, Box, box, page, words


def fig_2_1() -> RenderedPage:
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


def rects(granularity: float, **options: str) -> list[tuple[float, ...]]:
    chosen = PaperOptions(granularity=granularity, **options)  # type: ignore[arg-type]
    return [tuple(b.rect) for b in segment(fig_2_1(), "bom-paper", chosen).terminal]


HEADER, FOOTER = (0, 0, 1000, 95), (0, 905, 1000, 95)
STRIP = (0, 95, 1000, 810)
COLUMNS = [(0, 95, 400, 810), (400, 95, 600, 810)]


def test_strips_are_cut_and_the_wide_one_into_columns() -> None:
    assert rects(0.5) == [HEADER, *COLUMNS, FOOTER]


def test_strips_merge_until_they_reach_pa() -> None:
    assert rects(8.5) == [(0, 0, 1000, 905), FOOTER]
    assert rects(9.5) == [(0, 0, 1000, 1000)]


def test_a_block_must_span_the_page_in_one_axis_or_in_both() -> None:
    # In both: the strip is not cut, its simple blocks are its children.
    assert rects(0.5, spans="both") == [HEADER, (0, 100, 390, 800), (410, 100, 590, 800), FOOTER]


def test_by_the_example_beside_the_rule_what_is_above_pa_is_not_cut() -> None:
    assert rects(4) == [HEADER, *COLUMNS, FOOTER]
    assert rects(4, cuts="below") == [HEADER, (0, 100, 390, 800), (410, 100, 590, 800), FOOTER]
    assert rects(9, cuts="below") == [(0, 0, 1000, 905), FOOTER]


def test_composite_blocks_hold_no_elements_and_simple_ones_do() -> None:
    found = segment(fig_2_1(), "bom-paper", PaperOptions(granularity=0.5))
    assert [tuple(b.rect) for b in found.blocks if not b.elements] == [(0, 0, 1000, 1000), STRIP]
    assert [b.elements for b in found.terminal] == [(1,), (3,), (4,), (5,)]


def test_a_page_with_nothing_on_it_is_one_block() -> None:
    (block,) = segment(page(), "bom-paper").blocks
    assert (block.parent, block.rect, block.elements) == (-1, Rect(0, 0, 1000, 2000), (0,))


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


weight = partial(WEIGHTS["area"], size=(1000, 1000))
FOUR = PaperOptions(granularity=4, distance=50)

Four = tuple[float, float, float, float]


def node(
    x: float, y: float, w: float, h: float, category: str = "flow", *, element: int = 1
) -> Node:
    rect = Rect(x, y, w, h)
    return Node(rect, [element], category, weight(rect))


def merged(*nodes: Node, options: PaperOptions = FOUR) -> list[Four]:
    """The rectangles that are left; the nodes stay as they are."""
    left, _ = merge_siblings([replace(n) for n in nodes], weight, options)
    return [tuple(n.rect) for n in left]  # type: ignore[misc]


def test_near_aligned_small_blocks_merge_to_their_union() -> None:
    assert merged(node(0, 0, 400, 100), node(10, 140, 390, 100)) == [(0, 0, 400, 240)]


def test_the_merged_block_has_the_elements_of_both_and_their_smallest_category() -> None:
    (one,), _ = merge_siblings(
        [node(0, 0, 400, 100, "heading", element=3), node(0, 110, 400, 100, element=7)],
        weight,
        FOUR,
    )
    assert (one.elements, one.category, one.weight) == ([3, 7], "flow", pytest.approx(0.84))


def test_rule_1_a_block_that_reaches_pa_is_left_alone() -> None:
    large, small = node(0, 0, 500, 850), node(0, 860, 500, 100)
    assert len(merged(large, small)) == 2
    # Reading the other way round: algorithm 3 asks the first one alone.
    small, large = node(0, 0, 500, 100), node(0, 110, 500, 850)
    assert len(merged(small, large)) == 2
    first = PaperOptions(granularity=4, small="first")
    assert len(merged(small, large, options=first)) == 1


def test_rule_1_a_block_takes_no_more_once_it_has_reached_pa() -> None:
    rows = [node(0, 200 * n, 1000, 200) for n in range(5)]
    assert merged(*rows) == [(0, 0, 1000, 400), (0, 400, 1000, 400), (0, 800, 1000, 200)]


def test_rule_2_blocks_as_far_as_pd_stay_apart() -> None:
    assert len(merged(node(0, 0, 400, 100), node(0, 150, 400, 100))) == 2
    assert len(merged(node(0, 0, 400, 100), node(0, 149, 400, 100))) == 1


def test_rule_3_blocks_that_are_not_aligned_stay_apart() -> None:
    assert len(merged(node(0, 0, 400, 100), node(0, 110, 340, 100))) == 2
    either = PaperOptions(granularity=4, aligned="or")
    assert len(merged(node(0, 0, 400, 100), node(0, 110, 340, 100), options=either)) == 1


def test_rule_4_a_block_takes_what_it_covers_or_is_covered_by() -> None:
    around, in_it = node(0, 0, 500, 500), node(300, 300, 100, 20)
    assert merged(around, in_it) == [(0, 0, 500, 500)]
    assert merged(in_it, around) == [(0, 0, 500, 500)]
    first = PaperOptions(granularity=4, cover="first")
    assert len(merged(in_it, around, options=first)) == 2


def test_rule_5_sectioning_blocks_are_never_merged_with_aligned_ones() -> None:
    assert len(merged(node(0, 0, 400, 100, "sectioning"), node(0, 110, 400, 100))) == 2
    assert len(merged(node(0, 0, 400, 100), node(0, 110, 400, 100, "sectioning"))) == 2


def test_rounds_go_on_until_nothing_merges() -> None:
    # As in fig. 2.5: e and h, side by side, are one block first; then that is aligned with d.
    d, e, h = node(520, 0, 470, 520), node(520, 560, 200, 200), node(730, 560, 260, 200)
    assert merged(d, e, h) == [(520, 0, 470, 760)]


def test_distance_by_corners_keeps_a_long_block_from_a_short_one_that_is_first() -> None:
    short, long = node(0, 200, 100, 100), node(100, 0, 100, 500)
    options = PaperOptions(granularity=4, aligned="or", gap="corners")
    assert len(merged(short, long, options=options)) == 2
    assert len(merged(short, long, options=PaperOptions(granularity=4, aligned="or"))) == 1


def composite(*children: Node, rect: Four = (0, 0, 1000, 1000)) -> Node:
    return Node(Rect(*rect), children=list(children))


def test_a_composite_block_that_is_not_above_pa_becomes_simple() -> None:
    page = composite(
        node(0, 0, 400, 400, "heading", element=4), node(600, 0, 400, 400, "heading", element=9)
    )
    page.rect = Rect(0, 0, 1000, 400)
    merge(page, weight, FOUR)
    assert (page.children, page.elements, page.category) == ([], [4, 9], "heading")


def test_a_single_child_is_dropped() -> None:
    page = composite(node(0, 0, 1000, 500, element=2), node(0, 510, 1000, 400, element=5))
    merge(page, weight, PaperOptions(granularity=9))
    assert (page.children, page.elements) == ([], [2, 5])


def small_ones() -> Node:
    """Five blocks that are far from each other, one of which takes a sixth."""
    apart = [node(0, 0, 100, 100), node(500, 0, 30, 30), node(0, 500, 30, 30), node(900, 900, 9, 9)]
    return composite(*apart, node(0, 110, 100, 100))


def test_children_are_dropped_if_more_than_three_quarters_are_small_and_never_merged() -> None:
    page = small_ones()
    merge(page, weight, FOUR)
    assert len(page.children) == 4  # three of four: not more than .75
    page = small_ones()
    merge(page, weight, PaperOptions(granularity=4, small_unmerged=False))
    assert page.children == []  # four of four are small, merged or not
    page = small_ones()
    merge(page, weight, PaperOptions(granularity=4, small_share=0.7))
    assert page.children == []


def test_the_deepest_composite_blocks_come_first() -> None:
    top, bottom = (
        composite(node(0, y, 400, 400), node(600, y, 400, 400), rect=(0, y, 1000, 500))
        for y in (0, 500)
    )
    page = composite(top, bottom)
    merge(page, weight, PaperOptions(granularity=6))
    # Both strips are simple then, and small; merged they are one child, which is dropped.
    assert (page.children, len(page.elements)) == ([], 4)


def test_simple_children_beside_composite_ones_merge_if_asked() -> None:
    def mixed() -> Node:
        columns = composite(node(0, 0, 450, 500), node(550, 0, 450, 500), rect=(0, 0, 1000, 500))
        return composite(columns, node(0, 510, 1000, 100), node(0, 620, 1000, 100))

    options = PaperOptions(granularity=3, small_share=1)
    page = mixed()
    merge(page, weight, options)
    assert len(page.children) == 3
    page = mixed()
    merge(page, weight, PaperOptions(granularity=3, small_share=1, mixed=True))
    assert [tuple(child.rect) for child in page.children] == [
        (0, 0, 1000, 500),
        (0, 510, 1000, 210),
    ]


def roles(
    *blocks: tuple[Four, int, int], filler: int = 100, options: RoleOptions | None = None
) -> list[str]:
    """Roles of blocks that are given by rectangle, number of elements, and of links among them.

    Around them are `filler` elements of no block. They lie in the page; a block whose parent is not
    the page is given by `composite`.
    """
    inside = [
        box(
            "div",
            rect,
            *[box("a" if n < links else "b", rect, "x") for n in range(elements - 1)],
        )
        for rect, elements, links in blocks
    ]
    shown = page(
        *inside,
        *[box("i", (0, 0, 1, 1)) for _ in range(filler)],
        size=(900, 2700),
        viewport=(900, 900),
    )
    outline = Outline(shown)
    tops = [n for n in outline.children[0] if shown.elements[n].tag == "div"]
    segmentation = Segmentation(
        "test",
        shown.record_id,
        (
            Block(-1, Rect(0, 0, 900, 2700), (), "", "", 10),
            *(
                Block(0, Rect(*rect), (top,), "flow", "", 5)
                for top, (rect, _, _) in zip(tops, blocks, strict=True)
            ),
        ),
    )
    return [b.role for b in with_roles(outline, segmentation, options).blocks[1:]]


TOP = ((0, 0, 900, 100), 2, 0)
LAST = ((0, 2600, 900, 100), 2, 0)


def test_the_first_on_top_is_the_header() -> None:
    assert roles(TOP, LAST) == ["header", "footer"]


def test_a_large_first_block_is_a_section_if_it_is_alone_else_a_header() -> None:
    assert roles(((0, 0, 900, 2700), 50, 0)) == ["section"]
    assert roles(((0, 0, 900, 800), 50, 0), LAST)[0] == "header"


def test_a_large_block_is_an_article() -> None:
    assert roles(TOP, ((0, 200, 900, 800), 60, 59), LAST)[1] == "article"


def test_many_links_make_a_nav() -> None:
    menu = ((0, 120, 900, 40), 10, 8)
    assert roles(TOP, menu, LAST)[1] == "nav"
    # All the page's links are in it as well, but it holds less than a fifth of them here.
    link_list = ((500, 1000, 300, 900), 60, 59)
    by_page = RoleOptions(links="page")
    assert roles(TOP, menu, link_list, LAST, options=by_page)[1] == "article"


def test_the_middle_is_an_article_and_a_side_an_aside() -> None:
    middle, left, right = (
        ((x, y, 300, h), 5, 0) for x, y, h in ((300, 500, 1000), (0, 600, 500), (600, 600, 500))
    )
    assert roles(TOP, middle, left, right, LAST)[1:4] == ["article", "aside", "aside"]


def test_what_is_on_top_over_the_whole_width_is_an_article() -> None:
    assert roles(TOP, ((0, 120, 900, 300), 5, 0), LAST)[1] == "article"


def test_below_the_window_only_the_last_block_is_a_footer() -> None:
    assert roles(TOP, ((0, 1000, 200, 200), 10, 9), LAST)[1:] == ["article", "footer"]


def test_a_visible_block_in_the_bottom_third_is_a_footer_in_the_code() -> None:
    # The window shows the whole page of 900 here.
    def of(options: RoleOptions) -> str:
        low, lowest = box("div", (0, 700, 200, 50), "a"), box("div", (0, 800, 900, 100), "b")
        shown = page(
            box("div", (0, 0, 900, 50), "top"),
            low,
            lowest,
            *[box("i", (0, 0, 1, 1))] * 50,
            size=(900, 900),
            viewport=(900, 900),
        )
        outline = Outline(shown)
        blocks = [Block(-1, Rect(0, 0, 900, 900), (), "", "", 10)]
        blocks += [
            Block(0, shown.elements[n].rect or Rect(0, 0, 0, 0), (n,), "", "", 1) for n in (1, 2, 3)
        ]
        return with_roles(outline, Segmentation("", "", tuple(blocks)), options).blocks[2].role

    assert of(RoleOptions()) == "footer"
    assert of(RoleOptions(bottom_third=False)) == "aside"


def test_test_0_gives_no_role_to_what_is_not_above_pa() -> None:
    assert roles(TOP, LAST, options=RoleOptions(weight_test=True, granularity=5)) == ["", ""]
    assert roles(TOP, LAST, options=RoleOptions(weight_test=True, granularity=4)) == [
        "header",
        "footer",
    ]


def test_a_composite_block_has_what_is_in_its_children() -> None:
    inner = [box("p", (0, 200 + 50 * n, 900, 40), "x") for n in range(30)]
    shown = page(box("div", (0, 0, 900, 50), "top"), *inner, size=(900, 2700), viewport=(900, 900))
    blocks = (
        Block(-1, Rect(0, 0, 900, 2700), (), "", "", 10),
        Block(0, Rect(0, 0, 900, 50), (1,), "", "", 1),
        Block(0, Rect(0, 200, 900, 1500), (), "", "", 1),
        *(Block(2, Rect(0, 200 + 50 * n, 900, 40), (2 + n,), "", "", 1) for n in range(30)),
    )
    found = with_roles(Outline(shown), Segmentation("", "", blocks))
    assert [b.role for b in found.blocks[:3]] == ["", "header", "section"]
