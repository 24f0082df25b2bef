"""The methods of the thesis: bit patterns by the table of its appendix B, densities, and what learns from them."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from dbce.boilerplate.classify import density_labels, element_bits, pattern_labels, reclassify
from dbce.boilerplate.classify.thesis import FEATURES, run_features
from dbce.model import (
    BOILERPLATE,
    CONTENT,
    INVALID,
    LABELS,
    Config,
    Cross,
    Label,
    Page,
    settings_in,
)
from dbce.thesis import PATTERNS
from tests.boilerplate.builders import annotation
from tests.html.soup import page

ROWS = {
    "11000": ("10000", "11000"),
    "11100": ("10000", "10100, 11000, 11100"),
    "11001": ("10001", "10000, 11000, 11001"),
    "11010": ("10010", "10000, 11000, 11010"),
    "11011": ("10011", "10000, 10001, 10010, 11000, 11001, 11010, 11011"),
    "11101": ("10001", "11101"),
    "11110": ("10010", "11110"),
    "11111": ("10011", "11111"),
}
"""Content and boilerplate of each cross; all else is invalid."""


def possible(cross: str) -> list[str]:
    """All bits that can occur in a cross: cur always has it, who is absent never."""
    choices = [("0", "1") if present == "1" else ("0",) for present in cross[1:]]
    return ["1" + "".join(bits) for bits in product(*choices)]


def by_table(cross: str, bits: str) -> Label:
    content, boilerplate = ROWS[cross]
    if bits == content:
        return Label.CONTENT
    return Label.BOILERPLATE if bits in boilerplate.split(", ") else Label.INVALID


CASES = [(cross, bits) for cross in ROWS for bits in possible(cross)]


def label(cross: str, bits: str) -> Label:
    return LABELS[pattern_labels(cross, np.array([int(bits, 2)], dtype=np.uint8))[0]]


@pytest.mark.parametrize(("cross", "bits"), CASES)
def test_every_combination_has_the_label_of_the_table(cross, bits):
    assert label(cross, bits) is by_table(cross, bits)


def test_there_is_a_row_for_every_cross_with_up():
    crosses = {f"11{''.join(rest)}" for rest in product("01", repeat=3)}
    assert set(ROWS) == set(PATTERNS) == crosses
    assert len(CASES) == 2 + 3 * 4 + 3 * 8 + 16
    for cross in ("10010", "10001", "10011"):  # snapshots alone tell nothing
        assert {label(cross, bits) for bits in possible(cross)} == {Label.INVALID}


@pytest.mark.parametrize(
    ("members", "shared", "bits"),
    [
        ("u d p n", {"u": "10001", "d": "01001", "p": "00101", "n": "00011"}, "24 20 18 17 31"),
        ("u - p -", {"u": "01", "p": "11", "x": "11"}, "18 26"),  # absent, or of another cross
        ("a b - -", {"a": "1", "b": "0"}, "24"),
        ("b a - -", {"a": "1", "b": "0"}, "20"),
    ],
)
def test_bits_stand_in_the_order_of_the_cross(members, shared, bits):
    cross = Cross("cur", *(None if m == "-" else m for m in members.split()), 0.9, 0.8)
    found = element_bits(annotation(cross, **shared), cross, len(bits.split()))
    assert " ".join(map(str, found.tolist())) == bits


# Labels of a page that stands alone.


def p(count: int, linked: int = 0) -> str:
    """A paragraph of so many words, the last of them a link."""
    words = [f"w{n}" for n in range(count)]
    link = f"<a>{' '.join(words[count - linked :])}</a>" if linked else ""
    return f"<p>{' '.join(words[: count - linked])} {link}</p>"


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
        ([p(30, linked=11)], "--"),  # link density above 1/3
        ([p(30, linked=10)], "++"),
        ([p(3), p(16)], "+-"),  # a long block follows
        ([p(3), p(15)], "--"),
        ([p(5), p(3)], "-+"),  # more than four words stand before
        ([p(4), p(3)], "--"),
        ([p(9, linked=9), p(40)], "--"),  # after a block of links
        ([p(9, linked=9), p(41)], "-+"),
        ([p(9, linked=9), p(5), p(18)], "-++"),
        ([p(9, linked=9), p(5), p(17)], "--+"),
        ([p(9, linked=5), p(17)], "--+"),  # 5/9 is not above 5/9
        ([p(9, linked=6), p(17)], "---"),
    ],
)
def test_words_and_links_of_a_block_and_its_neighbours_decide(blocks, expected):
    assert labels(*blocks) == expected


def test_all_text_nodes_of_a_block_have_one_label_and_links_count_at_any_depth():
    assert labels(f"<p>{'w ' * 9}<b>{'w ' * 9}</b> a b</p>", "<ul><li>a</ul>") == "++++"
    assert labels(f"<p><a><b><i>{'w ' * 30}</i></b></a></p>") == "-"
    assert labels("<p></p>") == ""


# A page learns from the runs that the bit patterns decide.


SIGNS = {"+": CONTENT, "-": BOILERPLATE, "?": INVALID}
SEED = Config().seed
LEARNING = ("T003", "T004", "T005", "T006")


def spans(of: Page) -> tuple[NDArray[np.intp], NDArray[np.uint32]]:
    """The first word of each text node, and the one behind its last."""
    counts = np.array([len(node.text.split()) for node in of.nodes])
    ends = np.cumsum(counts, dtype=np.uint32)
    return ends - counts, ends


def learned(html: str, signs: str, method: str, seed: int = SEED) -> list[float] | None:
    """The probability of content of every text node; they have the pattern labels of the signs."""
    of = page(html)
    labels = np.array([SIGNS[sign] for sign in signs], dtype=np.uint8)
    assert len(labels) == len(of.nodes)
    found = reclassify(of, *spans(of), labels, method=method, seed=seed)
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


@pytest.mark.parametrize(
    ("blind", "seeing", "entry"),
    [
        ("T003", "T004", "<ul><li class={}>{}</li></ul>"),  # the own layer alone; the one above too
        ("T004", "T005", "<ul class={}><li>{}</li></ul>"),  # that of the grandparent, too
    ],
)
def test_each_method_sees_so_many_layers_above(blind, seeing, entry):
    html = "".join(entry.format(of, of * n) for of in "ab" for n in range(1, 8))
    signs = "-" * 7 + "+" * 7
    # Equal texts are in both classes: nothing is left to learn from.
    assert learned(html, signs, blind) is None
    assert learned(html, signs, seeing) == [0.0] * 7 + [1.0] * 7


@pytest.mark.parametrize(("method", "voters"), [("T003", 5), ("T006", 10)])  # neighbours, trees
def test_voters_have_equal_weight(method, voters):
    found = learned(site(8, 8), "--?--+--++-++?++", method)
    assert {round(p * voters, 9) for p in found} <= set(range(voters + 1))
    assert method == "T003" or len(set(found)) > 2


def test_the_forest_depends_on_the_seed_and_on_nothing_else():
    html, signs = site(12, 12), "--?--+--++-++?++--+-+?+-"
    outcomes = [learned(html, signs, "T006", seed) for seed in range(6)]
    assert outcomes == [learned(html, signs, "T006", seed) for seed in range(6)]
    assert len(set(map(tuple, outcomes))) > 1
    assert learned(html, signs, "T006", -1) == learned(html, signs, "T006", 2**32 - 1)


# The features of the thesis: a window of neighbours on each layer. Those of the literal method are the same
# (tests/thesis/test_classification.py), but for the numbers of tag names.


def vectors(html: str, layers: int = 1) -> np.ndarray:
    """The features of a run for each text node."""
    of = page(html)
    return run_features(of, *spans(of), layers)


def test_a_vector_has_twenty_features_a_layer():
    assert len(FEATURES) == 20
    assert [vectors("<p>a", n).shape for n in (1, 2, 3)] == [(1, 20), (1, 40), (1, 60)]


def test_runs_and_tags_have_numbers_that_tell_their_names_apart():
    first, inner, after, last = (
        dict(zip(FEATURES, row, strict=True))
        for row in vectors("<div>one<b>two <i></i>words</b>three four</div>").tolist()
    )
    assert {of["C_nid"] for of in (first, inner, after, last)} == {1}
    assert (inner["P_nid"], inner["N_nid"]) == (0, after["P_nid"])
    assert first["N_nid"] == last["P_nid"] != after["P_nid"]
