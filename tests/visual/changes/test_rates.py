"""How often pages change, from snapshots at irregular times."""

import numpy as np
import pytest

from dbce.visual.changes import rate


def test_at_regular_times_the_rate_is_that_of_cho_and_garcia_molina() -> None:
    years, changed = np.full(10, 0.5), np.arange(10) < 4
    assert rate(years, changed).likeliest == pytest.approx(-np.log(1 - 0.4) / 0.5)


def test_the_interval_holds_the_true_rate_nineteen_times_of_twenty() -> None:
    random = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        years = random.exponential(0.4, 40)
        found = rate(years, random.random(40) < -np.expm1(-1.5 * years))
        held += found.low <= 1.5 <= found.high
    assert 0.92 <= held / 300 <= 0.98


def test_without_a_change_the_rate_is_zero_with_an_upper_end() -> None:
    found = rate(np.array([1.0, 3.0]), np.array([False, False]))
    assert (found.likeliest, found.low) == (0, 0)
    assert found.high == pytest.approx(1.92 / 4)


def test_with_changes_alone_the_rate_has_a_lower_end_only() -> None:
    found = rate(np.array([1.0, 1.0]), np.array([True, True]))
    assert found.likeliest == found.high == np.inf
    assert 0 < found.low < 1
