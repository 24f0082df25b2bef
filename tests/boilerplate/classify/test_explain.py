"""Why a line has its probability: what the features add is the probability."""

import math

import pytest

from dbce.boilerplate.classify import explain, load_model, page_features, pushes
from dbce.boilerplate.classify.context import CONTEXT
from dbce.boilerplate.classify.features import PEER_FEATURES, Features, feature_names
from dbce.boilerplate.classify.model import LEARNED, chances
from tests.boilerplate.builders import compared, probability
from tests.site import TOPICS, page


@pytest.fixture(scope="module")
def lines() -> Features:
    """The lines of a page of the harbour, compared with its neighbours."""
    return page_features(*compared(map(page, TOPICS))[0])


@pytest.mark.parametrize("of_package", [True, False])
def test_what_pushes_a_line_adds_up_to_its_probability_strongest_first(lines, tiny, of_package):
    model = load_model("") if of_package else tiny
    judged = chances(model, lines)
    for line, expected in enumerate(judged.content):
        found = pushes(model, lines, line)
        assert found.probability == pytest.approx(expected, abs=1e-12)
        assert probability(found) == pytest.approx(expected, abs=1e-5)
        weights = [abs(push.weight) for push in found.pushes]
        assert weights == sorted(weights, reverse=True)


def test_a_menu_that_all_pages_have_is_pushed_towards_boilerplate(lines):
    by_others = [
        push.weight
        for push in pushes(load_model(""), lines, 0).pushes
        if push.feature.partition("@")[0] in PEER_FEATURES
    ]
    assert sum(by_others) < -1


FEATURES = [*feature_names(), *LEARNED, *CONTEXT, "comment"]


def test_every_feature_has_words_of_its_own():
    words = {feature: explain.in_words(feature) for feature in FEATURES}
    assert [feature for feature, told in words.items() if "_" in told or "@" in told] == []
    assert len(set(words.values())) == len(FEATURES)
    values = [(name, value) for name in FEATURES for value in (0.0, 0.25, 3.0, math.nan)]
    assert [one for one in values if "nan" in explain.value_in_words(*one)] == []


@pytest.mark.parametrize(
    ("feature", "value", "words"),
    [
        ("link_density", 0.5, "50%"),
        ("up2_share", 0.25, "25%"),
        ("words", 12, "12"),
        ("in_nav", 1, "yes"),
        ("said_before", 0, "no"),
        ("told_article", 1, "yes"),
        ("up1_prices", 0.5, "50%"),
        ("tag", 3, ""),
        ("votes@-1", math.nan, "unknown"),
    ],
)
def test_values_are_said_as_people_read_them(feature, value, words):
    assert explain.value_in_words(feature, value) == words
