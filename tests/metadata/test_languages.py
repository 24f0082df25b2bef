"""The language of a page: what it says, if that can be, and what its text looks like."""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dbce.metadata.languages import FILE, LONGEST, language_model
from scripts.setup.language_model import ROOT, arrays, identifier
from tests.metadata.pages import said_by

GERMAN = "Es braucht vier Leute und eine Ziege, um die Fähre über den Fluss zu ziehen. " * 3
ENGLISH = "It takes four people and a goat to pull the ferry over the river in the summer. " * 3
JAPANESE = "この渡し船を川の向こうまで引くには四人と一匹の山羊が必要です。" * 4
CODE = (
    "ggplot(gDat, aes(x = lifeExp, y = gdpPercap)) + geom_point(); str(gDat); levels(gDat$x); " * 4
)


def language(text: str, declared: str = "") -> tuple[str | None, str | None]:
    """The language of a page with this text, and where it was found."""
    metadata = said_by(html=f"<html lang='{declared}'>", text=text)
    return metadata.language, metadata.language_source


@pytest.mark.parametrize("declared", ["", "en-US"])  # a template that is not believed
@pytest.mark.parametrize(("text", "told"), [(GERMAN, "de"), (JAPANESE, "ja")])
def test_a_page_that_names_no_language_or_english_has_that_of_its_text(text, declared, told):
    assert language(text, declared) == (told, "detected")
    assert language(ENGLISH) == ("en", "detected")


@pytest.mark.parametrize("declared", ["de", "fr", "pcm"])
def test_a_language_that_is_declared_is_not_guessed(declared):
    assert language(GERMAN, declared) == (declared, "html:lang")


@pytest.mark.parametrize("text", [ENGLISH, CODE, "Ferry, Ziege", ENGLISH + GERMAN * 2 + ENGLISH])
def test_english_is_believed_unless_the_text_is_surely_another(text):
    assert language(text, "en-GB") == ("en-GB", "html:lang")


@pytest.mark.parametrize("text", ["Ferry 1990 and 1991", CODE, "0101 " * 100, "\ud83d" * 200, ""])
def test_a_language_is_unknown_where_nothing_is_sure(text):
    assert language(text) == (None, None)


def test_english_with_many_names_is_no_rare_language():
    names = (
        "Adeyemi, Okafor, Chukwu, Ibrahim and Balogun go to Abuja with Ngozi. Oga Musa no go come, "
    )
    assert language(names * 6)[0] in {"en", None}


oracle = cache(identifier)

# Words of ten alphabets, what is no word, and characters that are composed or broken.
WORDS = """
ferry Fähre søster été über Überfahrt ÎLE ÑANDÚ река Ђурђевдан ποταμός נהר نهر नदी แม่น้ำ 江 川を渡る 강
fe\u0301te U\u0308bung \ud83d 😀 0101 https://a.example/ \\x00 &nbsp; ŞEHİR ij ß
""".split()


def test_the_file_is_what_the_installed_py3langid_makes() -> None:
    made = arrays(oracle())
    with np.load(ROOT / "dbce/metadata" / FILE) as stored:
        assert set(stored.files) == made.keys()
        for name, array in made.items():
            assert stored[name].dtype == array.dtype
            np.testing.assert_array_equal(stored[name], array)


def sequences() -> list[bytes]:
    """Some of the sequences that the model knows, of all lengths."""
    numbers = language_model().sequences[::97].tolist()
    whole = [number.to_bytes(LONGEST + 1, "big").lstrip(b"\0") for number in numbers]
    return [sequence[1:] for sequence in whole]


@example("")
@example("\x01\x02")
@example("zz")
@example("THE FERRY CROSSES THE RIVER")
@example("уз ўз" * 40)
@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
    | st.lists(st.sampled_from(sequences()), max_size=60).map(
        lambda parts: b"".join(parts).decode("utf-8", "surrogateescape")
    )
)
def test_language_and_probability_are_those_of_py3langid_to_the_last_bit(text: str) -> None:
    assert language_model().likeliest(text) == oracle().classify(text)
