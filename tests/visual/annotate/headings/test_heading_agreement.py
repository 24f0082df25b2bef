"""How far two people agree on headings."""

import pytest

from dbce.visual.annotate.headings.desk import heading_agreement
from tests.visual.annotate.headings.said import heading, says


def agree(ours, theirs, nodes=range(10)):
    pairs = [(says("Anna", *ours), says("Ben", *theirs))]
    return heading_agreement("Anna", "Ben", pairs, lambda _: nodes)


def test_people_who_say_the_same_agree():
    found = agree([heading(0), heading(3, 4)], [heading(0), heading(3, 4)])
    assert (found.f, found.kappa, found.pages, found.bodies) == (1, 1, 1, 1)


def test_a_heading_is_the_same_if_all_its_texts_are():
    found = agree([heading(0), heading(3, 4)], [heading(0, level=1), heading(3)])
    assert (found.same, found.same_level, found.headings) == (1, 0, (2, 2))
    assert found.f == 0.5


def test_kappa_counts_texts_that_are_headings_or_not():
    # Of ten texts both call two a heading and six none; one is a heading to Anna alone, one to Ben.
    found = agree([heading(0), heading(1), heading(2)], [heading(0), heading(1), heading(3)])
    assert found.counts == {(True, True): 2, (True, False): 1, (False, True): 1, (False, False): 6}
    assert found.kappa == pytest.approx((0.8 - 0.58) / (1 - 0.58))


def test_what_either_calls_optional_is_left_out():
    found = agree([heading(0), heading(5, optional=True)], [heading(0), heading(6, optional=True)])
    assert found.headings == (1, 1)
    assert sum(found.counts.values()) == 8
    one_sided = agree([heading(0), heading(5, optional=True)], [heading(0), heading(5)])
    assert (one_sided.headings, one_sided.f) == ((1, 1), 1)


def test_nothing_to_agree_on_has_no_figure():
    found = agree([], [])
    assert found.f is None
    assert found.kappa is None
