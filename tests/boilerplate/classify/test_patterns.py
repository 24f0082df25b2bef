"""The bit patterns, against the table of METHOD.md as it stands there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dbce.boilerplate.classify import PATTERNS, element_bits, pattern_labels
from dbce.model import CIRCLE, HISTORY, LABELS, Annotation, Cross, Label

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


def annotation(*crosses: Cross, **shared: str) -> Annotation:
    masks = {name: np.array(list(mask)) == "1" for name, mask in shared.items()}
    return Annotation(
        "cur", crosses, masks, *(np.zeros((0, len(kind)), np.float32) for kind in (CIRCLE, HISTORY))
    )


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
