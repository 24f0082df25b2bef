"""Emphasis is set where it is if every word of a line is looked at."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.formats.markdown import DELIMITERS, Atom, atoms_of, emphasise

styled = st.tuples(
    st.text("ab .,(", min_size=1, max_size=8), st.frozensets(st.sampled_from([*DELIMITERS]))
)


@settings(max_examples=300)
@given(st.lists(styled, min_size=1, max_size=5))
def test_texts_are_emphasised_like_their_words(line: list[tuple[str, frozenset[str]]]) -> None:
    whole = [atom for text, styles in line for atom in atoms_of(text, styles)]
    pieces = [
        Atom(piece, styles)
        for text, styles in line
        for piece in re.findall(r"[ab]+|[.,(]+| +", text)
    ]
    assert emphasise(whole, str) == emphasise(pieces, str)


def test_a_text_is_taken_apart_before_its_first_word_and_behind_its_last() -> None:
    assert [atom.text for atom in atoms_of(" (a, b and c.) ")] == [
        " ",
        "(",
        "a, b and c",
        ".)",
        " ",
    ]
    assert [atom.text for atom in atoms_of("... ")] == ["...", " "]
    assert [atom.text for atom in atoms_of("")] == []


def test_styles_of_one_length_open_in_one_order() -> None:
    # Sets of names have another order in every process.
    assert emphasise([Atom("all", frozenset(("strong", "em", "del")))], str) == "~~***all***~~"
