"""How much of a page a model has met before."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.boilerplate.classify import NAME_SLOTS, PHRASE_SLOTS
from dbce.boilerplate.classify.features import Features, batch_features, page_features
from dbce.boilerplate.classify.tokens import NAMES, PHRASES, familiarity
from tests.html.soup import page


def weights_of(*met: str) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the names and phrases of some pages."""
    of_names, of_phrases = np.zeros(NAME_SLOTS), np.zeros(PHRASE_SLOTS)
    for html in met:
        features = page_features(page(html), None)
        of_names[features.tokens.token] = 1
        of_phrases[features.phrases.token] = 1
    return of_names, of_phrases


def share_known(features: Features, of_names: np.ndarray, of_phrases: np.ndarray) -> list[float]:
    tokens = features.tokens, features.phrases
    return familiarity(*tokens, (of_names, of_phrases), features.lines.starts[:-1]).tolist()


STORY = "<div class=story><p class=lead>the last ferry</p></div>"
ABROAD = "<div class=vypraveni><p class=uvod>posledni privoz</p></div>"


@pytest.mark.parametrize(
    ("html", "share"),
    [
        (STORY, 1),
        (ABROAD, 0),
        ("<div class=story><p class=lead>posledni privoz</p></div>", 0),
        ("<div class=vypraveni><p class=uvod>the last ferry</p></div>", 0),
        ("<p>the last ferry</p>", 0),
    ],
)
def test_a_page_is_known_if_its_names_and_its_language_are(html, share):
    page_ = page_features(page(html), None)
    assert share_known(page_, *weights_of(STORY)) == [share]


def test_between_the_limits_knowledge_grows():
    of_names, of_phrases = weights_of(STORY)
    shares = []
    for kept in (8, 4, 2, 0):
        line = page_features(
            page("<div class='story alpha beta gamma'><p>the last ferry</p></div>"), None
        )
        some = of_names.copy()
        some[line.tokens.token[:kept]] = 1
        some[line.tokens.token[kept:]] = 0
        shares.append(share_known(line, some, of_phrases)[0])
    low, high = NAMES
    assert shares == pytest.approx([1, (0.5 - low) / (high - low), (0.25 - low) / (high - low), 0])
    assert PHRASES[0] == 0


def test_pages_of_a_batch_are_known_each_by_itself():
    batch = batch_features([(page(html), None) for html in (ABROAD, STORY + STORY, ABROAD)])
    assert share_known(batch, *weights_of(STORY)) == [0, 1, 0]
