"""Words of the pages on a capture."""

from dbce.view.wording import boxes, labels


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


def test_shares_add_up() -> None:
    row = {"words": 4, "words_content": 1}
    assert labels(row) == [("content", 1, 0.25), ("boilerplate", 3, 0.75)]
