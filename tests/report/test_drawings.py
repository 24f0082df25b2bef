"""Plots and pages drawn small show what they are given, to scale, and escape it."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.report import drawings
from dbce.report.drawings import LINE, Piece

HOSTILE = '</title><script>alert(1)</script>"'


def shapes(svg: str, tag: str, kind: str | None = None) -> list[dict[str, float]]:
    return [
        {name: float(value) for name, value in e.items() if name != "class"}
        for e in ET.fromstring(svg).iter(tag)
        if kind is None or e.get("class") == kind
    ]


def test_parts_of_a_column_stand_on_each_other_to_scale() -> None:
    svg = drawings.columns(
        "t", ["2013", "2014"], {"content": [30, 10], "boilerplate": [10, 0]}, "captures"
    )
    [tall, small] = shapes(svg, "rect", "content")
    [upon, _] = shapes(svg, "rect", "boilerplate")
    assert tall["height"] == pytest.approx(3 * small["height"], abs=0.2)
    assert upon["y"] + upon["height"] == pytest.approx(tall["y"], abs=0.2)


@pytest.mark.parametrize("highest", [1, 7, 41, 89_293, 1_000_000, 0.3])
def test_the_axis_reaches_the_highest_column_in_a_few_round_steps(highest) -> None:
    svg = drawings.columns("t", ["x"], {"content": [highest]}, "captures")
    ys = [line["y1"] for line in shapes(svg, "line", "grid")]
    assert 2 <= len(ys) <= 6
    assert min(ys) <= shapes(svg, "rect", "content")[0]["y"] + 0.1
    assert not shapes(drawings.columns("t", [], {"content": []}, "captures"), "rect")


def test_a_place_of_the_cross_is_filled_as_far_as_captures_have_it() -> None:
    filled = shapes(
        drawings.cross("t", {"up": 1, "down": 0.5, "prev": 0, "next": 0.25}), "rect", "share"
    )
    assert [place["height"] for place in filled] == [70, 70, 35, 0, 17.5]


def test_a_bar_is_as_wide_as_its_parts_are_of_the_whole() -> None:
    widths = [r["width"] for r in shapes(drawings.bar({"content": 3, "boilerplate": 1}, 8), "rect")]
    assert widths == [37.5, 12.5]
    assert [r["width"] for r in shapes(drawings.bar({"content": 0}, 0), "rect")] == [0]


def test_a_calibrated_probability_is_a_dot_on_the_diagonal() -> None:
    [low, high] = shapes(drawings.reliability("t", [(0.0, 0.0, 1), (1.0, 1.0, 4)]), "circle")
    [diagonal] = shapes(drawings.reliability("t", []), "line", "axis")
    assert (low["cx"], low["cy"]) == (diagonal["x1"], diagonal["y1"])
    assert (high["cx"], high["cy"]) == (diagonal["x2"], diagonal["y2"])
    assert high["r"] > low["r"]


def test_a_lane_reaches_from_the_first_capture_to_the_last() -> None:
    svg = drawings.lanes("t", [("a 1", ((0.0, 4), (1.0, 1)))], [(0.5, "2014")])
    [span] = shapes(svg, "line", "span")
    first, last = shapes(svg, "circle")
    assert (span["x1"], span["x2"]) == (first["cx"], last["cx"])
    assert first["r"] > last["r"]


def test_names_are_escaped() -> None:
    for svg in (
        drawings.lanes(HOSTILE, [(HOSTILE, ((0.0, 1),))], []),
        drawings.columns(HOSTILE, [HOSTILE], {"a": [1]}, "x"),
    ):
        assert "<script>" not in svg
        assert not list(ET.fromstring(svg).iter("script"))


@pytest.mark.parametrize(
    ("xpath", "expected"),
    [
        ("/html/body/p[2]/text()[1]", "/html/body/p[2]"),
        ("/html/body/p[2]/a/b[3]/text()", "/html/body/p[2]"),
        ("/html/body/ul/li[4]/a/text()[2]", "/html/body/ul/li[4]"),
        ("/html/body/text()", "/html/body"),
    ],
)
def test_inline_elements_do_not_break_a_line(xpath, expected) -> None:
    assert drawings.block(xpath) == expected


@pytest.mark.parametrize(
    ("pieces", "strokes"),
    [
        # Texts of a block share a line, and another block begins one.
        (
            [Piece("p", 5, "content"), Piece("p", 3, "boilerplate"), Piece("q", 2, "content")],
            [(0, 1, 5, "content"), (5, 1, 3, "boilerplate"), (0, 3, 2, "content")],
        ),
        # A long text goes on in the next line.
        ([Piece("p", LINE + 7, "content")], [(0, 1, LINE, "content"), (0, 3, 7, "content")]),
    ],
)
def test_texts_are_drawn_in_lines(pieces, strokes) -> None:
    assert drawings.draw(pieces) == (LINE, strokes)


def test_a_long_page_has_columns_and_its_end_is_left_out() -> None:
    width, strokes = drawings.draw(
        [Piece("p", LINE * drawings.LINES * (drawings.COLUMNS + 1), "content")]
    )
    assert width == drawings.COLUMNS * (LINE + drawings.GAP) - drawings.GAP
    assert len(strokes) == drawings.LINES * drawings.COLUMNS
    assert max(stroke.x for stroke in strokes) == (drawings.COLUMNS - 1) * (LINE + drawings.GAP)


@given(
    st.lists(
        st.builds(Piece, st.sampled_from("pq"), st.integers(1, 200), st.sampled_from(["a", "b"])),
        max_size=20,
    )
)
def test_every_character_is_drawn_once(runs) -> None:
    _, strokes = drawings.draw(runs)
    for label in "ab":
        drawn = sum(stroke.length for stroke in strokes if stroke.label == label)
        assert drawn == sum(run.length for run in runs if run.label == label)
    places = {(s.y, x) for s in strokes for x in range(s.x, s.x + s.length)}
    assert len(places) == sum(run.length for run in runs)
