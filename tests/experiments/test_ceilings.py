"""Limits of decisions, and structures that come out in part."""

import pytest

from dbce import html
from dbce.model import Config
from scripts.experiments.ceilings import cause, levels, line_structures, lost_headings
from scripts.experiments.structures import Structure

PAGE = html.load(
    b"<h1>Ferries</h1><h2><b>At</b> seven</h2><p>One goat<br>pays</p><h3>Goats</h3><h2>At eight</h2><p>None",
    "text/html",
    Config().limits,
).page


@pytest.mark.parametrize(
    ("wanted", "kept", "told"),
    [
        ({1, 2}, {1, 2}, []),
        ({1, 2}, {2}, [True]),
        ({1, 4}, set(), [True, False]),
        ({1, 6}, {6}, [False]),
        ({0, 6}, {6}, [True]),
        ({2}, set(), []),
    ],
)
def test_of_a_heading_that_is_lost_it_is_told_whether_the_gold_has_its_section(
    wanted: set[int], kept: set[int], told: list[bool]
) -> None:
    assert list(lost_headings(levels(PAGE), wanted, kept)) == told


def test_structures_of_a_page_have_their_kinds_and_lines() -> None:
    page = html.load(
        b"<table><tr><td>Home<br>News<br>Sea<td>A text</table><dl><dt>Hull<dd>oak</dl><h2>On</h2>"
        b"<div class='my-warning'><p>Mind<p>it sinks</div><pre><div>a</div><div>b</div></pre>",
        "text/html",
        Config().limits,
    ).page
    found = [("dl", (4, 5)), ("notice", (7, 8)), ("code", (9, 10)), ("heading", (6, 7))]
    assert list(line_structures(page)) == found


BETWEEN = "x" * 60
LINES = ["firststop", "1", "secondstop", BETWEEN, "firststop", BETWEEN, "thirdstop", "secondstop"]


@pytest.mark.parametrize(
    ("keys", "kept", "told"),
    [
        (("firststop", "secondstop"), {4}, "elsewhere"),
        (("firststop", "secondstop"), {0}, "part"),
        (("firststop", "secondstop"), {0, 1, 2}, "whole"),
        (("firststop", "fourthstop"), {0}, "not found"),
        (("secondstop", "thirdstop"), {2, 6}, "not found"),
        (("thirdstop", "secondstop"), {7}, "part"),
        (("firststopse",), {0, 2}, "not found"),
        (("firststop1second",), {0, 2}, "part"),
    ],
)
def test_a_structure_in_part_is_told_by_the_lines_that_have_it(
    keys: tuple[str, ...], kept: set[int], told: str
) -> None:
    assert cause(Structure("list", keys), LINES, kept) == told
