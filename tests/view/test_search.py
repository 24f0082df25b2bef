"""Captures are found by what they say, when they were captured and how sure they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbce.view.search import ROWS, read_search, search
from tests.view.harbour import SITE, TOPICS, YEARS

if TYPE_CHECKING:
    from dbce.view.run import Run

HOST = "harbour.example"
PAGES = (len(TOPICS) + 1) * len(YEARS)


def found(run: Run, **typed: str) -> list[dict[str, object]]:
    asked = read_search(typed, {HOST: PAGES})
    assert asked.errors == {}
    return search(run.tables, asked).rows


def test_all_judged_captures_are_found_without_a_word(run: Run) -> None:
    assert len(found(run)) == PAGES


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("any", "CLOCKS in the"),
        ("url", "/clocks"),
        ("title", "clocks"),
        ("text", "clocks7 is told"),
    ],
)
def test_words_are_looked_for_where_it_is_said(run: Run, place: str, words: str) -> None:
    rows = found(run, words=words, place=place)
    assert [row["url"] for row in rows] == [f"{SITE}/clocks"] * 2


def test_a_host_is_no_title(run: Run) -> None:
    assert len(found(run, words=HOST, place="host")) == PAGES
    assert found(run, words=HOST, place="title") == []


def test_markup_and_sql_are_words_as_any_other(run: Run) -> None:
    assert len(found(run, words="<script>", place="url")) == 2
    assert found(run, words="' OR 1=1 --") == []
    assert found(run, words="%") == []


@pytest.mark.parametrize(
    ("since", "until", "years"),
    [
        ("", "2013", {2013}),
        ("2014", "", {2015}),
        ("2013", "2015-06", {2013, 2015}),
        ("2014", "2014", set()),
    ],
)
def test_the_end_of_a_span_belongs_to_it(run: Run, since: str, until: str, years: set[int]) -> None:
    assert {row["fetch_time"].year for row in found(run, since=since, until=until)} == years  # type: ignore[attr-defined]


def test_the_least_sure_come_first(run: Run) -> None:
    sure = [row["confidence"] for row in found(run, sort="sure")]
    assert sure == sorted(sure)  # type: ignore[type-var]


@pytest.mark.parametrize("sort", ["disagreement", "change"])
def test_what_is_worked_out_comes_largest_first_and_unknown_last(run: Run, sort: str) -> None:
    values = [row[sort] for row in found(run, sort=sort)]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True)  # type: ignore[type-var]
    assert values[: len(known)] == known
    assert all(0 <= value <= 1 for value in known)  # type: ignore[operator]


def test_change_is_that_since_the_snapshot_before(run: Run) -> None:
    rows = found(run, sort="change", words="/ferry", place="url")
    latest, first = rows
    assert latest["fetch_time"].year == 2015  # type: ignore[attr-defined]
    assert 0 < latest["change"] < 0.5  # type: ignore[operator]
    assert first["change"] is None


def test_what_makes_no_sense_is_said_at_its_field_and_not_asked() -> None:
    typed = {
        "site": "elsewhere",
        "sort": "no",
        "since": "yesterday",
        "page": "-1",
        "words": "x" * 501,
    }
    asked = read_search(typed, {HOST: 1})
    assert asked.errors.keys() == typed.keys()
    assert asked.typed() == {}


def test_a_page_behind_the_last_is_the_last(run: Run) -> None:
    results = search(run.tables, read_search({"page": "99"}, {}))
    assert (results.first, results.last, results.total) == (1, PAGES, PAGES)
    assert ROWS > PAGES
