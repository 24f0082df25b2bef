"""Changes that matter are told from dates, gutters and collapses, by kind, and counted in words and blocks."""

import numpy as np
import pytest

from dbce.history import WordTrait, is_gutter, is_stamp, text_words
from dbce.model import hash_strings, words_of
from dbce.visual.changes.boxes import changed_blocks, overlaps
from dbce.visual.changes.compare import DiffCounts, changed_words
from dbce.visual.changes.snapshot import BlockColumns
from tests.site import MENU, article, story
from tests.visual.changes.build import OTHER_MENU, changes_of, lighthouse


@pytest.mark.parametrize(
    ("line", "stamp"),
    [
        ("Last update: 3 May 2014, 10:15", True),
        ("This page was last edited on 12 March 2019, at 14:05.", True),
        ("最終更新日 2014年3月5日", True),
        ("2014-05-03T10:15:00Z", True),
        ("Visitors: 12345", True),
        ("Zuletzt aktualisiert am 3. März 2014", True),
        *((line, False) for line in ("12", "10:15", "Version 1.2.3", "May 2014: it is back")),
        ("Price 12 on 3 May 2014", False),
        ("1" * 99 + "x", False),  # in no more steps than signs
    ],
)
def test_a_line_that_says_when_or_how_often_alone_is_a_stamp(line, stamp):
    assert is_stamp(line) is stamp


def test_numbers_of_lines_are_each_the_next_of_the_one_before():
    assert is_gutter("7 8 9")
    assert not is_gutter("7 9")
    assert not is_gutter("7")


def test_a_date_of_the_last_change_is_no_content(tmp_path):
    told = (f"Last update: {day} May 2014" for day in (3, 4))
    row = changes_of(tmp_path, *(lighthouse(line, story("lamp"), story("oil")) for line in told))[0]
    assert (row["class"], row["content_new"], row["kinds"]) == ("boilerplate only", 0, [])


def test_a_correction_is_a_change_though_both_its_words_stand_in_the_menu(tmp_path):
    menu = (*MENU, "Manual of 2.3", "Manual of 2.4")
    lines = (f"The lamp of {n} is lit on every evening by the keeper." for n in ("2.3", "2.4"))
    row = changes_of(tmp_path, *(lighthouse(line, menu=menu) for line in lines))[0]
    assert (row["class"], row["content_new"], row["content_lost"]) == ("content", 0, 0)
    assert row["kinds"] == ["correction"]


def test_words_know_what_they_say():
    found = text_words(["The Ferry sails not on 12 May"])
    assert [WordTrait(trait) for trait in found.traits.tolist()] == [
        *(WordTrait.NAME, WordTrait.NAME, WordTrait(0), WordTrait.NEGATION, WordTrait(0)),
        *(WordTrait.NUMBER, WordTrait.DATE | WordTrait.NAME),
    ]


def test_signs_are_words_in_code_alone():
    found = text_words(["x - 20."], ["x - 20."])
    assert found.ends.tolist() == [2, 6]
    minus, plus = (text_words([], [code]).hashes.tolist() for code in ("x - 20", "x + 20"))
    assert minus != plus


def test_a_sign_in_code_is_a_change_of_the_content(tmp_path):
    mark = "the code of the lamp"
    page = lighthouse(story("lamp"), mark, story("oil"))
    codes = (f"<pre>if lamp.oil {sign} 20: keeper.fetch(oil)</pre>" for sign in "-+")
    row = changes_of(tmp_path, *(page.replace(f"<p>{mark}</p>", code) for code in codes))[0]
    assert (row["class"], row["kinds"]) == ("content", ["wording"])


@pytest.mark.parametrize(
    ("after", "kinds", "touched"),
    [
        ("The lamp was lit on 5 May by the keeper and his goat.", [], (0, 0, 0)),
        ("The lamp was lit on 6 May by the keeper and his goat.", ["correction"], (2, 0, 0)),
        ("The lamp was never lit on 5 May by the keeper and Gudrun.", ["wording"], (0, 1, 1)),
    ],
)
def test_changes_are_told_by_kind_and_by_what_they_touch(tmp_path, after, kinds, touched):
    before, rest = "The lamp was lit on 5 May by the keeper and his goat.", ("lamp", "oil")
    old = lighthouse(before, *map(story, rest), menu=MENU)
    new = lighthouse(after, *map(story, rest), menu=OTHER_MENU)
    (row,) = changes_of(tmp_path, old, new)
    assert row["kinds"] == kinds
    assert tuple(row[f"{what}_touched"] for what in ("numbers", "names", "negations")) == touched


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<title>404 Not Found</title><h1>Not Found</h1><p>The page was not found here.", "error"),
        ("<p>Please sign in with your user name and password to read on.", "login"),
        ("<div id=root></div><script>start()</script>", "empty-shell"),
        ("<p>The harbour office wishes a calm winter, a quiet sea, a stove and oil.", "collapsed"),
    ],
)
def test_a_page_that_collapses_is_gone_and_no_page_is_compared_with_it(tmp_path, html, reason):
    whole = lighthouse(*(story(f"part{n}") for n in range(4)))
    gone, back = changes_of(tmp_path, whole, f"<html><body>{html}</body></html>", whole)
    assert (gone["class"], gone["reason"], gone["score"]) == ("gone", reason, -1)
    assert gone["back"] is (None if "<script>" in html else True)  # which has no text at all
    assert (back["class"], back["before_time"].year) == ("equal", 2014)


