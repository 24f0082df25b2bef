"""Places of blocks on a page, and what is in them."""

import numpy as np
import pytest

from dbce.visual import Rect, Text
from dbce.visual.evaluate.blocks.evaluation import coverage_once, coverage_summed, score
from dbce.visual.evaluate.blocks.sides import kreuzer_page
from dbce.visual.measure import (
    CONVENTIONS,
    Flat,
    MarkedBlock,
    MarkedPage,
    NormalBlock,
    contents,
    flat_on_page,
    locate_blocks,
)
from dbce.visual.measure.marked_pages import plain_xpath
from tests.visual.measure import worked
from tests.visual.measure.pages import element, rendered, worked_page


def block(path, level=1, kind="Content"):
    return {"xpath": path, "level": level, "type": kind, "text": "..."}


def line(*blocks):
    return {"url": "http://a.example/", "dom_url": "http://a.example/dom", "blocks": list(blocks)}


def at(*paths):
    return MarkedPage("", "http://a.example/dom", (MarkedBlock("b", xpaths=paths),))


PAGE = rendered(
    [
        element("/html/body", Rect(0, 0, 100, 300), -1),
        element("/html/body/div[1]", Rect(0, 0, 100, 0), 0),  # of floats alone
        element("/html/body/div[1]/p[1]", Rect(0, 0, 40, 50), 1),
        element("/html/body/div[1]/p[2]", Rect(50, 10, 50, 60), 1),
        element("/html/body/div[2]", None, 0),  # display: contents, with a text
        element("/html/body/div[3]", None, 0),  # display: none
    ],
    [Text(4, 0, "a text", (Rect(5, 100, 20, 10), Rect(0, 110, 10, 10)), -1)],
)


@pytest.mark.parametrize(
    ("paths", "rects"),
    [
        (["/html[1]/body[1]/div[1]/p[2]"], [Rect(50, 10, 50, 60)]),
        (["/html/body/div/p"], [Rect(0, 0, 40, 50)]),
        (["/html/body/div[1]"], [Rect(0, 0, 100, 70)]),
        (["/html/body/div[2]"], [Rect(0, 100, 25, 20)]),
        (["/html/body/div[1]/p[1]", "/html/body/div[2]"], [Rect(0, 0, 40, 120)]),
        (["/html/body/div[3]"], []),
    ],
    ids=["an element", "the first", "of floats", "of a text", "several", "not laid out"],
)
def test_a_block_is_where_its_elements_are_or_else_what_is_in_them(paths, rects):
    page, missing = locate_blocks(at(*paths), PAGE)
    assert [b.rect for b in page.blocks] == rects
    assert missing == ()


def test_paths_that_are_not_found_are_named():
    _, missing = locate_blocks(at("/html/body/div[1]", "/html/body/table[1]"), PAGE)
    assert missing == ("/html/body/table[1]",)


def test_a_number_of_one_says_nothing():
    assert plain_xpath("/html[1]/body[1]/div[11]/p[1]") == "/html/body/div[11]/p"


def test_of_nested_blocks_of_a_level_the_outer_one_counts():
    page = kreuzer_page(
        line(
            block("/html[1]/body[1]/div[1]/p[1]"),
            block("/html[1]/body[1]/div[1]", kind="Logo"),
            block("/html[1]/body[1]/div[10]", kind="Menu"),
            block("/html[1]/body[1]/div[1]"),
            block("/html[1]/body[1]/div[1]/p[2]", level=2),
        ),
        level=1,
    )
    assert [(b.id, b.label) for b in page.blocks] == [("K2", "header"), ("K3", "nav")]
    assert page.url == "http://a.example/dom"


def test_a_line_without_paths_is_no_gold():
    with pytest.raises(ValueError, match="lacks or breaks the field 'xpath'"):
        kreuzer_page(line({"level": 1, "type": "Logo"}), level=1)


def on_page(rects):
    page = worked_page()
    blocks = tuple(MarkedBlock(f"b{n}", rect=rect) for n, rect in enumerate(rects))
    return flat_on_page(MarkedPage("", page.url, blocks), page, contents(page))


@pytest.mark.parametrize("rects", [worked.GOLD, worked.COMPUTED])
def test_elements_and_words_are_those_with_their_centre_in_the_block(rects):
    assert on_page(rects) == worked.flat(rects)


def test_characters_are_counted_without_the_white_space_around():
    found = contents(worked_page())
    assert found.texts.weights.tolist() == [characters for _, _, characters in worked.TEXTS]
    assert found.words.tolist() == [words for _, words, _ in worked.TEXTS]


def test_what_is_hidden_or_not_laid_out_is_not_on_the_page():
    page = rendered(
        [
            element("/html/body", Rect(0, 0, 200, 400), -1),
            element("/html/body/p[1]", Rect(0, 0, 9, 9), 0, style=1),
            element("/html/body/p[2]", None, 0),
        ],
        [
            Text(0, 0, "seen", (Rect(0, 0, 9, 9),), -1),
            Text(1, 0, "hidden", (Rect(0, 0, 9, 9),), -1),
            Text(2, 0, "nowhere", (), -1),
        ],
    )
    found = contents(page)
    assert (found.words.sum(), len(found.elements.x)) == (1, 1)


def test_the_text_of_overlapping_blocks_is_covered_once():
    held = contents(worked_page())
    twice = on_page([worked.MAIN, worked.MAIN, worked.HEADER])
    assert coverage_once(twice, held) == (104, 120)
    assert coverage_summed(twice) == (204, 120)
    flats = [Flat("", (9, 9), n, (NormalBlock(0, 0, 9, 9, 1, n and 39),), (1,)) for n in (40, 0)]
    share, none = (score(flat, flat, CONVENTIONS["dbce"])["tc"] for flat in flats)
    assert share == 0.975, "the example of the thesis: 11 + 10 + 18 of 40"
    assert np.isnan(none)
