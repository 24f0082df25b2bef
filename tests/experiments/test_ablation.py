"""What each kind of evidence is worth."""

import numpy as np
import pytest

from dbce.boilerplate.classify import NAME_SLOTS, PHRASE_SLOTS
from dbce.boilerplate.classify.features import feature_names
from dbce.boilerplate.classify.model import LEARNED, Weights, learned_features, score_lines
from dbce.model import CIRCLE, HISTORY, Annotation, Cross
from scripts.experiments.ablation import kinds, without_features, without_time

KINDS = kinds()


def test_every_kind_is_of_features_that_exist():
    known = {*feature_names(), *LEARNED}
    assert [kind for kind, names in KINDS.items() if not names or not set(names) <= known] == []
    assert [kind for kind, names in KINDS.items() if len(set(names)) != len(names)] == []


def test_every_feature_is_of_a_kind():
    its_own = [
        KINDS[kind] for kind in ("all of these", "other snapshots", "names", "phrases", "the page")
    ]
    together = [name for names in its_own for name in names]
    assert sorted(together) == sorted((*feature_names(), *LEARNED))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"names", "phrases"}])
def test_what_is_blanked_is_one_kind_and_nothing_else(examples, kind):
    weights = Weights(
        np.linspace(-1, 1, 2 * NAME_SLOTS, dtype=np.float32).reshape(2, NAME_SLOTS),
        np.ones(PHRASE_SLOTS, dtype=np.float32),
    )
    for one, other in zip(examples, without_features(examples, KINDS[kind]), strict=True):
        before, after = (
            score_lines(example.features, weights).rows(slice(None)) for example in (one, other)
        )
        gone = np.isin((*one.features.names, *LEARNED), KINDS[kind])
        assert np.isnan(after[:, gone]).all()
        np.testing.assert_array_equal(after[:, ~gone], before[:, ~gone])
        assert not np.isnan(one.features.matrix[:, ~gone[: -len(LEARNED)]]).all()


@pytest.mark.parametrize("kind", ["names", "phrases"])
def test_names_and_phrases_are_blanked_without_a_trace(examples, kind):
    weights = Weights(
        np.ones((2, NAME_SLOTS), dtype=np.float32), np.ones(PHRASE_SLOTS, dtype=np.float32)
    )
    columns = [LEARNED.index(name) for name in KINDS[kind]]
    for one, other in zip(examples, without_features(examples, KINDS[kind]), strict=True):
        before, after = (learned_features(example.features, weights)[0] for example in (one, other))
        assert before[:, columns].any()
        assert not np.nan_to_num(after[:, columns]).any()
        others = [column for column in range(len(LEARNED)) if column not in columns]
        np.testing.assert_array_equal(after[:, others], before[:, others])
        np.testing.assert_array_equal(one.features.matrix, other.features.matrix)


def test_without_time_only_snapshots_are_unknown():
    crosses = (
        Cross("cur", "a", "b", "c", "d", 0.9, 0.8),
        Cross("cur", "b", None, None, "d", 0.7, 0),
    )
    shared = {who: np.ones(2, dtype=np.bool_) for who in "abcd"}
    said = (np.zeros((1, len(kind)), dtype=np.float32) for kind in (CIRCLE, HISTORY))
    found = Annotation("cur", crosses, shared, *said)
    timeless = without_time(found)
    assert [cross.members for cross in timeless.crosses] == [
        ("cur", "a", "b", None, None),
        ("cur", "b", None, None, None),
    ]
    assert [cross.similarity_up for cross in timeless.crosses] == [0.9, 0.7]
    assert [cross.similarity_down for cross in timeless.crosses] == [0.8, 0]
    assert timeless.shared is found.shared
    assert timeless.circle is found.circle
    assert np.isnan(timeless.history).all()
