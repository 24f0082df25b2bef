"""The fast way beside the thesis to the letter."""

from __future__ import annotations

from dbce.model import Cross
from scripts.experiments.oracle import CLASSIFIERS, _cause, compare
from tests.site import snapshots


def test_words_of_another_label_are_counted_by_their_cause():
    found = compare([*snapshots(2015), *snapshots(2016)])
    assert sum(found.words.values()) > 0
    assert {cause for cause in found.words if cause.startswith("same bits")}
    for name in ("T001", "T002"):  # equal bits, equal patterns
        assert found.others["same bits"][name] == 0
    assert all(found.others[cause].keys() == set(CLASSIFIERS) for cause in found.words)


def test_the_first_member_that_differs_is_the_cause():
    cross = Cross("cur", "a", "b", None, None, 0.9, 0.8)
    others = {
        "": cross,
        "up: a less similar one": Cross("cur", "c", "b", None, None, 0.7, 0.7),
        "up: an equally similar one": Cross("cur", "b", "a", None, None, 0.9, 0.8),
        "down: one less in the fast way": Cross("cur", "a", None, None, None, 0.9, 0.0),
        "prev: one more in the fast way": Cross("cur", "a", "b", "d", None, 0.9, 0.8),
    }
    assert {cause: _cause(cross, other) for cause, other in others.items()} == {
        cause: cause for cause in others
    }
