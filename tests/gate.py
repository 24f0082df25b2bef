"""What the gate of every change has of cases that are many: the first; the nightly gate has the others too."""

from collections.abc import Iterable
from typing import Any

import pytest

NIGHTLY_ON_SPARK = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]
ENGINES = ["none", pytest.param("local[2]", marks=NIGHTLY_ON_SPARK)]
"""Masters of runs."""


def first(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Return the values of a parameter, or of several as tuples; those behind the first `count` are nightly."""
    return [
        value
        if number < count
        else pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.nightly
        )
        for number, value in enumerate(values)
    ]
