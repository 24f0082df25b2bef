"""The language of a page: what it says, if that can be, and what its text looks like."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(("text", "told"), [(GERMAN, "de"), (ENGLISH, "en"), (JAPANESE, "ja")])
def test_a_page_that_names_no_language_has_that_of_its_text(text, told):
    assert language(text) == (told, "detected")


@pytest.mark.parametrize("declared", ["de", "fr", "pcm"])
def test_a_language_that_is_declared_is_not_guessed(declared):
    assert language(GERMAN, declared) == (declared, "html:lang")


@pytest.mark.parametrize(("text", "told"), [(GERMAN, "de"), (JAPANESE, "ja")])
def test_a_template_that_says_english_is_not_believed_of_another_text(text, told):
    assert language(text, "en-US") == (told, "detected")


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
