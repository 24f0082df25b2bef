"""What was added and removed between the snapshots of a page, and what moved and changed between two."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.view.timeline import (
    LabelledText,
    MarkKind,
    added_and_removed,
    changes,
    texts_of,
    timeline,
)
from tests.view.harbour import record_id


def node(number: int, text: str, label: str = "content", start: int = 0) -> dict[str, object]:
    end = start + len(text)
    return {"node": number, "text": text, "label": label, "start": start, "end": end}


def test_the_runs_of_a_node_are_one_text_with_the_label_of_most_of_it() -> None:
    runs = [node(0, "Read"), node(1, "on", "boilerplate"), node(1, "in the next issue", start=3)]
    first, second = texts_of(runs)
    assert (first.text, first.place) == ("Read", 0)
    assert (second.text, second.label, second.place) == ("on in the next issue", "content", 1)


def test_a_text_that_comes_a_second_time_has_come() -> None:
    old = texts_of([node(0, "a"), node(1, "b")])
    new = texts_of([node(0, "a"), node(1, "b"), node(2, "a")])
    added, removed = added_and_removed(old, new)
    assert [text.place for text in added] == [2]
    assert removed == ()


def test_another_stamp_and_other_capitals_are_no_added_texts() -> None:
    old = page(["The lamp is lit", "Last update: 3 May 2014", "3 comments"])
    new = page(["The Lamp is lit!", "Last update: 9 June 2015", "5 comments"])
    assert added_and_removed(old, new) == ((), ())
    assert {change.what for change in changes(old, new)} == {"punctuation", "stamp"}


def test_the_latest_snapshot_comes_first_with_what_appeared(run) -> None:
    page = run.page(record_id(2013, "ferry"))
    latest, first = timeline(run, run.snapshots(page))
    assert [step.page["record_id"] for step in (latest, first)] == [
        record_id(2015, "ferry"),
        record_id(2013, "ferry"),
    ]
    assert any("counted again" in text.text for text in latest.added)
    assert first.added is None
    assert not latest.unchanged


def page(texts: str | Sequence[str]) -> list[LabelledText]:
    """The text nodes of a page, of two runs each."""
    return [LabelledText(text, "content", 2 * n, 2) for n, text in enumerate(texts)]


def told(old: str | Sequence[str], new: str | Sequence[str]) -> list[str]:
    found = changes(page(old), page(new))
    return [f"{one.kind} {(one.new or one.old).text}" for one in found]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("abc", "abc", []),
        ("abc", "abxc", ["added x"]),
        ("abc", "ac", ["removed b"]),
        ("", "ab", ["added a", "added b"]),
        ("abcd", "acdb", ["moved b"]),
        ("ab", "aab", ["added a"]),
        ("aab", "ab", ["removed a"]),
        ("axc", "ayc", ["removed x", "added y"]),
    ],
)
def test_texts_come_go_and_move(old, new, expected) -> None:
    assert told(old, new) == expected


def test_a_text_with_most_of_its_words_is_the_same_one_changed() -> None:
    old = ["menu", "printed in 2013 by the harbour", "footer"]
    new = ["menu", "printed in 2015 by the harbour", "footer"]
    (change,) = changes(page(old), page(new))
    assert change.kind is MarkKind.CHANGED
    assert (change.what, change.in_a_word) == ("corrected", "date")
    assert [(part.before, part.after) for part in change.wording if not part.stayed] == [
        ("2013", "2015")
    ]


def test_of_several_texts_the_most_alike_is_the_one_that_changed() -> None:
    old = ["one two three four", "one two three five six"]
    assert told(old, ["one two three five seven"]) == [
        "removed one two three four",
        "changed one two three five seven",
    ]


pages = st.lists(st.sampled_from(["a", "b", "c d", "c d e", "c d f", "g h i j k"]), max_size=12)


@given(pages, pages)
def test_every_text_is_where_it_was_or_told_once(old, new) -> None:
    found = changes(page(old), page(new))
    before = [one.old.place for one in found if one.old]
    after = [one.new.place for one in found if one.new]
    assert len(set(before)) == len(before)
    assert len(set(after)) == len(after)
    stayed = [text.text for text in page(old) if text.place not in before]
    assert stayed == [text.text for text in page(new) if text.place not in after]
