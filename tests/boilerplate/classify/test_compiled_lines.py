"""Sums over elements, counts of characters, windows and running means are those that Python finds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import INLINE, STRONG, TAGS, counts, kinds, tag_values
from dbce.boilerplate.classify.signs import COUNTED as AROUND
from dbce.boilerplate.classify.structure import BOX, COUNTED, FURNITURE, HEADINGS, WITHIN
from dbce.boilerplate.classify.structure import TAGS as NUMBERED
from dbce.kernel import compiled
from tests.reference import lines as reference

SEEDS = st.integers(0, 999).map(np.random.default_rng)
TEXTS = st.text(st.one_of(st.sampled_from(" \n\xa0\u3000aZ.!…,:)$€٣気\ud800"), st.characters()))
REACH = 2


@st.composite
def forests(draw, root: int = 0) -> list[int]:
    """Parents of elements of some trees; that of a root is itself, or -1."""
    parents: list[int] = []
    for element in range(draw(st.integers(1, 40))):
        parent = draw(st.integers(0, element))
        parents.append(root if root < 0 and parent == element else parent)
    return parents


@given(forests(), SEEDS)
def test_sums_over_all_below_are_those_of_every_way_up(parents, rng):
    values = rng.integers(-9, 9, size=(3, len(parents))) / 4
    sums = values.copy()
    compiled.add_below(sums, np.array(parents))
    assert np.array_equal(sums, reference.with_all_below(parents, values))


@given(forests(), SEEDS)
def test_the_nearest_wanted_element_is_the_first_on_the_way_up(parents, rng):
    wanted = rng.random(len(parents)) < 0.3
    elements = rng.integers(0, len(parents), 20)
    expected = [reference.nearest(parents, element, wanted) for element in elements.tolist()]
    compiled.climb(np.array(parents), wanted.view(np.uint8), elements)
    assert elements.tolist() == expected


@given(forests(root=-1), SEEDS)
def test_a_path_has_the_flags_of_all_above_it(above, rng):
    flags = rng.integers(0, 8, len(above))
    expected = [reference.inherited(above, flags.tolist(), path) for path in range(len(above))]
    compiled.inherit(np.array(above), flags)
    assert flags.tolist() == expected


@given(st.lists(TEXTS, max_size=6))
def test_characters_and_words_are_counted_text_by_text(texts):
    bounds = np.cumsum([0, *map(len, texts)])
    found = counts(kinds("".join(texts)), bounds)
    expected = [reference.counts(text) for text in texts]
    assert [tuple(row) for row in np.array(found).T.tolist()] == [tuple(one) for one in expected]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), SEEDS)
def test_lines_around_are_those_of_the_page(sizes, rng):
    starts = np.cumsum([0, *sizes])
    values = rng.normal(size=(2, starts[-1])).astype(np.float32)
    found = np.empty((8, starts[-1]), np.float32)
    compiled.look_around(values, starts, REACH, found)
    expected = [reference.around(row, starts, by) for row in values for by in (-2, -1, 1, 2)]
    assert np.array_equal(found, np.array(expected, np.float32), equal_nan=True)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=4), SEEDS, st.sampled_from([0.7, 0.95]))
def test_running_means_begin_anew_with_each_page(sizes, rng, decay):
    starts = np.cumsum([0, *sizes])
    values = rng.normal(size=(2, starts[-1])).astype(np.float32)
    before, after = np.empty((2, *values.shape), np.float32)
    compiled.running_means(values, starts, decay, before, after)
    for row, back, on in zip(values, before, after, strict=True):
        for start, end in pairwise(starts.tolist()):
            page = row[start:end].astype(float).tolist()
            ahead = [reference.mean_before(page[:line], decay) for line in range(len(page))]
            behind = [reference.mean_before(page[:line:-1], decay) for line in range(len(page))]
            np.testing.assert_allclose(back[start:end], ahead, rtol=1e-6, atol=1e-7)
            np.testing.assert_allclose(on[start:end], behind, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    "call",
    [
        lambda: compiled.add_below(np.zeros((1, 2)), np.array([0, 0, 7])),
        lambda: compiled.climb(np.array([0]), np.zeros(1, np.uint8), np.array([5])),
        lambda: compiled.look_up(
            np.full(1, 9, np.uint32), np.ones(2, np.uint32), 0, np.empty(1, np.uint32)
        ),
        lambda: compiled.inherit(np.array([-1, 9]), np.zeros(2, np.int64)),
        lambda: compiled.count_kinds(
            np.zeros(3, np.uint32), np.array([0, 9]), np.zeros((12, 1), np.int64)
        ),
    ],
)
def test_an_element_or_a_character_that_is_not_there_is_not_read(call):
    with pytest.raises(IndexError):
        call()


def test_every_tag_that_a_feature_asks_for_is_told_from_others():
    asked = {*INLINE, *STRONG, *NUMBERED, *WITHIN, *FURNITURE, *HEADINGS, BOX, "main", "article"}
    asked.update(*COUNTED.values(), *AROUND.values())
    assert asked <= {*TAGS}
    assert tag_values(len)[[TAGS.index("abbr"), -1]].tolist() == [4, 0]
