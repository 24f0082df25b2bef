"""The compiled part finds what Python finds, refuses what does not fit, and says how to come by it."""

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from operator import add, attrgetter
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dbce.boilerplate.classify import lines as lines_module
from dbce.boilerplate.classify import structure
from dbce.boilerplate.classify.context import context_formulas, context_rows
from dbce.boilerplate.classify.features import all_formulas, batch_features
from dbce.boilerplate.classify.formulas import (
    HOLDER,
    PARENTS,
    Axis,
    Formulas,
    Program,
    load,
    nearest,
    page_total,
    pick,
    program,
    sum_below,
    where,
    with_all_above,
)
from dbce.boilerplate.classify.lines import TAGS, fold_characters, read_lines
from dbce.boilerplate.classify.signs import COUNTED as AROUND
from dbce.boilerplate.classify.tokens import HEAD, MOST, SHORT, name_tokens, phrase_tokens
from dbce.html import HEADINGS
from dbce.kernel import compiled
from dbce.model import Page, Structure, TextNode
from tests import reference
from tests.boilerplate.builders import of_texts, tree
from tests.html.soup import page, soup
from tests.runs import in_python

SEEDS = st.integers(0, 999).map(np.random.default_rng)
TEXTS = st.text(st.one_of(st.sampled_from(" \n\xa0\u3000aZ.!…,:)$€٣気\ud800"), st.characters()))


@given(st.lists(soup, min_size=1, max_size=3), st.data())
@example(["<a>x<b hidden>y</b></a><p>z"], None)
def test_lines_are_set_and_measured_as_the_ways_up_say(htmls, data):
    pages = [one for html in htmls if (one := page(f"<p>a{html}")).nodes]
    assume(pages)
    if data is not None:  # texts of all kinds of characters, in nodes that may go on in a word
        texts = [data.draw(TEXTS.filter(str.strip)) for _ in pages[0].nodes]
        nodes = [node._replace(text=text) for node, text in zip(pages[0].nodes, texts, strict=True)]
        pages[0] = replace(pages[0], nodes=tuple(nodes))
    found = read_lines(pages)
    expected = reference.set_lines(pages)
    for name, values in expected.items():
        assert np.array_equal(attrgetter(name)(found), values), name


SPELLED = TEXTS.map(lambda text: text.replace("\ud800", ""))
RUNS = st.lists(st.tuples(SPELLED, *[st.integers(0, 9)] * 2), min_size=1)


@given(RUNS)
def test_words_of_runs_are_one_space_apart(runs):
    nodes = tuple(TextNode(0, 1, 0, False, text) for text, *_ in runs)
    parts = tuple((n, at, min(at + size, len(text))) for n, (text, at, size) in enumerate(runs))
    bounds = np.empty(len(runs) + 1, np.int32)
    column = compiled.write_texts(parts, nodes, bounds)
    assert [column[start:end].decode() for start, end in pairwise(bounds.tolist())] == [
        " ".join(nodes[n].text[start:end].split()) for n, start, end in parts
    ]


@given(st.lists(st.none() | st.tuples(st.integers(-9, 9), st.floats(0, 1), SPELLED)))
def test_columns_of_runs_are_as_arrow_makes_them(values):
    for place, kind in enumerate((pa.int32(), pa.float64(), pa.string())):
        buffers = compiled.write_column(tuple((of,) for of in values), str(kind), 0, place)
        made = pa.Array.from_buffers(kind, len(values), [*map(pa.py_buffer, buffers)])
        assert made.equals(pa.array([of and of[place] for of in values], kind))


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 1), st.booleans())))
def test_what_may_be_expected_of_runs_is_counted_by_characters(of_runs):
    runs = tuple((0, 0, size, (label, chance)) for size, chance, label in of_runs)
    sums = [0, 0, 0, 0, 0]
    for size, chance, kept in of_runs:
        own = size, size * max(chance, 1 - chance), size * chance, size * kept, size * chance * kept
        sums = [*map(add, sums, own)]
    assert [*compiled.weigh(runs, True)] == sums


