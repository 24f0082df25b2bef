"""A classifier that bit patterns teach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.boilerplate.classify.features import page_features
from dbce.boilerplate.classify.self_training import SelfTrained
from dbce.model import BOILERPLATE, CONTENT, INVALID
from tests.boilerplate.builders import compared
from tests.html.soup import page
from tests.site import article, story
from tests.training import HOSTS, labelled_pages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.features import Features

TOPICS = ("ferry", "clocks", "benches")


def features(topic: str) -> Features:
    """A page with a menu of three lines, a heading, four paragraphs and a footer."""
    return page_features(page(article(topic, *(story(f"{topic}{n}") for n in range(4)))), None)


def taught(one: Features) -> NDArray[np.uint8]:
    """Paragraphs are content, the rest of the page is not."""
    content = [text.endswith(".") for text in one.lines.texts]
    return np.where(content, np.uint8(CONTENT), np.uint8(BOILERPLATE))


def learned(*topics: str) -> SelfTrained:
    pages = [features(topic) for topic in topics]
    return SelfTrained().fit(pages, [taught(one) for one in pages])


def test_what_decided_lines_teach_holds_for_those_that_are_not():
    decided, open_ = features("ferry"), features("clocks")
    labels = [taught(decided), np.full_like(taught(open_), INVALID)]
    for chance in SelfTrained().fit([decided, open_], labels).predict_proba([decided, open_]):
        assert ((chance > 0.5) == (taught(open_) == CONTENT)).all()


def test_pages_that_were_not_learned_from_are_judged_too():
    new = features("maps")
    (chance,) = learned(*TOPICS).predict_proba([new])
    assert ((chance > 0.5) == (taught(new) == CONTENT)).all()


def test_what_other_pages_say_is_not_seen():
    pages = compared(one for one, _ in labelled_pages(HOSTS[0]))
    known, alone = (
        [page_features(page, found if asked else None) for page, found in pages]
        for asked in (True, False)
    )
    assert not np.array_equal(known[0].matrix, alone[0].matrix, equal_nan=True)
    labels = [taught(one) for one in alone]
    for one, other in zip(
        SelfTrained().fit(known, labels).predict_proba(known),
        SelfTrained().fit(alone, labels).predict_proba(alone),
        strict=True,
    ):
        assert np.array_equal(one, other)


def test_the_classes_weigh_the_same():
    few = [features(topic) for topic in TOPICS]
    labels = [taught(one) for one in few]
    paragraphs = np.flatnonzero(np.concatenate(labels) == CONTENT)
    for one in labels[1:]:
        one[one == CONTENT] = INVALID
    labels[0][paragraphs[1:4]] = INVALID
    assert np.concatenate(labels).tolist().count(CONTENT) == 1
    chance = np.concatenate(SelfTrained().fit(few, labels).predict_proba(few))
    assert (chance[paragraphs] > 0.5).all()


@pytest.mark.parametrize("label", [CONTENT, BOILERPLATE, INVALID])
def test_both_classes_are_needed(label):
    one = features("ferry")
    with pytest.raises(ValueError, match="both classes"):
        SelfTrained().fit([one], [np.full_like(taught(one), label)])


def test_probabilities_are_between_zero_and_one_and_the_same_twice():
    pages = [features(topic) for topic in TOPICS]
    for one, other in zip(
        learned(*TOPICS).predict_proba(pages), learned(*TOPICS).predict_proba(pages), strict=True
    ):
        assert np.array_equal(one, other)
        assert ((one > 0) & (one < 1)).all()


def test_a_page_of_one_line_is_judged():
    (chance,) = learned(*TOPICS).predict_proba([page_features(page("x"), None)])
    assert chance.shape == (1,)


def test_no_pages_have_no_judgement():
    assert learned(*TOPICS).predict_proba([]) == []
