"""Boosted trees of scikit-learn as arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.trees import Trees, _rounded_down, arrays, check
from tests.boilerplate.classify.grown import FEATURES, grown


@pytest.fixture(scope="module")
def trees() -> Trees:
    return grown(1)[1]


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(width=32, allow_nan=False))
def test_a_rounded_threshold_parts_numbers_as_before(threshold, value):
    with np.errstate(over="ignore"):
        (rounded,) = _rounded_down(np.array([threshold]))
    assert (np.float32(value) <= rounded) == (np.float64(value) <= threshold)


def test_trees_that_were_grown_are_sound(trees):
    check(trees, FEATURES)


def first_inner(trees: Trees, column: str, value: float) -> Trees:
    """The trees with one thing changed at the first node that has children."""
    changed = getattr(trees, column).copy()
    changed[np.flatnonzero(trees.feature >= 0)[0]] = value
    return replace(trees, **{column: changed})


@pytest.mark.parametrize(
    "damage",
    [
        lambda t: first_inner(t, "feature", FEATURES),
        lambda t: first_inner(t, "left", 0),  # leads back: the walk would never end
        lambda t: first_inner(t, "right", 10_000),
        lambda t: first_inner(t, "left", -3),
        lambda t: first_inner(t, "threshold", np.nan),
        lambda t: replace(t, value=t.value[:-1]),
        lambda t: replace(t, threshold=t.threshold.astype(np.float64)),
        lambda t: replace(t, starts=t.starts[:-1]),
        lambda t: replace(t, starts=t.starts[::-1].copy()),
        lambda t: replace(t, starts=t.starts[:0]),
        lambda t: replace(t, baseline=np.zeros(0)),
        lambda t: replace(t, feature=np.int16(3)),
        lambda t: replace(t, **{n: v[:0] for n, v in arrays(t).items()}),
    ],
)
def test_trees_that_would_lead_astray_are_refused(trees, damage):
    with pytest.raises(ValueError, match="trees"):
        check(damage(trees), FEATURES)