@given(SEEDS)
def test_lines_have_of_nodes_and_masks_what_python_says(random):
    bounds = np.append(0, random.integers(1, 4, 5).cumsum())
    nodes = random.choice([0, 1 / 3, np.nan], (bounds[-1], 2)).astype(np.float32)
    of_lines, found = (
        (bounds[:-1].copy(), random.integers(1, 9, bounds[-1])),
        np.empty((2, 5), "f4"),
    )
    compiled.line_means(nodes, *of_lines, found)
    np.testing.assert_allclose(found, reference.line_means(nodes, *of_lines), rtol=1e-6)
    masks, votes = random.integers(0, 2, (4, of_lines[1].sum())), random.integers(0, 3, (2, 32))
    masks[3], crosses = 0, random.integers(0, 4, (2, 4))
    crosses[0, 0] %= 3  # the first has an up
    of_crosses, found = (crosses, votes.astype("u1"), *of_lines), np.empty((5, 5), "f4")
    compiled.cross_evidence(masks.astype("u1"), *of_crosses, found)
    said = reference.cross_evidence(masks, crosses, votes, *of_lines)
    np.testing.assert_allclose(found, said, rtol=1e-6)


def node_in(element: int, after: int) -> tuple[object, ...]:
    """Arguments of `set_lines` for a page of one element and one text node."""
    nodes = (TextNode(element, 1, after, False, "a"),)
    root, columns = np.zeros(1, np.int64), np.zeros((5, 1), np.int64)
    return [nodes], np.array([0, 1]), root, root, columns, np.zeros(2, np.int64)


def characters_to(end: int, line: int) -> tuple[object, ...]:
    """Arguments of `count_lines` for a text of three characters in one line."""
    columns, words = np.array([[line], [0]]), np.zeros(1, np.int64)
    counts, lengths = np.zeros((12, 1), np.int64), np.zeros((4, 1))
    return np.zeros(3, np.uint32), np.array([0, end]), columns, words, counts, lengths


NODES, STARTS, ONE = np.zeros((2, 4), int), np.array([0, 1, 2]), np.ones(1, int)  # of two pages
LABELS, NO_SUMS = (*np.zeros((2, 1), np.uint8), np.zeros(1)), np.zeros((3, 0))  # of one word
OF_ONE_WORD = ONE.astype("u4"), LABELS, *LABELS[:2], NO_SUMS, (tuple, (), [], (), {})
NOWHERE = (TextNode(1, 1, 1, False, "a"),)  # in an element that is not there
NO_PLACES = np.zeros(1, np.int32), np.empty(2, np.int32)
OF_NO_KIND = (*NO_SUMS[:2], NO_SUMS.T), {"": {"a": 5}}, NO_SUMS, 4, NO_SUMS[0]
ONE_MASK, OF_A_CROSS = np.zeros((1, 1), "u1"), (np.zeros((1, 4), int), np.zeros((1, 32), "u1"))
COUNTS = np.zeros((2, 3), int), np.zeros((1, 6), int), np.zeros(1, int)  # of texts, places, pairs


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("set_lines", node_in(5, 5)),
        ("set_lines", node_in(0, 1)),
        ("look_up", (np.full(1, 9, np.uint32), np.ones(2, np.uint32), 0, np.empty(1, np.uint32))),
        ("hash_rows", (np.zeros(1, np.uint32), np.array([0, 9]), ONE)),
        ("inherit", (np.array([-1, 9]), np.zeros(2, np.int64))),
        ("kind_chances", ((), {"": "a"}, *OF_NO_KIND)),
        ("write_paths", (["/p"], (-1,), NOWHERE, *NO_PLACES)),
        ("write_paths", (["/p"], (-1,), (), *NO_PLACES)),
        ("write_texts", (((1, 0, 0),), (TextNode(0, 1, 0, False, "a"),), NO_PLACES[1])),
        ("write_column", (((1,),), "int32", 1, -1)),
        ("join_lines", ((), [0], [0])),
        ("differing", (NOWHERE, ((0, 0, 1),), [0], 1)),
        ("sum_weights", (ONE, ONE, np.ones(1, np.float32), 0, np.zeros((4, 2)))),
        ("sum_weights", (0 * ONE, ONE, np.ones(1, np.float32), 0, np.zeros((4, 1)))),
        ("enclosing", (SimpleNamespace(parents=(-1, 5)), {0})),
        ("lines", (SimpleNamespace(tags=("p",), nodes=NOWHERE), [0], frozenset())),
        ("structures", (("p",), (-1,), {}, ([1], [False], [1.0], [1.0]), (1, 1))),
        ("structures", (("p",), (0,), {}, ([0], [False], [1.0], [1.0]), (1, 1))),
        ("repeated_siblings", (("p",), ("",), (0,), frozenset(), [], 3)),
        ("repeated_siblings", (("p",), ("",), (-1,), frozenset("p"), [1], 1)),
        ("label_words", (([1], [1], [1], [1]), *OF_ONE_WORD)),
        ("label_words", (([0], [1], [1], [1]), *OF_ONE_WORD)),
        ("runs", ((0,), 9 * ONE.astype("u4"), (*LABELS[::2], *LABELS[:2]), None, (), ((),) * 4)),
        ("count_lines", characters_to(9, line=0)),
        ("count_lines", characters_to(3, line=1)),
        (
            "thin_spans",
            (
                *[np.zeros(1, "u4"), np.array([[0], [2]])] * 2,
                1,
                *[NODES] * 3,
                np.zeros((2, 1), int),
            ),
        ),
        ("cross_evidence", (ONE_MASK, *OF_A_CROSS, 0 * ONE, 2 * ONE, np.zeros((5, 1), "f4"))),
        ("cross_evidence", (ONE_MASK[:0], *OF_A_CROSS, 0 * ONE, ONE, np.zeros((5, 1), "f4"))),
        ("peer_support", (NODES, STARTS, 0, np.array([5]), ONE, *COUNTS, np.zeros((1, 6), "f4"))),
        ("peer_support", (NODES + 9, STARTS, 0, ONE, ONE, *COUNTS, np.zeros((1, 6), "f4"))),
        (
            "snapshot_support",
            (NODES, STARTS, 0, ONE, ONE[:0].view("u1"), COUNTS[0], np.zeros((1, 4), "f4")),
        ),
    ],
)
def test_an_element_or_a_character_that_is_not_there_is_not_read(function, arguments):
    with pytest.raises(IndexError):
        getattr(compiled, function)(*arguments)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), SEEDS)
