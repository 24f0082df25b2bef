"""Whether probabilities keep what they promise, and the pages that a run does worst on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate import read_gold
from dbce.evaluate.diagnostics import (
    LENGTH,
    PAGES,
    PIECES,
    Pieces,
    differences,
    outcomes,
    reliability,
    worst,
)
from dbce.storage.folder import Folder
from tests.evaluate.conftest import page, run, truth


def of(*said_and_true: tuple[float, bool], weight: list[float] | None = None):
    said, true = (np.array(column) for column in zip(*said_and_true, strict=True))
    return reliability(said, true, np.array(weight or [1.0] * len(said)))


def test_the_error_is_the_mean_distance_of_the_bins_weighed_by_what_is_in_them():
    found = of((0.95, True), (0.95, True), (0.95, False), (0.15, False))
    assert found.error == pytest.approx(3 / 4 * (0.95 - 2 / 3) + 1 / 4 * 0.15)
    assert found.bins["weight"].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert found.bins["content"].iloc[[1, 9]].tolist() == pytest.approx([0, 2 / 3])


def test_words_weigh_as_many_runs():
    few = of((0.9, True), (0.9, False), weight=[3, 1])
    many = of((0.9, True), (0.9, True), (0.9, True), (0.9, False))
    assert few.error == pytest.approx(many.error)


def test_certainty_is_in_the_last_bin_and_nothing_has_no_error():
    assert of((1.0, True)).bins["weight"].iloc[-1] == 1
    nothing = np.array([])
    assert math.isnan(reliability(nothing, nothing.astype(bool), nothing).error)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_the_error_lies_between_none_and_all(pairs):
    found = of(*pairs)
    assert 0 <= found.error <= 1
    assert found.bins["weight"].sum() == len(pairs)


def test_node_gold_says_what_a_run_is(stored):
    nodes = [run("a", 0, "two words", "content", probability=0.8), run("b", 0, "x", "content")]
    folder, path = stored([run("a", 0, "two words", "boilerplate")], nodes=nodes)
    judged = outcomes(Folder(folder), read_gold(path))
    assert judged.to_dict("records") == [{"probability": 0.8, "content": False, "words": 2}]


def test_text_gold_says_it_by_the_words_that_are_in_the_text(stored):
    nodes = [
        run("a", 0, "Home", "boilerplate", probability=0.1),
        run("a", 5, "the last ferry", "content", probability=0.9),
        run("a", 20, "...", "content"),
    ]
    folder, path = stored([truth("a", "The last goat")], [page("a", "the last ferry")], nodes)
    judged = outcomes(Folder(folder), read_gold(path))
    assert judged.to_numpy().tolist() == [[0.1, False, 1], [0.9, True, 3]]


# The pages that a run does worst on.


BOILERPLATE = "boilerplate"


def test_what_is_missing_and_what_is_surplus_stand_apart_as_they_are_written():
    missing, surplus = differences(
        "The last ferry. It takes a goat.", "Home News\nThe last ferry\nShare"
    )
    assert missing == Pieces(4, 1, ("It takes a goat",))
    assert surplus == Pieces(3, 2, ("Home News", "Share"))


def test_long_pieces_are_shortened_and_the_longest_shown_in_order():
    story = " ".join(f"word{n}" for n in range(60))
    texts = [f"k{n} {'x ' * (n + 1)}" for n in range(PIECES + 2)]
    between = [f"same{n}" for n in range(PIECES + 2)]
    gold = " ".join(f"{b} {t}" for b, t in zip(between, texts, strict=True))
    missing, surplus = differences(gold, f"{' '.join(between)} {story}")
    assert (missing.pieces, len(missing.shown)) == (PIECES + 2, PIECES)
    assert missing.shown[0].startswith("k2 ")
    assert surplus.shown[0].endswith(" ... (60 words)")
    assert len(surplus.shown[0]) < LENGTH + 20


def test_pages_come_worst_first_and_perfect_ones_not_at_all(compared):
    gold = [truth("bad", "x y"), truth("fine", "x"), truth("gone", "x"), truth("fair", "x y")]
    pages = [page("bad", "x a b c"), page("fine", "x"), page("fair", "x y z", url="http://f/")]
    comparison = compared(gold, one=({}, pages, []))
    found = worst(comparison, comparison.runs[0])
    assert [(one.record_id, one.url) for one in found] == [
        ("", "gone"),
        ("bad", "u"),
        ("fair", "http://f/"),
    ]
    assert found[2].surplus.shown == ("z",)
    assert found[0].missing.shown == ("x",)


def test_no_more_than_twenty(compared):
    gold = [truth(str(n), "x") for n in range(PAGES + 5)]
    comparison = compared(gold, one=({}, [page("0", "y")], []))
    assert len(worst(comparison, comparison.runs[0])) == PAGES


def test_node_gold_names_the_runs_that_are_wrong(compared):
    texts, places = ("story ", "menu ", "foot"), (0, 6, 11)
    nodes, gold = (
        [run("a", *of) for of in zip(places, texts, labels, strict=True)]
        for labels in (("invalid", "content", BOILERPLATE), ("content", BOILERPLATE, BOILERPLATE))
    )
    comparison = compared(gold, one=({}, [page("a", "menu")], nodes))
    (one,) = worst(comparison, comparison.runs[0])
    assert (one.missing.shown, one.surplus.shown, one.url) == (("story",), ("menu",), "u")
