"""The four weights, on the footer of SEGMENTS' page of 1000 x 2000."""

from __future__ import annotations

import pytest

from dbce.visual import Rect
from dbce.visual.segment import WEIGHTS

PAGE = (1000, 2000)
FOOTER = Rect(0, 1900, 1000, 100)


@pytest.mark.parametrize(
    ("name", "weight"), [("area", 0.5), ("cells", 1.0), ("corner", 1), ("sides", 5)]
)
def test_a_full_width_footer_weighs_from_half_to_five(name: str, weight: float) -> None:
    assert WEIGHTS[name](FOOTER, PAGE) == pytest.approx(weight)


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_page_itself_weighs_ten(name: str) -> None:
    assert WEIGHTS[name](Rect(0, 0, *PAGE), PAGE) == 10


def test_halves_are_rounded_up_as_javascript_does() -> None:
    # 45 % and 5 %: 25 / 10 = 2.5; Python would round to 2.
    assert WEIGHTS["sides"](Rect(0, 0, 450, 100), PAGE) == 3


def test_what_begins_low_on_the_page_may_weigh_less_than_nothing_by_its_corner() -> None:
    assert WEIGHTS["corner"](Rect(900, 1900, 100, 100), PAGE) == -8
