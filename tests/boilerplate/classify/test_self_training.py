"""The self-trained method: a classifier that bit patterns teach, who teaches whom, and who decides what."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dbce.archive import capture
from dbce.boilerplate.classify import judge_by_bucket
from dbce.boilerplate.classify.features import Features, batch_features
from dbce.boilerplate.classify.self_training import learned_chances
from dbce.model import BOILERPLATE, CONTENT, INVALID, Annotation, Capture, Cross, Page
from tests.boilerplate.builders import annotation, compared
from tests.html.soup import page
from tests.site import MENU, article, story
from tests.training import HOSTS, labelled_pages

TOPICS = ("ferry", "clocks", "benches")


def features() -> Features:
    """Pages with a menu of three lines, a heading, four paragraphs and a footer."""
    pages = (article(topic, *(story(f"{topic}{n}") for n in range(4))) for topic in TOPICS)
    return batch_features([(page(html), None) for html in pages])


def taught(some: Features) -> NDArray[np.uint8]:
    """Paragraphs are content, the rest of the pages is not."""
    content = [text.endswith(".") for text in some.lines.texts]
    return np.where(content, np.uint8(CONTENT), np.uint8(BOILERPLATE))


def test_what_decided_lines_teach_holds_for_those_that_are_not():
    some = features()
    truth = taught(some)
    chance = learned_chances(some, np.where(some.lines.page == 1, np.uint8(INVALID), truth))
    assert np.array_equal(chance > 0.5, truth == CONTENT)
    assert ((chance > 0) & (chance < 1)).all()
    # The classes weigh the same.
    paragraphs = np.flatnonzero(truth == CONTENT)
    truth[paragraphs[1:]] = INVALID
    assert (learned_chances(some, truth)[paragraphs] > 0.5).all()


def test_what_other_pages_say_is_not_seen():
    pages = compared(one for one, _ in labelled_pages(HOSTS[0]))
    known, alone = batch_features(pages), batch_features([(its, None) for its, _ in pages])
    assert not np.array_equal(known.matrix, alone.matrix, equal_nan=True)
    one, other = (learned_chances(some, taught(alone)) for some in (known, alone))
    assert np.array_equal(one, other)


# Pages and annotations: who teaches whom, and who decides what.


Pages = list[tuple[Page, Annotation | None]]


ALONE = "http://alone.example/"


def captures(host: str) -> Iterator[Capture]:
    """Pages of a site, of two paragraphs and a third that they share in part.

    The menu has a line of its own on every page.
    """
    for topic in (*TOPICS, "maps"):
        name = f"{topic}{host.partition('.')[0]}"
        texts = [story(f"{name}{n}") for n in range(2)]
        shared = f"{story(f'{name}z', 12)[:-1]} as we said in every letter of this year."
        html = article(name, *texts, shared, menu=(*MENU, f"{name}9"))
        yield capture(f"http://{host}/{topic}", html, "20160101000000")


def annotated(*sites: str) -> Pages:
    every = [one for host in sites for one in captures(host)]
    every.append(capture(ALONE, article("alone"), "20160101000000"))
    pages = compared(every)
    assert [found is None for _, found in pages] == [False] * (len(pages) - 1) + [True]
    return pages


@pytest.fixture(scope="module")
def pages() -> Pages:
    """Four pages of each of two sites, and one that stands alone."""
    return annotated("harbour.example", "museum.example")


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def words(its_page: Page) -> list[str]:
    return " ".join(node.text for node in its_page.nodes).split()


def test_patterns_keep_clear_content_and_take_back_what_looks_like_the_menu(pages):
    its_page, _ = pages[0]
    told = dict(zip(words(its_page), judge_by_bucket(pages)[0].tolist(), strict=True))
    assert told["ferryharbour9"] < 0.5
    clear = [word for word in told if word.startswith(("ferryharbour0", "ferryharbour1"))]
    assert len(clear) > 40
    assert np.isnan([told[word] for word in (*clear, "Letters", "reserved")]).all()


def test_a_page_without_a_cross_and_another_template_teach_nobody(pages):
    *others, alone = judge_by_bucket(pages)
    assert np.isnan(alone).all()
    assert same(others, judge_by_bucket(pages[:-1]))
    assert same(others[:4], judge_by_bucket(pages[:4]))


@given(st.permutations(range(9)))
@settings(max_examples=5, deadline=None)
def test_the_order_of_the_pages_does_not_matter(pages, order):
    shuffled = judge_by_bucket([pages[n] for n in order])
    assert same([judge_by_bucket(pages)[n] for n in order], shuffled)


def test_every_word_has_an_answer_with_four_decimals(pages):
    for (its_page, _), chances in zip(pages, judge_by_bucket(pages), strict=True):
        assert len(chances) == len(words(its_page))
        known = chances[~np.isnan(chances)]
        assert ((known >= 0) & (known <= 1) & (known == known.round(4))).all()


def small(name: str, up: str) -> tuple[Page, Annotation]:
    """A page of three lines of its own, one that *up* has but for a word, and three that it has."""
    own, shared = [story(f"{name}{n}") for n in range(3)], ["Home", "Letters", "People"]
    texts = [*own, f"{name} wrote this to us", *shared]
    its_words = "0" * (3 * 30 + 1) + "1" * (4 + 3)
    cross = Cross(name, up, None, None, None, similarity_up=0.9, similarity_down=0)
    found = annotation(cross, nodes=len(texts), **{up: its_words})
    return page("".join(f"<p>{text}</p>" for text in texts)), replace(found, record_id=name)


def test_pages_learn_together_where_crosses_lead_to_one_page_that_is_not_there():
    together = judge_by_bucket([small("a", "absent"), small("b", "absent")])
    apart = judge_by_bucket([small("a", "absent"), small("b", "other")])
    assert not np.isnan(np.concatenate(together)).all()
    assert np.isnan(np.concatenate(apart)).all(), "too few decided lines of either class"


def test_snapshots_alone_decide_nothing_teach_nobody_and_connect_no_pages():
    one, other = small("a", "absent"), small("b", "other")
    its_page, found = small("c", "c2")
    cross = Cross("c", None, None, "absent", "other", 0.0, 0.0)
    masks = dict.fromkeys(("absent", "other"), found.shared["c2"])
    beside = its_page, replace(found, crosses=(cross,), shared=masks)
    *chances, alone = judge_by_bucket([one, other, beside])
    assert np.isnan(alone).all()
    assert same(chances, judge_by_bucket([one, other]))