def test_words_have_what_is_said_of_their_lines(of_node, rng):
    lines = of_node, *rng.integers(0, 2, (3, 10)).tolist()
    ends = rng.integers(0, 9, len(of_node)).cumsum().astype(np.uint32)
    labels, rules = rng.integers(0, 2, (2, ends[-1])).astype(np.uint8)
    before, sums = (labels, rules, rng.random(len(labels))), np.zeros((3, 2))
    found = np.empty((2, len(labels)), np.uint8)
    named = Structure, (False, True), [1], ("p", "ul"), {"ul": "list"}
    of_nodes = compiled.label_words(lines, ends, before, *found, sums, named)
    assert [*found.tolist(), *sums.tolist()] == reference.label_words(lines, ends, before, 2)
    words, kept, chances = sums[:, 1]
    own = Structure(0, "list", 1, 2 * kept > words, np.round(chances / (words or 1), 4))
    assert of_nodes == [own if lines[3][line] else None for line in of_node]


def test_every_tag_that_a_feature_asks_for_is_told_from_others():
    asked = {*lines_module.INLINE, *lines_module.STRONG, *structure.TAGS, *structure.WITHIN}
    asked.update(structure.FURNITURE, HEADINGS, [structure.BOX, "main", "article"])
    asked.update(*structure.COUNTED.values(), *AROUND.values())
    assert asked <= {*TAGS}
    assert lines_module.tag_values(len)[[TAGS.index("abbr"), -1]].tolist() == [4, 0]


# Formulas of features.


def check_formulas(formulas: Formulas, call: Callable[[], object]) -> None:
    """Makes a call that evaluates the formulas, and checks that each gives what it gives in Python."""
    rows = Program.rows
    asked = []

    def compare(program, lines, arrays):
        found = rows(program, lines, arrays)
        if program.columns == tuple(formulas):
            asked.append((found, lines, arrays))
        return found

    with patch.object(Program, "rows", compare):
        call()
    ((found, lines, arrays),) = asked
    expected = reference.Evaluation(lines, arrays)
    for row, (name, formula) in zip(found, formulas.items(), strict=True):
        assert np.array_equal(row, expected.column(formula), equal_nan=True), name


