"""The five conditions that tell lists of headings from others, one by one (H 4.4.2)."""

from __future__ import annotations

import pytest

from tests.visual.headings.build import outline

OFF = {f"theta_{n}": "1" for n in (1, 2, 4, 5)} | {"theta_3": "0.99"}
"""No share is above 1: no condition drops a list but those whose members all stand alone."""


def of(source: str, **options: str) -> list[str]:
    return outline(source, **OFF | options)


LONG = "that is said at some length below its name"


def test_1_front_nodes_that_hold_accepted_headings_drop_the_list() -> None:
    # The texts of i meet where the blocks of h2 begin: the front node of each holds an h2.
    source = f"<div><h2>One</h2><i>{LONG} a</i></div><div><h2>Two</h2><i>{LONG} b</i></div>"
    assert of(source, theta_1="0") == ["One", "Two"]


def test_1_single_candidates_of_a_list_that_stays_are_dropped() -> None:
    source = f"<div><h2>One</h2><i>{LONG} a</i></div><div><h2>Two</h2><i>{LONG} b</i></div>"
    assert of(source) == ["One", "Two"]


EMPTY = f"<h2>One</h2><h2>Two</h2><h2>Three</h2><p>{LONG}</p>"


def test_2_blocks_without_more_than_their_heading_drop_the_list() -> None:
    assert of(EMPTY, theta_2="0.6") == []


def test_2_single_empty_blocks_of_a_list_that_stays_are_dropped() -> None:
    assert of(EMPTY, theta_2="0.7") == ["Three"]


ALONE = (
    f"<h2>One</h2><h3>1a</h3><p>{LONG}</p><h2>Two</h2><p>{LONG}</p>"
    f"<h2>Three</h2><h3>3a</h3><p>{LONG}</p>"
)


def test_3_candidates_without_another_in_their_block_drop_the_list() -> None:
    assert of(ALONE, theta_3="0.9", theta_5="0") == ["One", "Two", "Three"]
    assert of(ALONE, theta_3="0.9", theta_5="0", sibling="no") == [
        *("One", "  1a", "Two", "Three", "  3a"),
    ]


SAME = f"<h2>More</h2><p>{LONG} a</p><h2>More</h2><p>{LONG} b</p><h2>Less</h2><p>{LONG} c</p>"


def test_4_candidates_with_the_same_content_as_a_sibling_drop_the_list() -> None:
    assert of(SAME, theta_4="0.6", theta_5="0") == []
    assert of(SAME, theta_4="0.7", theta_5="0") == ["More", "More", "Less"]


def test_4_the_same_content_in_another_block_does_not_count() -> None:
    source = "".join(
        f"<h2>{year}</h2><h3>Jul</h3><p>{LONG} {year}</p><h3>Aug</h3><p>{LONG}, {year}</p>"
        for year in (2010, 2012)
    )
    assert of(source, theta_4="0", theta_5="0") == [
        *("2010", "  Jul", "  Aug", "2012", "  Jul", "  Aug"),
    ]


@pytest.mark.parametrize(("times", "kept"), [("2.3", False), ("2.2", True)])
def test_5_blocks_that_are_short_beside_their_headings_drop_the_list(
    times: str, *, kept: bool
) -> None:
    # "Four" and "Four words": 4 characters, and 9 with the heading and a space: 2.25 times.
    source = "<h2>Four</h2><p>word</p><h2>Five</h2><p>word</p>"
    assert bool(of(source, t=times, theta_5="0")) == kept


def test_a_share_of_exactly_theta_is_too_much_only_where_that_is_asked_for() -> None:
    half = f"<h2>One</h2><h2>Two</h2><p>{LONG}</p>"
    assert of(half, theta_2="0.5") == ["Two"]
    assert of(half, theta_2="0.5", at_least="yes") == []
