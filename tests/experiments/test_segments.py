"""Segments are looked for by their words, one after another."""

import json

import pytest

from dbce.evaluate.gold import Segments
from scripts.experiments import segments, sets
from scripts.experiments.segments import main, score
from tests.site import stored
from tests.training import HOSTS, labelled_pages, paragraphs

TEXT = "The ferry left at nine.\n渡船已经离开"


def test_a_segment_is_there_when_its_words_follow_each_other():
    found = score(Segments(("ferry LEFT", "left nine", "船已"), ("ferry", "tea")), TEXT)
    assert found.recall == pytest.approx(2 / 3)
    assert found.absent == pytest.approx(1 / 2)
    assert found.accuracy == pytest.approx(3 / 5)
    assert found.words == 11


def test_the_table_has_a_row_for_us(tmp_path, monkeypatch, capsys):
    """The archive of a set whose gold knows of the first paragraph and of the menu."""
    pages = [one for one, _ in labelled_pages(HOSTS[0])]
    folder = tmp_path / "recipes"
    folder.mkdir()
    (folder / "recipes.warc.gz").write_bytes(stored(*pages))
    rows = [
        {
            "record_id": one.record_id,
            "gold_text": None,
            "with": [paragraphs(HOSTS[0], one.url.rpartition("/")[2])[0]],
            "without": [f"Home of {HOSTS[0]}"],
        }
        for one in pages
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "recipes.gold.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sets, "DATA", tmp_path)
    monkeypatch.setattr(segments.peers, "installed_peers", dict)
    main(["--set", "recipes"])
    row = next(line for line in capsys.readouterr().out.splitlines() if "dbce" in line)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2:6] == [str(len(pages)), "1.000", "1.000", "1.000"]
