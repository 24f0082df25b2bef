"""Probabilities are those that SciPy gives, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from dbce.boilerplate.classify import trees

NUMBERS = st.floats(-40, 40) | st.floats() | st.floats(-760, -700)


@pytest.mark.parametrize("name", ["expit", "log_expit"])
@given(log_odds=st.lists(NUMBERS, max_size=50).map(np.array))
def test_log_odds_are_the_probabilities_that_scipy_gives(name, log_odds):
    np.testing.assert_array_equal(
        getattr(trees, name)(log_odds), getattr(special, name)(log_odds), strict=True
    )
