"""Lines of pages: their characters, elements and words, and the tokens that models know."""

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify import lines as kind
from dbce.boilerplate.classify import tokens as module
from dbce.boilerplate.classify.features import Features, page_features
from dbce.boilerplate.classify.lines import Lines, read_lines, text_arrays, text_features
from dbce.boilerplate.classify.tokens import NAME_SLOTS, PHRASE_SLOTS, distinct
from tests.boilerplate.builders import columns
from tests.html.soup import page


def test_a_character_can_be_of_several_kinds_or_of_none():
    marked = {"CAPITAL": "F", "DIGIT": "12", "COMMA": ",", "STOP": "…?", "ENDING": "…?"}
    of = "Fox 12, 気… ok?"
    found = kind.kinds(kind.codes_of(of)).tolist()
    for which, expected in (marked | {"UNSPACED": "気", "SPACE": "   "}).items():
        own = [sign for sign, kinds in zip(of, found, strict=True) if kinds & getattr(kind, which)]
        assert "".join(own) == expected


# The lines of a page, and what their own text says.


def lines(*htmls: str) -> Lines:
    return read_lines([page(html) for html in htmls])


def feature(name: str, html: str, title: str = "") -> list[float]:
    return of_texts(lines(html), title)[name].astype(float).round(3).tolist()


def of_texts(of: Lines, title: str) -> dict[str, np.ndarray]:
    return columns(text_features(), of, **text_arrays(of, [title]))


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>One <b>two</b> three</p><p>four", ("One two three", "four")),
        ("<p>One<b>two</b></p>", ("Onetwo",)),
        ("<p><i>One</i> <b>two</b></p>", ("One two",)),
        ("<p>One<br>two", ("One", "two")),
        ("<div>One<p>two</p>three</div>", ("One", "two", "three")),
        ("<ul><li>One<li><a>two</a>\n  more</ul>", ("One", "two more")),
        ("<p>One<img>two<wbr>three", ("Onetwothree",)),
        ("<div>One<hr>two<p></p>three", ("One", "two", "three")),
    ],
)
def test_a_line_is_what_a_browser_sets_as_one_paragraph(html, texts):
    assert lines(html).texts == texts


SIGNED = "<p>Mr. Fox, 12 hens; none left!</p><p>no end</p>"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("words", [6, 2]),
        ("stops", [2, 0]),
        ("commas", [2, 0]),
        ("digits", [2 / 28, 0]),
        ("capitals", [2 / 6, 0]),
        ("ends", [1, 0]),
        ("stop_density", [2 / 6, 0]),
        ("word_length", [28 / 6, 3]),
    ],
)
def test_a_text_is_counted_by_its_signs(name, values):
    assert feature(name, SIGNED) == pytest.approx(values, abs=5e-4)


@pytest.mark.parametrize("text", ["Schluss。", "Wie?", "Er sagte: „Ja”", "so …", "(so)"])
def test_what_ends_a_sentence_ends_a_line(text):
    assert feature("ends", f"<p>{text}</p>") == [1]


def test_a_headline_is_like_the_title():
    html = "<h1>The last Ferry</h1><p>The goat</p><p>Nothing"
    title = "The last ferry | Harbour News"
    assert feature("title_overlap", html, title) == [1, 0.5, 0]
    assert feature("title_cover", html, title) == [0.6, 0.2, 0]
    assert feature("title_overlap", html) == [0, 0, 0]
    assert feature("title_overlap", f"<p>{'ferry ' * 60}", "ferry") == [0], "too long a line"


# Tokens of many lines.


SETS = st.lists(st.frozensets(st.integers(0, 9)).map(lambda of: tuple(sorted(of))), max_size=6)
WEIGHTS = np.array([0, 0.1, -2, 0, 0.3, 0, 7, 1e-9, 0, -0.7], np.float32)


@given(SETS)
def test_the_tokens_of_lines_are_kept_once_and_their_weights_summed_for_each(sets):
    tokens = distinct(sets)
    assert (tokens.count, tokens.line_tokens()) == (len(set(sets)), sets)
    sums = [
        [sum(map(float, WEIGHTS[[*of]])) for of in sets],
        [sum(float(WEIGHTS[token]) for token in of if token >= 5) for of in sets],
        [sum(WEIGHTS[token] != 0 for token in of) for of in sets],
        [len(of) for of in sets],
    ]
    assert tokens.sums(WEIGHTS, 5).tolist() == sums


