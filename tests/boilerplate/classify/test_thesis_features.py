"""The features of the thesis: a window of neighbours on each layer."""

from __future__ import annotations

from itertools import accumulate
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.thesis import FEATURES, run_features
from tests.html.soup import page, soup


def read(html: str, cuts: dict[int, tuple[int, ...]] | None = None, layers: int = 1):
    """(page, starts, features): a run for each text node, `cuts` cuts node n before these words."""
    of = page(html)
    counts = [len(node.text.split()) for node in of.nodes]
    ends = np.array(list(accumulate(counts)), dtype=np.uint32)
    begins = [0, *ends[:-1].tolist()]
    starts = [b + c for n, b in enumerate(begins) for c in (0, *(cuts or {}).get(n, ()))]
    return of, starts, run_features(of, np.array(starts), ends, layers)


def vectors(html: str, cuts: dict[int, tuple[int, ...]] | None = None) -> list[dict[str, float]]:
    """The features of the own layer of each run, by name."""
    _, _, found = read(html, cuts)
    return [dict(zip(FEATURES, row, strict=True)) for row in found.tolist()]


def test_a_vector_has_twenty_features_a_layer():
    assert len(FEATURES) == 20
    assert [read("<p>a", layers=n)[2].shape for n in (1, 2, 3)] == [(1, 20), (1, 40), (1, 60)]


def test_a_run_is_measured():
    (found,) = vectors("<p>one two   three\n")
    own = {name: value for name, value in found.items() if name[0] in "CR"}
    assert own == {
        "C_nid": 1,  # not the number of any tag
        "C_class": 0,
        "C_ld": 0,
        "C_td": 3,
        "C_wc": 3,
        "C_tl": len("one two three"),
        "C_tc": 0,
        "R_1": len("one two three"),
    }


def test_an_only_child_has_dummies_for_neighbours():
    (found,) = vectors("<p>one")
    assert {value for name, value in found.items() if name[0] in "PN"} == {0}


def test_neighbours_are_the_elements_and_runs_of_one_parent():
    first, inner, after, last = vectors("<div>one<b>two <i></i>words</b>three four</div>")
    assert (first["P_wc"], first["N_wc"], first["N_tc"]) == (0, 2, 2)
    assert (inner["P_nid"], inner["N_nid"], inner["N_tc"]) == (0, after["P_nid"], 1)
    assert (after["P_wc"], after["N_wc"]) == (0, 0)
    assert (last["P_wc"], last["N_wc"]) == (2, 0)


def test_runs_of_one_text_are_neighbours():
    first, second = vectors("<p>one two three</p>", {0: (1,)})
    assert (first["C_wc"], first["N_wc"], first["N_nid"]) == (1, 2, 1)
    assert (second["P_wc"], second["C_wc"], second["P_nid"]) == (1, 2, 1)


def test_a_tag_has_one_number_on_a_page():
    found = vectors("<div><p></p>a<b></b>b<p></p></div>")
    assert found[0]["P_nid"] == found[1]["N_nid"] != found[0]["N_nid"] == found[1]["P_nid"]


@pytest.mark.parametrize(("html", "density"), [("<a>x</a>", 1), ("<a><b>x</b></a>", 1), ("x", 0)])
def test_a_run_in_a_link_is_all_link(html, density):
    assert vectors(html)[0]["C_ld"] == density


def test_the_link_density_of_an_element_is_the_share_of_its_words_in_links():
    *_, last = vectors("<div><p>one <a>two <b>three</b></a> four</p>last</div>")
    assert last["P_ld"] == 0.5


def test_classes_count_in_any_order():
    one, other, third = (
        read(f"<p class='{classes}'>x", layers=2)[2][0, 20 + FEATURES.index("C_class")]
        for classes in ("a b", "b  a", "c")
    )
    assert one == other == crc32(b"a b")
    assert third == crc32(b"c")


def test_the_last_line_counts_in_the_density_only_when_it_is_the_only_one():
    # "word " fits 16 times into 80 characters, the last blank left out.
    for words, density in ((1, 1), (16, 16), (17, 16), (40, 16)):
        assert vectors("<p>" + "word " * words)[0]["C_td"] == density


def test_a_word_longer_than_a_line_is_a_line():
    assert vectors("<p>" + f"{'x' * 200} " * 3)[0]["C_td"] == 1


def test_upper_layers_are_the_windows_of_parent_and_grandparent():
    _, _, found = read("<ul><li class=k>one</li><li>two <b>three</b></li></ul>", layers=3)
    parent, grandparent = (
        dict(zip(FEATURES, row, strict=True)) for row in found[0, 20:].reshape(2, 20).tolist()
    )
    assert (parent["C_wc"], parent["N_wc"], parent["N_tc"]) == (1, 2, 2)
    assert parent["C_class"] == crc32(b"k")
    assert (grandparent["C_wc"], grandparent["C_tc"]) == (3, len(["ul", "li", "li", "b"]))
    assert grandparent["R_1"] == grandparent["C_tl"] / grandparent["C_tc"]


