"""Tables 4.4 to 4.8 of the thesis, from the blocks that its authors stored.

The thesis has 105 pages; the open half of the set has 61 of them. So each of its stored measures has
to come out, and the printed means have to leave possible numbers to the other 44 pages.
"""

import json

import pytest

from dbce.visual.evaluate.blocks import BlockEvaluationSettings, evaluate, tables
from dbce.visual.evaluate.blocks.report import ALL, IMPORTANT, correspondence, text_coverage
from dbce.visual.evaluate.blocks.sides import NAMES
from dbce.visual.measure import CONVENTIONS
from tests.data import shared

pytestmark = pytest.mark.data

NUMBERS = ("c", "o", "u", "m", "f", "q")
PRINTED = {
    "BF": ((1.10, 0.20, 0.29, 4.74, 1.06, 1.59, 7.08), (0.57, 0.15, 0.28, 1.57, 0.64, 1.00, 2.76)),
    "BoM": ((3.34, 0.49, 0.54, 1.76, 1.68, 4.37, 7.08), (1.41, 0.18, 0.32, 0.70, 0.77, 1.91, 2.76)),
    "JVIPS": (
        (1.71, 0.36, 0.81, 2.64, 6.95, 2.89, 7.08),
        (0.43, 0.17, 0.48, 1.47, 1.06, 1.08, 2.76),
    ),
    "VIPS": (
        (1.55, 0.40, 0.73, 2.56, 2.53, 2.69, 7.08),
        (0.49, 0.23, 0.50, 1.06, 0.94, 1.21, 2.76),
    ),
}
"""Tables 4.4 and 4.5: means over 105 pages."""

BY_CATEGORY = {
    "blog": (19, (1.32, 4.11, 2.79, 2.68, 7.26), (0.63, 1.37, 0.74, 1.00, 2.11)),
    "enterprise": (24, (1.58, 4.00, 2.58, 2.54, 6.17), (1.13, 2.13, 1.38, 1.46, 2.88)),
    "forum": (16, (2.75, 6.38, 4.19, 3.50, 10.69), (1.25, 2.50, 0.94, 1.13, 3.63)),
    "picture": (25, (1.32, 3.64, 2.20, 2.28, 5.32), (1.04, 1.92, 1.00, 1.24, 2.68)),
    "wiki": (21, (1.29, 4.38, 3.14, 2.71, 7.29), (0.95, 1.71, 1.24, 1.14, 2.67)),
}
"""Tables 4.6 and 4.7: pages, then BF, BoM, JVIPS, VIPS and the gold's blocks."""

PAGES, AT_HAND = 105, 61


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


def totals(mean, pages):
    """The least and the largest sum over pages whose mean is printed so."""
    return (mean - 0.005) * pages, (mean + 0.005) * pages


@pytest.mark.parametrize("algorithm", PRINTED)
def test_the_printed_means_leave_possible_numbers_to_the_other_pages(scores, algorithm):
    own = scores[scores["algorithm"] == algorithm]
    for names, printed in zip((ALL, IMPORTANT), PRINTED[algorithm], strict=True):
        columns = [name for name in names if not name.endswith("ptb")]
        ours = own[columns].sum()
        rest = {}
        for column, mean in zip(columns, printed, strict=True):
            least, most = (total - ours[column] for total in totals(mean, PAGES))
            assert most >= 0, column
            rest[column] = (least / (PAGES - AT_HAND), most / (PAGES - AT_HAND))
        gold = "igtb" if names is IMPORTANT else "gtb"
        missed = "icm" if names is IMPORTANT else "cm"
        assert rest[missed][0] <= rest[gold][1]


@pytest.mark.parametrize("category", BY_CATEGORY)
def test_so_do_those_by_category(scores, category):
    pages, *printed = BY_CATEGORY[category]
    of_category = scores[scores["group"] == category]
    for prefix, (*means, gold) in zip(("", "i"), printed, strict=True):
        for algorithm, mean in zip(("BF", "BoM", "JVIPS", "VIPS"), means, strict=True):
            ours = of_category[of_category["algorithm"] == algorithm]
            assert len(ours) <= pages
            for column, value in ((f"{prefix}cq", mean), (f"{prefix}gtb", gold)):
                assert totals(value, pages)[1] >= ours[column].sum(), (algorithm, column)


def test_rows_that_equal_the_gold_are_told_apart(scores):
    rows = correspondence(scores).rows.set_index("algorithm")
    assert list(rows.index) == [*("BoM", "BoM without 7 equal to the gold", "JVIPS", "VIPS", "BF")]
    every, others = rows.iloc[0], rows.iloc[1]
    assert (every["pages"], others["pages"]) == (AT_HAND, AT_HAND - 7)
    assert (round(every["Cq/GTB"], 3), round(others["Cq/GTB"], 3)) == (0.653, 0.598)


def test_text_coverage_is_divided_after_it_is_summed(scores):
    covered = text_coverage(scores).rows.set_index("algorithm").drop(columns="mean")
    assert covered.loc["VIPS"].round(2).to_dict() == {
        "all": 0.94,
        "blog": 0.95,
        "enterprise": 0.97,
        "forum": 0.95,
        "picture": 0.95,
        "wiki": 0.93,
    }


def test_our_convention_is_near_and_stricter(scores):
    path = str(shared("gosh/gosh.blocks.jsonl"))
    ours = evaluate(BlockEvaluationSettings(path, (path,), CONVENTIONS["dbce"])).table
    sums = [
        t.groupby("algorithm")["cq"].sum() / t.groupby("algorithm")["gtb"].sum()
        for t in (scores, ours)
    ]
    assert ((sums[0] - sums[1]).between(0, 0.08)).all()


def test_the_command_prints_the_five_tables(scores):
    assert [table.title.split(",")[0] for table in tables(scores)][:5] == [
        "Correspondence of blocks",
        "Correspondence of important blocks",
        "Cq by group",
        "ICq by group",
        "Text coverage",
    ]
