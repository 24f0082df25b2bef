"""Algorithm 5, branch by branch, on a page of 900 x 2700 with a window of 900."""

from __future__ import annotations

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment import RoleOptions, with_roles
from dbce.visual.segment.boxes import Outline
from tests.visual.pages import box, page

Four = tuple[float, float, float, float]


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
