"""Methods and peers on the same pages."""

from __future__ import annotations

import json
import math

import pytest

from dbce.config import Config
from dbce.evaluate import __main__ as command
from dbce.evaluate import systems
from dbce.evaluate.words import page_table, score_page
from tests.site import TOPICS, page, stored, story


@pytest.fixture
def archive(tmp_path):
    """Four pages of a site, two of them with gold."""
    pages = [page(topic) for topic in TOPICS]
    (tmp_path / "x.warc.gz").write_bytes(stored(*pages))
    lines = [
        {"record_id": f"<{one.record_id}>", "gold_text": story(topic), "language": "en"}
        for one, topic in zip(pages[:2], TOPICS, strict=False)
    ]
    lines.append({"record_id": pages[2].record_id, "gold_text": ""})
    (tmp_path / "x.gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return systems.open_archive(tmp_path / "x.warc.gz", tmp_path / "x.gold.jsonl", Config())


def scores(*f1_of_ten: int):
    gold = " ".join("abcdefghij")
    return page_table([score_page(gold, " ".join("abcdefghij"[:n])) for n in f1_of_ten])


def test_pages_are_compared_once_for_all_methods(archive):
    assert (archive.judged, archive.with_up, archive.with_down) == (4, 1, 1)
    texts = systems.texts_of_method(archive, "T002", Config())
    assert story("ferry") in texts[archive.gold[0].page]
    assert len(texts) == 4


def test_pages_without_words_in_the_gold_are_not_scored(archive):
    table = systems.page_scores(archive, {archive.gold[0].page: story("ferry")})
    assert table["bag_f1"].tolist() == [1, 0]


def test_a_peer_reads_the_decoded_pages_that_have_gold(archive):
    seen = []

    def peer(html: str, language: str) -> str:
        seen.append((html, language))
        if "clocks0" in html:
            raise ValueError
        return "text"

    texts = systems.texts_of_peer(archive, peer)
    assert [texts[one.page] for one in archive.gold] == ["text", "", "text"]
    assert [language for _, language in seen] == ["en", "en", ""]
    assert seen[0][0].startswith("<html>")


def test_the_difference_is_paired_page_by_page():
    ours, theirs = scores(10, 10, 10), scores(10, 10, 0)
    mean, error = systems.difference(ours, theirs)
    assert (mean, error) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert systems.difference(ours, ours) == (0, 0)


def test_ours_is_not_compared_with_itself():
    table = systems.compared({"T002": scores(10, 10), "peer": scores(10, 0)}, "T002")
    assert math.isnan(table.loc["T002", "better"])
    assert table.loc["peer", "better"] == 0.5
    assert table.loc["peer", "bag_f1_mean"] == 0.5


def test_every_method_and_peer_has_a_row(archive, capsys):
    ours = f"{command.DEFAULT}, held out"
    peers = {"all text": lambda html, language: html}
    texts = {one.page: one.text for one in archive.gold}
    scores = command.score_systems(archive, ours, texts, peers)
    rows = command.score_rows(scores, ours)
    assert [row[0] for row in rows] == [*command.METHODS, ours, "all text"]
    assert all(len(row) == len(command.SCORES) - 1 for row in rows)
    assert scores[ours]["bag_f1"].eq(1).all()


def test_a_site_is_compared_with_the_best_peer_there(archive, monkeypatch):
    monkeypatch.setattr(command, "SITE_PAGES", 1)
    good, bad = (lambda html, language: html), (lambda html, language: "nothing of it")
    scores = command.score_systems(archive, "ours", {}, {"good": good, "bad": bad})
    for row in command.site_rows(archive, scores, "ours"):
        assert row[3] == "good"
        assert row[5] == pytest.approx(row[2] - row[4])
