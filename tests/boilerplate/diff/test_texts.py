"""The texts of many pages, side by side."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.diff import node_keys, texts_of

pages = st.lists(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), max_size=6),
    min_size=1,
    max_size=6,
)


def packed(page: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """(words, ends) of a page given as text nodes."""
    words = np.array([word for node in page for word in node], dtype=np.uint32)
    return words, np.cumsum([len(node) for node in page], dtype=np.uint32)


@given(pages, st.integers(1, 20))
def test_equal_nodes_of_all_pages_have_equal_numbers(given_pages, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dbce.boilerplate.diff.CHUNK", chunk)
        found = texts_of([packed(page) for page in given_pages])
    nodes = [tuple(node) for page in given_pages for node in page]
    number = dict(zip(nodes, found.nodes.tolist(), strict=True))
    assert found.nodes.tolist() == [number[node] for node in nodes]
    assert len(set(number.values())) == len(number)


@given(pages)
def test_every_page_and_node_keeps_its_words(given_pages):
    found = texts_of([packed(page) for page in given_pages])
    all_pages = np.arange(len(given_pages))
    of_pages = zip(
        given_pages, found.nodes_of(all_pages).starts, found.words_of(all_pages).sizes, strict=True
    )
    for page, first, words in of_pages:
        bounds = found.word_starts[first : first + len(page) + 1].tolist()
        assert [found.words[a:b].tolist() for a, b in pairwise(bounds)] == page
        assert words == sum(map(len, page))


def test_the_key_of_a_node_is_that_of_its_words_alone():
    words = np.array([1, 2, 1, 2], dtype=np.uint32)
    one, other = node_keys(words, np.array([2, 4]))
    assert one == other == node_keys(words[:2], np.array([2]))[0]
