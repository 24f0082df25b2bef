"""Parts of reports: tables, templates, plots and pages drawn small; and a capture as the terminal shows it."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.sketch import bands_and_rows
from dbce.boilerplate.word_labels import RULES
from dbce.model import count_words
from dbce.report import drawings
from dbce.report.drawings import LINE, Piece
from dbce.report.figures import table
from dbce.report.measures import WORD, component_numbers
from dbce.report.show import show

TIME = pd.Timestamp("2016-05-24 02:48:36", tz="UTC")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_looks_like_a_formula_is_kept_from_being_one(text) -> None:
    made = table("x", "X", pd.DataFrame({"title": [text, None, "a=b"]}))
    assert made.frame["title"].fillna("none").tolist() == [f"'{text}", "none", "a=b"]


def test_cells_are_plain_numbers_in_the_form_of_their_whole_column() -> None:
    frame = pd.DataFrame({"captures": [1234567, 1], "share": [1.0, 0.5], "up": [np.nan, 0.25]})
    assert table("x", "X", frame).rows(9) == [["1234567", "1.000", ""], ["1", "0.500", "0.250"]]
    frame = pd.DataFrame({"year": [2.0, 3.0], "share": [1.0, 0.123]})
    assert table("x", "X", frame).rows(1) == [["2", "1.000"]]


def test_times_are_in_iso_8601() -> None:
    made = table("x", "X", pd.DataFrame({"first": [TIME, pd.NaT]}))
    assert made.csv() == b'first\n2016-05-24T02:48:36Z\n""\n'
    assert made.rows(9) == [["2016-05-24 02:48:36"], [""]]


def test_arrow_counts_words_as_python_does() -> None:
    texts = ["VLC播放器2.0版", "हिन्दी शब्द", "naïve_x 2º"]
    counted = pc.count_substring_regex(pa.array(texts), pattern=WORD)
    assert counted.to_pylist() == [*map(count_words, texts)]


def test_headings_are_words() -> None:
    made = table("x", "X", pd.DataFrame({"content_share": [0.5], "site": ["a"]}))
    assert made.headings == ["content share", "site"]
    assert made.numeric == [True, False]


VALUES = 16
THRESHOLD = 0.75


def signature(*pieces: tuple[int, int]) -> list[int]:
    """(value, times) one after the other."""
    return [value for value, times in pieces for _ in range(times)]


def together(rows: list[list[int]], sites: list[int] | None = None) -> list[int]:
    """The number of each row's set, counted from 0 in the order of the rows."""
    found = component_numbers(
        np.array(rows, np.uint32), np.array(sites or [0] * len(rows)), THRESHOLD
    ).tolist()
    order = list(dict.fromkeys(found))
    return [order.index(number) for number in found]


def test_a_redesign_parts_what_was_together() -> None:
    old, new = signature((1, VALUES)), signature((2, VALUES))
    assert together([old, old, new, new]) == [0, 0, 1, 1]


def test_equal_pages_of_two_sites_stay_apart() -> None:
    page = signature((1, VALUES))
    assert together([page, page], [0, 1]) == [0, 1]


def test_small_changes_one_after_the_other_stay_one_template() -> None:
    steps = [signature((1, VALUES - n), (2, n)) for n in range(0, VALUES + 1, 2)]
    assert set(together(steps)) == {0}


def test_pages_that_share_a_bucket_by_chance_stay_apart() -> None:
    rows = bands_and_rows(THRESHOLD, VALUES)[1]
    assert rows < THRESHOLD * VALUES
    half = signature((1, rows), (2, VALUES - rows))
    assert together([signature((1, VALUES)), half]) == [0, 1]


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=VALUES, max_size=VALUES), min_size=1, max_size=9)
)
def test_what_hangs_together_is_similar_step_by_step(rows) -> None:
    numbers = together(rows)
    alike = np.array([[np.mean(np.equal(a, b)) >= THRESHOLD for b in rows] for a in rows])
    for number, row in zip(numbers, alike, strict=True):
        mates = [n for n, near in zip(numbers, row, strict=True) if near]
        assert numbers.count(number) == 1 or mates.count(number) > 1


HOSTILE = '</title><script>alert(1)</script>"'


def shapes(svg: str, tag: str, kind: str | None = None) -> list[dict[str, float]]:
    return [
        {name: float(value) for name, value in e.items() if name != "class"}
        for e in ET.fromstring(svg).iter(tag)
        if kind is None or e.get("class") == kind
    ]


