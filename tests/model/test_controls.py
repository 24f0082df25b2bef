"""Texts without control characters."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from dbce.model import printable


@given(st.text())
def test_nothing_but_controls_is_taken_from_a_text(text: str) -> None:
    kept = [sign for sign in text if unicodedata.category(sign) != "Cc" or sign in "\t\n"]
    assert printable(text).replace(" ", "") == "".join(kept).replace(" ", "")


def test_a_control_that_parts_words_parts_them_still() -> None:
    assert printable("a\fb\rc\x85d e\x1b[31mf\x9bg\x7f\th\ni") == "a b c d e[31mfg\th\ni"
