"""A main text as sentences, items, rows and lines of code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce import html
from dbce.formats import NO_LIMITS, content_of
from dbce.history.units import sentences, units_of
from dbce.model import key_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One went. Two came! Did three? Yes.", ["One went.", "Two came!", "Did three?", "Yes."]),
        ("He said “No.” She left.", ["He said “No.”", "She left."]),
        ("Dr. Brown met J. Smith, e.g. on Monday.", ["Dr. Brown met J. Smith, e.g. on Monday."]),
        ("Am 3. Mai begann es. Am 4. endete es.", ["Am 3. Mai begann es.", "Am 4. endete es."]),
        ("It runs on 1.17. Below is more.", ["It runs on 1.17.", "Below is more."]),
        ("All systems (Linux etc.). It runs.", ["All systems (Linux etc.).", "It runs."]),
        ("He paused ... and left. Then", ["He paused ... and left.", "Then"]),
        ("これは本です。あれも本です。", ["これは本です。", "あれも本です。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("", [""]),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, parts: list[str]) -> None:
    assert [part for part in sentences(text) if part or not text] == parts


@given(st.text(alphabet="aB1 .!?…。」\n\"')", max_size=80))
def test_sentences_are_the_text(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("hostile", ["." * 200_000, "a. " * 70_000, ".)" * 100_000, "。" * 200_000])
def test_a_hostile_text_is_cut_in_a_time_that_grows_with_it(hostile: str) -> None:
    assert sum(map(len, sentences(hostile))) <= len(hostile)


def test_what_templates_exchange_makes_no_difference() -> None:
    assert key_of("It’s “so” \u2013 or\u00a0not…") == key_of('It\'s "so" - or not...')
    assert key_of("Title¶") == key_of("Title")
    assert key_of("5") != key_of("-5")


PAGE = b"""<html><body><div>
<h2>Fares</h2><p>One is <b>W</b>ord. Two is more.</p>
<ul><li>A goat. If calm.</li><li>A cart</li></ul>
<table><tr><th>Day</th><th>Fare</th></tr><tr><td>Monday</td><td>5 pence</td></tr></table>
<pre>row()

  tie()</pre></div></body></html>"""


def test_structures_are_respected() -> None:
    document = html.load(PAGE, "text/html", NO_LIMITS)
    details = html.read_details(document.page, document.elements)
    every = range(len(document.page.nodes))
    units = list(units_of(content_of(document.page, every, details)))
    assert [(unit.kind, unit.text) for unit in units] == [
        ("heading", "Fares"),
        ("sentence", "One is Word."),
        ("sentence", "Two is more."),
        ("item", "A goat."),
        ("item", "If calm."),
        ("item", "A cart"),
        ("row", "Day | Fare"),
        ("row", "Monday | 5 pence"),
        ("code", "row()"),
        ("code", "  tie()"),
    ]
    assert {unit.section for unit in units[1:]} == {"Fares"}
