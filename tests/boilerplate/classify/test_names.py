"""Names around a line."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.tokens import (
    NAME_SLOTS,
    NEAR,
    SCORES,
    distinct,
    name_scores,
    name_tokens,
)
from tests.html.soup import page

HALF = NAME_SLOTS // 2


def tokens(html: str) -> list[tuple[int, ...]]:
    pages = [page(html)]
    forest = plant(pages)
    return name_tokens(forest, read_lines(pages, forest)).of_lines()


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


def test_names_beside_a_line_are_not_its_names():
    assert tokens("<div class=menu>a</div><p class=main>b") == [hashed("menu"), hashed("main")]


def test_names_in_a_line_are_not_its_names():
    assert tokens("<p class=main>a <b class=term>b</b></p>") == [hashed("main")]


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


def test_near_names_add_up():
    weights = {"menu_near": -1.0, "main_near": 2.0, "note_near": 0.5, "main": 7.0}
    assert scores("names_near", LINES, [0, 1, 1, 0], **weights) == [-1, 2, 2.5, 0]


def test_names_count_beside_those_of_the_prose():
    weights = {"menu": -1.0, "main": 2.0, "note_near": 0.5}
    found = scores("names_beside_prose", LINES, [0, 10, 30, 0], **weights)
    assert found == pytest.approx([-1 - 2.375, 2 - 2.375, 2.5 - 2.375, -2.375])


def test_every_page_has_prose_of_its_own():
    weights = np.arange(NAME_SLOTS, dtype=np.float32)
    prose = np.array([1, 0, 3, 2], dtype=np.float32)
    together = name_scores(distinct(LINES), weights, prose, starts=(0, 2))
    for of_page in (slice(2), slice(2, None)):
        alone = name_scores(distinct(LINES[of_page]), weights, prose[of_page])
        assert np.array_equal(together[of_page], alone)


def test_without_prose_names_count_by_themselves():
    assert scores("names_beside_prose", LINES, [0] * 4, menu=-1.0) == [-1, 0, 0, 0]


def test_a_name_around_everything_tells_nothing_beside_the_prose():
    everywhere = [tuple(sorted({*line, *hashed("site")})) for line in LINES]
    weights = {"menu": -1.0, "main": 2.0}
    assert scores("names_beside_prose", everywhere, [1, 2, 3, 4], site=5.0, **weights) == (
        pytest.approx(scores("names_beside_prose", LINES, [1, 2, 3, 4], **weights))
    )


@given(st.text(max_size=30))
def test_any_name_has_hashes_in_range(name):
    escaped = name.replace('"', "").replace("&", "").replace("<", "")
    (found,) = tokens(f'<p class="{escaped}">text')
    assert list(found) == sorted(set(found))
    assert all(0 <= one < NAME_SLOTS for one in found)
