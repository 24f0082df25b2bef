"""Figures: a table reads the same on a page, in a CSV file and in a spreadsheet; templates are what is similar."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.sketch import bands_and_rows
from dbce.report.figures import table
from dbce.report.measures import component_numbers

TIME = pd.Timestamp("2016-05-24 02:48:36", tz="UTC")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_looks_like_a_formula_is_kept_from_being_one(text) -> None:
    made = table("x", "X", pd.DataFrame({"title": [text, None, "a=b"]}))
    assert made.frame["title"].fillna("none").tolist() == [f"'{text}", "none", "a=b"]


def test_cells_are_plain_numbers() -> None:
    frame = pd.DataFrame({"captures": [1234567, 1], "share": [1.0, 0.5], "up": [np.nan, 0.25]})
    assert table("x", "X", frame).rows(9) == [["1234567", "1.000", ""], ["1", "0.500", "0.250"]]


def test_a_column_keeps_its_form_where_only_its_beginning_is_shown() -> None:
    frame = pd.DataFrame({"year": [2.0, 3.0], "share": [1.0, 0.123]})
    assert table("x", "X", frame).rows(1) == [["2", "1.000"]]


def test_times_are_in_iso_8601() -> None:
    made = table("x", "X", pd.DataFrame({"first": [TIME, pd.NaT]}))
    assert made.csv() == b'first\n2016-05-24T02:48:36Z\n""\n'
    assert made.rows(9) == [["2016-05-24 02:48:36"], [""]]


def test_headings_are_words() -> None:
    made = table("x", "X", pd.DataFrame({"content_share": [0.5], "site": ["a"]}))
    assert made.headings == ["content share", "site"]
    assert made.numeric == [True, False]


VALUES = 16
THRESHOLD = 0.75


def signature(*pieces: tuple[int, int]) -> list[int]:
    """(value, times) one after the other."""
    return [value for value, times in pieces for _ in range(times)]


def together(rows: list[list[int]], sites: list[int] | None = None) -> list[int]:
    """The number of each row's set, counted from 0 in the order of the rows."""
    found = component_numbers(
        np.array(rows, np.uint32), np.array(sites or [0] * len(rows)), THRESHOLD
    ).tolist()
    order = list(dict.fromkeys(found))
    return [order.index(number) for number in found]


def test_a_redesign_parts_what_was_together() -> None:
    old, new = signature((1, VALUES)), signature((2, VALUES))
    assert together([old, old, new, new]) == [0, 0, 1, 1]


def test_equal_pages_of_two_sites_stay_apart() -> None:
    page = signature((1, VALUES))
    assert together([page, page], [0, 1]) == [0, 1]


def test_small_changes_one_after_the_other_stay_one_template() -> None:
    steps = [signature((1, VALUES - n), (2, n)) for n in range(0, VALUES + 1, 2)]
    assert set(together(steps)) == {0}


def test_pages_that_share_a_bucket_by_chance_stay_apart() -> None:
    rows = bands_and_rows(THRESHOLD, VALUES)[1]
    assert rows < THRESHOLD * VALUES
    half = signature((1, rows), (2, VALUES - rows))
    assert together([signature((1, VALUES)), half]) == [0, 1]


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=VALUES, max_size=VALUES), min_size=1, max_size=9)
)
def test_what_hangs_together_is_similar_step_by_step(rows) -> None:
    numbers = together(rows)
    alike = np.array([[np.mean(np.equal(a, b)) >= THRESHOLD for b in rows] for a in rows])
    for number, row in zip(numbers, alike, strict=True):
        mates = [n for n, near in zip(numbers, row, strict=True) if near]
        assert numbers.count(number) == 1 or mates.count(number) > 1
