"""Letters of UTF-8 that were read as another charset are seen, whichever letters they are."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dbce.quality.damage import describe_garbling

LETTERS = "äöüßéèñçøåłńşğžčřűабвгдежзийклмнопрстуфхцчшщъыьэюяαβγδ"


@pytest.mark.parametrize("charset", ["latin-1", "cp1251", "cp1250"])
@given(letters=st.lists(st.sampled_from(LETTERS), min_size=3, max_size=9))
def test_utf8_read_as_another_charset_is_garbled(charset: str, letters: list[str]) -> None:
    text = " and ".join(f"w{letter}rd" for letter in letters)
    assert not describe_garbling(text)
    try:
        misread = text.encode().decode(charset)
    except UnicodeDecodeError:
        assume(False)
    assert describe_garbling(misread) == f"{len(letters)} places of UTF-8 read as another charset"


def test_other_signs_of_a_wrong_charset() -> None:
    for text, told in {
        "one \ufffd\ufffd two \ufffd three \ufffd": "3 places with replacement characters",
        "gr??e und M?he, f?r alle": "3 words with question marks for letters",
        "Ïðèâåò ìèð Êíèãà ñòîë": "3 words of accented letters alone",
        "What? Why? Who? How? A sound text.": "",
    }.items():
        assert describe_garbling(text) == told


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("?ber die Br?cke f?hrt die Stra?enbahn, und ?fter am Abend.", 5),
        ("Don?t ask: it?s the ferry?s rule that we?ve to wait.", 4),
        ("L?équipe n?est pas l? : qu?il revienne, d?accord.", 4),
        ("????? ?????? ? ???? ????? ???? ?? ???????.", 7),
    ],
)
def test_question_marks_stand_for_letters_and_apostrophes(text: str, words: int) -> None:
    assert describe_garbling(text) == f"{words} words with question marks for letters"


@pytest.mark.parametrize(
    "text",
    [
        "Balance 1: ??,?? and balance 2: ??,?? and both: ??,?? of all.",
        "Total ?? of ?? in ?? days and ?? hours.",
        "See /a?id=3, b.php?page=4, ?query and c?d in the log.",
        "Qui est là ? Personne ?? Vraiment ??? Non.",
        "Use T: ?Sized with f(x)?.await and a ? b : c, or colou?r.",
    ],
)
def test_question_marks_that_are_meant_are_none(text: str) -> None:
    assert describe_garbling(text) == ""
