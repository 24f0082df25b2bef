"""What is in a block of a page as it was laid out."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.evaluate.blocks.scores import Coverage, coverage_once, coverage_summed
from dbce.visual import Rect, Text
from dbce.visual.measure import MarkedBlock, MarkedPage, contents, flat_on_page
from tests.visual.measure import worked
from tests.visual.measure.pages import element, rendered, worked_page


def on_page(rects, page=None):
    page = page or worked_page()
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
    page = worked_page()
    twice = on_page([worked.MAIN, worked.MAIN, worked.HEADER])
    assert coverage_once(twice, contents(page)) == Coverage(104, 120)
    assert coverage_summed(twice) == Coverage(204, 120)
    assert coverage_once(on_page(worked.COMPUTED), contents(page)).share == 1


def test_the_example_of_the_thesis():
    assert Coverage(11 + 10 + 18, 40).share == 0.975
    assert np.isnan(Coverage(0, 0).share)
