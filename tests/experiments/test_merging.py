"""What it is worth to ask more than one bucket."""

import json
import math
from importlib import import_module

import numpy as np
import pytest

from dbce.evaluate.scores import page_table, score_page
from dbce.model import CIRCLE, HISTORY, Annotation, Config, Cross
from scripts.experiments import merging, sets
from scripts.experiments.sets import open_archive
from tests.site import TOPICS, page, stored, story

PAGES = [page(topic) for topic in TOPICS]


@pytest.fixture
def folder(tmp_path):
    """A data set called "sites": four pages of a site, two of them with gold."""
    own = tmp_path / "sites"
    own.mkdir()
    (own / "sites.warc.gz").write_bytes(stored(*PAGES))
    gold = [
        {"record_id": one.record_id, "gold_text": story(topic)}
        for one, topic in zip(PAGES[:2], TOPICS, strict=False)
    ]
    (own / "sites.gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    return tmp_path


@pytest.fixture
def archive(folder):
    own = folder / "sites"
    return open_archive(own / "sites.warc.gz", own / "sites.gold.jsonl", Config())


def test_the_first_bucket_is_that_of_the_lowest_band_that_gives_a_cross(archive, monkeypatch):
    of_band = {0: "abcd", 1: "aabb", 2: "abab"}  # bucket of each page; in band 0 all are alone

    ids = [one.record_id for one in PAGES]

    def buckets(captures, threshold):
        pages = [ids.index(one.record_id) for one in captures]
        by_band = ([of_band[band][page] for page in pages] for band in sorted(of_band))
        of_key = [[n for n, key in enumerate(keys) if key == k] for keys in by_band for k in "abcd"]
        return [bucket for bucket in of_key if len(bucket) > 1]

    monkeypatch.setattr(import_module("dbce.boilerplate.compare"), "buckets", buckets)
    found = merging.first_bucket(archive, Config())
    ups = {cur: one.crosses[0].up for cur, one in found.items()}
    assert ups == {ids[0]: ids[1], ids[1]: ids[0], ids[2]: ids[3], ids[3]: ids[2]}
    assert all(len(one.crosses) == 1 for one in found.values())


def test_whoever_has_a_cross_has_one_of_a_first_bucket(archive):
    assert merging.first_bucket(archive, Config()).keys() == archive.annotations.keys()


def test_crosses_agree_differ_or_leave_words_open():
    crosses = (
        Cross("cur", "a", None, None, None, 0.9, 0),
        Cross("cur", "b", "c", None, "next", 0.8, 0.7),
    )
    shared = {  # words: on all pages; on a and next; on next; on none
        "a": [True, True, False, False],
        "b": [True, False, False, False],
        "c": [True, False, False, False],
        "next": [True, True, True, False],
    }
    masks = {who: np.array(words) for who, words in shared.items()}
    said = np.zeros((1, len(CIRCLE)), np.float32), np.zeros((1, len(HISTORY)), np.float32)
    of_one = merging.agreement([Annotation("cur", crosses, masks, *said)])
    assert of_one == merging.Agreement(crosses=2, apart=0.25, half_open=0.25)
    single = Annotation("cur", crosses[:1], masks, *said)
    of_both = merging.agreement([Annotation("cur", crosses, masks, *said), single])
    assert of_both == merging.Agreement(crosses=1.5, apart=0.125, half_open=0.125)


def test_crosses_of_snapshots_alone_do_not_count():
    alone = Cross("cur", None, None, "prev", None, 0, 0)
    said = np.full((1, len(CIRCLE)), np.nan), np.zeros((1, len(HISTORY)))
    found = Annotation(
        "cur", (alone,), {"prev": np.array([True])}, *(one.astype(np.float32) for one in said)
    )
    assert math.isnan(merging.agreement([found]).crosses)


def test_nothing_is_said_of_the_agreement_of_no_crosses():
    assert math.isnan(merging.agreement([]).apart)


def test_every_way_to_merge_has_a_row_and_those_that_were_learned_say_so():
    gold = " ".join("abcdefghij")
    f1 = {name: n + 5 for n, name in enumerate(merging.BESIDE)}
    scores = {name: page_table([score_page(gold, gold[: 2 * n])] * 2) for name, n in f1.items()}
    rows = merging.merging_rows(scores, held_out=False)
    assert [row[0] for row in rows] == [
        *("first bucket", "strongest cross (T002)", "majority"),
        *("joint, strongest cross only (not held out)", "joint, all crosses (not held out)"),
    ]
    gains = dict(zip(merging.BESIDE, (row[5] for row in rows), strict=True))
    assert gains[merging.FIRST] < 0 < gains[merging.MAJORITY]
    assert math.isnan(gains[merging.STRONGEST])
    assert gains[merging.JOINT_ALL] == pytest.approx(rows[4][2] - rows[3][2])
    held_out = merging.merging_rows(scores, held_out=True)
    assert [row[0] for row in held_out] == list(merging.BESIDE)


def test_the_command_prints_both_tables(folder, monkeypatch, capsys, tiny, tiny_file):
    monkeypatch.setattr(sets, "DATA", folder)
    monkeypatch.setattr(merging, "Config", lambda: Config(model=str(tiny_file)))
    monkeypatch.setattr(sets, "load_model", lambda path: tiny)
    merging.main()
    said = capsys.readouterr()
    rows = [line for line in said.out.splitlines() if line.startswith("| sites")]
    assert len(rows) == len(merging.BESIDE) + 1
    assert "flink left out" in said.err
