"""Structures of a page, and whether they come out whole."""

import math

import lxml.html
import pytest

from scripts.experiments.structures import KINDS, Structure, Tally, key, structures

PAGE = lxml.html.document_fromstring(
    "<title>The ferry sails - Harbour</title><body>"
    "<h1>The ferry sails</h1><h2>Timetable</h2><noscript><h2>Not for readers</h2></noscript>"
    "<table><tr><td>Harbour<td>at seven</tr><tr><td>Island<td>at eight</tr></table>"
    "<table><tr><td><p>one cell</tr></table>"
    "<ul><li>the first stop</li><li>the second stop</li></ul><ul><li>alone</li></ul>"
    "<p>A paragraph of some words.</p><blockquote><p>In a quotation.</p></blockquote>"
)


def test_each_structure_of_a_page_is_asked_for_once() -> None:
    assert list(structures(PAGE)) == [
        Structure("headline", ("theferrysails",)),
        Structure("heading", ("timetable",)),
        Structure("table", ("harbouratseven", "islandateight")),
        Structure("paragraph", ("onecell",)),
        Structure("list", ("thefirststop", "thesecondstop")),
        Structure("paragraph", ("aparagraphofsomewords",)),
        Structure("paragraph", ("inaquotation",)),
    ]


@pytest.mark.parametrize(
    ("text", "share"), [("The first stop\nThe second stop", 1), ("The first stop", 0.5), ("", 0)]
)
def test_of_a_list_each_item_counts(text: str, share: float) -> None:
    assert Structure("list", ("thefirststop", "thesecondstop")).share(key(text)) == share


def test_what_the_gold_has_is_whole_or_not_and_all_else_intrudes() -> None:
    tally = Tally()
    tally.count(Structure("headline", ("theferrysails",)), "", "theferrysails")
    for number in range(40):
        heading = Structure("heading", (f"heading{number:02}",))
        tally.count(heading, heading.keys[0] if number % 2 else "", "heading01 heading02 heading03")
    assert (tally.asked["headline"], tally.whole["headline"]) == (1, 1)
    assert (tally.asked["heading"], tally.whole["heading"]) == (20, 2)
    assert (tally.others["heading"], tally.intruding["heading"]) == (20, 1)
    assert all(math.isnan(share) for share in tally.shares()[: len(KINDS) + 1])
