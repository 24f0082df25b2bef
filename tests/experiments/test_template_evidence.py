"""Worth of what pages of a template share: who is compared with whom, and what each way makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from dbce.visual.measure import MarkedPage
from dbce.visual.segment import segment
from scripts.experiments.segment_evidence import DrawnPage, PageScore
from scripts.experiments.template_evidence import WAYS, row, texts_of, with_own_texts
from tests.visual.pages import box, page

if TYPE_CHECKING:
    from dbce.visual import RenderedPage

HOST = "http://harbour.example/"
MENU = [f"menu entry {n}" for n in range(4)]


def shown(name: str, *own: str) -> DrawnPage:
    lines = [box("p", (0, 50 * n, 900, 40), text) for n, text in enumerate([*MENU, *own])]
    laid_out = replace(page(*lines), record_id=name, url=HOST + name)
    return DrawnPage(0, laid_out, MarkedPage(name, HOST + name, ()), None)


def known(*others: DrawnPage) -> dict[str, dict[str, frozenset[str]]]:
    return {"harbour.example": {one.page.record_id: texts_of(one.page) for one in others}}


def test_a_text_is_a_pages_own_if_no_page_of_its_template_has_it() -> None:
    ferry = shown("ferry", "Four people.", "And a  Goat.", "The rope.")
    clock = shown("clock", "A hundred steps.", "and a goat.", "Every Friday.")
    (found,) = with_own_texts([ferry], known(ferry, clock))
    assert found.content == {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 0, 6: 1}
    assert [text.node for text in found.page.texts] == list(range(7))


def test_copies_and_strangers_are_compared_with_nothing() -> None:
    ferry = shown("ferry", "Four people.")
    copy = shown("copy", "Four people.")
    stranger = replace(ferry.page, texts=(), record_id="stranger")
    others = known(ferry, copy)
    others["harbour.example"]["stranger"] = frozenset({"", *map(str, range(9))})
    assert texts_of(stranger) == frozenset()
    assert list(with_own_texts([ferry], others)) == []


def blocks_by(name: str, laid_out: RenderedPage, content: dict[int, float]) -> int:
    with patch("dbce.visual.segment.bands.FirstSight", WAYS[name]):
        return len(segment(laid_out, content=content).terminal)


def numbered(*inside: object) -> RenderedPage:
    laid_out = page(*inside)  # type: ignore[arg-type]
    texts = tuple(text._replace(node=n) for n, text in enumerate(laid_out.texts))
    return replace(laid_out, texts=texts)


LONG = "many words of the place " * 9
COLUMNS = numbered(
    box("div", (0, 0, 1000, 100), "the name"),
    box("div", (0, 100, 600, 1700), LONG),
    box("div", (650, 100, 350, 1700), LONG),
    box("div", (0, 1800, 1000, 200), "who is to blame"),
)
LOW = numbered(
    box(
        "div",
        (0, 0, 1000, 500),
        box("div", (0, 0, 1000, 250), LONG),
        box("div", (0, 250, 1000, 250), LONG),
    ),
    box("div", (0, 500, 1000, 1000), LONG),
    box("div", (0, 1500, 1000, 500), LONG),
)
LOW_COLUMNS = numbered(
    box(
        "div",
        (0, 0, 1000, 600),
        box("div", (0, 0, 480, 600), LONG),
        box("div", (520, 0, 480, 600), LONG),
    ),
    box("div", (0, 600, 1000, 900), LONG),
    box("div", (0, 1500, 1000, 500), LONG),
)


@pytest.mark.parametrize(
    ("name", "laid_out", "own", "blocks"),
    [
        ("columns only where they differ", COLUMNS, (0, 1, 0, 0), 4),
        ("columns only where they differ", COLUMNS, (0, 1, 1, 0), 3),
        ("lower bands cut where bands in them differ", LOW, (0, 1, 1, 1), 4),
        ("lower bands cut where bands in them differ", LOW, (1, 1, 1, 1), 3),
        ("lower bands cut where columns in them differ", LOW_COLUMNS, (0, 1, 1, 1), 4),
        ("lower bands cut where columns in them differ", LOW_COLUMNS, (1, 1, 1, 1), 3),
        ("neighbouring bands that are all shared are one", LOW, (0, 0, 0, 1), 2),
        ("neighbouring bands that are all shared are one", LOW, (0, 0, 1, 1), 3),
    ],
)
def test_each_way_cuts_by_what_is_shared(
    name: str, laid_out: RenderedPage, own: tuple[float, ...], blocks: int
) -> None:
    assert blocks_by(name, laid_out, dict(enumerate(own))) == blocks


def test_a_row_tells_what_a_way_raises_and_lowers() -> None:
    pages = [shown("a"), shown("b")]
    before, after = (
        [PageScore(0.5, 1, 4, 1)] * 2,
        [PageScore(0.9, 2, 4, 0), PageScore(0.4, 1, 4, 2)],
    )
    assert row("x", pages, after, before) == "| x | 0.650 | 0.38, 1.00 | 1 (1) | 1 (1) |"
