"""What came, went, moved and changed between two snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.view.changes import Kind, changes
from dbce.view.lists import change_marks
from dbce.view.timeline import Text

if TYPE_CHECKING:
    from collections.abc import Sequence


def page(texts: str | Sequence[str]) -> list[Text]:
    """The text nodes of a page, of two runs each."""
    return [Text(text, "content", 2 * n, 2) for n, text in enumerate(texts)]


def told(old: str | Sequence[str], new: str | Sequence[str]) -> list[str]:
    found = changes(page(old), page(new))
    return [f"{one.kind} {(one.new or one.old).text}" for one in found]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("abc", "abc", []),
        ("abc", "abxc", ["came x"]),
        ("abc", "ac", ["went b"]),
        ("", "ab", ["came a", "came b"]),
        ("abcd", "acdb", ["moved b"]),
        ("ab", "aab", ["came a"]),
        ("aab", "ab", ["went a"]),
        ("axc", "ayc", ["went x", "came y"]),
    ],
)
def test_texts_come_go_and_move(old: str, new: str, expected: list[str]) -> None:
    assert told(old, new) == expected


def test_a_text_with_most_of_its_words_is_the_same_one_changed() -> None:
    old = ["menu", "printed in 2013 by the harbour", "footer"]
    new = ["menu", "printed in 2015 by the harbour", "footer"]
    (change,) = changes(page(old), page(new))
    assert change.kind is Kind.CHANGED
    assert [(words.text, words.kind) for words in change.words] == [
        ("printed in", None),
        ("2013", Kind.WENT),
        ("2015", Kind.CAME),
        ("by the harbour", None),
    ]


def test_of_several_texts_the_most_alike_is_the_one_that_changed() -> None:
    old = ["one two three four", "one two three five six"]
    assert told(old, ["one two three five seven"]) == [
        "went one two three four",
        "changed one two three five seven",
    ]


def test_all_runs_of_a_text_are_marked_on_the_page_that_has_it() -> None:
    found = change_marks(changes(page("abcd"), page("acdbx")))
    assert found == {"old": [[2, 2, "moved", 0]], "new": [[6, 2, "moved", 0], [8, 2, "came", 1]]}


pages = st.lists(st.sampled_from(["a", "b", "c d", "c d e", "c d f", "g h i j k"]), max_size=12)


@given(pages, pages)
def test_every_text_is_where_it_was_or_told_once(old: list[str], new: list[str]) -> None:
    found = changes(page(old), page(new))
    before = [one.old.place for one in found if one.old]
    after = [one.new.place for one in found if one.new]
    assert len(set(before)) == len(before)
    assert len(set(after)) == len(after)
    stayed = [text.text for text in page(old) if text.place not in before]
    assert stayed == [text.text for text in page(new) if text.place not in after]
