"""What the pages say of a capture."""

from __future__ import annotations

from dbce.report.views import boxes, content, cross, labels, short_id

PAGE = {
    "record_id": "urn:cur",
    "up": "urn:up",
    "down": None,
    "prev": "urn:prev",
    "next": None,
    "similarity_up": 0.75,
    "similarity_down": 0.0,
    "words": 4,
    "words_content": 1,
}


def test_a_box_tells_no_from_absent() -> None:
    assert [(box.role, box.state) for box in boxes("10010", "11010")] == [
        ("cur", "on"),
        ("up", "off"),
        ("down", "none"),
        ("prev", "on"),
        ("next", "none"),
    ]


def test_a_page_judged_alone_has_one_box() -> None:
    assert [box.state for box in boxes("10000", None)] == ["on", "none", "none", "none", "none"]


def test_a_member_leads_to_its_page_only_if_it_has_one_here() -> None:
    places = cross(PAGE, {"urn:up": {}, "urn:prev": {}}, {"urn:cur", "urn:prev"})
    assert places["prev"].key == short_id("urn:prev")
    assert places["up"].key is None
    assert places["up"].row is not None


def test_an_empty_place_has_no_similarity() -> None:
    places = cross(PAGE, {}, set())
    assert places["down"].row is None
    assert places["down"].similarity is None
    assert places["up"].similarity == 0.75


def test_shares_add_up_and_are_written_for_people() -> None:
    assert labels(PAGE) == [("content", 1, 0.25), ("boilerplate", 3, 0.75)]
    assert content(PAGE) == "25\N{NO-BREAK SPACE}%"
