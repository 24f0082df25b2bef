"""Tables 4.4 to 4.8 of the thesis, from the blocks that its authors stored.

The thesis has 105 pages; the open half of the set has 61 of them. So each of its stored measures has to come out, and
not the printed means.
"""

import json

import pytest

from dbce.visual.evaluate.blocks import BlockEvaluationSettings, evaluate, tables
from dbce.visual.evaluate.blocks.report import correspondence, text_coverage
from dbce.visual.evaluate.blocks.sides import NAMES
from dbce.visual.measure import CONVENTIONS
from tests.data import shared

pytestmark = pytest.mark.data

NUMBERS = ("c", "o", "u", "m", "f", "q")

AT_HAND = 61


@pytest.fixture(scope="module")
def scores():
    path = str(shared("gosh/gosh.blocks.jsonl"))
    return evaluate(BlockEvaluationSettings(path, (path,), CONVENTIONS["thesis"])).table


@pytest.fixture(scope="module")
def stored():
    """The measures that the authors stored, by URL and algorithm."""
    lines = shared("gosh/gosh.blocks.jsonl").read_text(encoding="utf-8").splitlines()
    return {
        (page["url"], NAMES[name]): one["stored"]
        for page in map(json.loads, lines)
        for name, one in page["segmentations"].items()
        if "stored" in one
    }


def test_every_measure_of_every_stored_row_comes_out(scores, stored):
    rows = {(row["url"], row["algorithm"]): row for row in scores.to_dict("records")}
    assert len(rows) == len(stored) == 4 * AT_HAND
    columns = [*(f"{prefix}{n}" for prefix in ("c", "ic") for n in NUMBERS)]
    columns += ["gtb", "ptb", "igtb", "iptb"]
    for place, expected in stored.items():
        assert {c: rows[place][c] for c in columns} == {c: expected[c] for c in columns}, place


def test_rows_that_equal_the_gold_are_told_apart(scores):
    rows = correspondence(scores).rows.set_index("algorithm")
    assert list(rows.index) == [*("BoM", "BoM without 7 equal to the gold", "JVIPS", "VIPS", "BF")]
    every, others = rows.iloc[0], rows.iloc[1]
    assert (every["pages"], others["pages"]) == (AT_HAND, AT_HAND - 7)
    assert (round(every["Cq/GTB"], 3), round(others["Cq/GTB"], 3)) == (0.653, 0.598)


def test_text_coverage_is_divided_after_it_is_summed(scores):
    covered = text_coverage(scores).rows.set_index("algorithm").drop(columns="mean")
    found = covered.loc["VIPS"].round(2).to_dict()
    assert [*found] == ["all", "blog", "enterprise", "forum", "picture", "wiki"]
    assert [*found.values()] == [0.94, 0.95, 0.97, 0.95, 0.95, 0.93]


def test_our_convention_is_near_and_stricter(scores):
    path = str(shared("gosh/gosh.blocks.jsonl"))
    ours = evaluate(BlockEvaluationSettings(path, (path,), CONVENTIONS["dbce"])).table
    sums = [table.groupby("algorithm")[["cq", "gtb"]].sum() for table in (scores, ours)]
    theirs, own = (of["cq"] / of["gtb"] for of in sums)
    assert (theirs - own).between(0, 0.08).all()


def test_the_command_prints_the_five_tables(scores):
    assert [table.title.split(",")[0] for table in tables(scores)][:5] == [
        "Correspondence of blocks",
        "Correspondence of important blocks",
        "Cq by group",
        "ICq by group",
        "Text coverage",
    ]
