"""The table of the thesis again, and what merging the crosses of all buckets adds."""

import json

import pytest

from dbce.model import Config
from scripts.experiments import merging
from tests.site import TOPICS, page, snapshots, stored, story

WAYS = [
    merging.DEFAULT,
    *(f"{name}, {by}" for name in merging.CLASSIFIERS for by in merging.MERGES),
]


@pytest.fixture
def folder(tmp_path):
    """A data set called "sites": a site in two years, two pages of it with gold."""
    own = tmp_path / "sites"
    own.mkdir()
    captures = [*snapshots(2015), *snapshots(2016), page("alone")]
    (own / "sites.warc.gz").write_bytes(stored(*captures))
    gold = [
        {"record_id": one.record_id, "gold_text": story(topic)}
        for one, topic in zip(captures[:2], TOPICS, strict=False)
    ]
    (own / "sites.gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    return tmp_path


def count(folder, **options):
    own = folder / "sites"
    return merging.count_words(
        own / "sites.warc.gz", own / "sites.gold.jsonl", Config(method="T002"), **options
    )


def test_all_ways_are_counted_on_the_same_words(folder):
    counts = count(folder)
    assert list(counts) == WAYS
    sizes = {sum(cells[cell] for cell in merging.CELLS) for cells in counts.values()}
    assert len(sizes) == 1
    content = {cells["tp"] + cells["fn"] + cells["invalid_con"] for cells in counts.values()}
    assert len(content) == 1
    assert min(content) >= sum(len(story(topic).split()) for topic in TOPICS[:2])
    assert all(counts[f"{name}, strongest"]["conflicts"] == 0 for name in merging.CLASSIFIERS)
