"""Pages cut as people see them: bands, columns, and what these are made of."""

from __future__ import annotations

import pytest

from dbce.model import UsageError
from dbce.visual.segment import BandOptions, segment
from tests.visual.pages import PLAIN, Box, box, page, words

ABSOLUTE = PLAIN._replace(position="absolute")

HEAD = box("div", (0, 0, 1000, 100), "the name of the place")
MAIN = box("div", (0, 100, 1000, 1700), "what it is about " * 9)
FOOT = box("div", (0, 1800, 1000, 200), "who is to blame")


def rects(*inside: Box, **options: float) -> list[tuple[float, ...]]:
    found = segment(page(*inside), "dbce", BandOptions(**options))  # type: ignore[arg-type]
    return [tuple(block.rect) for block in found.terminal]


def column(x: float, w: float, *inside: Box) -> Box:
    return box("div", (x, 100, w, 1700), "many words " * 20, *inside)


def test_a_page_is_its_bands() -> None:
    assert rects(HEAD, MAIN, FOOT) == [
        (0, 0, 1000, 100),
        (0, 100, 1000, 1700),
        (0, 1800, 1000, 200),
    ]


def test_what_alone_is_in_another_stands_for_it() -> None:
    wrapped = box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), HEAD, MAIN, FOOT))
    assert rects(wrapped) == rects(HEAD, MAIN, FOOT)


def test_a_band_as_high_as_the_page_is_gone_into() -> None:
    upper = box("div", (0, 0, 1000, 1800), HEAD, MAIN)
    assert rects(upper, FOOT) == rects(HEAD, MAIN, FOOT)
    assert len(rects(upper, FOOT, tall=0.95, least=2)) == 2


def test_a_page_of_too_few_blocks_is_gone_into_further() -> None:
    upper = box("div", (0, 0, 1000, 1300), HEAD, box("div", (0, 100, 1000, 1200), "all of it"))
    lower = box("div", (0, 1300, 1000, 700), "who is to blame")
    assert len(rects(upper, lower)) == 3
    assert len(rects(upper, lower, least=2)) == 2


def test_three_siblings_of_prose_or_more_are_one_text() -> None:
    heights = range(100, 1800, 340)
    prose = [box("p", (0, y, 1000, 330), "what it is about " * 9) for y in heights]
    cards = [box("div", (0, y, 1000, 330), "a story of its own " * 9) for y in heights]
    assert len(rects(HEAD, *prose, FOOT)) == 3
    assert len(rects(HEAD, *cards, FOOT)) == 7


def test_boxes_that_overlap_by_less_than_the_slack_are_parted() -> None:
    lower = box("div", (0, 97, 1000, 1703), "what it is about")
    assert len(rects(HEAD, lower, FOOT)) == 3
    assert len(rects(HEAD, lower, FOOT, slack=2)) == 2


def test_positioned_elements_hinder_no_band() -> None:
    badge = box("div", (900, 50, 100, 80), "new", style=ABSOLUTE)
    assert len(rects(HEAD, badge, MAIN, FOOT)) == 3


def test_a_thin_band_joins_its_shorter_neighbour() -> None:
    line = box("div", (0, 100, 1000, 20), "you are here")
    main = box("div", (0, 120, 1000, 1680), "what it is about")
    assert rects(HEAD, line, main, FOOT)[0] == (0, 0, 1000, 120)
    assert len(rects(HEAD, line, main, FOOT, thin=0)) == 4


def test_the_main_band_has_columns() -> None:
    middle = box("div", (0, 100, 1000, 1700), column(0, 250), column(250, 750))
    assert [r[0] for r in rects(HEAD, middle, FOOT)] == [0, 0, 250, 0]


def test_many_columns_are_a_row_of_cards() -> None:
    cards = [column(250 * n, 250) for n in range(4)]
    assert len(rects(HEAD, box("div", (0, 100, 1000, 1700), *cards), FOOT)) == 3


def test_a_column_without_content_joins_its_neighbour() -> None:
    empty = box("div", (0, 100, 250, 1700))
    middle = box("div", (0, 100, 1000, 1700), empty, column(250, 750))
    assert rects(HEAD, middle, FOOT)[1] == (0, 100, 1000, 1700)


def test_the_second_level_is_in_the_first() -> None:
    halves = [box("div", (0, y, 1000, 850), "words enough " * 20) for y in (100, 950)]
    shown = page(HEAD, box("div", (0, 100, 1000, 1700), *halves), FOOT)
    blocks = segment(shown, "dbce", BandOptions(level=2, tall=1)).blocks
    assert [(block.parent, block.rect.y) for block in blocks] == [
        (-1, 0),
        (0, 0),
        (0, 100),
        (2, 100),
        (2, 950),
        (0, 1800),
    ]


def test_a_list_is_one_block() -> None:
    items = [box("li", (0, 100 + 60 * n, 300, 60), "an item") for n in range(20)]
    text = box("p", (300, 100, 700, 1700), "words enough " * 50)
    middle = box("div", (0, 100, 1000, 1700), box("ul", (0, 100, 300, 1200), *items), text)
    assert len(rects(HEAD, middle, FOOT, level=2)) == 4


def test_a_text_beside_elements_is_in_their_block() -> None:
    text = words("as one", (0, 0, 500, 20))
    found = segment(page(text, HEAD, MAIN, FOOT), "dbce")
    assert [block.elements for block in found.terminal] == [(1,), (2,), (3,)]


def test_a_page_of_text_is_one_block() -> None:
    assert rects(box("p", (0, 0, 1000, 2000), "text")) == [(0, 0, 1000, 2000)]


def test_there_are_two_levels() -> None:
    with pytest.raises(UsageError, match="level cannot be 3: say 1 or 2"):
        BandOptions(level=3)


def test_thin_bands_join_until_they_are_thin_no_more() -> None:
    thin = [box("div", (0, n, 1000, 1), "x") for n in range(0, 20000, 5)]
    blocks = segment(page(*thin, size=(1000, 20000)), "dbce").terminal
    assert all(400 <= block.rect.h < 410 for block in blocks[:-1])
    assert sum(len(block.elements) for block in blocks) == len(thin)
