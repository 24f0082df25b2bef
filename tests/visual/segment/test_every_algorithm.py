"""What holds of every algorithm: its name and options, as the guide has them, and what it makes of pages, odd ones too."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.model import UsageError
from dbce.visual import Rect, union
from dbce.visual.segment import (
    BLOCKS,
    SEGMENTERS,
    BandOptions,
    BlockFusionOptions,
    PaperOptions,
    PublishedOptions,
    VipsOptions,
    options_of,
    overlaps,
    segment,
)
from dbce.visual.segment import boxes as geometry
from dbce.visual.segment.bom import REACH, merge_siblings
from dbce.visual.segment.boxes import Node
from tests.gate import first
from tests.test_docs import table
from tests.visual.pages import HIDDEN, INLINE, PLAIN, box, page, words

PAGE = page(box("p", (0, 0, 100, 20), "text"))


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmentation_names_algorithm_parameters_and_capture(name):
    found = segment(PAGE, name)
    assert found.algorithm.startswith(f"{name}(")
    assert found.record_id == PAGE.record_id
    assert segment(PAGE, "vips", VipsOptions(pdoc=7)).algorithm == "vips(pdoc=7)"


def test_options_of_another_algorithm_are_refused():
    with pytest.raises(UsageError, match="bom-paper takes PaperOptions, not VipsOptions"):
        segment(PAGE, "bom-paper", VipsOptions())


def test_options_are_read_from_words():
    words = {"granularity": "2.5", "weight": "cells", "drop_at_body": "yes"}
    read = options_of("bom-paper", words)
    assert read == PaperOptions(granularity=2.5, weight="cells", drop_at_body=True)


@pytest.mark.parametrize(
    ("algorithm", "name", "word", "sentence"),
    [
        ("bom-published", "pa", "5", "no option 'pa' here; there are: granularity, distance, "),
        ("page", "x", "1", "no option 'x' here; there are: none"),
        ("bom-paper", "granularity", "many", "granularity cannot be 'many': say a number"),
        ("bom-paper", "granularity", "-1", "granularity cannot be -1.0: say a number from 0 on"),
        ("bom-paper", "granularity", "nan", "granularity cannot be nan: say a number from 0 on"),
        ("bom-paper", "weight", "pixels", "weight cannot be 'pixels': say one of area, cells, "),
        ("bom-paper", "mixed", "maybe", "mixed cannot be 'maybe': say yes or no"),
        ("bom-published", "version", "2", "version cannot be '2': say one of 1.1.1, 1.1"),
        ("dbce", "level", "3", "level cannot be 3: say 1 or 2"),
    ],
)
def test_what_an_option_cannot_be_is_said_in_one_sentence(algorithm, name, word, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}"):
        options_of(algorithm, {name: word})


def test_options_are_checked_wherever_they_are_made():
    with pytest.raises(UsageError):
        PublishedOptions(aligned="perhaps")


TEXT = (Path(__file__).parents[3] / "docs" / "segmentation.md").read_text(encoding="utf-8")


def part(heading):
    """What stands below a heading, to the next one."""
    _, _, behind = TEXT.partition(f"\n{heading}\n")
    return behind.partition("\n#")[0]


def shown(value):
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(
    ("heading", "options"),
    [
        ("### dbce", BandOptions),
        ("### bom-paper", PaperOptions),
        ("### bom-published", PublishedOptions),
        ("### vips", VipsOptions),
        ("### blockfusion", BlockFusionOptions),
    ],
)
def test_every_option_is_described_with_its_default_in_order(heading, options):
    described = [row[:2] for row in table(part(heading), columns=3)[1:]]
    assert described == [(field.name, shown(field.default)) for field in fields(options)]


def test_every_column_of_the_table_is_described_with_its_type_in_order():
    described = [row[:2] for row in table(part("## The tables"), columns=3)[1:]]
    assert described == [(field.name, str(field.type)) for field in BLOCKS]


def test_every_algorithm_is_named_there_and_in_the_guide():
    guide = (Path(__file__).parents[3] / "docs" / "guide.md").read_text(encoding="utf-8")
    for text in (TEXT, guide):
        assert [name for name in SEGMENTERS if f"`{name}`" not in text] == []


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
texts = st.builds(words, st.text("ab \n\xa0", min_size=1), rects) | st.just(words("unseen"))

VOID = frozenset({"br", "hr", "img"})
"""Elements in which a parser leaves nothing."""


def elements(inside):
    def element(tag, rect, held, style):
        return box(tag, rect, *(() if tag in VOID else held), style=style)

    held, styles = st.lists(inside, max_size=4), st.sampled_from(STYLES)
    return st.builds(element, st.sampled_from(TAGS), st.none() | rects, held, styles)


pages = st.builds(
    lambda held, height: page(*held, size=(1000, height)),
    st.lists(st.recursive(texts, elements, max_leaves=12), max_size=6),
    st.sampled_from([0, 1, 700, 3000]),
)

RUNS = [
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
def test_a_segmentation_is_a_tree_of_the_page_in_reading_order(shown):
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
def test_blocks_in_the_flow_of_one_level_do_not_overlap(shown, level):
    blocks = segment(shown, "dbce", BandOptions(level=level, small=0)).blocks
    for parent in range(len(blocks)):
        of_level = [b.rect for b in blocks if b.parent == parent and not b.floating]
        assert overlaps(of_level, more_than=0.001) == ()


@given(shown=pages)
@settings(max_examples=100, deadline=None)
def test_footers_but_one_begin_in_the_lower_half_of_a_page(shown):
    blocks = [block for block in segment(shown, "dbce").blocks if block.parent == 0]
    page = union(block.rect for block in blocks) or shown.elements[0].rect
    assert page is not None
    middle = page.y + page.h / 2
    assert sum(block.role == "footer" and block.rect.y < middle for block in blocks) <= 1


@given(shown=pages)
@settings(max_examples=60, deadline=None)
def test_all_that_is_seen_is_in_a_block_of_the_thesis_bom(shown):
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


def _boxes_around(shown, place):
    """The page, and the boxes with area of an element and those that it is in."""
    found = [Rect(0, 0, *shown.size)]
    while place > 0:
        rect = shown.elements[place].rect
        if rect and rect.w * rect.h:
            found.append(rect)
        place = shown.elements[place].parent
    return found


@pytest.mark.parametrize("name", SEGMENTERS)
def test_400_elements_in_one_another_are_no_problem(name):
    inner = box("p", (0, 0, 1000, 2000), "deep")
    for _ in range(400):
        inner = box("div", (0, 0, 1000, 2000), inner, box("p", (0, 0, 1000, 1900), "beside"))
    assert segment(page(inner), name).terminal


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_page_of_frames_is_segmented(name):
    frames = [box("frame", (300, y, 700, 400)) for y in (0, 400)]
    left, right = box("frame", (0, 0, 300, 800)), box("frameset", (300, 0, 700, 800), *frames)
    assert segment(page(left, right, root="frameset", size=(1000, 800)), name).terminal


def test_the_frames_are_blocks_of_the_thesis_bom():
    frames = [box("frame", (500 * n, 0, 500, 800)) for n in range(2)]
    shown = page(*frames, root="frameset", size=(1000, 800))
    found = segment(shown, "bom-paper", PaperOptions(granularity=4))
    assert [block.elements for block in found.terminal] == [(1,), (2,)]


def test_a_block_looks_no_further_than_its_reach(monkeypatch):
    """So the work on many siblings that do not merge grows with their number alone."""
    looked_at = []

    def gaps(boxes, rect):
        looked_at.append(len(boxes.x))
        return original(boxes, rect)

    original = geometry.gaps
    monkeypatch.setattr(geometry, "gaps", gaps)
    far = [Node(Rect(0, 200 * n, 100, 100), [n], "flow") for n in range(3000)]
    left, _ = merge_siblings(far, lambda _: 0.0, PaperOptions())
    assert len(left) == 3000
    assert max(looked_at) == REACH
    assert len(looked_at) <= 3000


@pytest.mark.slow
@pytest.mark.parametrize("name", first(SEGMENTERS, 2))
def test_20000_elements_are_segmented(name):
    """Scattered so that few merge: what a square of their number would make a matter of an hour."""
    scattered = [
        box("p", (150 * (n % 20), 150 * (n // 20), 40 + n % 37, 40 + n % 41), f"item {n}")
        for n in range(20_000)
    ]
    shown = page(*scattered, size=(3000, 150_000))
    assert segment(shown, name).terminal
    options = {"bom-paper": PaperOptions(granularity=0.001), "bom-published": PublishedOptions(1)}
    assert segment(shown, name, options.get(name)).terminal


@pytest.mark.parametrize(
    "way", ["direction rtl", "writing_mode vertical-rl", "position fixed", "position absolute"]
)
@pytest.mark.parametrize("name", SEGMENTERS)
def test_whatever_the_direction_or_position_each_text_is_in_a_block(name, way):
    style = PLAIN._replace(**dict([way.split()]))
    inside = box("p", (0, 0, 690, 700), "text", style=style), box("p", (0, 700, 690, 800), "more")
    shown = page(
        box("div", (700, 0, 300, 1500), "menu", style=style),
        box("div", (0, 0, 690, 1500), *inside),
        box("div", (0, 1600, 1000, 400), "foot", style=style),
    )
    rects = [block.rect for block in segment(shown, name).terminal]
    for text in shown.texts:
        assert any(rect.has_centre_of(*text.rects) for rect in rects)
