"""Paths, names, phrases and words of titles are the same whether the compiled part finds them or Python."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import ODD, _title_overlaps, fold_characters, plant, read_lines
from dbce.boilerplate.classify.structure import structure_features
from dbce.boilerplate.classify.tokens import HEAD, MOST, SHORT, name_tokens, phrase_tokens
from dbce.kernel import SWITCH, kernel
from dbce.model import Page, TextNode
from tests.html.soup import page, soup

pytestmark = pytest.mark.skipif(kernel() is None, reason="nothing is compiled")

SIGNS = (
    "aAbZ9_- \n\xa0\u2003éÉß\u03a3\u03c3\u0130i\u0307\u212ak気٣\U0001d7ce\U00010400\U0001f600\ud800"
)
CHARACTERS = st.sampled_from(SIGNS) | st.characters()
EVERY_LETTER = "".join(
    f"a{chr(code)}b " for code in range(sys.maxunicode + 1) if chr(code) not in ODD
)


def found(pages: list[Page], titles: list[str]) -> list[object]:
    forest = plant(pages)
    lines = read_lines(pages, forest)
    characters = np.array([len(" ".join(text.split())) for text in lines.texts], np.float32)
    return [
        *(forest.path.tolist(), forest.depth.tolist(), forest.paths.above.tolist()),
        *(forest.paths.tags, forest.paths.classes, forest.paths.ids, forest.paths.roles),
        forest.paths.hides.tolist(),
        name_tokens(forest, lines).line_tokens(),
        phrase_tokens(lines).line_tokens(),
        _title_overlaps(lines, titles, characters).tolist(),
        {name: of.tobytes() for name, of in structure_features(forest, lines).items()},
    ]


def same_in_python(pages: list[Page], titles: list[str] | None = None) -> None:
    titles = titles or [of.title for of in pages]
    compiled = found(pages, titles)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(SWITCH, "no")
        assert found(pages, titles) == compiled


def of_texts(*texts: str) -> Page:
    """A page with a text in each of some paragraphs."""
    count = len(texts)
    nodes = tuple(TextNode(n, 1, n, False, text) for n, text in enumerate(texts, 1))
    names = ("",) * (count + 1)
    return Page(
        ("html", *["p"] * count),
        (-1, *[0] * count),
        names,
        names,
        names,
        (False,) * (count + 1),
        nodes,
        "",
    )


@given(st.lists(soup.map(lambda html: page(f"<p>a{html}")), min_size=1, max_size=4))
def test_all_of_any_pages_is_the_same(pages):
    same_in_python(pages)


NAMES = st.text(CHARACTERS, max_size=12)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES, st.booleans()), min_size=1, max_size=8))
@example([("postBody aB ABc", "x" * 70, "\u212aa a\u0130b", True)])
@example([(" ".join(f"a{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(600)), "", "", False)])
def test_names_of_any_kind_are_the_same(names):
    classes, ids, roles, hidden = zip(*names, strict=True)
    chain = tuple(range(-1, len(names) - 1))
    tags = ("html", *["o-p"] * (len(names) - 1))
    nodes = tuple(TextNode(n, 1, n, False, "x") for n in range(len(names)))
    pages = [Page(tags, chain, classes, ids, roles, hidden, nodes, "")]
    if any("\ud800" <= sign < "\ue000" for sign in "".join(classes)):
        # The places of a template are hashed of UTF-8 alone, here as in a sketch.
        pages = [replace(pages[0], classes=("",) * len(names))]
    same_in_python(pages)


@pytest.mark.slow
@given(
    st.lists(
        st.text(CHARACTERS, min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=5
    ),
    st.text(CHARACTERS, max_size=60),
)
@example([EVERY_LETTER[start : start + 60] for start in range(0, len(EVERY_LETTER), 60)], "a b")
@example(["x " * n for n in range(1, MOST + 3)], "x")
@example([" " + "ab  " * n + "abcdefgh" * n for n in range(1, SHORT // 3)], "ab abcdefgh")
@example([" a" + " " * SHORT + "b", "a" * HEAD + " b" * SHORT, "a b" + "c" * SHORT], "A B c")
@example(["\u039f\u0394\u039f\u03a3 \u03a3\u0391", "\u0130stanbul"], "\u03bf\u03b4\u03bf\u03c2")
@example([" x 1_a"], "\u0130 1_A")
@pytest.mark.nightly
def test_texts_of_any_kind_are_the_same(texts, title):
    same_in_python([of_texts(*texts), of_texts("x")], [title, ""])


@pytest.mark.slow
@pytest.mark.nightly
def test_a_word_is_told_by_every_character_as_python_tells_it():
    same_in_python([of_texts(*EVERY_LETTER.split("\n"))], [EVERY_LETTER])


def test_texts_that_only_python_knows_to_write_small_are_left_to_it():
    assert all(fold_characters(f"a{odd}") is None for odd in ODD)
    assert fold_characters("") is not None


def test_arrays_that_do_not_fit_are_refused():
    compiled = kernel()
    assert compiled is not None
    whole, small = np.zeros(4, np.int64), np.zeros(4, np.uint32)
    column = ("x",) * 2
    with pytest.raises(ValueError, match="one length"):
        compiled.number_paths([(*[column] * 5, (-1,))], whole)
    with pytest.raises(ValueError, match="before its children"):
        compiled.number_paths([(*[column] * 5, (-1, 1))], whole[:2])
    for places in (whole[:1], whole):
        with pytest.raises(ValueError, match="as many places as elements"):
            compiled.number_paths([(*[column] * 5, (-1, 0))], places)
    with pytest.raises(ValueError, match="as many places as paths"):
        compiled.hash_names([["a"]], whole[:2], whole[:1], 3, whole[:1])
    with pytest.raises(ValueError, match="no such path"):
        compiled.hash_names([["a"]], whole[:1] - 1, whole[:1] + 1, 3, whole[:1])
    with pytest.raises(ValueError, match="behind that above"):
        compiled.hash_names([["a"]], whole[:1], whole[:1], 3, whole[:1].copy())
    limits = 120, 12, 40, 1 << 20
    with pytest.raises(ValueError, match="more places for tokens"):
        compiled.hash_phrases(small, whole[:2], limits, whole, whole[:1])
    with pytest.raises(ValueError, match="not in order"):
        compiled.hash_phrases(small, np.array([0, 5]), limits, np.zeros(14, np.int64), whole[:1])
    shorts = np.ones(1, np.uint8)
    ends = np.array([0, 1])
    with pytest.raises(ValueError, match="as many titles"):
        compiled.find_titles(small, ends, shorts, ends, small, ends[:1], np.zeros((3, 1), np.int64))
    with pytest.raises(ValueError, match="as many places as lines"):
        compiled.find_titles(small, ends, shorts, ends, small, ends, np.zeros((3, 2), np.int64))
    many = fold_characters("".join(f"x{n} " for n in range(400)))
    with pytest.raises(ValueError, match="has fewer words"):
        compiled.find_titles(
            many, np.array([0, len(many)]), shorts, ends, many, ends, np.zeros((3, 1), np.int64)
        )
