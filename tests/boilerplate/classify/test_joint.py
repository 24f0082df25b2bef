"""The joint method on pages and annotations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.archive import capture
from dbce.boilerplate.classify import Judged, joint, judge_jointly
from dbce.boilerplate.classify.features import page_features
from dbce.boilerplate.classify.joint import AGAINST_ALL, PageCut
from dbce.boilerplate.compare import compare
from dbce.html import load
from dbce.model import BOILERPLATE, CONTENT, Annotation, Config, Page
from dbce.pipeline import sketch_all
from tests.html.soup import page
from tests.site import TOPICS, article
from tests.training import HOSTS, commented_pages, labelled_pages, paragraphs, remarks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Capture

Pages = list[tuple[Page, Annotation | None]]


def compared(captures: list[Capture]) -> Pages:
    """The pages of captures with their annotations."""
    sketches, _ = sketch_all(captures, Config())
    found = {a.record_id: a for a in compare(sketches.values(), Config())}
    limits = Config().limits
    return [
        (load(c.payload, c.content_type, limits).page, found.get(c.record_id)) for c in captures
    ]


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


def same(one: Judged, other: Judged) -> bool:
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


def test_every_word_has_a_label_and_a_probability(tiny, pages):
    for (its_page, _), judged in zip(pages, judge_jointly(pages, tiny), strict=True):
        words = sum(len(node.text.split()) for node in its_page.nodes)
        assert len(judged.labels) == len(judged.probabilities) == len(judged.comments) == words
        ends = np.cumsum([len(node.text.split()) for node in its_page.nodes])
        assert judged.ends.tolist() == ends.tolist()
        assert ((judged.probabilities > 0) & (judged.probabilities < 1)).all()
        assert set(judged.labels.tolist()) <= {BOILERPLATE, CONTENT}


def test_the_words_of_a_line_share_label_and_probability(tiny, pages):
    for (its_page, _), judged in zip(pages, judge_jointly(pages, tiny), strict=True):
        lines = page_features(its_page, None).lines
        of_word = np.repeat(lines.of_node, lines.node_words)
        for line in range(len(lines.texts)):
            assert len(set(judged.probabilities[of_word == line].tolist())) == 1
            assert len(set(judged.labels[of_word == line].tolist())) == 1


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
    labels = np.concatenate([judged.labels for judged in judge_jointly(pages, tiny)])
    chances = np.concatenate([judged.probabilities for judged in judge_jointly(pages, tiny)])
    assert (labels[chances >= AGAINST_ALL] == CONTENT).all()
    shared = labels == BOILERPLATE
    assert shared.any()
    assert not shared.all()
    alone = judge_jointly([(one, None) for one, _ in pages], tiny)
    assert all((judged.labels == CONTENT).all() for judged in alone)


def test_pages_of_a_batch_do_not_touch_each_other(tiny, pages):
    together = judge_jointly(pages, tiny)
    assert all(same(one, judge_jointly([pages[n]], tiny)[0]) for n, one in enumerate(together))
    backwards = judge_jointly(pages[::-1], tiny)[::-1]
    assert all(same(one, other) for one, other in zip(together, backwards, strict=True))


def test_a_page_of_one_word_is_judged(tiny):
    (judged,) = judge_jointly([(page("x"), None)], tiny)
    assert len(judged.labels) == 1


def test_no_pages_have_no_judgement(tiny):
    assert judge_jointly([], tiny) == []


@pytest.mark.parametrize("keep", [False, True])
def test_comments_are_dropped_or_kept_and_menus_are_dropped(reader, discussed, keep):
    judged = judge_jointly(discussed, reader, keep_comments=keep)
    hosts = [*(host for host in HOSTS[:2] for _ in TOPICS), HOSTS[2]]
    topics = [*TOPICS, *TOPICS, TOPICS[0]]
    for (its_page, _), one, host, topic in zip(discussed, judged, hosts, topics, strict=True):
        article_ = [f"{topic} in the old town", *paragraphs(host, topic)]
        below = list(remarks(host, topic))
        assert texts(its_page, one.labels == CONTENT) == article_ + below * keep
        assert texts(its_page, one.comments) == below
        chances = one.probabilities
        assert chances[one.labels == CONTENT].min() > chances[one.labels == BOILERPLATE].max()


def test_nothing_is_less_likely_content_when_comments_are_kept(reader, discussed):
    dropped, kept = (judge_jointly(discussed, reader, keep_comments=k) for k in (False, True))
    for one, other in zip(dropped, kept, strict=True):
        assert (other.probabilities >= one.probabilities).all()


def test_without_knowledge_of_comments_there_are_none(tiny, discussed):
    dropped, kept = (judge_jointly(discussed, tiny, keep_comments=k) for k in (False, True))
    for one, other in zip(dropped, kept, strict=True):
        assert not one.comments.any()
        assert np.array_equal(one.labels, other.labels)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("cut", [0.1, 0.5, 0.65, 0.999])
def test_only_words_with_the_label_of_comments_have_it_for_being_one(
    reader, discussed, least, cut, keep
):
    least(cut)
    unsure = replace(reader, comment_scale=(0.1, 0.1), blend=(0.1, 0.5, 0.0))
    label = CONTENT if keep else BOILERPLATE
    judged = judge_jointly(discussed, unsure, keep_comments=keep)
    assert all((one.labels[one.comments] == label).all() for one in judged)


def test_what_is_likely_content_is_no_comment_however_much_it_looks_like_one(
    reader, discussed, least
):
    least(0.0)
    for keep in (False, True):
        for one in judge_jointly(discussed, reader, keep_comments=keep):
            assert not one.comments.any()