ROWS = "".join(f"<tr><td>{story(f'market{n}')}</td></tr>" for n in range(9))
OTHER = f"<div><table>{ROWS}</table></div>"
"""A long page of others, as at an address that somebody else has for a while."""


def _told(folder, *pages):
    return [(row["class"], row["reason"], row["back"]) for row in changes_of(folder, *pages)]


def test_a_long_page_in_its_place_is_gone_if_the_old_text_is_back(tmp_path):
    back = _told(tmp_path, lighthouse(), OTHER, lighthouse("a note"))
    assert back[0] == ("gone", "collapsed", True)
    assert back[1][0] != "gone"


def test_a_long_page_that_stays_is_a_redesign_or_other_content(tmp_path):
    assert _told(tmp_path / "a", lighthouse(), OTHER, OTHER)[0] == ("redesign", None, None)
    other = article("lighthouse", *(story(f"new{n}") for n in range(9)))
    assert _told(tmp_path / "b", lighthouse(), other)[0][0] != "gone"


def test_a_login_between_shows_of_no_text_that_it_went(tmp_path):
    wall = article("lighthouse", "You must be logged in to read this page.")
    told = _told(tmp_path, lighthouse(), OTHER, wall, lighthouse())
    assert told == [("gone", "collapsed", True), ("gone", "login", True), ("equal", None, None)]


def blocks(*texts, content=(), rects=()):
    of_texts = [words_of(text.lower()) for text in texts]
    found, ends = [word for words in of_texts for word in words], np.cumsum([*map(len, of_texts)])
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


def test_words_are_runs_of_letters_and_chinese_characters_by_themselves():
    found = words_of("the ferry, at 10:30. 渡し船 no.2")
    assert found == ["the", "ferry", "at", "10", "30", "渡", "し", "船", "no", "2"]


def test_words_are_told_by_the_verdict_of_their_block():
    old = blocks("the old ferry", "home news", content=(1, 0))
    new = blocks("the new ferry sails", "home letters", content=(1, 0))
    found, _ = changed_words(old, new)
    assert found.content == DiffCounts(added=2, removed=1, kept=2)
    assert found.boilerplate == DiffCounts(added=1, removed=1, kept=1)
    assert (found.new, found.lost) == (2, 1)


def test_a_text_that_is_called_otherwise_has_not_changed():
    old = blocks("the ferry", "by the harbour office", content=(1, 0))
    new = blocks("the ferry", "by the harbour office", content=(1, 1))
    found, _ = changed_words(old, new)
    assert found.content.added == found.boilerplate.removed == 4
    assert (found.new, found.lost, found.moved_in_or_out.share) == (0, 0, 0)


def test_a_teaser_above_moves_no_block():
    old = blocks("one two three", "four five six seven")
    found = changed_blocks(old, blocks("a new teaser", "one two three", "four five six eight"))
    assert (found.kept, found.changed, found.removed, found.added) == ([(0, 1)], [(1, 2)], [], [0])


def test_a_change_weighs_its_importance_times_its_share():
    old = blocks("one two three four", "menu one", content=(1, 0))
    new = blocks("one two three five", "menu two", content=(1, 0))
    assert changed_blocks(old, new).weight == pytest.approx(4 / 6 * 1 / 4)


def test_where_there_are_boxes_they_tell_equal_texts_changed_in_two_places_apart():
    places = [(0, 0, 100, 10), (0, 100, 100, 10)]
    old = blocks("price 10 euro", "price 20 euro", rects=places)
    new = blocks("price 12 euro", "price 22 euro", rects=places)
    assert changed_blocks(old, new).changed == [(0, 0), (1, 1)]
    assert overlaps(old.rects, new.rects).tolist() == [[1, 0], [0, 1]]
