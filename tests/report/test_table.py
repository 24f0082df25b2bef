"""A table reads the same on a page, in a CSV file and in a spreadsheet."""

import numpy as np
import pandas as pd
import pytest

from dbce.report.figures import table

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
