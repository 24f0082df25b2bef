"""Merging, rule by rule (thesis 2.5), on a page of 1000 x 1000: 100,000 px² weigh 1."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from dbce.visual import Rect
from dbce.visual.segment import PaperOptions
from dbce.visual.segment.bom.merge import merge, merge_siblings
from dbce.visual.segment.boxes import WEIGHTS, Node

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
