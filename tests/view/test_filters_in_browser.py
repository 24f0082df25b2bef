"""The filters of lists stand in rows on a desk, and below each other on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gate import first

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PLACES = """() => [...document.querySelectorAll("main form.search :is(input, select, button)")].map(one => {
    const { x, y, right } = one.getBoundingClientRect();
    return [one.id, Math.round(x), Math.round(y), Math.round(right)];
})"""
"""The filters of a page: id, left edge, upper edge, right edge."""

ROWS = [
    ["words", "place"],
    ["site", "status", "rule"],
    ["since", "until", "least", "most", "sort", ""],
]


def filters(page: Page, path: str, width: int, height: int) -> list[tuple[str, int, int, int]]:
    """The places of all filters; none sticks out of what is seen."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    places: list[tuple[str, int, int, int]] = page.evaluate(PLACES)
    assert all(left >= 0 and right <= width for _, left, _, right in places)
    return places


def rows(places: list[tuple[str, int, int, int]]) -> list[list[str]]:
    """The filters at each height, from above, from the left."""
    heights = sorted({top for _, _, top, _ in places})
    return [
        [name for name, _, top, _ in sorted(places, key=lambda p: p[1]) if top == y]
        for y in heights
    ]


@pytest.mark.parametrize("asked", first(["?since=x", "", "?words=ferry&most=200"]))
def test_filters_stand_in_three_rows_on_a_desk(page: Page, address: str, asked: str) -> None:
    assert rows(filters(page, f"{address}/captures{asked}", 1200, 900)) == ROWS


@pytest.mark.parametrize("asked", first(["?since=x", "", "?words=ferry&most=200"]))
@pytest.mark.parametrize("width", first([320, 390]))
def test_filters_stand_below_each_other_on_a_phone(
    page: Page, address: str, asked: str, width: int
) -> None:
    places = filters(page, f"{address}/captures{asked}", width, 844)
    ranges = [["since", "until"], ["least", "most"]]
    singly = [[name] for row in ROWS[:2] for name in row]
    assert rows(places) == [*singly, *ranges, ["sort"], [""]]
    alone = {right - left for name, left, _, right in places if [name] in [*singly, ["sort"], [""]]}
    assert len(alone) == 1
    assert min(alone) > 0.8 * width - 10  # of equal width, and as wide as may be


@pytest.mark.parametrize("path", first(["/captures", "/damage", "/rejects", "/templates", "/site"]))
def test_no_list_scrolls_sideways_on_a_phone(page: Page, address: str, path: str) -> None:
    filters(page, address + path, 390, 844)
    chosen = page.locator(".filters a").all()
    for one in chosen:
        box = one.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
