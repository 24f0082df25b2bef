"""Tokens of many lines."""

from zlib import crc32

import numpy as np
import pytest

from dbce.boilerplate.classify.features import Features, page_features
from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.tokens import (
    NAME_SLOTS,
    NAMES,
    NEAR,
    PHRASE_SLOTS,
    PHRASES,
    SCORES,
    SHORT,
    distinct,
    familiarity,
    name_scores,
    name_tokens,
    phrase_scores,
    phrase_tokens,
)
from tests.html.soup import page

SETS = [(3, 5), (), (5,), (3, 5)]


def test_the_tokens_of_lines_are_kept_once_and_summed_for_each():
    tokens = distinct(SETS)
    assert (tokens.count, tokens.token.tolist(), tokens.row.tolist()) == (
        3,
        [3, 5, 5],
        [0, 1, 2, 0],
    )
    assert tokens.sums([1, 10, 100]).tolist() == [11, 0, 100, 11]
    assert tokens.line_tokens() == SETS
    assert distinct([]).line_tokens() == []


def test_there_may_be_no_tokens_at_all():
    assert distinct([(), ()]).sums([]).tolist() == [0, 0]


# Names around a line.


HALF = NAME_SLOTS // 2


def tokens(html: str) -> list[tuple[int, ...]]:
    pages = [page(html)]
    forest = plant(pages)
    return name_tokens(forest, read_lines(pages, forest)).line_tokens()


def hashed(*names: str, near: bool = True) -> tuple[int, ...]:
    far = {crc32(name.encode()) % HALF for name in names}
    return tuple(sorted(far | ({one + HALF for one in far} if near else set())))


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        ('class="comment"', ("comment",)),
        ('class="commentList"', ("comment", "list")),
        ('class="post-body hentry"', ("post", "body", "hentry")),
        ('id="sidebar_2"', ("sidebar",)),
        ('class="main" id="Content"', ("main", "content")),
        ('class="a b2"', ()),
        ("", ()),
    ],
)
def test_class_and_id_are_taken_apart_into_their_words(attributes, names):
    assert tokens(f"<p {attributes}>text") == [hashed(*names)]


def test_names_above_a_line_are_around_it_and_those_just_above_are_near():
    inner = "<div>" * NEAR + "text"
    (found,) = tokens(f"<div class=page>{inner}")
    assert found == hashed("page", near=False)
    (found,) = tokens(f"<div class=page>{inner.removeprefix('<div>')}")
    assert found == hashed("page")


def scores(name: str, of: list[tuple[int, ...]], prose: list[float], **weights: float):
    values = np.zeros(NAME_SLOTS, dtype=np.float32)
    for key, weight in weights.items():
        where, _, near = key.partition("_")
        values[crc32(where.encode()) % HALF + (HALF if near else 0)] = weight
    found = name_scores(distinct(of), values, np.array(prose, dtype=np.float32))
    assert found.shape == (len(of), len(SCORES))
    assert found.dtype == np.float32
    return found[:, SCORES.index(name)].tolist()


LINES = [hashed("menu"), hashed("main"), hashed("main", "note"), ()]


@pytest.mark.parametrize(
    ("name", "prose", "weights", "expected"),
    [
        (
            "names_near",
            [0, 1, 1, 0],
            {"menu_near": -1.0, "main_near": 2.0, "note_near": 0.5, "main": 7.0},
            [-1, 2, 2.5, 0],
        ),
        (
            "names_beside_prose",
            [0, 10, 30, 0],
            {"menu": -1.0, "main": 2.0, "note_near": 0.5},
            [-1 - 2.375, 2 - 2.375, 2.5 - 2.375, -2.375],
        ),
        ("names_beside_prose", [0] * 4, {"menu": -1.0}, [-1, 0, 0, 0]),
    ],
)
def test_names_add_up_near_a_line_and_beside_those_of_the_prose(name, prose, weights, expected):
    assert scores(name, LINES, prose, **weights) == pytest.approx(expected)


