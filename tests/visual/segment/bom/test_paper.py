"""BoM as the thesis has it, from page to blocks."""

from __future__ import annotations

from dbce.visual import Rect, RenderedPage
from dbce.visual.segment import PaperOptions, segment
from tests.visual.pages import box, page


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
