"""A page drawn small has its lines, its order and its verdicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.report.drawings import COLUMNS, GAP, LINE, LINES, Piece, Stroke, block, draw


@pytest.mark.parametrize(
    ("xpath", "expected"),
    [
        ("/html/body/p[2]/text()[1]", "/html/body/p[2]"),
        ("/html/body/p[2]/a/b[3]/text()", "/html/body/p[2]"),
        ("/html/body/ul/li[4]/a/text()[2]", "/html/body/ul/li[4]"),
        ("/html/body/text()", "/html/body"),
    ],
)
def test_inline_elements_do_not_break_a_line(xpath: str, expected: str) -> None:
    assert block(xpath) == expected


def test_texts_of_a_block_share_a_line_and_another_block_begins_one() -> None:
    width, strokes = draw(
        [Piece("p", 5, "content"), Piece("p", 3, "boilerplate"), Piece("q", 2, "content")]
    )
    assert width == LINE
    assert strokes == [
        Stroke(0, 1, 5, "content"),
        Stroke(5, 1, 3, "boilerplate"),
        Stroke(0, 3, 2, "content"),
    ]


def test_a_long_text_goes_on_in_the_next_line() -> None:
    _, strokes = draw([Piece("p", LINE + 7, "content")])
    assert strokes == [Stroke(0, 1, LINE, "content"), Stroke(0, 3, 7, "content")]


def test_a_long_page_has_columns_and_its_end_is_left_out() -> None:
    width, strokes = draw([Piece("p", LINE * LINES * (COLUMNS + 1), "content")])
    assert width == COLUMNS * (LINE + GAP) - GAP
    assert len(strokes) == LINES * COLUMNS
    assert max(stroke.x for stroke in strokes) == (COLUMNS - 1) * (LINE + GAP)


@given(
    st.lists(
        st.builds(Piece, st.sampled_from("pq"), st.integers(1, 200), st.sampled_from(["a", "b"])),
        max_size=20,
    )
)
def test_every_character_is_drawn_once(runs: list[Piece]) -> None:
    _, strokes = draw(runs)
    for label in "ab":
        drawn = sum(stroke.length for stroke in strokes if stroke.label == label)
        assert drawn == sum(run.length for run in runs if run.label == label)
    places = {(s.y, x) for s in strokes for x in range(s.x, s.x + s.length)}
    assert len(places) == sum(run.length for run in runs)
