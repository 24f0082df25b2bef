"""Worth of each kind of evidence: one thing is taken away at a time, and put back."""

from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

import pytest

from dbce.visual import Rect
from dbce.visual.measure import MarkedBlock, MarkedPage
from dbce.visual.segment import segment
from scripts.experiments.segment_evidence import WITHOUT, DrawnPage, PageScore, page_score, row
from tests.visual.pages import box, page

HEAD = box("div", (0, 0, 1000, 100), "the name of the place", **{"class": "head"})
POSTS = [box("li", (0, y, 1000, 500), "what someone says of it") for y in (100, 700, 1300)]
SHOWN = page(
    HEAD, box("ol", (0, 100, 1000, 1700), *POSTS), box("p", (0, 1800, 1000, 200), "at its foot")
)


def drawn(url: str = "https://example.org/") -> DrawnPage:
    rects = [Rect(0, 0, 1000, 100), *(post.rect for post in POSTS), Rect(0, 1800, 1000, 200)]
    blocks = tuple(MarkedBlock(str(n), rect=rect) for n, rect in enumerate(rects))
    return DrawnPage(0, replace(SHOWN, url=url), MarkedPage("", url, blocks))


@pytest.mark.parametrize("name", WITHOUT)
def test_what_is_taken_away_is_there(name: str) -> None:
    with ExitStack() as changed:
        for target, value in WITHOUT[name].items():
            changed.enter_context(patch(target, value))
        assert segment(SHOWN).terminal


def test_blocks_that_people_drew_are_found_if_all_evidence_is_there() -> None:
    assert page_score(drawn(), "dbce") == PageScore(1.0, 5, 5, 0)
    assert page_score(drawn(), "page").f < 1


def test_a_row_tells_what_the_evidence_raises_and_lowers() -> None:
    pages = [drawn("https://a.example.org/"), drawn("https://b.example.org/")]
    whole, less = [PageScore(0.9, 2, 4, 1)] * 2, [PageScore(0.5, 1, 4, 1), PageScore(0.6, 1, 4, 0)]
    assert row("none", pages, less, whole).endswith("| 0.25, 0.50 | 2 (1) | 0 (0) |")
    assert row("none", pages, whole, less).endswith("| 0.50, 1.00 | 0 (0) | 2 (1) |")
