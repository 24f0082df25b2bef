"""The joint method on pages and annotations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dbce.archive import capture
from dbce.classify import Judged, judge_jointly
from dbce.classify.lines import read_lines
from dbce.config import Config
from dbce.html import load
from dbce.model import BOILERPLATE, CONTENT, Annotation, Page
from dbce.pipeline import compare, sketch_all
from tests.html.soup import page
from tests.site import article
from tests.training import HOSTS, labelled_pages

Pages = list[tuple[Page, Annotation | None]]


@pytest.fixture(scope="module")
def pages() -> Pages:
    """Pages with annotations, and some that stand alone."""
    captures = [one for host in HOSTS[:2] for one, _ in labelled_pages(host)]
    captures += [capture(f"http://{n}.example/", article(f"alone{n}"), "2016") for n in range(2)]
    sketches, _ = sketch_all(captures, Config())
    found = {a.record_id: a for a in compare(sketches, Config())}
    limits = Config().limits
    together = [
        (load(c.payload, c.content_type, limits).page, found.get(c.record_id)) for c in captures
    ]
    assert sum(annotation is None for _, annotation in together) == 2
    return together


def same(one: Judged, other: Judged) -> bool:
    return np.array_equal(one.labels, other.labels) and np.array_equal(
        one.probabilities, other.probabilities
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
        assert len(judged.labels) == len(judged.probabilities) == words
        assert ((judged.probabilities > 0) & (judged.probabilities < 1)).all()
        assert set(judged.labels.tolist()) <= {BOILERPLATE, CONTENT}


def test_the_words_of_a_line_share_label_and_probability(tiny, pages):
    for (its_page, _), judged in zip(pages, judge_jointly(pages, tiny), strict=True):
        lines = read_lines(its_page)
        of_word = np.repeat(lines.of_node, lines.node_words)
        for line in range(len(lines.texts)):
            assert len(set(judged.probabilities[of_word == line].tolist())) == 1
            assert len(set(judged.labels[of_word == line].tolist())) == 1


def test_a_line_is_content_from_the_cut_on(tiny, pages):
    for cut in (0.0, 0.3, 0.7, 1.1):
        for judged in judge_jointly(pages, replace(tiny, cut=cut)):
            assert np.array_equal(judged.labels == CONTENT, judged.probabilities >= cut)


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
