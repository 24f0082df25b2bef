"""Nothing that was said of headings is lost, and nothing that was there is overwritten blindly."""

from __future__ import annotations

import json

import pytest

from dbce.annotate.headings.book import HeadingBook
from dbce.annotate.headings.gold import line_of, read_heading_gold
from dbce.model import UsageError
from tests.annotate.headings.said import heading, says


@pytest.fixture
def path(tmp_path):
    return tmp_path / "headings.jsonl"


def test_each_person_has_a_line_a_page(path):
    book = HeadingBook(path)
    for outline in (says("Anna"), says("Ben", heading(2)), says("Anna", heading(1))):
        book.say(outline)
    book.close()
    assert read_heading_gold(path) == [says("Anna", heading(1)), says("Ben", heading(2))]


def test_a_page_without_a_body_is_not_in_the_gold_yet(path):
    book = HeadingBook(path)
    book.say(says("Anna", heading(1), body=""))
    assert path.read_text() == ""
    assert book.people() == {"Anna": ["page"]}
    book.close()


def test_who_comes_back_finds_everything_and_may_take_it_back(path):
    book = HeadingBook(path)
    book.say(says("Anna"))
    book.say(says("Anna", heading(1)))
    book.close()
    again = HeadingBook(path)
    assert again.outline("Anna", "page") == says("Anna", heading(1))
    assert again.undo("Anna", "page")
    assert again.outlines() == [says("Anna")]
    assert again.undo("Anna", "page")
    assert not again.undo("Anna", "page")
    assert again.people() == {}
    again.close()


def test_what_was_taken_back_stays_so(path):
    book = HeadingBook(path)
    for outline in (says("Anna"), says("Ben"), says("Anna", heading(1))):
        book.say(outline)
    book.undo("Anna", "page")
    book.close()
    again = HeadingBook(path)
    assert again.outlines() == [says("Anna"), says("Ben")]
    again.close()


def test_gold_without_a_journal_is_taken_over(path):
    path.write_text(f"{json.dumps(line_of(says('Anna', heading(1))))}\n")
    book = HeadingBook(path)
    book.say(says("Ben"))
    book.close()
    assert [outline.by for outline in read_heading_gold(path)] == ["Anna", "Ben"]


def test_a_file_that_lags_behind_its_journal_is_written_again(path):
    book = HeadingBook(path)
    book.say(says("Anna"))
    before = path.read_bytes()
    book.say(says("Anna", heading(1)))
    after = path.read_bytes()
    book.close()
    path.write_bytes(before)
    HeadingBook(path).close()
    assert path.read_bytes() == after


def test_a_file_that_something_else_changed_is_not_overwritten(path):
    book = HeadingBook(path)
    book.say(says("Anna", heading(1)))
    book.close()
    theirs = f"{json.dumps(line_of(says('Anna', heading(2))))}\n"
    path.write_text(theirs)
    with pytest.raises(UsageError, match="something else changed it"):
        HeadingBook(path)
    assert path.read_text() == theirs


@pytest.mark.parametrize("event", ['{"undo": 5}', '{"by": "Anna"}'])
def test_a_journal_of_something_else_is_told(path, event):
    path.with_name("headings.jsonl.journal").write_text(f"{event}\n")
    with pytest.raises(UsageError, match="is not what dbce label wrote"):
        HeadingBook(path)
