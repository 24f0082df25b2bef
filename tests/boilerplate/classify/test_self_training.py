"""A classifier that bit patterns teach."""

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify.features import Features, batch_features
from dbce.boilerplate.classify.self_training import learned_chances
from dbce.model import BOILERPLATE, CONTENT, INVALID
from tests.boilerplate.builders import compared
from tests.html.soup import page
from tests.site import article, story
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


def test_what_other_pages_say_is_not_seen():
    pages = compared(one for one, _ in labelled_pages(HOSTS[0]))
    known, alone = batch_features(pages), batch_features([(its, None) for its, _ in pages])
    assert not np.array_equal(known.matrix, alone.matrix, equal_nan=True)
    one, other = (learned_chances(some, taught(alone)) for some in (known, alone))
    assert np.array_equal(one, other)


def test_the_classes_weigh_the_same():
    few = features()
    labels = taught(few)
    paragraphs = np.flatnonzero(labels == CONTENT)
    labels[paragraphs[1:]] = INVALID
    assert (learned_chances(few, labels)[paragraphs] > 0.5).all()
