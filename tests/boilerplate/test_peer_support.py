"""What a wider circle of other pages says."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.cross import NOBODY, Crosses, Members, members_of
from dbce.boilerplate.peer_support import SNAPSHOTS, BlockNodes, circles, snapshots
from dbce.model import CIRCLE, HISTORY, Sketch
from tests.boilerplate import builders
from tests.boilerplate.builders import SIZE


def entry(url: str, day: int = 1, like: int = SIZE) -> Sketch:
    return builders.entry(url, day, like, text=0)


def named(members: Members, *crosses: str) -> Crosses:
    """Crosses given by the record ids they name: cur, up, down, prev, next, further ones."""
    number = {name: n for n, name in enumerate(members.record_ids)} | {"-": NOBODY}
    return np.array([[number[name] for name in cross.split()] for cross in crosses])


def circle(*captures: Sketch, cross: str = "", size: int = 8) -> str:
    """The circle of a capture whose cross names all the others, or these."""
    members = members_of(captures)
    cur, first, *rest = (one.record_id for one in captures)
    found = named(members, cross or " ".join([cur, first, "- - -", *rest]))
    (its,) = circles(members, found, size).values()
    return " ".join(members.record_ids[number] for number in its)


LIKE = entry("a"), entry("b", like=3), entry("c", like=9), entry("d", like=6)
OFTEN = entry("a"), entry("b", 1, like=7), entry("b", 2, like=9), entry("c", 3, like=5)
OWN = *(entry("a", day) for day in (1, 2, 3)), *map(entry, "bcd")


def test_the_most_similar_are_asked_first_every_url_once_and_own_snapshots_not():
    assert circle(*LIKE) == "c@1 d@1 b@1"
    assert circle(*LIKE, size=2) == "c@1 d@1"
    assert circle(entry("a", 5), entry("b", 1), entry("c", 6)) == "c@6 b@1", "the nearest in time"
    assert circle(*OFTEN) == "b@2 c@3"
    assert circle(*OWN, cross="a@2 b@1 c@1 a@1 a@3 d@1") == "b@1 c@1 d@1"


def test_all_crosses_of_a_capture_name_its_circle_whatever_their_order():
    members = members_of([entry(url, like=n) for n, url in enumerate("abcdef")])
    crosses = "a@1 b@1 c@1 - - d@1 -", "a@1 d@1 e@1 - - f@1 b@1"
    forth, back = (
        circles(members, named(members, *order), 4) for order in (crosses, crosses[::-1])
    )
    assert forth == back
    assert [len(its) for its in forth.values()] == [4]


def test_every_capture_has_a_circle_of_its_own_but_who_was_compared_with_snapshots_alone():
    members = members_of([entry("a", 1), entry("a", 2), entry("b"), entry("c")])
    every = named(members, "a@1 b@1 - - -", "b@1 c@1 a@1 - -")
    assert circles(members, every, 8) == {0: [2], 2: [0, 3]}
    assert circles(members, named(members, "a@1 - - - a@2"), 8) == {}
    assert circles(members, named(members, "a@1 - - - a@2", "b@1 c@1 - - -"), 8) == {2: [3]}


Node = tuple[int, int, int]
"""Place, key of the text, words."""


def nodes_of(urls: list[int], pages: Sequence[list[Node]]) -> BlockNodes:
    places, texts, sizes = np.array([node for page in pages for node in page], dtype=np.int64).T
    starts = np.cumsum([0, *map(len, pages)])
    return BlockNodes(
        np.array(urls), starts, texts.astype(np.uint32), places.astype(np.uint32), sizes
    )


def said(cur: list[Node], *others: list[Node]) -> list[dict[str, float]]:
    """What the others say of every text node of a page, by name."""
    asked = range(1, len(others) + 1)
    nodes = nodes_of([0, *asked], [cur, *others])
    found, again = (nodes.peer_support(0, asked) for _ in range(2))
    assert found.shape == (len(cur), len(CIRCLE))
    assert found.dtype == np.float32
    assert np.array_equal(found, again, equal_nan=True), "an answer does not depend on those before"
    return [dict(zip(CIRCLE, row, strict=True)) for row in found.tolist()]


def test_if_nobody_is_asked_nothing_is_known():
    (text,) = said([(1, 7, 2)])
    assert all(np.isnan(value) for value in text.values())


nodes = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(1, 9)), min_size=1, max_size=8
)


@given(nodes, st.lists(nodes, min_size=1, max_size=4))
def test_every_answer_keeps_its_definition(cur, others):
    texts = [{text for _, text, _ in other} for other in others]
    for (place, text, _), found in zip(cur, said(cur, *others), strict=True):
        there = [[node for node in other if node[0] == place] for other in others]
        found_there = [node for nodes_there in there for node in nodes_there]
        distinct = {text for _, text, _ in found_there}
        assert found["shared_by"] == pytest.approx(sum(text in t for t in texts) / len(others))
        assert found["ever_shared_by"] == found["shared_by"], "each page has one snapshot"
        assert found["place_on"] == pytest.approx(sum(map(bool, there)) / len(others))
        if found_there:
            words = sum(size for *_, size in found_there)
            assert found["place_texts"] == pytest.approx(len(distinct) / len(found_there))
            assert found["place_words"] == pytest.approx(words / len(found_there))
            shared = sum(one in t for one in distinct for t in texts)
            assert found["place_shared_by"] == pytest.approx(shared / len(distinct) / len(others))
        else:
            assert np.isnan(found["place_words"])


def test_a_text_that_a_page_had_at_another_time_is_ever_shared():
    """Of two other pages with two snapshots each, one had the advertisement once."""
    pages = [[(3, text, 5)] for text in (1, 2, 1, 3, 4)]
    (text,) = nodes_of([0, 1, 1, 2, 2], pages).peer_support(0, [1, 3]).tolist()
    found = dict(zip(CIRCLE, text, strict=True))
    assert (found["shared_by"], found["ever_shared_by"]) == (0, 0.5)


# What other snapshots of a page say of its texts.


def asked(cur: int, *days: int, like: dict[int, int] | None = None, same: tuple[int, ...] = ()):
    """The snapshots asked of the one at a place among captures of one URL at these days."""
    captures = [
        builders.entry("a", day, (like or {}).get(day, SIZE), text=7 if day in same else day)
        for day in days
    ]
    return snapshots(members_of([*captures, entry("b", 3)]), cur, 0.6)


def test_the_nearest_snapshots_of_other_words_are_asked_and_of_no_other_page():
    found, redesigned = asked(1, 1, 2, 3, 4)
    assert found.tolist() == [0, 2, 3]
    assert not redesigned.any()
    assert asked(1, 1, 2, 3, 4, same=(2, 3))[0].tolist() == [0, 3]
    assert not len(asked(0, 1, 2, same=(1, 2))[0])
    assert {*asked(10, *range(1, 30))[0].tolist()} == {6, 7, 8, 9, 11, 12, 13, 14}
    assert SNAPSHOTS == 8


def test_a_snapshot_of_another_template_is_a_redesign():
    assert asked(0, 1, 2, 3, like={3: SIZE // 2})[1].tolist() == [False, True]


def through_time(*texts: list[int], cur: int, like: dict[int, int] | None = None) -> np.ndarray:
    """What snapshots on days in a row, given by their texts, say of those of one of them."""
    every = np.concatenate(texts).astype(np.uint32)
    starts = np.cumsum([0, *map(len, texts)])
    nodes = BlockNodes(np.zeros(len(texts)), starts, every, 0 * every, np.ones(len(every)))
    return nodes.snapshot_support(cur, *asked(cur, *range(1, len(texts) + 1), like=like))


def test_of_each_text_it_is_known_in_which_share_of_the_snapshots_it_stands():
    said = through_time([1, 2, 5], [1, 2, 3], [1, 3, 4], [1, 9], cur=1, like={4: 0})
    assert said.shape == (3, len(HISTORY))
    # kept; in the redesigned one; before; after
    np.testing.assert_allclose(said, [[1, 1, 1, 1], [1 / 3, 0, 1, 0], [1 / 3, 0, 0, 1 / 2]])


def test_where_no_snapshot_is_of_a_kind_nothing_is_known_of_it():
    said = through_time([1], [1], cur=0)
    kept, redesign, before, after = said[0].tolist()
    assert (kept, after) == (1, 1)
    assert np.isnan([redesign, before]).all()
    assert np.isnan(through_time([1], cur=0)).all()
