"""Words of a text by the short way are those that the pattern finds."""

from hypothesis import given
from hypothesis import strategies as st

from dbce.model import WORD, count_words, key_of, words_of

MIXED = st.lists(
    st.one_of(
        st.text(max_size=8), st.sampled_from(["naïve", "字幕", "a_b", "\x1c", " ", "’", "\ud800"])
    )
).map("".join)


@given(MIXED)
def test_words_are_those_of_the_pattern(text: str) -> None:
    assert words_of(text) == WORD.findall(text)
    assert count_words(text) == len(WORD.findall(text))


def test_signs_that_templates_exchange_make_no_difference() -> None:
    assert key_of("“It’s” \u2014 re\u00adread¶") == key_of('"It\'s" - reread')
