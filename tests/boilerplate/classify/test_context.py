"""The second stage sees answers of the first around a line, on its page alone."""

import numpy as np
import pytest

from dbce import html
from dbce.boilerplate.classify.context import CONTEXT, context_rows, log_odds
from dbce.boilerplate.classify.features import batch_features
from dbce.model import Limits

NEWS = (
    "<div><p>Home</p><p>Letters</p></div>"
    "<article><h1>A ferry</h1><p>It has left the old harbour again.</p><p>At nine.</p></article>"
    "<footer>Imprint</footer>"
)
CHANCES = (0.1, 0.1, 0.9, 0.95, 0.5, 0.02)
NOTE = "<p>Back soon.</p>"


def columns(*pages: tuple[str, tuple[float, ...]]) -> dict[str, np.ndarray]:
    """The features of the lines of some pages, judged together, by name."""
    found = [html.load(text.encode(), "text/html", Limits()).page for text, _ in pages]
    chance = np.concatenate([of for _, of in pages])
    rows = context_rows(batch_features([(page, None) for page in found]), chance, chance / 2)
    assert rows.dtype == np.float32
    return dict(zip(CONTEXT, rows.T, strict=True))


def test_a_page_sees_nothing_of_those_that_are_judged_with_it():
    chances = tuple(np.random.default_rng(1).random(6).tolist())
    alone = columns((NEWS, chances))
    others = [(NEWS, tuple(np.random.default_rng(n).random(6).tolist())) for n in range(2, 40)]
    together = columns(*others, (NEWS, chances), (NOTE, (0.2,)))
    for name, values in alone.items():
        np.testing.assert_array_equal(together[name][-7:-1], values, err_msg=name)


def test_a_page_of_one_line_has_no_lines_around():
    found = columns((NOTE, (0.7,)))
    assert np.isnan(found["odds@-1"]).all()
    assert all(
        np.isfinite(of).all()
        for name, of in found.items()
        if "@" not in name and "heading" not in name
    )


def test_lines_before_and_behind_say_what_they_look_like():
    odds = log_odds(np.array(CHANCES), 1e-4)
    found = columns((NEWS, CHANCES))
    np.testing.assert_allclose(found["odds"], odds, rtol=1e-5)
    np.testing.assert_allclose(found["odds@-1"][1:], odds[:-1], rtol=1e-5)
    np.testing.assert_allclose(found["odds@+1"][:-1], odds[1:], rtol=1e-5)


def test_the_element_of_the_best_text_is_the_article():
    found = columns((NEWS, CHANCES))
    inside = slice(2, 5)
    assert (found["top_off"][inside] == 0).all()
    assert (found["top_off"] > 0).tolist() == [True, True, False, False, False, True]


def test_what_is_unsure_by_itself_is_known_by_its_section():
    found = columns((NEWS, CHANCES))
    assert found["section_chance"][4] > 0.8
    assert found["heading_odds"][4] == pytest.approx(np.log(9), rel=1e-5)


def test_chances_beyond_belief_are_finite_odds():
    found = columns((NEWS, (0.0, 1.0, 0.0, 1.0, 0.5, 0.0)))
    assert not any(np.isinf(of).any() for of in found.values())
