"""The hashes of a sketch are those that Python makes."""

import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dbce.boilerplate.signature import path_hashes
from dbce.boilerplate.sketch import node_places, word_hashes
from dbce.kernel import compiled
from dbce.model import InputError, Page, TextNode
from tests.html.soup import page, soup
from tests.reference import sketches as reference

EVERY_CHARACTER = "x".join(
    chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000
)


def same_in_python(of: Page) -> None:
    paths = np.unique(reference.hash_strings(list(reference.path_tokens(of))))
    found = *word_hashes(of), node_places(of), path_hashes(of)
    expected = *reference.word_hashes(of), reference.node_places(of), paths
    for one, other in zip(found, expected, strict=True):
        assert (one.tolist(), one.dtype) == (other.tolist(), other.dtype)


def of_texts(*texts: str) -> Page:
    nodes = tuple(TextNode(0, number, 0, False, text) for number, text in enumerate(texts, 1))
    return Page(("html",), (-1,), ("é a",), ("",), ("",), (False,), nodes, "")


@given(soup)
@example("")
@example("<p class='b a'><b class=''>x<span class=é>y z</span></b><a>a<i>b</i></a><br>c")
def test_sketches_of_any_page_are_the_same(html):
    try:
        of = page(html)
    except InputError:
        return
    same_in_python(of)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.text(" ab\u2003"), max_size=9)
)
@example([EVERY_CHARACTER])
@example(["a", "", " ", "b c"])
def test_words_of_any_texts_are_the_same(texts):
    same_in_python(of_texts(*texts))


def test_arrays_that_are_too_small_are_refused():
    hashes, places = np.empty(2, np.uint32), np.empty(2, np.int32)
    with pytest.raises(ValueError, match="more places"):
        compiled.hash_words(["a b c", ""], hashes, hashes)
    with pytest.raises(ValueError, match="as many ends"):
        compiled.hash_words(["a"], hashes, hashes)
    with pytest.raises(ValueError, match="as many places"):
        compiled.hash_places(("p",), ("",), (-1,), frozenset(), hashes, places)
    with pytest.raises(ValueError, match="before its children"):
        compiled.hash_places(("p", "p"), ("", ""), (-1, 1), frozenset(), hashes, places)
    with pytest.raises(ValueError, match="as many places"):
        compiled.hash_places(("p",) * 2, ("",) * 2, (-1, 0), frozenset(), hashes, places[:1])
    with pytest.raises(ValueError, match="as many hashes"):
        compiled.hash_paths(["p"], (-1,), hashes)
    with pytest.raises(ValueError, match="before its children"):
        compiled.hash_paths(["p", "p"], (-1, 1), hashes)
