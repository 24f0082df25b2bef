"""A page learns from the runs that the bit patterns decide."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify import reclassified, run_starts
from dbce.model import BOILERPLATE, CONTENT, INVALID, Config, settings_in
from tests.html.soup import page

SIGNS = {"+": CONTENT, "-": BOILERPLATE, "?": INVALID}
SEED = Config().seed
LEARNING = ("T003", "T004", "T005", "T006")


def learned(html: str, signs: str, method: str, seed: int = SEED) -> list[float] | None:
    """The probability of content of every text node; they have the pattern labels of the signs."""
    of = page(html)
    ends = np.array(list(accumulate(len(n.text.split()) for n in of.nodes)), dtype=np.uint32)
    starts = np.array([0, *ends[:-1].tolist()])
    labels = np.array([SIGNS[sign] for sign in signs], dtype=np.uint8)
    assert len(labels) == len(starts)
    found = reclassified(of, starts, ends, labels, method=method, seed=seed)
    return None if found is None else found.tolist()


def site(entries: int, paragraphs: int) -> str:
    """A menu of short links, and long paragraphs."""
    menu = "".join(f"<li class=nav><a>entry{'x' * n}</a></li>" for n in range(entries))
    text = "".join(f"<p>{'word ' * (40 + n)}</p>" for n in range(paragraphs))
    return f"<ul>{menu}</ul><div>{text}</div>"


def test_every_method_of_the_thesis_that_learns_can_be_chosen():
    assert {"T001", "T002", *LEARNING} <= set(settings_in(Config)["method"].choices)


@pytest.mark.parametrize("method", LEARNING)
def test_what_the_patterns_leave_open_is_as_what_looks_like_it(method):
    found = learned(site(8, 8), "---?--" + "--" + "++++?+" + "++", method)
    assert found[3] < 0.5 < found[12]


@pytest.mark.parametrize("method", LEARNING)
def test_what_the_patterns_decide_is_judged_anew(method):
    # One menu entry among many was found on this page only.
    found = learned(site(9, 9), "----+----" + "+" * 9, method)
    assert method == "T006" or found[4] < 0.5
    assert max(found[:4]) < 0.5 < min(found[9:])


def test_only_the_own_layer_is_seen_by_t003_and_the_one_above_by_t004():
    menu = "".join(f"<ul><li class=a>{'x' * n}</li></ul>" for n in range(1, 8))
    text = "".join(f"<ul><li class=b>{'y' * n}</li></ul>" for n in range(1, 8))
    signs = "-" * 7 + "+" * 7
    # Equal texts are in both classes: nothing is left to learn from.
    assert learned(menu + text, signs, "T003") is None
    assert learned(menu + text, signs, "T004") == [0.0] * 7 + [1.0] * 7


def test_the_layer_of_the_grandparent_is_seen_by_t005():
    menu = "".join(f"<ul class=a><li>{'x' * n}</li></ul>" for n in range(1, 8))
    text = "".join(f"<ul class=b><li>{'y' * n}</li></ul>" for n in range(1, 8))
    signs = "-" * 7 + "+" * 7
    assert learned(menu + text, signs, "T004") is None
    assert learned(menu + text, signs, "T005") == [0.0] * 7 + [1.0] * 7


def test_vectors_of_both_classes_teach_nothing():
    same = "<p>same</p>" * 6
    texts = "".join(f"<p><b>{'w ' * n}</b></p>" for n in range(1, 13))
    html = f"<div>{same}</div>{texts}"
    signs = "+-++-+" + "------++++++"
    contradicted = learned(html, signs, "T003")
    left_open = learned(html, "??????" + "------++++++", "T003")
    assert contradicted == left_open


@pytest.mark.parametrize("method", LEARNING)
@pytest.mark.parametrize("signs", ["??????", "++++++", "------", "+??-??", "-?+?+-", "++?++?"])
def test_where_there_is_nothing_to_learn_from_the_patterns_stand(method, signs):
    assert learned(site(3, 3), signs, method) is None


@pytest.mark.parametrize("method", LEARNING)
def test_five_examples_of_two_classes_are_enough(method):
    assert learned(site(3, 3), "---++?", method) is not None


def test_five_neighbours_vote_with_equal_weight():
    found = learned(site(8, 8), "--?-----+++++?++", "T003")
    assert {round(p * 5, 9) for p in found} <= {0, 1, 2, 3, 4, 5}


def test_ten_trees_vote():
    found = learned(site(8, 8), "--?--+--++-++?++", "T006")
    assert {round(p * 10, 9) for p in found} <= set(range(11))
    assert len(set(found)) > 2


def test_the_forest_depends_on_the_seed_and_on_nothing_else():
    html, signs = site(12, 12), "--?--+--++-++?++--+-+?+-"
    outcomes = [learned(html, signs, "T006", seed) for seed in range(6)]
    assert outcomes == [learned(html, signs, "T006", seed) for seed in range(6)]
    assert len(set(map(tuple, outcomes))) > 1
    assert learned(html, signs, "T006", -1) == learned(html, signs, "T006", 2**32 - 1)


@pytest.mark.parametrize("method", ["T003", "T004", "T005"])
def test_neighbours_need_no_seed(method):
    html, signs = site(12, 12), "--?--+--++-++?++--+-+?+-"
    assert learned(html, signs, method, 1) == learned(html, signs, method, 2)


@given(st.lists(st.lists(st.integers(0, 31), min_size=1, max_size=5), min_size=1, max_size=5))
def test_a_run_begins_with_its_text_node_and_where_the_bits_change(nodes):
    ends = np.array(list(accumulate(map(len, nodes))), dtype=np.uint32)
    bits = np.array([b for node in nodes for b in node], dtype=np.uint8)
    expected, word = [], 0
    for node in nodes:
        for place, of_word in enumerate(node):
            if not place or node[place - 1] != of_word:
                expected.append(word)
            word += 1
    assert run_starts(bits, ends).tolist() == expected
