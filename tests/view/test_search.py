"""Captures are found by what they say, when they were captured and how much confidence their verdicts have."""

import pytest

from dbce.archive import capture
from dbce.boilerplate.word_labels import RULES as DECIDING
from dbce.model import Config
from dbce.view.run import Run
from dbce.view.search import ROWS, RULES, read_search, search, split_at
from tests.site import stored
from tests.view.conftest import viewed
from tests.view.harbour import AD, SITE, TOPICS, YEARS, article

HOST = "harbour.example"
PAGES = (len(TOPICS) + 1) * len(YEARS)


def found(run: Run, **typed: str) -> list[dict[str, object]]:
    asked = read_search(typed, {HOST: PAGES})
    assert asked.errors == {}
    return search(run.tables, asked).rows


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ({}, PAGES),
        ({"words": HOST, "place": "host"}, PAGES),
        ({"words": HOST, "place": "title"}, 0),
        # Markup and SQL are words as any other.
        ({"words": "<script>", "place": "url"}, 2),
        ({"words": "' OR 1=1 --"}, 0),
        ({"words": "%"}, 0),
        # What is content is no boilerplate.
        ({"words": AD, "place": "text"}, 0),
        ({"words": "clocks7 is told", "place": "boilerplate"}, 0),
        # By a rule that decided a text, or words in a text that it decided.
        ({"rule": "joint"}, PAGES),
        ({"rule": "density"}, 0),
        ({"rule": "joint", "words": AD}, PAGES),
        ({"rule": "density", "words": AD}, 0),
        ({"rule": "joint", "words": "/clocks", "place": "url"}, 2),
    ],
)
def test_as_many_captures_are_found_as_fit(run, typed, number) -> None:
    assert len(found(run, **typed)) == number


@pytest.mark.parametrize(
    "asked", ["any CLOCKS in the", "url /clocks", "title clocks", "text clocks7 is told"]
)
def test_words_are_looked_for_where_it_is_said(run, asked) -> None:
    place, _, words = asked.partition(" ")
    assert [row["url"] for row in found(run, words=words, place=place)] == [f"{SITE}/clocks"] * 2


ELECTIONS = {
    "a": ("Selections", "A selection of ropes, and one more selection of ropes for the ferry."),
    "b": ("Harbour", "A selection of candidates stood at the election of the harbour master."),
    "c": ("The election", "Four people voted, and a goat looked on from the pier all day."),
}


def test_whole_words_come_before_parts_of_words_and_those_in_a_title_first(tmp_path) -> None:
    shown = "<title>{0}</title><h1>{0}</h1><p>{1}</p>".format
    pages = [capture(f"{SITE}/{n}", shown(*said), "20140101") for n, said in ELECTIONS.items()]
    with viewed(tmp_path, stored(*pages), Config()) as run:
        rows = found(run, words="Election")
        assert [row["url"] for row in rows] == [f"{SITE}/{name}" for name in "cba"]
        assert "election of" in rows[1]["hit"]["text"]
        assert "".join(r["url"][-1] for r in found(run, words="election", sort="url")) == "abc"


@pytest.mark.parametrize(
    ("since", "until", "years"),
    [
        ("", "2013", {2013}),
        ("2014", "", {2015}),
        ("2013", "2015-06", {*YEARS}),
        ("2014", "2014", set()),
    ],
)
def test_the_end_of_a_span_belongs_to_it(run, since, until, years) -> None:
    assert {row["fetch_time"].year for row in found(run, since=since, until=until)} == years


def test_the_least_confidence_comes_first(run) -> None:
    confidence = [row["confidence"] for row in found(run, sort="confidence")]
    assert confidence == sorted(confidence)


@pytest.mark.parametrize("sort", ["disagreement", "change"])
def test_what_is_worked_out_comes_largest_first_and_unknown_last(run, sort) -> None:
    values = [row[sort] for row in found(run, sort=sort)]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True)
    assert values[: len(known)] == known
    assert all(0 <= value <= 1 for value in known)


def test_change_is_that_since_the_snapshot_before(run) -> None:
    latest, first = found(run, sort="change", words="/ferry", place="url")
    assert latest["fetch_time"].year == 2015
    assert 0 < latest["change"] < 0.5
    assert first["change"] is None


@pytest.mark.parametrize(
    "typed",
    [
        {"site": "elsewhere", "sort": "no", "since": "yesterday", "page": "-1", "words": "x" * 501},
        *({"least": share, "most": share} for share in ("101", "-1", "0.5", "much", "²")),
    ],
)
def test_what_makes_no_sense_is_said_at_its_field_and_not_asked(typed) -> None:
    asked = read_search(typed, {HOST: 1})
    assert asked.errors.keys() == typed.keys()
    assert asked.query_fields() == {}


def test_a_page_behind_the_last_is_the_last(run) -> None:
    results = search(run.tables, read_search({"page": "99"}, {}))
    assert (results.first, results.last, results.total) == (1, PAGES, PAGES)
    assert ROWS > PAGES


@pytest.mark.parametrize("place", ["any", "both", "boilerplate"])
def test_what_is_found_is_told_with_its_label(run, place) -> None:
    hits = [row["hit"] for row in found(run, words="HERRING at Petersen", place=place)]
    assert [(hit["label"], hit["text"]) for hit in hits] == [("boilerplate", AD)] * PAGES
    story = found(run, words="clocks7 is told", place="both")
    assert [row["hit"]["label"] for row in story] == ["content"] * 2


def test_words_are_found_that_a_link_parts(tmp_path) -> None:
    ad = "<p>Fresh herring at <a href='/p'>Petersen</a>, every morning</p>"
    pages = [capture(f"{SITE}/{one}", article(one, 2013, ad), "20130601000000") for one in TOPICS]
    with viewed(tmp_path, stored(*pages), Config(method="T002")) as run:
        for place in ("any", "both", "boilerplate"):
            rows = found(run, words="herring at petersen, every", place=place)
            assert len(rows) == len(TOPICS)
            assert "herring" in rows[0]["hit"]["text"]
        assert found(run, words="petersen herring", place="both") == []


def test_captures_are_found_by_the_confidence_of_their_verdicts(run) -> None:
    confidence = sorted(row["confidence"] for row in found(run))
    middle = round(100 * (confidence[0] + confidence[-1]) / 2)
    low, high = found(run, most=str(middle)), found(run, least=f"{middle} %")
    assert max(row["confidence"] for row in low) <= middle / 100
    assert min(row["confidence"] for row in high) >= middle / 100


def test_every_rule_can_be_asked_for_and_its_texts_are_counted(run) -> None:
    assert sorted(RULES) == sorted(DECIDING)
    assert all(row["hits"] > 1 for row in found(run, rule="joint"))


@pytest.mark.parametrize(
    ("text", "words", "parts"),
    [
        ("Fresh Herring here", "herring", ("Fresh ", "Herring", " here")),
        ("no such", "word", ("no such", "", "")),
        ("A selection, an election.", "Election", ("A selection, an ", "election", ".")),
        ("A selection", "election", ("A s", "election", "")),
        ("x" * 100 + "ad" + "y" * 100, "ad", ("…" + "x" * 90, "ad", "y" * 90 + "…")),
        ("z" * 200, "", ("z" * 180 + "…", "", "")),
    ],
)
def test_a_snippet_shows_what_stands_around(text, words, parts) -> None:
    assert split_at(text, words) == parts
