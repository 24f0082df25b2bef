"""What other snapshots of a page say of its texts."""

from __future__ import annotations

import numpy as np

from dbce.boilerplate.cross import members_of
from dbce.boilerplate.peer_support import SNAPSHOTS, history, snapshots
from dbce.model import HISTORY
from tests.boilerplate.cross.test_circle import SIZE, entry

DAYS = 30


def asked(cur: int, *days: int, like: dict[int, int] | None = None, same: tuple[int, ...] = ()):
    """The snapshots asked of the one at a place among captures of one URL at these days."""
    captures = [entry("a", day, (like or {}).get(day, SIZE)) for day in days]
    captures = [
        type(one)(one.record_id, one.surt, one.time, 7 if day in same else day, one.signature)
        for one, day in zip(captures, days, strict=True)
    ]
    return snapshots(members_of([*captures, entry("b", 3)]), cur, 0.6)


def test_the_snapshots_of_other_words_are_asked_and_of_no_other_page():
    found = asked(1, 1, 2, 3, 4)
    assert found.captures.tolist() == [0, 2, 3]
    assert found.earlier.tolist() == [True, False, False]
    assert not found.redesigned.any()


def test_a_snapshot_with_the_same_words_says_nothing():
    assert asked(1, 1, 2, 3, 4, same=(2, 3)).captures.tolist() == [0, 3]
    assert not len(asked(0, 1, 2, same=(1, 2)).captures)


def test_of_many_snapshots_the_nearest_are_asked():
    found = asked(10, *range(1, DAYS))
    assert len(found.captures) == SNAPSHOTS
    assert set(found.captures.tolist()) == {6, 7, 8, 9, 11, 12, 13, 14}


def test_a_snapshot_of_another_template_is_a_redesign():
    found = asked(0, 1, 2, 3, like={3: SIZE // 2})
    assert found.redesigned.tolist() == [False, True]


def test_of_each_text_it_is_known_in_which_share_of_the_snapshots_it_stands():
    texts = [np.array(one) for one in ([1, 2, 5], [1, 2, 3], [1, 3, 4], [1, 9])]
    found = asked(1, 1, 2, 3, 4, like={4: 0})
    said = history(np.array([1, 2, 3]), texts, found)
    assert said.shape == (3, len(HISTORY))
    # kept; in the redesigned one; before; after
    np.testing.assert_allclose(said, [[1, 1, 1, 1], [1 / 3, 0, 1, 0], [1 / 3, 0, 0, 1 / 2]])


def test_where_no_snapshot_is_of_a_kind_nothing_is_known_of_it():
    said = history(np.array([1]), [np.array([1]), np.array([1])], asked(0, 1, 2))
    kept, redesign, before, after = said[0].tolist()
    assert (kept, after) == (1, 1)
    assert np.isnan([redesign, before]).all()
    assert np.isnan(history(np.array([1]), [np.array([1])], asked(0, 1))).all()
