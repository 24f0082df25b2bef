"""The bit patterns, against the table of METHOD.md as it stands there."""

from itertools import accumulate, product
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify import (
    density_labels,
    element_bits,
    pattern_labels,
    reclassify,
)
from dbce.boilerplate.classify.thesis import FEATURES, run_features
from dbce.boilerplate.word_labels import run_starts
from dbce.model import (
    BOILERPLATE,
    CONTENT,
    INVALID,
    LABELS,
    Config,
    Cross,
    Label,
    settings_in,
)
from dbce.thesis import PATTERNS
from tests.boilerplate.builders import annotation
from tests.html.soup import page, soup

# METHOD.md, part 1, stage 2, step 3; thesis, appendix B.
TABLE = """\
| cross | content | boilerplate | anything else |
| --- | --- | --- | --- |
| 11000 | 10000 | 11000 | – |
| 11100 | 10000 | 10100, 11000, 11100 | – |
| 11001 | 10001 | 10000, 11000, 11001 | – |
| 11010 | 10010 | 10000, 11000, 11010 | – |
| 11011 | 10011 | 10000, 10001, 10010, 11000, 11001, 11010, 11011 | – |
| 11101 | 10001 | 11101 | invalid |
| 11110 | 10010 | 11110 | invalid |
| 11111 | 10011 | 11111 | invalid |
"""  # noqa: RUF001 - the dashes of METHOD.md
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()[2:]]


def possible(cross: str) -> list[str]:
    """All bits that can occur in a cross: cur always has it, who is absent never."""
    choices = [("0", "1") if present == "1" else ("0",) for present in cross[1:]]
    return ["1" + "".join(bits) for bits in product(*choices)]


def by_table(cross: str, bits: str) -> Label:
    _, content, boilerplate, _ = next(row for row in ROWS if row[0] == cross)
    if bits == content:
        return Label.CONTENT
    return Label.BOILERPLATE if bits in boilerplate.split(", ") else Label.INVALID


CASES = [(cross, bits) for cross, *_ in ROWS for bits in possible(cross)]


def label(cross: str, bits: str) -> Label:
    return LABELS[pattern_labels(cross, np.array([int(bits, 2)], dtype=np.uint8))[0]]


@pytest.mark.parametrize(("cross", "bits"), CASES)
def test_every_combination_has_the_label_of_the_table(cross, bits):
    assert label(cross, bits) is by_table(cross, bits)


def test_there_is_a_row_for_every_cross_with_up():
    crosses = {f"11{''.join(rest)}" for rest in product("01", repeat=3)}
    assert {row[0] for row in ROWS} == set(PATTERNS) == crosses
    assert len(CASES) == 2 + 3 * 4 + 3 * 8 + 16


def test_combinations_are_invalid_just_where_the_table_says_so():
    invalid = {cross for cross, bits in CASES if label(cross, bits) is Label.INVALID}
    assert invalid == {row[0] for row in ROWS if row[3] == "invalid"}


@pytest.mark.parametrize("cross", ["10010", "10001", "10011"])
def test_snapshots_alone_tell_nothing(cross):
    assert {label(cross, bits) for bits in possible(cross)} == {Label.INVALID}


def test_bits_stand_in_the_order_of_the_cross():
    cross = Cross("cur", "u", "d", "p", "n", 0.9, 0.8)
    found = annotation(cross, u="10001", d="01001", p="00101", n="00011")
    bits = element_bits(found, cross, 5).tolist()
    assert [f"{b:05b}" for b in bits] == ["11000", "10100", "10010", "10001", "11111"]


def test_who_is_absent_or_of_another_cross_adds_no_bit():
    cross = Cross("cur", "u", None, "p", None, 0.9, 0.0)
    found = annotation(cross, u="01", p="11", x="11")
    assert [f"{b:05b}" for b in element_bits(found, cross, 2).tolist()] == ["10010", "11010"]


def test_one_member_in_two_places_of_two_crosses_has_the_bit_of_its_place():
    first, second = (
        Cross("cur", up, down, None, None, 0.9, 0.8) for up, down in (("a", "b"), ("b", "a"))
    )
    found = annotation(first, second, a="1", b="0")
    assert element_bits(found, first, 1).tolist() == [0b11000]
    assert element_bits(found, second, 1).tolist() == [0b10100]


# Labels of a page that stands alone.


def words(count: int) -> str:
    return " ".join(f"w{n}" for n in range(count))


def block(count: int, linked: int = 0) -> str:
    return f"<p>{words(count - linked)} <a>{words(linked)}</a></p>" if linked else p(count)


def p(count: int) -> str:
    return f"<p>{words(count)}</p>"


def labels(*blocks: str) -> str:
    """One sign a text node: + content, - boilerplate."""
    signs = {CONTENT: "+", BOILERPLATE: "-"}
    return "".join(signs[label] for label in density_labels(page("".join(blocks))).tolist())


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        # Kohlschütter et al. 2010, algorithm 2: words and link density of three blocks in a row.
        ([p(17)], "+"),
        ([p(16)], "-"),
        ([block(30, linked=11)], "--"),  # link density above 1/3
        ([block(30, linked=10)], "++"),
        ([p(3), p(16)], "+-"),  # a long block follows
        ([p(3), p(15)], "--"),
        ([p(5), p(3)], "-+"),  # more than four words stand before
        ([p(4), p(3)], "--"),
        ([block(9, linked=9), p(40)], "--"),  # after a block of links
        ([block(9, linked=9), p(41)], "-+"),
        ([block(9, linked=9), p(5), p(18)], "-++"),
        ([block(9, linked=9), p(5), p(17)], "--+"),
        ([block(9, linked=5), p(17)], "--+"),  # 5/9 is not above 5/9
        ([block(9, linked=6), p(17)], "---"),
    ],
)
def test_words_and_links_of_a_block_and_its_neighbours_decide(blocks, expected):
    assert labels(*blocks) == expected


def test_all_text_nodes_of_a_block_have_one_label():
    assert labels(f"<p>{words(9)} <b>{words(9)}</b> {words(2)}</p>", "<ul><li>a</ul>") == "++++"


def test_links_count_at_any_depth():
    assert labels(f"<p><a><b><i>{words(30)}</i></b></a></p>") == "-"


def test_a_page_without_text_has_no_labels():
    assert len(density_labels(page("<p></p>"))) == 0


# A page learns from the runs that the bit patterns decide.


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
    found = reclassify(of, starts, ends, labels, method=method, seed=seed)
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
    assert run_starts(ends, bits).tolist() == expected


# The features of the thesis: a window of neighbours on each layer.


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
