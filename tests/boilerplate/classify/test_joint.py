"""The joint method on pages and annotations."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dbce.archive import capture
from dbce.boilerplate.classify import Features, Judgement, joint, judge_jointly
from dbce.boilerplate.classify.joint import AGAINST_ALL, PageCut, cuts, page_cut
from dbce.model import BOILERPLATE, CONTENT, Annotation, Page
from tests.boilerplate.builders import compared
from tests.site import TOPICS, article
from tests.training import HOSTS, commented_pages, labelled_pages, paragraphs, remarks

Pages = list[tuple[Page, Annotation | None]]


@pytest.fixture(scope="module")
def pages() -> Pages:
    """Pages with annotations, and some that stand alone."""
    captures = [one for host in HOSTS[:2] for one, _ in labelled_pages(host)]
    captures += [capture(f"http://{n}.example/", article(f"alone{n}"), "2016") for n in range(2)]
    together = compared(captures)
    assert sum(annotation is None for _, annotation in together) == 2
    return together


@pytest.fixture(scope="module")
def discussed() -> Pages:
    """Pages with comments of readers, the last of which stands alone."""
    captures = [one for host in HOSTS[:2] for one, *_ in commented_pages(host)]
    together = compared([*captures, commented_pages(HOSTS[2])[0][0]])
    assert [annotation is None for _, annotation in together] == [False] * 8 + [True]
    return together


def texts(its_page: Page, of_word: NDArray[np.bool_]) -> list[str]:
    """The text nodes of which a word is chosen."""
    chosen = iter(of_word.tolist())
    of_node = [[next(chosen) for _ in node.text.split()] for node in its_page.nodes]
    return [n.text for n, its_own in zip(its_page.nodes, of_node, strict=True) if any(its_own)]


def same(one: Judgement, other: Judgement) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("labels", "probabilities", "comments", "ends")
    )


def test_paragraphs_are_content_and_menus_are_not(tiny, pages):
    (its_page, _), judged = pages[0], judge_jointly(pages[:1], tiny)[0]
    words = " ".join(node.text for node in its_page.nodes).split()
    content = [word for word, label in zip(words, judged.labels, strict=True) if label == CONTENT]
    assert "summer." in content
    assert "Letters" not in content
    assert "harbour," not in content


@pytest.fixture
def least(monkeypatch):
    """Sets the cut of all pages."""
    return lambda cut: monkeypatch.setattr(joint, "page_cut", lambda *_: PageCut(cut, cut))


def test_a_line_is_content_from_the_cut_on(tiny, pages, least):
    for cut in (AGAINST_ALL, 0.9, 1.1):
        least(cut)
        for judged in judge_jointly(pages, tiny):
            assert np.array_equal(judged.labels == CONTENT, judged.probabilities >= cut)


def test_what_all_other_pages_have_needs_more_to_be_content(tiny, pages, least):
    least(0.0)
    judged = judge_jointly(pages, tiny)
    labels = np.concatenate([one.labels for one in judged])
    chances = np.concatenate([one.probabilities for one in judged])
    assert (labels[chances >= AGAINST_ALL] == CONTENT).all()
    assert {*labels.tolist()} == {CONTENT, BOILERPLATE}
    alone = judge_jointly([(one, None) for one, _ in pages], tiny)
    assert all((judged.labels == CONTENT).all() for judged in alone)


@pytest.mark.parametrize(
    ("words", "chances", "shared", "stays"),
    [
        ([60, 9], [0.9, 0.9], [0, 1], [True, False]),
        ([60, 3], [0.9, 0.9], [0, 1], [True, True]),  # no paragraph
        ([60, 9], [0.9, 0.9], [0, 0.5], [True, True]),  # not of all pages
        ([20, 9], [0.9, 0.9], [0, 1], [True, True]),  # hardly anything besides
        ([60, 9], [0.1, 0.9], [0, 1], [False, True]),  # nothing besides
    ],
)
def test_a_paragraph_of_all_pages_is_content_only_where_little_else_is(
    words, chances, shared, stays
):
    page = SimpleNamespace(
        lines=SimpleNamespace(starts=np.array([0, 2]), words=np.array(words, dtype=np.float32)),
        matrix=np.array([[0.0, its, 1.0] for its in shared]),
        names=["votes", "shared_by", "place_on"],
        heading=np.array([-1, -1]),
    )
    chance = np.array(chances)
    assert (chance >= joint.cuts(page, chance, np.zeros(2))).tolist() == stays


def test_pages_of_a_batch_do_not_touch_each_other(tiny, pages):
    together = judge_jointly(pages, tiny)
    assert all(same(one, judge_jointly([pages[n]], tiny)[0]) for n, one in enumerate(together))
    backwards = judge_jointly(pages[::-1], tiny)[::-1]
    assert all(same(one, other) for one, other in zip(together, backwards, strict=True))
    assert judge_jointly([], tiny) == []


@pytest.mark.parametrize("keep", [False, True])
def test_comments_are_dropped_or_kept_and_menus_are_dropped(reader, discussed, keep):
    judged = judge_jointly(discussed, reader, keep_comments=keep)
    told = [*product(HOSTS[:2], TOPICS), (HOSTS[2], TOPICS[0])]
    for (its_page, _), one, (host, topic) in zip(discussed, judged, told, strict=True):
        article_ = [f"{topic} in the old town", *paragraphs(host, topic)]
        below = list(remarks(host, topic))
        assert texts(its_page, one.labels == CONTENT) == article_ + below * keep
        assert texts(its_page, one.comments) == below
        chances = one.probabilities
        assert chances[one.labels == CONTENT].min() > chances[one.labels == BOILERPLATE].max()


def test_without_knowledge_of_comments_there_are_none(tiny, discussed):
    dropped, kept = (judge_jointly(discussed, tiny, keep_comments=k) for k in (False, True))
    for one, other in zip(dropped, kept, strict=True):
        assert not one.comments.any()
        assert np.array_equal(one.labels, other.labels)


def test_what_is_likely_content_is_no_comment_however_much_it_looks_like_one(
    reader, discussed, least
):
    least(0.0)
    for keep in (False, True):
        for one in judge_jointly(discussed, reader, keep_comments=keep):
            assert not one.comments.any()


# From which probability on lines are content, page by page.


def cut(chances: list[float], words: list[float]) -> float:
    return page_cut(np.array(chances), np.array(words, dtype=np.float32)).usual


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), min_size=1))
def test_it_lies_half_way_between_half_of_the_best_f1_and_the_middle_of_the_widest_gap(lines):
    chance, words = np.array(sorted(lines, reverse=True)).T
    found, (falling, words) = cut(chance, words), (chance[words > 0], words[words > 0])
    above, wanted = words.cumsum(), (words * falling).cumsum()
    if wanted.any():
        left, lost = above[-1] - above[:-1], wanted[-1] - wanted[:-1]
        gaps = above[:-1] * left * (wanted[:-1] / above[:-1] - lost / left) ** 2
        widest = (-gaps).argsort(kind="stable")[:1]
        middles = [min(falling[gap : gap + 2].mean(), joint.SURE) for gap in widest]
        assert found == np.mean([(wanted / (above + wanted[-1])).max(), *middles])


def test_a_page_of_one_line_is_content_if_that_is_likelier_than_not():
    assert [cut([chance], [10]) <= 0.5 for chance in (0.6, 0.5, 0.0)] == [True] * 3


def test_the_cut_is_lowered_where_little_is_expected_but_not_for_precision():
    lines = np.array([0.6, 0.4, 0.3, 0.2]), np.full(4, 10, dtype=np.float32)
    found = page_cut(*lines)
    assert found.lowered < found.usual
    precise = page_cut(*lines, beta=0.5)
    assert precise.lowered == precise.usual > found.usual


def of_others(features: Features, **columns: float) -> Features:
    """The features with some evidence of other pages, the same for all lines, none of them a heading."""
    matrix = features.matrix.copy()
    for name, value in columns.items():
        matrix[:, features.names.index(name)] = value
    return replace(features, matrix=matrix, heading=np.full(len(matrix), -1))


def test_a_page_alone_has_the_lowered_cut_but_for_comments(examples):
    features = examples[0].features
    chance = np.linspace(0.2, 0.6, len(features.matrix))
    comment = np.where(np.arange(len(chance)) == 0, 0.9, 0.0)
    usual, lowered = page_cut(chance, features.lines.words)
    alone = cuts(of_others(features, votes=np.nan), chance, comment)
    assert alone[0] == usual > lowered
    assert set(alone[1:].tolist()) == {lowered}
    assert set(cuts(of_others(features, votes=0.5), chance, comment).tolist()) == {usual}


AGAINST = {"votes": 0, "shared_by": 1, "place_on": 1}
"""Evidence that all other pages have a line at its place."""


def test_a_line_that_all_other_pages_have_at_its_place_must_be_surer_but_no_heading(examples):
    features = of_others(examples[0].features, **AGAINST)
    chance = np.linspace(0, 1, len(features.matrix))
    none = np.zeros(len(chance))
    usual = page_cut(chance, features.lines.words).usual
    assert set(cuts(features, chance, none)) == {AGAINST_ALL}
    for but in ({"votes": 0.5}, {"shared_by": 0.8}, {"place_on": 0}):
        assert set(cuts(of_others(features, **but), chance, none)) == {usual}
    heading = np.where(np.arange(len(chance)) >= 1, 1, -1)
    found = cuts(replace(features, heading=heading), chance, none)
    assert found[1] == usual < AGAINST_ALL
    assert set(np.delete(found, 1)) == {AGAINST_ALL}


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 500)), min_size=1, max_size=40), st.randoms()
)
def test_the_cut_is_a_probability_whatever_the_order_of_lines(lines, random):
    chances, words = map(list, zip(*lines, strict=True))
    assert 0 <= (found := cut(chances, words)) <= 1
    random.shuffle(lines)
    assert cut(*map(list, zip(*lines, strict=True))) == pytest.approx(found, abs=1e-6)


def test_a_line_counts_by_its_words():
    assert cut([0.9, 0.5, 0.1], [100, 100, 1]) != cut([0.9, 0.5, 0.1], [1, 100, 100])
    assert cut([0.9, 0.5, 0.1], [10, 0, 10]) == cut([0.9, 0.1], [10, 10]), "a dash is no word"
