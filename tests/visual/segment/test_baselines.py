"""The segmentations that ask nothing of a page, and BlockFusion on the numbers of its definition and on whole pages."""

import pytest

from dbce.visual.segment import BlockFusionOptions, segment
from dbce.visual.segment.baselines import TextStretch, atomic, fuse, wrap_words
from dbce.visual.segment.boxes import Outline
from tests.visual.pages import HIDDEN, INLINE, box, page, words


def in_wrappers(*inside):
    return page(
        box("script", None),
        box("p", (0, 0, 10, 10), "hidden", style=HIDDEN),
        box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), *inside)),
    )


HEAD, MAIN, FOOT = (
    box("header", (0, 0, 1000, 100), "head"),
    box(
        "main",
        (0, 100, 1000, 1800),
        box("article", (0, 100, 700, 1800), "text"),
        box("aside", (700, 100, 300, 900), "x"),
    ),
    box("footer", (0, 1900, 1000, 100), "foot"),
)


def tops(algorithm, *inside):
    return [block.rect.y for block in segment(in_wrappers(*inside), algorithm).terminal]


def test_the_page_is_one_block():
    (block,) = segment(in_wrappers(HEAD, MAIN, FOOT), "page").blocks
    assert tuple(block.rect) == (0, 0, 1000, 2000)


def test_children_of_body_are_those_that_can_be_seen():
    assert tops("body-children", HEAD, MAIN, FOOT) == [0]


def test_the_first_branching_element_is_looked_for_from_body_down():
    assert tops("first-branching", FOOT, HEAD, MAIN) == [0, 100, 1900]


@pytest.mark.parametrize("algorithm", ["first-branching", "html5"])
def test_a_page_without_what_is_looked_for_is_one_block(algorithm):
    assert len(segment(in_wrappers(), algorithm).blocks) == 1


def test_html5_elements_lie_in_each_other():
    found = segment(in_wrappers(HEAD, MAIN, FOOT), "html5")
    assert [(b.parent, b.rect.y, b.rect.x) for b in found.blocks] == [
        (-1, 0, 0),
        (0, 0, 0),
        (0, 100, 0),
        (2, 100, 0),
        (2, 100, 700),
        (0, 1900, 0),
    ]


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
    shown = page(
        *(box("p", (0, y, 500, 90), text(*of)) for y, of in ((0, (12, 11, 4)), (100, (7,))))
    )
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


@pytest.mark.parametrize(
    ("inside", "runs"),
    [
        (
            [box("p", P, "a", box("b", P, "bold", style=INLINE), "b"), box("p", DIV, "c")],
            ["a bold b", "c"],
        ),
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


def test_a_block_is_where_its_texts_are():
    lines = words("left", (10, 20, 100, 20), (10, 50, 80, 20))
    found = segment(page(box("div", (0, 0, 1000, 500), lines)), "blockfusion")
    assert [tuple(b.rect) for b in found.terminal] == [(10, 20, 100, 50)]


def test_a_page_without_texts_is_one_block():
    assert len(segment(page(box("img", (0, 0, 9, 9))), "blockfusion").blocks) == 1