# Names around a line.


HALF = NAME_SLOTS // 2


def hashed(*names: str) -> tuple[int, ...]:
    far = {crc32(name.encode()) % HALF for name in names}
    return tuple(sorted(far | {one + HALF for one in far}))


def scores(name: str, of: list[tuple[int, ...]], prose: list[float], **weights: float):
    values = np.zeros(NAME_SLOTS, dtype=np.float32)
    for key, weight in weights.items():
        where, _, near = key.partition("_")
        values[crc32(where.encode()) % HALF + (HALF if near else 0)] = weight
    of_page = lines("<p>a<p>b<p>c<p>d")
    sums = distinct(of).sums(values, HALF)
    formulas = dict(zip(module.SCORES, module.name_scores("sums"), strict=True))
    found = columns(formulas, of_page, sums=sums, prose=np.array(prose, dtype=np.float32))
    return found[name].tolist()


LINES = [hashed("menu"), hashed("main"), hashed("main", "note"), ()]
NEARBY = {"menu_near": -1.0, "main_near": 2.0, "note_near": 0.5, "main": 7.0}
MEAN = (2.0 * 10 + 2.5 * 30) / 40
"""Means of the signs that names around ten and thirty words of prose give."""


@pytest.mark.parametrize(
    ("name", "prose", "weights", "expected"),
    [
        ("near", [0, 1, 1, 0], NEARBY, [-1, 2, 2.5, 0]),
        ("beside_prose", [0, 10, 30, 0], {"menu": -1.0, "main": 2.0, "note_near": 0.5},
         [-1 - MEAN, 2 - MEAN, 2.5 - MEAN, -MEAN]),
        ("beside_prose", [0] * 4, {"menu": -1.0}, [-1, 0, 0, 0]),
    ],
)  # fmt: skip
def test_names_add_up_near_a_line_and_beside_those_of_the_prose(name, prose, weights, expected):
    assert scores(f"names_{name}", LINES, prose, **weights) == pytest.approx(expected)


def test_a_name_around_everything_tells_nothing_beside_the_prose():
    everywhere = [tuple(sorted({*line, *hashed("site")})) for line in LINES]
    weights = {"menu": -1.0, "main": 2.0}
    assert scores("names_beside_prose", everywhere, [1, 2, 3, 4], site=5.0, **weights) == (
        pytest.approx(scores("names_beside_prose", LINES, [1, 2, 3, 4], **weights))
    )


# How much of a page a model has met before.


def weights_of(*met: str) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the names and phrases of some pages."""
    of_names, of_phrases = (np.zeros(n, np.float32) for n in (NAME_SLOTS, PHRASE_SLOTS))
    for html in met:
        features = page_features(page(html), None)
        of_names[features.tokens.token] = 1
        of_phrases[features.phrases.token] = 1
    return of_names, of_phrases


def share_known(of: Features, of_names: np.ndarray, of_phrases: np.ndarray) -> list[float]:
    sums = of.tokens.sums(of_names), of.phrases.sums(of_phrases)
    return module.familiarity(*sums, of.lines.starts[:-1]).tolist()


STORY = "<div class=story><p class=lead>the last ferry</p></div>"
ABROAD = "<div class=vypraveni><p class=uvod>posledni privoz</p></div>"


@pytest.mark.parametrize(
    ("html", "share"),
    [
        (STORY, 1),
        (ABROAD, 0),
        ("<div class=story><p class=lead>posledni privoz</p></div>", 0),
        ("<div class=vypraveni><p class=uvod>the last ferry</p></div>", 0),
    ],
)
def test_a_page_is_known_if_its_names_and_its_language_are(html, share):
    page_ = page_features(page(html), None)
    assert share_known(page_, *weights_of(STORY)) == [share]


def test_between_the_limits_knowledge_grows():
    of_names, of_phrases = weights_of(STORY)
    html = "<div class='story alpha beta gamma'><p>the last ferry</p></div>"
    line = page_features(page(html), None)
    shares = []
    for kept in (8, 4, 2, 0):
        some = of_names.copy()
        some[line.tokens.token[:kept]] = 1
        some[line.tokens.token[kept:]] = 0
        shares += share_known(line, some, of_phrases)
    low, high = module.NAMES
    assert shares == pytest.approx([1, (0.5 - low) / (high - low), (0.25 - low) / (high - low), 0])
    assert module.PHRASES[0] == 0
