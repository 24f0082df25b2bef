"""Labels by the bit patterns of the thesis (its appendix B), and by densities."""

from itertools import product

import numpy as np
import pytest

from dbce.boilerplate.classify import density_labels, element_bits, pattern_labels
from dbce.model import BOILERPLATE, CONTENT, LABELS, Cross, Label
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
