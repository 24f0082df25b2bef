"""Which elements are called after an author or a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.metadata.authors import CLASS, CLASS_PARTS
from dbce.metadata.bylines import DATE, DATE_PARTS, _names
from dbce.model import Page

if TYPE_CHECKING:
    import re

CALLED = pytest.mark.parametrize(
    ("pattern", "parts"), [(CLASS, CLASS_PARTS), (DATE, DATE_PARTS)], ids=["author", "date"]
)


def of_classes(*names: str) -> Page:
    """A page of elements with these classes."""
    none = ("",) * len(names)
    parents = tuple(range(-1, len(names) - 1))
    return Page(none, parents, names, none, none, (False,) * len(names), (), title="")


@CALLED
@settings(max_examples=40)  # of some twenty names each, in five places
@given(data=st.data())
def test_no_name_that_fits_is_passed_over(
    pattern: re.Pattern[str], parts: tuple[str, ...], data: st.DataObject
) -> None:
    fitting = st.from_regex(pattern).filter(lambda name: "\0" not in name)
    names = data.draw(st.lists(st.one_of(fitting, st.text(max_size=9)), min_size=1, max_size=5))
    found = _names(of_classes(*names), pattern, parts)
    assert found == {name for name in names if pattern.search(name)}


def test_letters_that_stand_for_others_fit_too() -> None:
    without_a_dot = "publ\u0131shed"
    assert _names(of_classes(without_a_dot), DATE, DATE_PARTS) == {without_a_dot}
