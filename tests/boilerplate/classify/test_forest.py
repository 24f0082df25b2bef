"""The elements of pages as one forest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import by_tag, inherited, nearest, plant, with_all_below
from tests.html.soup import page, soup

if TYPE_CHECKING:
    from dbce.model import Page

LIST = "<ul><li class=a><a>x</a><li class=a><a>y</a><li><a>z</a></ul>"

pages = st.lists(soup.map(lambda html: page(f"<p>a{html}")), min_size=1, max_size=4)


def ways(of: Page) -> list[tuple[object, ...]]:
    """For each element all that is known of it and of what it is in, from the root on."""
    found: list[tuple[object, ...]] = []
    steps = zip(of.parents, of.tags, of.classes, of.ids, of.hidden, strict=True)
    for parent, *step in steps:
        found.append(((*found[parent],) if parent >= 0 else ()) + (tuple(step),))
    return found


def test_elements_that_are_reached_alike_share_their_path():
    forest = plant([page(LIST), page(LIST)])
    tags = [forest.paths.tags[path] for path in forest.path.tolist()]
    assert tags == 2 * ["html", "body", "ul", "li", "a", "li", "a", "li", "a"]
    assert len(forest.paths) == 7
    assert forest.starts.tolist() == [0, 9, 18]


@given(pages)
def test_a_path_is_the_way_from_the_root(given_pages):
    forest = plant(given_pages)
    expected = [way for one in given_pages for way in ways(one)]
    numbers: dict[int, tuple[object, ...]] = {}
    for way, path in zip(expected, forest.path.tolist(), strict=True):
        assert numbers.setdefault(path, way) == way
    assert len(set(numbers.values())) == len(forest.paths)
    assert forest.depth.tolist() == [len(way) - 1 for way in expected]
    assert (forest.paths.above < np.arange(len(forest.paths))).all()


@given(pages)
def test_parents_stay_in_their_page_and_a_root_is_its_own(given_pages):
    forest = plant(given_pages)
    expected = [
        start + max(parent, 0)
        for start, one in zip(forest.starts.tolist(), given_pages, strict=False)
        for parent in one.parents
    ]
    assert forest.parents.tolist() == expected


def test_flags_are_inherited():
    forest = plant([page("<div class=x><p><b>a</b></p></div><p>b</p>")])
    own = by_tag(forest, lambda tag: tag == "p") + 2 * np.array(
        [classes == "x" for classes in forest.paths.classes]
    )
    flags = inherited(forest, own)
    assert flags[forest.path].tolist() == [0, 0, 2, 3, 3, 1]


def test_the_nearest_is_the_element_itself_or_above_it():
    forest = plant([page("<div><p><b><i>a</i></b></p></div>"), page("<i>b</i>")])
    wanted = np.isin(np.arange(9), [0, 3, 6])
    found = nearest(forest, np.array([5, 3, 2, 8]), wanted)
    assert found.tolist() == [3, 3, 0, 6]


@given(pages, st.integers(0, 99))
def test_sums_are_over_an_element_and_all_below_it(given_pages, seed):
    forest = plant(given_pages)
    values = np.random.default_rng(seed).integers(9, size=(2, len(forest.parents))).astype(float)
    expected = values.copy()
    for element in range(len(forest.parents) - 1, -1, -1):
        if forest.parents[element] != element:
            expected[:, forest.parents[element]] += expected[:, element]
    assert np.array_equal(with_all_below(forest, values), expected)
