"""Words that stayed, were removed and added, and what is corrected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.history.wording import Stretch, correction_kind, says_the_same, shorten, stretches


def told(before: str, after: str) -> str:
    """The wording in signs: [removed|added]."""
    return "".join(
        f"{' ' if part.spaced and n else ''}{part.after if part.stayed else f'[{part.before}|{part.after}]'}"
        for n, part in enumerate(stretches(before, after))
    )


@pytest.mark.parametrize(
    ("before", "after", "wording"),
    [
        ("The old ferry sails.", "The new ferry sails.", "The [old|new] ferry sails."),
        ("The ferry sails.", "The ferry, of course, sails.", "The ferry[|, of course,] sails."),
        ("Visit the very old pier.", "Visit the pier.", "Visit the [very old|] pier."),
        ("Run f(a, b) now", "Run f(a, c) now", "Run f(a, [b|c]) now"),
        ("It’s open", "It's shut", "It's [open|shut]"),
        # A lone "the" between two changes says nothing.
        (
            "Ask Ann at the gate hut",
            "See Tom in the east shed",
            "[Ask Ann at the gate hut|See Tom in the east shed]",
        ),
    ],
)
def test_words_are_told_that_stayed_and_were_removed_and_added(
    before: str, after: str, wording: str
) -> None:
    assert told(before, after) == wording


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("It costs 5 pence to cross.", "It costs 6 pence to cross.", "number"),
        ("It opened on 5 May at the pier.", "It opened on 6 May at the pier.", "date"),
        ("It was built in 1899 by hand.", "It was built in 1901 by hand.", "date"),
        ("Release 1.2.1 is out today.", "Release 1.3.3 is out today.", "number"),
        ("It was kept by Ann Brown for years.", "It was kept by Tom Green for years.", "name"),
        ("See http://a.example/x for more.", "See https://b.example/y for more.", "address"),
        ("An attachement is enough.", "An attachment is enough.", "spelling"),
        ("The ferry is slow today.", "The ferry is quick today.", ""),
        ("It costs 5 pence to cross.", "It costs nothing to cross.", ""),
        ("Five 1 2 3 4", "Five 6 7 8 9", ""),
    ],
)
def test_what_is_corrected_is_told(before: str, after: str, what: str) -> None:
    assert correction_kind(stretches(before, after), has_names=True) == what


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("See the list, and ask there.", "See the list and ask there.", True),
        ("The Ferry sails", "the ferry sails!", True),
        ("a stop-gap measure", "a stop gap measure", True),
        ("It costs 5 $.", "It costs 5 €.", False),
        ("It is -5 degrees.", "It is 5 degrees.", False),
        ("It is 1.5 m deep.", "It is 15 m deep.", False),
        ("...", "!", False),
    ],
)
def test_punctuation_and_capitals_say_nothing(before: str, after: str, is_same: bool) -> None:
    assert says_the_same(before, after) == is_same


def test_a_capital_tells_no_name_in_german_nor_in_a_title() -> None:
    wording = stretches("Das ist der Hund von hier.", "Das ist der Kater von hier.")
    assert correction_kind(wording, has_names=False) == ""
    assert (
        correction_kind(stretches("2.3 Let Expressions", "2.3 If Expressions"), has_names=True)
        == ""
    )


@given(st.text(alphabet="ab1 .,(é漢", max_size=40), st.text(alphabet="ab1 .,(é漢", max_size=40))
def test_both_wordings_can_be_read_from_the_stretches(before: str, after: str) -> None:
    parts = stretches(before, after)
    for text, side in ((before, "before"), (after, "after")):
        joined = "".join(getattr(part, side) for part in parts)
        assert "".join(joined.split()) == "".join(text.split())


def test_very_long_wordings_are_told_whole() -> None:
    before, after = "a " * 5_000, "b " * 5_000
    assert stretches(before, after) == (Stretch(before, after, stayed=False),)


def test_words_far_from_a_change_are_folded() -> None:
    many = " ".join(f"word{n}" for n in range(60))
    first, changed, last = shorten(stretches(f"{many} old {many}", f"{many} new {many}"))
    assert first.after.startswith("… ")
    assert changed.after == "new"
    assert last.after.endswith(" …")
    assert len(first.after.split()) == len(last.after.split()) == 13
