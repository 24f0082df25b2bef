"""The sample's gold, held against its pages as they are read back."""

import re
from collections import Counter, defaultdict
from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import load, xpaths
from dbce.model import Capture, Label, Limits, Reject
from scripts.sample.gold import tile
from scripts.sample.marks import END, RUN, unmarked

Rows = list[dict[str, Any]]


def test_every_page_with_content_has_gold(entries: list[Capture | Reject], pages: Rows) -> None:
    """Without are the page with an empty body, the record's second copy, and the page cut short."""
    captured = Counter(e.record_id for e in entries if isinstance(e, Capture))
    gold = Counter(page["record_id"] for page in pages)
    assert set(gold.values()) == {1}
    assert len(captured - gold) == 3
    assert not gold - captured


def test_runs_tile_the_text_nodes_of_their_page(entries, runs):
    """Found at their XPath and offsets, in the page decoded from its archived bytes."""
    captured = {e.record_id: e for e in entries if isinstance(e, Capture)}
    for record_id, of_page in groupby(runs, key=lambda run: run["record_id"]):
        capture = captured[record_id]
        page = load(capture.payload, capture.content_type, Limits()).page
        expected = dict(zip(xpaths(page), (node.text for node in page.nodes), strict=True))
        tiled: dict[str, int] = defaultdict(int)
        for run in of_page:
            text = expected[run["xpath"]]
            assert run["start"] == tiled[run["xpath"]]
            assert " ".join(text[run["start"] : run["end"]].split()) == run["text"]
            tiled[run["xpath"]] = run["end"]
        assert tiled == {xpath: len(text) for xpath, text in expected.items()}


def test_gold_text_is_the_content_of_the_runs(pages: Rows, runs: Rows) -> None:
    content = defaultdict(list)
    for run in runs:
        if run["label"] == "content":
            content[run["record_id"]].append(run["text"])
    for page in pages:
        assert _letters(page["gold_text"]) == _letters(" ".join(content[page["record_id"]]))


def _letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_neighbouring_runs_differ(runs: Rows) -> None:
    for before, run in pairwise(runs):
        if before["record_id"] == run["record_id"] and before["xpath"] == run["xpath"]:
            assert before["label"] != run["label"]


def test_some_text_nodes_are_content_only_in_part(runs: Rows) -> None:
    shared = Counter(run["site"] for run in runs if run["start"] > 0)
    assert set(shared) == {"uferbote.example", "kuchniapodlipa.example"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Gerberbrücke bleibt bis zum Herbst gesperrt", "content"),
        ("Umleitung über den Holzmarkt", "content"),
        ("sól i pieprz do smaku", "content"),
        ("Ciasto", "content"),
        ("Składniki", "boilerplate"),
        ("Meistgelesen", "boilerplate"),
        ("Vier Wochen Probe lesen", "boilerplate"),
        ("Frau Frenz hat recht", "boilerplate"),
        ("Przepis został zapisany", "boilerplate"),
        ("by", "boilerplate"),
        ("Besucher seit 2009: 4.318", "boilerplate"),
    ],
)
def test_labels_follow_the_convention(runs: Rows, text: str, label: str) -> None:
    """A headline is boilerplate where another page's teaser or breadcrumb repeats it."""
    labels = {
        run["label"]
        for run in runs
        if text == run["text"] or (len(text) > 15 and text in run["text"])
    }
    assert label in labels
    assert label == "content" or labels == {"boilerplate"}


def test_ingredients_recur_on_many_pages(runs: Rows) -> None:
    where = defaultdict(set)
    for run in runs:
        if run["site"] == "kuchniapodlipa.example" and run["label"] == "content":
            where[run["text"]].add(run["url"])
    assert sum(len(urls) >= 2 for urls in where.values()) >= 15
    assert max(len(urls) for urls in where.values()) >= 5


def test_comments_grow_and_footers_change(runs: Rows) -> None:
    counts = [run["text"] for run in runs if re.fullmatch(r"\d Kommentare", run["text"])]
    assert len(set(counts)) >= 4
    years = {run["text"] for run in runs if "Uferbote Verlag" in run["text"]}
    assert len(years) >= 4


def test_essays_are_corrected_between_snapshots(pages: Rows) -> None:
    ferry = [page["gold_text"] for page in pages if page["url"].endswith("hand-ferry.html")]
    assert "apparratus" in ferry[0]
    assert "apparratus" not in ferry[-1]
    assert len(set(ferry)) == 3


def test_every_site_has_its_own_language(pages: Rows) -> None:
    languages = {"german": {"und", "nicht"}, "polish": {"się", "oraz"}, "english": {"the", "and"}}
    own = {"uferbote.example": "german", "turmuhr.example": "german"}
    own |= {"kuchniapodlipa.example": "polish", "lanternandledger.example": "english"}
    for page in pages:
        words = set(page["gold_text"].lower().split())
        spoken = {language for language, signs in languages.items() if words & signs}
        assert spoken <= {own[page["site"]]}


def test_prose_is_long_enough_to_be_read(pages: Rows) -> None:
    for page in pages:
        if re.search(r"/(lokales|kultur|wirtschaft|wissen|essays|przepis)/", page["url"]):
            assert 120 <= len(page["gold_text"].split()) <= 500


def test_white_space_between_runs_belongs_to_the_one_before() -> None:
    runs = tile(f" \n{RUN}Der Steg.{END} Foto: Archiv", "x")
    assert [(run.start, run.end, run.label) for run in runs] == [
        (0, 11, Label.CONTENT),
        (11, 24, Label.BOILERPLATE),
    ]
    whole = tile(f"{RUN}Ein Satz.{END} ", "x")
    assert [(run.start, run.end) for run in whole] == [(0, 10)]


@given(st.lists(st.tuples(st.booleans(), st.text(" \nab", min_size=1, max_size=4)), min_size=1))
def test_runs_tile_any_node(pieces: list[tuple[bool, str]]) -> None:
    marked = "".join(f"{RUN}{text}{END}" if content else text for content, text in pieces)
    runs = tile(marked, "x")
    assert "".join(run.text for run in runs) == unmarked(marked)
    assert [run.start for run in runs] == [0, *(run.end for run in runs[:-1])]
    assert all(a.label != b.label for a, b in pairwise(runs))
