"""What is said of headings is kept as heading gold; what was there is taken over."""

import json

import pytest

from dbce.visual.annotate.headings.history import HEADING_GOLD, line_of, read_outlines
from tests.annotate.core.notes import opened, refuses_to_open
from tests.visual.annotate.headings.said import heading, says


@pytest.fixture
def path(tmp_path):
    return tmp_path / "headings.jsonl"


def note(store, *outlines):
    for outline in outlines:
        store.note(line_of(outline))


def undo(store, by, record_id):
    with store.turn() as history:
        events = history.undo_events(by, record_id)
        store.note(*events)
        return bool(events)


def test_each_person_has_a_line_a_page(path):
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Anna"), says("Ben", heading(2)), says("Anna", heading(1)))
    assert read_outlines(path) == [says("Anna", heading(1)), says("Ben", heading(2))]


def test_a_page_without_a_body_is_not_in_the_gold_yet(path):
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Anna", heading(1), body=""))
        assert path.read_text() == ""
        assert store.people() == {"Anna": ["page"]}


def test_who_comes_back_finds_everything_and_may_take_it_back(path):
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Anna"), says("Ben"), says("Anna", heading(1)))
    with opened(path, HEADING_GOLD) as again:
        assert undo(again, "Anna", "page")
        with again.turn() as history:
            assert history.gold() == [says("Anna"), says("Ben")]
    with opened(path, HEADING_GOLD) as again:
        assert read_outlines(path) == [says("Anna"), says("Ben")]
        assert undo(again, "Anna", "page")
        assert not undo(again, "Anna", "page")
        assert again.people() == {"Ben": ["page"]}


def test_gold_without_a_journal_is_taken_over(path):
    path.write_text(f"{json.dumps(line_of(says('Anna', heading(1))))}\n")
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Ben"))
    assert [outline.by for outline in read_outlines(path)] == ["Anna", "Ben"]


@pytest.mark.parametrize("outlines", [[says("A"), says("A", heading(1))], [says("A", body="")]])
def test_gold_that_cannot_be_gone_on_with_is_not_touched(path, outlines):
    written = "".join(f"{json.dumps(line_of(outline))}\n" for outline in outlines)
    path.write_text(written)
    for _ in range(2):
        refuses_to_open(path, "two lines of one person and page, or one without", HEADING_GOLD)
    assert path.read_text() == written


def test_a_file_that_something_else_changed_is_not_overwritten(path):
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Anna", heading(1)))
    theirs = f"{json.dumps(line_of(says('Anna', heading(2))))}\n"
    path.write_text(theirs)
    refuses_to_open(path, "something else changed it", HEADING_GOLD)
    assert path.read_text() == theirs
