"""Labelled pages become examples."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.archive import capture
from dbce.config import Config
from dbce.errors import UsageError
from dbce.train.examples import MOST_WORDS, Example, read_examples
from tests.site import page, stored
from tests.training import HOSTS, labelled_pages, paragraphs, write_gold, write_labelled

if TYPE_CHECKING:
    from pathlib import Path


def read(archive: Path, gold: Path, weight: float = 1.0) -> tuple[list[Example], list[str]]:
    """The examples, and what was said meanwhile."""
    said: list[str] = []
    return read_examples(str(archive), str(gold), Config(), weight, said.append), said


@pytest.fixture(scope="module")
def two(tmp_path_factory) -> tuple[Path, Path]:
    return write_labelled(tmp_path_factory.mktemp("two"), "two.sites", HOSTS[:2])


def test_every_labelled_page_is_an_example(two):
    examples, said = read(*two)
    expected = [one for host in HOSTS[:2] for one, _ in labelled_pages(host)]
    assert [example.record_id for example in examples] == [one.record_id for one in expected]
    assert [example.url for example in examples] == [one.url for one in expected]
    assert {example.site for example in examples} == set(HOSTS[:2])
    assert {example.source for example in examples} == {"two"}
    assert said == []


def test_a_line_has_the_share_that_the_gold_has(two):
    (example, *_), _ = read(*two)
    assert example.share.tolist() == [0, 0, 0, 1, 1, 1, 1, 0]
    kept = [t for t, s in zip(example.features.lines.texts, example.share, strict=True) if s]
    assert kept[1:] == list(paragraphs(HOSTS[0], "ferry"))


def test_a_longer_line_weighs_more_and_a_page_as_told(two):
    (one, *_), _ = read(*two)
    (other, *_), _ = read(*two, weight=0.25)
    assert one.weight[0] == pytest.approx(3**0.5 + 0, abs=0.5)
    assert one.weight.max() <= MOST_WORDS**0.5
    np.testing.assert_allclose(other.weight, one.weight / 4)


def test_pages_without_gold_are_neighbours_only(two, tmp_path):
    first = labelled_pages(HOSTS[0])[0]
    gold = write_gold(tmp_path / "gold.jsonl", [first])
    (example,), _ = read(two[0], gold)
    assert not example.alone
    alone = tmp_path / "alone.warc.gz"
    alone.write_bytes(stored(first[0]))
    (example,), _ = read(alone, gold)
    assert example.alone


def test_gold_of_pages_that_are_not_there_is_told(two, tmp_path):
    pages = labelled_pages(HOSTS[0])
    gold = write_gold(tmp_path / "gold.jsonl", [*pages, (page("unknown"), "A text.")])
    examples, said = read(two[0], gold)
    assert len(examples) == len(pages)
    assert said == [f"{gold} has 1 pages that {two[0]} does not have with text"]


def test_gold_that_knows_no_page_is_an_error(two, tmp_path):
    gold = write_gold(tmp_path / "gold.jsonl", [(page("unknown"), "A text.")])
    with pytest.raises(UsageError, match="has text for no page of"):
        read(two[0], gold)


def test_pages_without_text_and_gold_without_words_are_passed_over(tmp_path):
    empty = page("empty", html="<html><body></body></html>")
    first, second, *_ = labelled_pages(HOSTS[0])
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(stored(empty, first[0], second[0]))
    gold = write_gold(tmp_path / "g.jsonl", [(empty, "Something"), first, (second[0], " -- ")])
    examples, _ = read(archive, gold)
    assert [example.url for example in examples] == [first[0].url]


def test_gold_by_url_is_of_the_first_snapshot(tmp_path):
    early, late = (capture("http://a.example/", f"<p>{at}", at) for at in ("2014", "2015"))
    archive, gold = tmp_path / "a.warc.gz", tmp_path / "g.jsonl"
    archive.write_bytes(stored(early, late))
    gold.write_text(json.dumps({"url": early.url, "gold_text": "2014"}))
    examples, _ = read(archive, gold)
    assert [example.record_id for example in examples] == [early.record_id]


def test_a_record_that_is_stored_twice_is_one_example(tmp_path):
    first = labelled_pages(HOSTS[0])[0]
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(stored(first[0], first[0]))
    assert len(read(archive, write_gold(tmp_path / "g.jsonl", [first]))[0]) == 1


@pytest.mark.parametrize(
    ("named", "site"), [({}, "paper.example"), ({"site": "www.x.example"}, "x.example")]
)
def test_a_site_has_one_name_however_its_gold_writes_it(tmp_path, named, site):
    one = capture("http://www.paper.example/", "<p>Text", "2016")
    archive, gold = tmp_path / "a.warc.gz", tmp_path / "g.jsonl"
    archive.write_bytes(stored(one))
    gold.write_text(json.dumps({"url": one.url, "gold_text": "Text"} | named))
    assert read(archive, gold)[0][0].site == site