BOXES = "<h1>b</h1><main><textarea>x</textarea><p>a b c d e f g h i j k l</main>"


@given(st.lists(soup, min_size=1, max_size=3), SEEDS)
@example([BOXES, BOXES[::-1], f"{BOXES}<ul><li>m<li>n</ul>{BOXES}"], np.random.default_rng(0))
@example(["<template shadowrootmode=open>", ""], np.random.default_rng(0))
def test_all_features_of_any_pages_are_those_of_their_formulas(htmls, rng):
    pages = [page(f"<p>a{html}") for html in htmls]
    batch = [(one, None) for one in pages if one.nodes]  # what a template leaves out is no text
    assume(batch)
    check_formulas(all_formulas(), lambda: batch_features(batch))
    of = batch_features(batch)
    chances = rng.random((2, len(of.matrix))).round(2)
    check_formulas(context_formulas(), lambda: context_rows(of, *chances))


ONE_PAGE = read_lines([page("<div>a<p>b</p></div>")])
X, PLACES = load("x", Axis.LINES), load("places", Axis.LINES)


@pytest.mark.parametrize(
    ("formula", "arrays"),
    [
        (X, {"x": np.ones(1)}),
        (X, {"x": np.ones(2, np.int16)}),
        (load("x", Axis.LINES, 1), {"x": np.ones((1, 2))}),
        (X.take(PLACES), {"x": np.ones(2), "places": np.array([0, 2])}),
        (X.take(PLACES), {"x": np.ones(2), "places": np.array([0, -1])}),
        (X.take(PLACES), {"x": np.ones(2), "places": np.array([0, np.nan])}),
        (pick("long", PLACES), {"long": np.ones(9, np.float32), "places": np.array([0, 9])}),
        (
            pick("long", PLACES, 1),
            {"long": np.ones((1, 9), np.float32), "places": np.array([0, 8])},
        ),
        (pick("long", PLACES), {"long": np.ones(9), "places": np.array([0, 8])}),
        (page_total(PLACES), {"places": np.ones(2), "page": np.array([0, 1])}),
        (sum_below(X).take(HOLDER), {"x": np.ones(2), "forest.parents": np.array([0, 2, 1])}),
        (nearest(PARENTS), {"holder": np.array([9, 0])}),
        (with_all_above(PLACES).take(HOLDER), {"places": np.array([0, 7])}),
        (PARENTS, {}),
    ],
)
def test_what_does_not_fit_into_formulas_is_refused(formula, arrays):
    with pytest.raises(IndexError, match="no such place"):
        program({"y": formula}).rows(ONE_PAGE, arrays)


def test_formulas_of_nothing_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        program({"y": X}).rows(replace(ONE_PAGE, page=np.empty(0)), {"x": np.ones(0)})


def test_formulas_of_lines_and_of_elements_have_no_common_places():
    with pytest.raises(TypeError, match="LINES and ELEMENTS"):
        HOLDER + PARENTS
    with pytest.raises(TypeError, match="each of LINES"):
        where(X > 0, PARENTS)


# Paths, names, phrases and words of titles.


SIGNS = (
    "aAbZ9_- \n\xa0\u2003éÉß\u03a3\u03c3\u0130i\u0307\u212ak気٣\U0001d7ce\U00010400\U0001f600\ud800"
)
CHARACTERS = st.sampled_from(SIGNS) | st.characters()
EVERY_LETTER = "".join(f"a{chr(code)}b " for code in range(sys.maxunicode + 1))


def same_in_python(pages: list[Page], titles: list[str] | None = None) -> None:
    titles = titles or [of.title for of in pages]
    lines = read_lines(pages)
    forest, paths = lines.forest, lines.forest.paths
    number, columns = reference.number_paths(pages)
    assert forest.path.tolist() == number
    assert [paths.above.tolist(), paths.tags, paths.classes, paths.ids, paths.roles] == columns[:5]
    assert paths.hides.tolist() == columns[5]
    parents = [of.parents for of in pages]
    ways = [len([*reference.way_up(of, n)]) for of in parents for n in range(len(of))]
    assert (forest.depth + 1).tolist() == ways
    starts = zip(forest.starts.tolist(), parents, strict=False)
    above = [start + max(parent, 0) for start, of in starts for parent in of]
    assert forest.parents.tolist() == above, "a root is its own"
    places = reference.template_hashes(paths.tags, paths.classes, paths.above.tolist())
    assert structure._places(paths).tolist() == places
    assert name_tokens(lines).line_tokens() == reference.name_tokens(lines)
    assert phrase_tokens(lines).line_tokens() == reference.phrase_tokens(lines)
    characters = np.array([len(" ".join(text.split())) for text in lines.texts], np.float32)
    every = np.arange(len(lines.page))
    heads = compiled.first_words(lines.folded, lines.bounds, every, 4, lines_module.BEGIN_WITHIN)
    assert heads == reference.first_words(lines)
    assert lines.same_texts.tolist() == reference.same_texts(lines)
    title_words = lines_module._title_words(lines, titles, characters)
    assert title_words.tolist() == reference.title_words(lines, titles)


