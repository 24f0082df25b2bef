"""Texts of the browser find the numbers that a run gives them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.visual.render import renderer
from dbce.visual.render.renderer import numbers

TEXTS = st.lists(st.sampled_from(["a", "b", "c d", " c  d\n"]))


@pytest.mark.parametrize(
    ("theirs", "ours", "found"),
    [
        (["one\n two", " three "], ["one two", "three"], [0, 1]),
        (["one", "scripted", "two"], ["one", "dropped", "two"], [0, -1, 2]),
        # Text between rows of a table comes before the table.
        (["stray", "cell 1", "cell 2"], ["cell 1", "stray", "cell 2"], [1, 0, 2]),
        (["more", "a", "more"], ["more", "a", "more", "more"], [0, 1, 2]),
    ],
    ids=["white space", "of one alone", "moved", "equal"],
)
def test_texts_find_those_that_say_the_same_in_order(theirs, ours, found):
    assert numbers(theirs, ours) == found


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
