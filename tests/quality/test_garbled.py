"""Letters of UTF-8 that were read as another charset are seen, whichever letters they are."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dbce.quality.garbled import garbled

LETTERS = "äöüßéèñçøåłńşğžčřűабвгдежзийклмнопрстуфхцчшщъыьэюяαβγδ"


@pytest.mark.parametrize("charset", ["latin-1", "cp1251", "cp1250"])
@given(letters=st.lists(st.sampled_from(LETTERS), min_size=3, max_size=9))
def test_utf8_read_as_another_charset_is_garbled(charset: str, letters: list[str]) -> None:
    text = " and ".join(f"w{letter}rd" for letter in letters)
    assert not garbled(text)
    try:
        misread = text.encode().decode(charset)
    except UnicodeDecodeError:
        assume(False)
    assert garbled(misread) == f"{len(letters)} places of UTF-8 read as another charset"


def test_other_signs_of_a_wrong_charset() -> None:
    assert garbled("one \ufffd\ufffd two \ufffd three \ufffd") == (
        "3 places with replacement characters"
    )
    assert garbled("gr??e und M?he, f?r alle") == "3 words with question marks for letters"
    assert garbled("Ïðèâåò ìèð Êíèãà ñòîë") == "3 words of accented letters alone"
    assert not garbled("What? Why? Who? How? A sound text.")