def test_beside_and_above_the_root_are_dummies():
    of, _, found = read("<html><body>text", layers=3)
    assert of.tags == ("html", "body")
    root = dict(zip(FEATURES, found[0, 40:].tolist(), strict=True))
    assert root["C_tc"] == 2
    assert {value for name, value in root.items() if name[0] in "PN"} == {0}


class Literal:
    """The features as the thesis words them, node by node, on a tree of lists."""

    def __init__(self, of, starts):
        self.of = of
        self.groups = {}
        words = [(n, word) for n, node in enumerate(of.nodes) for word in node.text.split()]
        ends = [*starts[1:], len(words)]
        self.runs = [
            (words[a][0], [w for _, w in words[a:b]]) for a, b in zip(starts, ends, strict=True)
        ]
        children = [
            *((parent, e, 0, ("e", e)) for e, parent in enumerate(of.parents)),
            *(
                (of.nodes[n].element, of.nodes[n].after, 1 + r, ("r", r))
                for r, (n, _) in enumerate(self.runs)
            ),
        ]
        for parent, *_, node in sorted(children):
            self.groups.setdefault(parent, []).append(node)

    def parent(self, node):
        if node is None or node == ("e", 0):
            return None
        kind, number = node
        if kind == "e":
            return ("e", self.of.parents[number])
        return ("e", self.of.nodes[self.runs[number][0]].element)

    def words(self, node):
        kind, number = node
        if kind == "r":
            return self.runs[number][1]
        return [w for child in self.groups.get(number, []) for w in self.words(child)]

    def linked(self, node, inside=False):
        kind, number = node
        if kind == "r":
            return len(self.runs[number][1]) * inside
        inside = inside or self.of.tags[number] == "a"
        return sum(self.linked(child, inside) for child in self.groups.get(number, []))

    def in_link(self, node):
        node = self.parent(node)
        return node is not None and (self.of.tags[node[1]] == "a" or self.in_link(node))

    def tags(self, node):
        kind, number = node
        return 0 if kind == "r" else 1 + sum(map(self.tags, self.groups.get(number, [])))

    def density(self, words):
        lines = [[]]
        for word in words:
            if lines[-1] and len(" ".join([*lines[-1], word])) > 80:
                lines.append([])
            lines[-1].append(word)
        full = lines[:-1]
        return sum(map(len, full)) / len(full) if full else len(words)

    def measures(self, node):
        """Number of tag, class, link density, text density, words, characters, tags."""
        if node is None:
            return (0,) * 7
        kind, number = node
        words = self.words(node)
        names = list(dict.fromkeys(self.of.tags))
        tag = 1 if kind == "r" else names.index(self.of.tags[number]) + 2
        classes = "" if kind == "r" else " ".join(sorted(self.of.classes[number].split()))
        linked = self.linked(node, self.in_link(node))
        share = linked / len(words) if words else 0
        return (
            *(tag, crc32(classes.encode("utf-8", "replace")), share, self.density(words)),
            *(len(words), len(" ".join(words)), self.tags(node)),
        )

    def window(self, node):
        if node is None:
            p = c = n = self.measures(None)
        else:
            above = self.parent(node)
            group = self.groups[above[1] if above else -1]
            at = group.index(node)
            p = self.measures(group[at - 1] if at else None)
            c = self.measures(node)
            n = self.measures(group[at + 1] if at + 1 < len(group) else None)
        ordered = [p[0], c[0], n[0], c[1], p[2], p[3], c[2], c[3], n[2], n[3]]
        ordered += [p[4], c[4], n[4], p[5], c[5], n[5], p[6], c[6], n[6]]
        return [*ordered, c[5] / (c[6] or 1)]

    def features(self):
        rows = []
        for number in range(len(self.runs)):
            run = ("r", number)
            above = self.parent(run)
            rows.append([f for n in (run, above, self.parent(above)) for f in self.window(n)])
        return np.array(rows)


@given(soup, st.lists(st.sampled_from(["lorem ", "x ", "w" * 90 + " "]), max_size=60), st.data())
def test_the_features_are_those_of_a_literal_reading(html, words, data):
    text = "".join(words)
    html = f"<body>one two {html}<p class='y x'>{text}<b>b</b>{text}"
    counts = [len(node.text.split()) for node in page(html).nodes]
    cuts = {
        n: tuple(sorted(data.draw(st.sets(st.integers(1, count - 1), max_size=3))))
        for n, count in enumerate(counts)
        if 1 < count < 9
    }
    of, starts, found = read(html, cuts, layers=3)
    np.testing.assert_allclose(found, Literal(of, starts).features(), rtol=1e-12)
