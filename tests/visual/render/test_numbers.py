"""Texts of the browser find the numbers that a run gives them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.visual.render import renderer
from dbce.visual.render.renderer import numbers

TEXTS = st.lists(st.sampled_from(["a", "b", "c d", " c  d\n"]))


def test_texts_are_the_same_whatever_their_white_space():
    assert numbers(["one\n two", " three "], ["one two", "three"]) == [0, 1]


def test_what_only_one_of_both_has_gets_no_number():
    assert numbers(["one", "scripted", "two"], ["one", "dropped", "two"]) == [0, -1, 2]


def test_what_the_browser_moves_is_found_where_it_stands_now():
    """Text between rows of a table comes before the table."""
    assert numbers(["stray", "cell 1", "cell 2"], ["cell 1", "stray", "cell 2"]) == [1, 0, 2]


def test_of_equal_texts_each_gets_its_own_number_in_order():
    assert numbers(["more", "a", "more"], ["more", "a", "more", "more"]) == [0, 1, 2]


@pytest.mark.parametrize("cells", [renderer.CELLS, 0])
@given(st.data())
def test_every_number_is_of_the_same_text_and_given_once(cells, data):
    theirs, ours = data.draw(TEXTS), data.draw(TEXTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renderer, "CELLS", cells)
        found = numbers(theirs, ours)
    given_numbers = [n for n in found if n >= 0]
    assert len(set(given_numbers)) == len(given_numbers)
    plain = [[" ".join(text.split()) for text in texts] for texts in (theirs, ours)]
    assert all(n < 0 or plain[0][i] == plain[1][n] for i, n in enumerate(found))
    # As many as can be: texts that are left over in both would have found each other.
    assert len(given_numbers) == (Counter(plain[0]) & Counter(plain[1])).total()
