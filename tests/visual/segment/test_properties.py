"""What holds of every algorithm on every page."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.visual import Rect, RenderedPage, union
from dbce.visual.segment import (
    SEGMENTERS,
    BandOptions,
    PaperOptions,
    PublishedOptions,
    VipsOptions,
    overlaps,
    segment,
)
from tests.visual.pages import HIDDEN, INLINE, PLAIN, Box, Words, box, page, words

TAGS = "div p ul li table tr td span a b img h1 form section nav center br hr svg x-y".split()
STYLES = [
    *(PLAIN, INLINE, HIDDEN),
    PLAIN._replace(background_color="rgb(9, 9, 9)", font_size=30.0),
    PLAIN._replace(position="absolute"),
    PLAIN._replace(floating="left"),
]

places = st.integers(-50, 1100)
lengths = st.integers(0, 700)
rects = st.tuples(places, places, lengths, lengths)
texts = st.builds(words, st.text("ab \n\xa0", min_size=1), rects) | st.builds(
    words, st.just("unseen")
)


VOID = frozenset({"br", "hr", "img"})
"""Elements in which a parser leaves nothing."""


def elements(inside: st.SearchStrategy[Box | Words]) -> st.SearchStrategy[Box]:
    return st.builds(
        lambda tag, rect, held, style: replace(
            box(tag, rect, *(() if tag in VOID else held)), style=style
        ),
        st.sampled_from(TAGS),
        st.none() | rects,
        st.lists(inside, max_size=4),
        st.sampled_from(STYLES),
    )


pages = st.builds(
    lambda held, height: page(*held, size=(1000, height)),
    st.lists(st.recursive(texts, elements, max_leaves=12), max_size=6),
    st.sampled_from([0, 1, 700, 3000]),
)

RUNS: list[tuple[str, Any]] = [
    *((name, None) for name in SEGMENTERS),
    ("dbce", BandOptions(level=2, small=0, line=0)),
    ("bom-paper", PaperOptions(granularity=0.2, mixed=True)),
    ("bom-paper", PaperOptions(granularity=3, weight="sides", aligned="or", gap="corners")),
    ("bom-paper", PaperOptions(granularity=2, weight="corner", cuts="below")),
    ("bom-published", PublishedOptions(granularity=2, text_moving=True, wrappers=False)),
    ("bom-published", PublishedOptions(weight="corner", overlapping=True, gap="gap")),
    ("bom-published", PublishedOptions(version="1.1", weight="cells", aligned="and")),
    ("vips", VipsOptions(pdoc=10)),
]


@given(shown=pages)
@settings(max_examples=40, deadline=None)
def test_a_segmentation_is_a_tree_of_the_page_in_reading_order(shown: RenderedPage) -> None:
    for name, options in RUNS:
        found = segment(shown, name, options)
        assert found == segment(shown, name, options)
        first, *others = found.blocks
        assert (first.parent, *first.rect) == (-1, 0, 0, *(max(side, 1) for side in shown.size))
        assert all(0 <= block.parent < n for n, block in enumerate(others, 1))
        # Blocks of one subtree stand together, behind their root: that is the flow.
        ancestors = [0]
        for n, block in enumerate(others, 1):
            while ancestors[-1] != block.parent:
                ancestors.pop()
            ancestors.append(n)
        # Terminal blocks have elements, none of which is inside another.
        for block in found.terminal:
            assert block.elements
            for element in block.elements:
                while (element := shown.elements[element].parent) >= 0:
                    assert element not in block.elements


@given(shown=pages, level=st.sampled_from([1, 2]))
@settings(max_examples=200, deadline=None)
def test_blocks_in_the_flow_of_one_level_do_not_overlap(shown: RenderedPage, level: int) -> None:
    blocks = segment(shown, "dbce", BandOptions(level=level, small=0)).blocks
    for parent in range(len(blocks)):
        of_level = [b.rect for b in blocks if b.parent == parent and not b.floating]
        assert overlaps(of_level, more_than=0.001) == ()


@given(shown=pages)
@settings(max_examples=100, deadline=None)
def test_footers_but_one_begin_in_the_lower_half_of_a_page(shown: RenderedPage) -> None:
    blocks = [block for block in segment(shown, "dbce").blocks if block.parent == 0]
    page = union(block.rect for block in blocks) or shown.elements[0].rect
    assert page is not None
    middle = page.y + page.h / 2
    assert sum(block.role == "footer" and block.rect.y < middle for block in blocks) <= 1


@given(shown=pages)
@settings(max_examples=60, deadline=None)
def test_all_that_is_seen_is_in_a_block_of_the_thesis_bom(shown: RenderedPage) -> None:
    """Text coverage can reach 1, but for what flows over the edges of the boxes that it is in."""
    rects = [block.rect for block in segment(shown, "bom-paper").terminal]
    for text in shown.texts:
        element = shown.elements[text.parent]
        is_visible = shown.styles[element.style].visibility == "visible"
        if not is_visible or not text.text.strip() or "/svg" in element.xpath:
            continue
        around = _boxes_around(shown, text.parent)
        for line in text.rects:
            if line.w * line.h and all(box.has_centre_of(line) for box in around):
                assert any(rect.has_centre_of(line) for rect in rects)


def _boxes_around(shown: RenderedPage, place: int) -> list[Rect]:
    """The page, and the boxes with area of an element and those that it is in."""
    found = [Rect(0, 0, *shown.size)]
    while place > 0:
        rect = shown.elements[place].rect
        if rect and rect.w * rect.h:
            found.append(rect)
        place = shown.elements[place].parent
    return found