def test_parts_of_a_column_stand_on_each_other_to_scale() -> None:
    parts = {"content": [30, 10], "boilerplate": [10, 0]}
    svg = drawings.columns("t", ["2013", "2014"], parts, "captures")
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
    svg = drawings.cross("t", {"up": 1, "down": 0.5, "prev": 0, "next": 0.25})
    assert [place["height"] for place in shapes(svg, "rect", "share")] == [70, 70, 35, 0, 17.5]


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
    lanes = drawings.lanes(HOSTILE, [(HOSTILE, ((0.0, 1),))], [])
    for svg in (lanes, drawings.columns(HOSTILE, [HOSTILE], {"a": [1]}, "x")):
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
    length = LINE * drawings.LINES * (drawings.COLUMNS + 1)
    width, strokes = drawings.draw([Piece("p", length, "content")])
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


PAGE = {
    "url": "http://harbour.example/ferry",
    "fetch_time": datetime(2016, 1, 1, tzinfo=UTC),
    "status": "annotated",
    "reason": None,
    "title": None,
    "cross_bits": "11000",
    "confidence": 0.9,
    "runs_content": 1,
    "runs_boilerplate": 0,
    "runs_invalid": 0,
} | dict.fromkeys(("up", "down", "prev", "next", "variant_of"))

NODE = {"label": "content", "probability": 0.9, "bits": "10000", "node": 0, "text": "It left."}


def why(rule: str, comparisons: int, bits: str = "10000") -> str:
    """The line above a text run that a rule decided."""
    node = NODE | {"decided_by": rule, "comparisons": comparisons, "bits": bits}
    *_, said, text = show(PAGE, {}, [node])
    assert "It left." in text
    return said.strip()


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "density"])
def test_every_rule_of_compared_pages_has_its_words(rule) -> None:
    assert why(rule, 2, "11000").startswith("content: also on up; ")
    assert why(rule, 2).startswith("content: on this page only; ")


@pytest.mark.parametrize("rule", ["density", "joint", "comment"])
def test_every_rule_of_pages_that_stand_alone_has_its_words(rule) -> None:
    assert why(rule, 0).startswith("content: no other page to compare with; ")
    with_snapshots = "content: also on prev, next, but no other page to compare with; "
    assert why(rule, 0, "10011").startswith(with_snapshots)


def test_some_rules_say_how_many_comparisons_there_are_or_what_it_is() -> None:
    assert why("majority", 3).endswith("most of 3 comparisons say so")
    for comparisons in (0, 2):
        said = "the model takes it for a comment of a user"
        assert why("comment", comparisons).endswith(said)


@pytest.mark.parametrize(
    ("year", "told"),
    [(2014, "unchanged since 20140101000000"), (2017, "as it was at 20170101000000")],
)
def test_a_revisit_says_since_when_its_page_is_the_same(year, told) -> None:
    revisit = PAGE | {"status": "skipped", "reason": "unchanged", "cross_bits": None}
    revisit["original_time"] = datetime(year, 1, 1, tzinfo=UTC)
    assert f"reason: unchanged ({told})" in show(revisit, {}, [])
    beside = PAGE | {"cross_bits": "11001", "up": "urn:up", "next": "urn:next"}
    *_, last = show(beside, {"urn:next": revisit}, [])
    assert last.endswith(f"20160101000000 ({told})")


@pytest.mark.parametrize("cross_bits", ["11000", None])
def test_a_variant_is_named_by_its_address(cross_bits) -> None:
    page = PAGE | {"cross_bits": cross_bits, "variant_of": "urn:print"}
    other = PAGE | {"url": "http://harbour.example/ferry/print"}
    told = [line.strip() for line in show(page, {"urn:print": other}, [])]
    sentence = "the same document, so not compared with it"
    at = "http://harbour.example/ferry/print  20160101000000"
    assert f"variant of {at}: {sentence}" in told
    assert f"variant of urn:print: {sentence}" in [line.strip() for line in show(page, {}, [])]


def test_the_parts_of_a_bar_have_the_classes_of_the_style_sheet() -> None:
    shown = ET.fromstring(drawings.stacked_bar({"whole": 0.5}, ["whole"], 1.0))
    assert [part.get("class") for part in shown] == ["whole"]
