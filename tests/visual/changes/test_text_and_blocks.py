"""What of two snapshots is counted as changed."""

import numpy as np
import pytest

from dbce.history import words
from dbce.model import hash_strings
from dbce.visual.changes.boxes import changed_blocks, overlaps
from dbce.visual.changes.compare import DiffCounts, changed_words
from dbce.visual.changes.snapshot import BlockColumns


def blocks(*texts: str, content: tuple[float, ...] = (), rects=()) -> BlockColumns:
    found, ends = words(texts)
    share = np.diff([0, *ends]) / max(1, len(found))
    return BlockColumns(
        hash_strings(found),
        np.zeros(len(found), np.uint8),
        np.array(ends, np.uint32),
        np.array(content or [1.0] * len(texts), np.float32),
        np.zeros(len(texts), np.uint32),
        share.astype(np.float32),
        np.array(rects, np.float32).reshape(-1, 4),
    )


def test_words_are_runs_of_letters_and_chinese_characters_by_themselves() -> None:
    assert words(["The Ferry, at 10:30.", "", "渡し船 no.2"]) == (
        ["the", "ferry", "at", "10", "30", "渡", "し", "船", "no", "2"],
        [5, 5, 10],
    )


def test_words_are_told_by_the_verdict_of_their_block() -> None:
    old = blocks("the old ferry", "home news", content=(1, 0))
    new = blocks("the new ferry sails", "home letters", content=(1, 0))
    found, _ = changed_words(old, new)
    assert found.content == DiffCounts(added=2, removed=1, kept=2)
    assert found.boilerplate == DiffCounts(added=1, removed=1, kept=1)
    assert (found.new, found.lost) == (2, 1)


def test_a_text_that_is_called_otherwise_has_not_changed() -> None:
    old = blocks("the ferry", "by the harbour office", content=(1, 0))
    new = blocks("the ferry", "by the harbour office", content=(1, 1))
    found, _ = changed_words(old, new)
    assert found.content.added == found.boilerplate.removed == 4
    assert (found.new, found.lost, found.moved_in_or_out.share) == (0, 0, 0)


def test_a_teaser_above_moves_no_block() -> None:
    old = blocks("one two three", "four five six seven")
    found = changed_blocks(old, blocks("a new teaser", "one two three", "four five six eight"))
    assert (found.kept, found.changed, found.removed, found.added) == ([(0, 1)], [(1, 2)], [], [0])


def test_a_change_weighs_its_importance_times_its_share() -> None:
    old = blocks("one two three four", "menu one", content=(1, 0))
    new = blocks("one two three five", "menu two", content=(1, 0))
    assert changed_blocks(old, new).weight == pytest.approx(4 / 6 * 1 / 4)


def test_where_there_are_boxes_they_tell_equal_texts_changed_in_two_places_apart() -> None:
    places = [(0, 0, 100, 10), (0, 100, 100, 10)]
    old = blocks("price 10 euro", "price 20 euro", rects=places)
    new = blocks("price 12 euro", "price 22 euro", rects=places)
    assert changed_blocks(old, new).changed == [(0, 0), (1, 1)]
    assert overlaps(old.rects, new.rects).tolist() == [[1, 0], [0, 1]]