@given(st.lists(soup.map(lambda html: page(f"<p>a{html}")), min_size=1, max_size=4))
@example([page(f"<p>Leave a <b>Reply</b>!<p>7 Comments &raquo;<p>Posted by{' a goat' * SHORT}")])
def test_all_of_any_pages_is_the_same(pages):
    same_in_python(pages)


NAMES = st.text(CHARACTERS, max_size=12)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES, st.booleans()), min_size=1, max_size=8))
@example([("postBody aB ABc", "x" * 70, "\u212aa a\u0130b", True)])
@example([(" ".join(f"a{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(600)), "", "", False)])
def test_names_of_any_kind_are_the_same(names):
    classes, ids, roles, hidden = zip(*names, strict=True)
    tags = ["html", *["o-p"] * (len(names) - 1)]
    nodes = tuple(TextNode(n, 1, n, False, "x") for n in range(len(names)))
    of = tree(tags, range(-1, len(names) - 1), hidden=hidden, nodes=nodes)
    # No page that was parsed has half a surrogate pair, and what is hashed of names is UTF-8.
    if not any("\ud800" <= sign < "\ue000" for sign in "".join(classes)):
        of = replace(of, classes=classes)
    if not any("\ud800" <= sign < "\ue000" for sign in "".join([*ids, *roles])):
        of = replace(of, ids=ids, roles=roles)
    same_in_python([of])


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
@example(["\u0130\u0130a\u0130", "I ai a"], "ai i\u0307")
@example(["\u03a3\u0130\u03a3", "a\u03a3"], "\u0391\u03a3")
@example(["\u039f\u03a3" * SHORT, "\u0130 " * SHORT, "a\u0130" * 200], "\u039f\u03a3" * SHORT)
@pytest.mark.nightly
def test_texts_of_any_kind_are_the_same(texts, title):
    same_in_python([of_texts(*texts), of_texts("x")], [title, ""])


@pytest.mark.slow
@pytest.mark.nightly
def test_a_word_is_told_by_every_character_as_python_tells_it():
    same_in_python([of_texts(*EVERY_LETTER.split("\n"))], [EVERY_LETTER])


def test_titles_of_a_batch_do_not_run_into_each_other():
    """A sigma at the end of one title is written as at the end of a word, whatever title follows."""
    pages = [of_texts("\u03bf\u03b4\u03bf\u03c2"), of_texts("\u03b1\u03b2")]
    same_in_python(pages, ["\u039f\u0394\u039f\u03a3", "\u0391\u0392"])


def test_two_capitals_are_written_small_otherwise_than_one_by_one():
    every = list(map(chr, range(sys.maxunicode + 1)))
    assert [one for one in every if len(one.lower()) != 1] == [lines_module.DOTTED_I]
    assert [one for one in every if f"a{one}".lower() != f"a{one.lower()}"] == [lines_module.SIGMA]


TWO, FOUR, WORDS = np.empty(2, np.uint32), np.zeros(4, np.uint32), np.zeros(4, np.int64)
PLACES, FLAGS, ENDS = np.empty(2, np.int32), np.ones(1, np.uint8), np.array([0, 1])
FIVE, NONE, LIMITS = [("x", "x")] * 5, frozenset[str](), (120, 12, 40, 1 << 20)
MANY = fold_characters("".join(f"x{n} " for n in range(400)))
OF_TITLES, TITLE = np.zeros((3, 1), np.int64), (FOUR, ENDS, FLAGS, ENDS, FOUR)


@pytest.mark.parametrize(
    ("function", "why", "arguments"),
    [
        ("hash_words", "as many ends", ((), TWO)),
        ("hash_places", "as many places", (("p",), ("",), (-1,), NONE, TWO, PLACES)),
        ("hash_places", "before its children", (("p",) * 2, ("",) * 2, (-1, 1), NONE, TWO, PLACES)),
        ("hash_places", "as many places", (("p",) * 2, ("",) * 2, (-1, 0), NONE, TWO, PLACES[:1])),
        ("hash_runs", "more places", (b"a b c", str.split, TWO)),
        ("hash_runs", "more places", ("a b ç".encode(), str.split, TWO)),
        ("least_hashes", "as many numbers", (TWO, TWO, TWO[:1], TWO)),
        ("hash_paths", "as many hashes", (("p",), ("",), (-1,), max, TWO)),
        ("write_paths", "a parent for each", (["/p"], (), (), PLACES[:0], PLACES[:1])),
        ("write_paths", "before its children", (["/p"] * 2, (-1, -1), (), PLACES[:0], PLACES[:1])),
        ("write_texts", "a bound for each", (((0, 0, 1),), (), PLACES[:1])),
        ("hash_paths", "before its children", (("p",) * 2, ("",) * 2, (-1, 1), max, TWO)),
        ("number_paths", "each of six values", ([], {}, np.zeros((2, 1), int))),
        ("number_paths", "one length", ([(*FIVE, (-1,))], {}, np.zeros((6, 3), int))),
        ("number_paths", "before its children", ([(*FIVE, (-1, 1))], {}, np.zeros((6, 2), int))),
        ("number_paths", "as many places", ([(*FIVE, (-1, 0))], {}, np.zeros((6, 1), int))),
        ("number_paths", "as many places", ([(*FIVE, (-1, 0))], {}, np.zeros((6, 3), int))),
        ("first_words", "a line that is there", (FOUR, ENDS, WORDS[:1] + 1, 4, 9)),
        ("hash_names", "as many places as paths", ([["a"]], WORDS[:2], WORDS[:1], 3, WORDS[:1])),
        ("hash_names", "no such path", ([["a"]], WORDS[:1] - 1, WORDS[:1] + 1, 3, WORDS[:1])),
        ("hash_names", "behind that above", ([["a"]], WORDS[:1], WORDS[:1], 3, WORDS[1:2])),
        ("hash_phrases", "more places for tokens", (FOUR, WORDS[:2], LIMITS, WORDS, WORDS[:1])),
        ("hash_phrases", "not in order", (FOUR, 5 * ENDS, LIMITS, np.zeros(14, int), WORDS[:1])),
        ("hash_lines", "as many places", (FOUR, FOUR[:3], ENDS, 3, 9, np.zeros((2, 1), int))),
        ("first_alike", "as many places", (WORDS, WORDS[:3])),
        ("find_titles", "as many titles", (*TITLE, ENDS[:1], OF_TITLES)),
        ("find_titles", "places as lines", (*TITLE, ENDS, np.zeros((3, 2), int))),
        ("find_titles", "fewer words", (MANY, len(MANY) * ENDS, FLAGS, ENDS, MANY, ENDS, OF_TITLES)),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(function, why, arguments):
    with pytest.raises(ValueError, match=why):
        getattr(compiled, function)(*arguments)


# Without it.


MISSING = "import sys; sys.modules['dbce.kernel.compiled'] = None; "
SENTENCE = (
    "the compiled part of dbce is not built for this Python; `pip install -e .` in the checkout"
)


def test_without_the_compiled_part_a_command_says_how_to_build_it(tmp_path):
    (tmp_path / "page.html").write_text("<p>The ferry")
    code = f"{MISSING}from dbce.cli import main; sys.exit(main(['text', 'page.html']))"
    told = in_python(code, tmp_path, code=1)
    assert told.stderr.startswith(f"dbce: ImportError: {SENTENCE}")
    assert told.stderr.count("\n") == 1


def test_without_the_compiled_part_the_api_says_how_to_build_it(tmp_path):
    told = in_python(f"{MISSING}import dbce; dbce.extract('<p>The ferry')", tmp_path, code=1)
    assert told.stderr.splitlines()[-1].startswith(f"ImportError: {SENTENCE}")
