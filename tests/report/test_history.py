"""Captures hang together where they are similar, and nowhere else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.signature import bands_and_rows
from dbce.report.measures import component_numbers

VALUES = 16
THRESHOLD = 0.75


def signature(*pieces: tuple[int, int]) -> list[int]:
    """(value, times) one after the other."""
    return [value for value, times in pieces for _ in range(times)]


def together(rows: list[list[int]], sites: list[int] | None = None) -> list[int]:
    """The number of each row's set, counted from 0 in the order of the rows."""
    found = component_numbers(
        np.array(rows, np.uint32), np.array(sites or [0] * len(rows)), THRESHOLD
    ).tolist()
    order = list(dict.fromkeys(found))
    return [order.index(number) for number in found]


def test_a_redesign_parts_what_was_together() -> None:
    old, new = signature((1, VALUES)), signature((2, VALUES))
    assert together([old, old, new, new]) == [0, 0, 1, 1]


def test_equal_pages_of_two_sites_stay_apart() -> None:
    page = signature((1, VALUES))
    assert together([page, page], [0, 1]) == [0, 1]


def test_small_changes_one_after_the_other_stay_one_template() -> None:
    steps = [signature((1, VALUES - n), (2, n)) for n in range(0, VALUES + 1, 2)]
    assert set(together(steps)) == {0}


def test_pages_that_share_a_bucket_by_chance_stay_apart() -> None:
    rows = bands_and_rows(THRESHOLD, VALUES)[1]
    assert rows < THRESHOLD * VALUES
    half = signature((1, rows), (2, VALUES - rows))
    assert together([signature((1, VALUES)), half]) == [0, 1]


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=VALUES, max_size=VALUES), min_size=1, max_size=9)
)
def test_what_hangs_together_is_similar_step_by_step(rows) -> None:
    numbers = together(rows)
    alike = np.array([[np.mean(np.equal(a, b)) >= THRESHOLD for b in rows] for a in rows])
    for number, row in zip(numbers, alike, strict=True):
        mates = [n for n, near in zip(numbers, row, strict=True) if near]
        assert numbers.count(number) == 1 or mates.count(number) > 1
