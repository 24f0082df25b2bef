"""Whole sets are left out of training, and scored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.evaluate.gold import GoldText
from dbce.train.fit import TREES
from scripts.experiments import transfer
from scripts.experiments.transfer import TransferResult, alone, leave_out, split_off, transfer_row
from tests.training import HOSTS

if TYPE_CHECKING:
    from dbce.train.examples import Example

FEW = TREES | {"max_iter": 5}


def of(example: Example, source: str, site: str, url: str = "http://nowhere.invalid/") -> Example:
    return replace(example, source=source, site=site, url=url, record_id=f"{source} {site} {url}")


def learned(*examples: Example) -> list[str]:
    """The sites that may be learned from when "out" is left out."""
    return [e.site for e in split_off(examples, "out")[0]]


def test_a_site_of_the_set_left_out_is_not_learned_from_in_another_set(examples):
    one, *_ = examples
    assert learned(
        of(one, "out", "a", "http://a/"),
        of(one, "in", "a", "http://mirror/"),
        of(one, "in", "b", "http://b/"),
    ) == ["b"]


def test_pages_without_words_in_the_gold_are_scored_and_not_learned_from(examples):
    one, *_ = examples
    empty = [
        replace(of(one, source, source, f"http://{source}/"), gold="--") for source in ("out", "in")
    ]
    full = of(one, "in", "b", "http://b/")
    assert split_off([*empty, full], "out") == ([full], empty[:1])


@pytest.fixture
def two(examples) -> list[Example]:
    """Four sites in a set called "out", four in one called "in"."""
    first = set(HOSTS[:4])
    return [replace(e, source="out" if e.site in first else "in") for e in examples]


def test_neither_trees_nor_scales_come_from_the_set_left_out(two, tiny, monkeypatch):
    seen: dict[str, set[str]] = {}

    def fit(examples, *_):
        seen["fit"] = {e.source for e in examples}
        return tiny

    def held_out_votes(examples, folds, *_):
        seen["folds"] = {e.source for e in examples} | {str(folds)}
        return [np.zeros((len(e.share), 2)) for e in examples]

    def fit_scales(model, examples, found):
        seen["scaled"] = {e.source for e in examples}
        assert len(found) == len(examples)
        return model

    def add_second(model, examples, held, **_):
        seen["second"] = {e.source for e in examples}
        return model, held

    for function in (fit, held_out_votes, fit_scales, add_second):
        monkeypatch.setattr(transfer, function.__name__, function)
    found = leave_out(two, "out", 3)
    assert seen == {"fit": {"in"}, "folds": {"in", "3"}, "scaled": {"in"}, "second": {"in"}}
    assert found.learned == 16
    assert found.texts.keys() == {e.record_id for e in two if e.source == "out"}


GOLD = [
    GoldText("p", "a b c d", "one"),
    GoldText("q", "a b c d", "one"),
    GoldText("r", "a b c d", "two"),
    GoldText("s", "", "two"),
]
COMPARED = {"p": "a b c d", "q": "a b c d", "r": "a b w x", "s": "anything"}
FOUND = TransferResult(7, COMPARED, COMPARED | {"q": ""}, 0.125)
"""F1 1, 1, 1/2; of s nothing is said by bag F1, for its gold has no words."""


def test_a_row_has_means_by_page_and_by_site_beside_the_peer():
    row = transfer_row(GOLD, FOUND, {"p": "a b c d", "r": "a b c d"})
    ours, theirs = (1, 1, 0.5), (1, 0, 1)
    change = np.subtract(ours, theirs)
    assert row[:2] == [7, 3]
    assert row[2:5] == pytest.approx([np.mean(ours), np.std(ours, ddof=1) / 3**0.5, (1 + 0.5) / 2])
    assert row[5:7] == pytest.approx([2 / 3, (0.5 + 1) / 2])
    assert row[7:9] == pytest.approx([change.mean(), change.std(ddof=1) / 3**0.5])
    assert row[9] == 0.125
    assert len(row) == len(transfer.HEADER) - 1


def test_a_page_alone_has_no_evidence_of_others(examples):
    one, *_ = examples
    column = one.features.names.index("shared_by")
    assert not np.isnan(one.features.matrix[:, column]).all(), "it was compared"
    assert np.isnan(alone(one).matrix[:, column]).all()
