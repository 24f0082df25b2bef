"""All systems on a set: tables over pages, sites, languages and snapshots."""

import json

import pandas as pd
import pytest

from dbce.model import Config
from scripts.experiments import peers, scoreboard, sets
from scripts.experiments.scoreboard import ORACLE, rows_by_group, score_rows, site_rows
from scripts.experiments.sets import open_archive
from scripts.experiments.systems import page_scores
from tests.experiments.build import write_set
from tests.site import TOPICS, page, story

OURS = "joint, held out"


@pytest.fixture
def folder(tmp_path):
    """A data set called "wcxb": three captures of one page, one each of three; the last has no text."""
    ferry = [page("ferry", f"{year}0101000000") for year in (2013, 2014, 2015)]
    pages = [*ferry, *map(page, TOPICS[1:])]
    lines = [
        {
            "record_id": one.record_id,
            "url": one.url,
            "gold_text": story(one.url.rpartition("/")[2]),
            "site": "harbour.example" if one.url.endswith("ferry") else "mill.example",
            "language": "en" if one.url.endswith("ferry") else "fi",
            "kind": "forum" if one.url.endswith("maps") else "article",
        }
        for one in pages
    ]
    lines[-1]["gold_text"] = ""
    write_set(tmp_path / "wcxb", pages, lines)
    return tmp_path


@pytest.fixture
def archive(folder):
    own = folder / "wcxb"
    return open_archive(own / "wcxb.warc.gz", own / "wcxb.gold.jsonl", Config())


def f1(*values: float, sites: str) -> pd.DataFrame:
    """The scores of pages p0, p1 ... of sites with names of one letter."""
    index = [f"p{n}" for n in range(len(values))]
    return pd.DataFrame({"bag_f1": values, "group": list(sites)}, index=index)


def test_every_method_and_peer_has_a_row_and_the_oracle_the_last(archive):
    held_out = {one.page: one.text for one in archive.gold if one.text}
    others = {"all text": lambda html, language: html}
    texts = scoreboard.texts_of_systems(archive, OURS, held_out, others)
    scores = {name: page_scores(archive.gold, of) for name, of in texts.items()}
    rows = score_rows(scores, OURS)
    assert [row[0] for row in rows] == [*scoreboard.METHODS, OURS, "all text", ORACLE]
    assert all(len(row) == len(scoreboard.SCORE_HEADER) - 1 for row in rows)
    assert scores[OURS]["bag_f1"].eq(1).all()
    assert scores[ORACLE]["bag_f1"].eq(1).all()


def test_pages_that_nothing_is_learned_from_are_judged_by_the_model_of_the_package(archive):
    wordless = archive.gold[-1].page
    held_out = {one.page: "held out" for one in archive.gold if one.text}
    texts = scoreboard.texts_of_systems(archive, OURS, held_out, {})
    alone = scoreboard.texts_of_systems(archive, "joint", {}, {})
    assert texts[OURS] == held_out | {wordless: alone["joint"][wordless]}
    assert story("maps") in texts[OURS][wordless], "an empty answer would count as right"


def test_a_site_is_compared_with_the_best_peer_there(monkeypatch):
    monkeypatch.setattr(scoreboard, "GROUP_PAGES", 2)
    scores = {
        "ours": f1(0.9, 0.7, 0.5, 0.3, 1.0, sites="aabbc"),
        "T002": f1(1.0, 1.0, 1.0, 1.0, 1.0, sites="aabbc"),
        "good at a": f1(0.8, 0.6, 0.2, 0.2, 0.0, sites="aabbc"),
        "good at b": f1(0.1, 0.1, 0.6, 0.4, 0.0, sites="aabbc"),
        ORACLE: f1(1.0, 1.0, 0.9, 0.7, 1.0, sites="aabbc"),
    }
    assert site_rows(scores, "ours") == [
        ["a", 2, *map(pytest.approx, (0.8,)), "good at a", *map(pytest.approx, (0.7, 0.1, 1.0))],
        ["b", 2, *map(pytest.approx, (0.4,)), "good at b", *map(pytest.approx, (0.5, -0.1, 0.8))],
    ]


def test_languages_and_urls_with_history_stand_apart(archive, monkeypatch):
    monkeypatch.setattr(scoreboard, "GROUP_PAGES", 1)
    texts = {one.page: one.text for one in archive.gold[:4]}
    scores = {name: page_scores(archive.gold, texts) for name in ("ours", "T002", ORACLE)}
    assert [row[:4] for row in rows_by_group(archive, scores, "ours")] == [
        ["language", "en", 3, 1.0],
        ["language", "fi", 2, 0.5],
        ["captures of the URL", "3 or more", 3, 1.0],
        ["captures of the URL", "fewer than 3", 2, 0.5],
    ]


def test_the_command_prints_all_tables(folder, tmp_path, monkeypatch, capsys, archive):
    monkeypatch.setattr(sets, "DATA", folder)
    monkeypatch.setattr(scoreboard, "GROUP_PAGES", 2)
    monkeypatch.setattr(peers, "installed_peers", lambda: {"nothing": lambda html, language: ""})
    rows = [{"record_id": one.page, "text": one.text} for one in archive.gold if one.text]
    (tmp_path / "texts").write_text("\n".join(map(json.dumps, rows)))
    scoreboard.main(["--set", "wcxb", "--held-out", str(tmp_path / "texts")])
    out, err = capsys.readouterr()
    for title in ("By site:", "By kind, language and snapshots:", "WCXB by its own measure"):
        assert title in out
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()]
    (own,) = [row for row in cells if row[:1] == [OURS]]
    # Five pages as the gold has them; of the sixth the gold has nothing and we find its story.
    assert own == [OURS, "0.833", "1.000", *["n/a"] * 2, "0.000", *["n/a"] * 3]
    (nothing,) = [row for row in cells if row[:1] == ["nothing"]]
    assert nothing[1:3] == ["0.167", "0.000"], "two empty texts are the same"
    assert "rs-trafilatura (published)" in out
    assert "flink" not in err
