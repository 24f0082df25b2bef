"""Whether probabilities keep what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate import read_gold
from dbce.evaluate.diagnostics import outcomes, reliability
from dbce.storage.folder import Folder
from tests.evaluate.rows import page, run, truth


def of(*said_and_true: tuple[float, bool], weight: list[float] | None = None):
    said, true = (np.array(column) for column in zip(*said_and_true, strict=True))
    return reliability(said, true, np.array(weight or [1.0] * len(said)))


def test_three_of_four_said_with_three_quarters_is_no_error():
    assert of((0.75, True), (0.75, True), (0.75, True), (0.75, False)).error == 0


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
def test_the_error_lies_between_none_and_all(pairs: list[tuple[float, bool]]):
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
