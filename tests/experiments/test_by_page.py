"""The worst pages by name, and what changed page by page."""

import math

import pytest

from dbce.evaluate.gold import GoldText
from dbce.model import UsageError
from scripts.experiments import sets
from scripts.experiments.by_page import change_row, fallen_rows, pages, worst_rows
from scripts.experiments.sets import GoldFacts

GOLD = [GoldText(name, "a b c d", "") for name in ("p", "q", "r", "s")]
ABOUT = {one.page: GoldFacts(f"http://x/{one.page}", "", "") for one in GOLD}

NOW = {"p": "a b c d", "q": "a b", "r": "a b c d w x y z", "s": "v"}
"""F1: 1, 2/3 (two of four, none added), 2/3 (all, and as many more), 0."""

BEFORE = {"p": "a b", "q": "a b c d", "r": "a b c d w x y z", "s": "a b c d"}


def test_the_worst_pages_are_named_with_what_they_lost_and_added():
    rows = worst_rows(pages(GOLD, NOW, {"s": "a b c d"}), ABOUT, 3)
    two_thirds = pytest.approx(2 / 3)
    unknown = pytest.approx(math.nan, nan_ok=True)
    assert rows == [
        ["s", "http://x/s", 1, 0, 4, 1, 0, 1, 1],
        ["q", "http://x/q", unknown, two_thirds, 4, 2, 2, 0.5, 0],
        ["r", "http://x/r", unknown, two_thirds, 4, 8, 4, 0, 0.5],
    ]


def test_the_pages_that_lost_most_come_first_and_others_not_at_all():
    rows = fallen_rows(pages(GOLD, NOW, BEFORE), ABOUT, 5)
    assert [(row[0], row[2], row[3]) for row in rows] == [
        ("s", 1, 0),
        ("q", 1, pytest.approx(2 / 3)),
    ]
    assert len(fallen_rows(pages(GOLD, NOW, BEFORE), ABOUT, 1)) == 1


def test_changes_are_paired_and_counted_page_by_page():
    # p gains 1/3, q loses 1/3, r stays, s loses 1
    row = change_row(GOLD, NOW, BEFORE)
    assert row[0] == 4
    assert row[1:4] == pytest.approx([(2 / 3 + 1 + 2 / 3 + 1) / 4, (7 / 3) / 4, -1 / 4])
    spread = ((7 / 12) ** 2 + (1 / 12) ** 2 + (1 / 4) ** 2 + (3 / 4) ** 2) / 3
    assert row[4] == pytest.approx((spread / 4) ** 0.5)
    assert row[5:] == [1, 2, 0]


def test_a_change_of_a_hundredth_is_none():
    many = " ".join(f"w{n}" for n in range(200))
    gold = [GoldText("p", many, "")]
    nearly = " ".join(f"w{n}" for n in range(198))
    assert change_row(gold, {"p": many}, {"p": nearly})[5:] == [0, 0, 0]
    less = " ".join(f"w{n}" for n in range(190))
    assert change_row(gold, {"p": many}, {"p": less})[5:] == [1, 0, 0]


def test_pages_of_one_file_only_are_counted_and_not_compared():
    row = change_row(GOLD, NOW, {"p": "a b", "elsewhere": "a"})
    assert (row[0], row[5], row[6], row[7]) == (1, 1, 0, 3)


@pytest.mark.parametrize("content", ["no json", '{"record_id": "x"}', "[1]"])
def test_a_file_that_holds_no_texts_is_one_sentence(tmp_path, content):
    (tmp_path / "t").write_text(content)
    with pytest.raises(UsageError, match="no file of texts"):
        sets.read_texts(str(tmp_path / "t"))
    with pytest.raises(UsageError, match="cannot read"):
        sets.read_texts(str(tmp_path / "missing"))
