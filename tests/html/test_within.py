"""Elements inside of others, found by where these end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from dbce.html import enclosing_elements, subtree_mask
from tests.html.soup import page, soup

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


@given(soup, st.sets(st.integers(0, 30)))
def test_elements_inside_are_those_with_a_chosen_one_around(
    body: str, numbers: AbstractSet[int]
) -> None:
    read = page(f"<body>{body}")
    chosen = {number for number in numbers if number < len(read.parents)}
    inside = [int(nearest >= 0) for nearest in enclosing_elements(read, chosen)]
    assert list(subtree_mask(read.parents, chosen)) == inside
