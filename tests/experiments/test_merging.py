"""The table of the thesis again, and what merging the crosses of all buckets adds."""

import pytest

from dbce.model import Config
from scripts.experiments import merging
from tests.experiments.build import write_set
from tests.site import TOPICS, page, snapshots, story

WAYS = [
    merging.DEFAULT,
    *(f"{name}, {by}" for name in merging.CLASSIFIERS for by in merging.MERGES),
]


@pytest.fixture
def paths(tmp_path):
    """An archive of a site in two years, and gold of two pages of it."""
    captures = [*snapshots(2015), *snapshots(2016), page("alone")]
    gold = [
        {"record_id": one.record_id, "gold_text": story(topic)}
        for one, topic in zip(captures[:2], TOPICS, strict=False)
    ]
    return write_set(tmp_path, captures, gold)


def test_all_ways_are_counted_on_the_same_words(paths):
    counts = merging.count_words(*paths, Config(method="T002"))
    assert list(counts) == WAYS
    sizes = {sum(cells[cell] for cell in merging.CELLS) for cells in counts.values()}
    assert len(sizes) == 1
    content = {cells["tp"] + cells["fn"] + cells["invalid_con"] for cells in counts.values()}
    assert len(content) == 1
    assert min(content) >= sum(len(story(topic).split()) for topic in TOPICS[:2])
    assert all(counts[f"{name}, strongest"]["conflicts"] == 0 for name in merging.CLASSIFIERS)
