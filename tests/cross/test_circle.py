"""What a wider circle of other pages says."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.cross import Nodes, ask, circle_of
from dbce.model import CIRCLE, Cross, Sketch

SIZE = 10
"""Values of a signature; so similarities are tenths."""


def sketch(url: str, day: int = 1, like: int = SIZE) -> Sketch:
    """A capture whose signature agrees in `like` places with one that agrees everywhere."""
    none = np.zeros(0, np.uint32)
    return Sketch(
        record_id=f"{url}@{day}",
        site="harbour.example",
        surt=url,
        timestamp=datetime(2016, 1, day, tzinfo=UTC),
        signature=np.array([0] * like + [1] * (SIZE - like), np.uint32),
        words=none,
        ends=none,
        places=none,
    )


def circle(cur: Sketch, *others: Sketch, size: int = 8) -> list[str]:
    """The circle of a capture whose crosses name all the others."""
    up, *further = [other.record_id for other in others]
    cross = Cross(cur.record_id, up, None, None, None, 0.9, 0.0, tuple(further))
    return circle_of(cur, [cross], {one.record_id: one for one in (cur, *others)}, size)


def test_the_most_similar_are_asked_first():
    others = sketch("b", like=3), sketch("c", like=9), sketch("d", like=6)
    assert circle(sketch("a"), *others) == ["c@1", "d@1", "b@1"]
    assert circle(sketch("a"), *others, size=2) == ["c@1", "d@1"]


def test_of_equally_similar_ones_the_nearest_in_time_is_first():
    assert circle(sketch("a", 5), sketch("b", 1), sketch("c", 6)) == ["c@6", "b@1"]


def test_every_url_is_asked_once():
    others = sketch("b", 1, like=7), sketch("b", 2, like=9), sketch("c", 3, like=5)
    assert circle(sketch("a"), *others) == ["b@2", "c@3"]


def test_own_snapshots_are_not_asked():
    cross = Cross("a@2", "b@1", "c@1", "a@1", "a@3", 0.9, 0.8, ("d@1",))
    all_of_them = [sketch("a", day) for day in (1, 2, 3)] + [sketch(url) for url in "bcd"]
    known = {one.record_id: one for one in all_of_them}
    assert circle_of(known["a@2"], [cross], known, 8) == ["b@1", "c@1", "d@1"]


def test_the_order_of_the_crosses_does_not_matter():
    known = {one.record_id: one for one in (sketch(url, like=n) for n, url in enumerate("abcdef"))}
    crosses = [
        Cross("a@1", "b@1", "c@1", None, None, 0.9, 0.8, ("d@1",)),
        Cross("a@1", "d@1", "e@1", None, None, 0.9, 0.8, ("f@1", "b@1")),
    ]
    forth, back = (circle_of(known["a@1"], order, known, 4) for order in (crosses, crosses[::-1]))
    assert forth == back
    assert len(forth) == 4


Node = tuple[int, int, int]
"""Place, key of the text, words."""


def of_nodes(nodes: list[Node]) -> tuple[Sketch, np.ndarray]:
    """A sketch with such text nodes, and their keys."""
    places, keys, sizes = np.array(nodes, dtype=np.int64).reshape(-1, 3).T
    none = np.zeros(0, np.uint32)
    when = datetime(2016, 1, 1, tzinfo=UTC)
    ends = np.cumsum(sizes).astype(np.uint32)
    one = Sketch("x", "", "", when, none, none, ends, places.astype(np.uint32))
    return one, keys.astype(np.uint64)


def said(cur: list[Node], *others: list[Node]) -> list[dict[str, float]]:
    """What the others say of every text node of a page, by name."""
    found = ask(*of_nodes(cur), [Nodes(*of_nodes(other)) for other in others])
    assert found.shape == (len(cur), len(CIRCLE))
    assert found.dtype == np.float32
    return [dict(zip(CIRCLE, row, strict=True)) for row in found.tolist()]


MENU, STORY, TEASER = 1, 2, 3


def test_a_text_that_all_have_is_shared_by_all():
    (menu,) = said([(MENU, 7, 2)], [(MENU, 7, 2)], [(MENU, 7, 2)])
    assert menu == dict(zip(CIRCLE, (1, 1, 0.5, 2, 1), strict=True))


def test_a_text_of_one_page_alone_stands_at_a_place_of_many_texts():
    (story,) = said([(STORY, 1, 90)], [(STORY, 2, 40)], [(STORY, 3, 60)])
    assert story == dict(zip(CIRCLE, (0, 1, 1, 50, 0.5), strict=True))


def test_a_text_is_shared_wherever_it_stands():
    (teaser,) = said([(STORY, 1, 5)], [(TEASER, 1, 5)], [(TEASER, 2, 5)])
    assert teaser["shared_by"] == 0.5
    assert teaser["place_on"] == 0
    assert all(np.isnan(teaser[name]) for name in ("place_texts", "place_words", "place_shared_by"))


def test_a_text_that_repeats_on_one_page_counts_that_page_once():
    (text,) = said([(MENU, 7, 2)], [(MENU, 7, 2)] * 3, [(MENU, 8, 5)])
    assert text["shared_by"] == 0.5
    assert text["place_texts"] == 0.5
    assert text["place_words"] == pytest.approx(11 / 4)


def test_at_a_place_of_few_texts_they_are_widely_shared():
    one_of_two = [[(MENU, key, 1)] for key in (7, 7, 8, 8)]
    assert said([(MENU, 9, 1)], *one_of_two)[0]["place_shared_by"] == 0.5


nodes = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(1, 9)), min_size=1, max_size=8
)


@given(nodes, st.lists(nodes, min_size=1, max_size=4))
def test_shares_are_shares_and_the_order_of_the_pages_does_not_matter(cur, others):
    found = said(cur, *others)
    for one, other in zip(found, said(cur, *others[::-1]), strict=True):
        assert one == pytest.approx(other, nan_ok=True)
    for row in found:
        assert 0 <= row["shared_by"] <= 1
        assert 0 <= row["place_on"] <= 1
        assert np.isnan(row["place_words"]) == (row["place_on"] == 0)
        if row["place_on"]:
            assert 0 < row["place_texts"] <= 1
            assert 0 < row["place_shared_by"] <= 1
            assert row["place_words"] >= 1


@given(nodes)
def test_a_page_that_asks_itself_shares_everything(cur):
    assert all(row["shared_by"] == row["place_on"] == 1 for row in said(cur, cur))
