"""The sample's gold, held against its pages as they are read back."""

import re
from collections import Counter, defaultdict
from itertools import groupby, pairwise
from typing import Any

import pytest

from dbce.html import load, xpaths
from dbce.model import Capture, Limits, Reject

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
