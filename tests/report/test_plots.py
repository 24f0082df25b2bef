"""Plots show what they are given, to scale, and escape it."""

from xml.etree import ElementTree as ET

import pytest

from dbce.report.plots import Lane, Tick, bar, columns, cross, lanes, reliability

HOSTILE = '</title><script>alert(1)</script>"'


def shapes(svg: str, tag: str, kind: str | None = None) -> list[dict[str, float]]:
    return [
        {name: float(value) for name, value in e.items() if name != "class"}
        for e in ET.fromstring(svg).iter(tag)
        if kind is None or e.get("class") == kind
    ]


def test_parts_of_a_column_stand_on_each_other_to_scale() -> None:
    svg = columns("t", ["2013", "2014"], {"content": [30, 10], "boilerplate": [10, 0]}, "captures")
    [tall, small] = shapes(svg, "rect", "content")
    [upon, _] = shapes(svg, "rect", "boilerplate")
    assert tall["height"] == pytest.approx(3 * small["height"], abs=0.2)
    assert upon["y"] + upon["height"] == pytest.approx(tall["y"], abs=0.2)


@pytest.mark.parametrize("highest", [1, 7, 41, 89_293, 1_000_000, 0.3])
def test_the_axis_reaches_the_highest_column_in_a_few_round_steps(highest: float) -> None:
    svg = columns("t", ["x"], {"content": [highest]}, "captures")
    ys = [line["y1"] for line in shapes(svg, "line", "grid")]
    assert 2 <= len(ys) <= 6
    assert min(ys) <= shapes(svg, "rect", "content")[0]["y"] + 0.1


def test_columns_of_nothing_are_an_empty_plot() -> None:
    assert not shapes(columns("t", [], {"content": []}, "captures"), "rect")


def test_a_place_of_the_cross_is_filled_as_far_as_captures_have_it() -> None:
    filled = shapes(cross("t", {"up": 1, "down": 0.5, "prev": 0, "next": 0.25}), "rect", "share")
    assert [place["height"] for place in filled] == [70, 70, 35, 0, 17.5]


def test_a_bar_is_as_wide_as_its_parts_are_of_the_whole() -> None:
    widths = [r["width"] for r in shapes(bar({"content": 3, "boilerplate": 1}, 8), "rect")]
    assert widths == [37.5, 12.5]
    assert [r["width"] for r in shapes(bar({"content": 0}, 0), "rect")] == [0]


def test_a_calibrated_probability_is_a_dot_on_the_diagonal() -> None:
    [low, high] = shapes(reliability("t", [(0.0, 0.0, 1), (1.0, 1.0, 4)]), "circle")
    [diagonal] = shapes(reliability("t", []), "line", "axis")
    assert (low["cx"], low["cy"]) == (diagonal["x1"], diagonal["y1"])
    assert (high["cx"], high["cy"]) == (diagonal["x2"], diagonal["y2"])
    assert high["r"] > low["r"]


def test_a_lane_reaches_from_the_first_capture_to_the_last() -> None:
    svg = lanes("t", [Lane("a 1", ((0.0, 4), (1.0, 1)))], [Tick(0.5, "2014")])
    [span] = shapes(svg, "line", "span")
    first, last = shapes(svg, "circle")
    assert (span["x1"], span["x2"]) == (first["cx"], last["cx"])
    assert first["r"] > last["r"]


def test_names_are_escaped() -> None:
    for svg in (
        lanes(HOSTILE, [Lane(HOSTILE, ((0.0, 1),))], []),
        columns(HOSTILE, [HOSTILE], {"a": [1]}, "x"),
    ):
        assert "<script>" not in svg
        assert not list(ET.fromstring(svg).iter("script"))