def test_a_name_around_everything_tells_nothing_beside_the_prose():
    everywhere = [tuple(sorted({*line, *hashed("site")})) for line in LINES]
    weights = {"menu": -1.0, "main": 2.0}
    assert scores("names_beside_prose", everywhere, [1, 2, 3, 4], site=5.0, **weights) == (
        pytest.approx(scores("names_beside_prose", LINES, [1, 2, 3, 4], **weights))
    )


# Short texts that recur on the web.


def phrases(html: str) -> list[tuple[int, ...]]:
    pages = [page(html)]
    return phrase_tokens(read_lines(pages, plant(pages))).line_tokens()


def hashed_phrases(*phrases: str) -> tuple[int, ...]:
    return tuple(sorted({crc32(phrase.encode()) % PHRASE_SLOTS for phrase in phrases}))


def test_a_short_line_is_its_words_its_beginning_and_all_of_it():
    assert phrases("<p>Leave a <b>Reply</b>!") == [
        hashed_phrases("leave", "a", "reply", "^leave a", "=leave a reply")
    ]


def test_numbers_and_signs_do_not_count():
    assert phrases("<p>42 comments<p>7 Comments &raquo;<p>1, 2, 3") == [
        *[hashed_phrases("comments", "=comments")] * 2,
        (),
    ]


def test_of_a_long_line_the_beginning_counts():
    long_one = "Posted by the goat, " + "which has a lot to say " * (SHORT // 10)
    assert phrases(f"<p>{long_one}") == [hashed_phrases("^posted by")]


def test_the_weights_of_a_line_add_up_and_the_unknown_weighs_nothing():
    weights = np.zeros(PHRASE_SLOTS, dtype=np.float32)
    weights[list(hashed_phrases("share"))] = -2
    weights[list(hashed_phrases("=share this"))] = -1
    of_lines = phrases("<p>Share this<p>Teilen<p>7")
    assert phrase_scores(distinct(of_lines), weights).tolist() == [-3, 0, 0]


# How much of a page a model has met before.


def weights_of(*met: str) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the names and phrases of some pages."""
    of_names, of_phrases = np.zeros(NAME_SLOTS), np.zeros(PHRASE_SLOTS)
    for html in met:
        features = page_features(page(html), None)
        of_names[features.tokens.token] = 1
        of_phrases[features.phrases.token] = 1
    return of_names, of_phrases


def share_known(features: Features, of_names: np.ndarray, of_phrases: np.ndarray) -> list[float]:
    tokens = features.tokens, features.phrases
    return familiarity(*tokens, (of_names, of_phrases), features.lines.starts[:-1]).tolist()


STORY = "<div class=story><p class=lead>the last ferry</p></div>"
ABROAD = "<div class=vypraveni><p class=uvod>posledni privoz</p></div>"


@pytest.mark.parametrize(
    ("html", "share"),
    [
        (STORY, 1),
        (ABROAD, 0),
        ("<div class=story><p class=lead>posledni privoz</p></div>", 0),
        ("<div class=vypraveni><p class=uvod>the last ferry</p></div>", 0),
        ("<p>the last ferry</p>", 0),
    ],
)
def test_a_page_is_known_if_its_names_and_its_language_are(html, share):
    page_ = page_features(page(html), None)
    assert share_known(page_, *weights_of(STORY)) == [share]


def test_between_the_limits_knowledge_grows():
    of_names, of_phrases = weights_of(STORY)
    shares = []
    for kept in (8, 4, 2, 0):
        line = page_features(
            page("<div class='story alpha beta gamma'><p>the last ferry</p></div>"), None
        )
        some = of_names.copy()
        some[line.tokens.token[:kept]] = 1
        some[line.tokens.token[kept:]] = 0
        shares.append(share_known(line, some, of_phrases)[0])
    low, high = NAMES
    assert shares == pytest.approx([1, (0.5 - low) / (high - low), (0.25 - low) / (high - low), 0])
    assert PHRASES[0] == 0
