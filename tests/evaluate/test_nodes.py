"""Verdicts on text runs against the truth, however differently the two are split."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate.gold import LabelledRun
from dbce.evaluate.nodes import compare, gold_labels, summarise, with_measures
from dbce.model import Label

CON, BP, INV = Label.CONTENT, Label.BOILERPLATE, Label.INVALID


def node(
    *pieces: tuple[str, Label], record_id: str = "page", xpath: str = "/p"
) -> list[LabelledRun]:
    """The runs that tile a text node; the pieces are its text."""
    runs = []
    end = 0
    for text, label in pieces:
        start, end = end, end + len(text)
        runs.append(LabelledRun(record_id, xpath, start, end, " ".join(text.split()), label))
    return runs


def counts(verdicts: list[LabelledRun], gold: list[LabelledRun]) -> dict[str, int]:
    row = compare(verdicts, gold).loc["page"]
    names = ["tp", "fn", "fp", "tn", "invalid_con", "invalid_bp", "unlabelled", "unseen"]
    return {name: int(row[name]) for name in names if row[name]}


def test_every_verdict_falls_into_one_cell():
    texts = ("one ", "two ", "three ", "four ", "five ", "six")
    verdicts = node(*zip(texts, (CON, BP, CON, BP, INV, INV), strict=True))
    gold = node(*zip(texts, (CON, CON, BP, BP, CON, BP), strict=True))
    assert counts(verdicts, gold) == dict.fromkeys(
        ("tp", "fn", "fp", "tn", "invalid_con", "invalid_bp"), 1
    )


def test_a_verdict_has_the_gold_label_of_most_of_its_characters():
    gold = node(("Definition of Boilerplate ", CON), ("2016 - Example Inc.", BP))
    assert counts(node(("Definition of Boilerplate 2016 - Example Inc.", CON)), gold) == {"tp": 1}
    finer = node(
        ("Definition ", CON), ("of ", BP), ("Boilerplate ", CON), ("2016 - Example Inc.", BP)
    )
    assert counts(finer, gold) == {"tp": 2, "fn": 1, "tn": 1}


@pytest.mark.parametrize(
    ("verdicts", "gold", "labels"),
    [
        # White space is no character, and an even split is content.
        (
            node((f"\n{' ' * 40}ad story", CON)),
            node((f"\n{' ' * 40}ad ", BP), ("story", CON)),
            [CON],
        ),
        (node(("one two", BP)), node(("one ", BP), ("two", CON)), [CON]),
        # Gold of a part is found at its place.
        (
            node(("the ", BP), ("the ", BP), ("the", BP)),
            [LabelledRun("page", "/p", 8, 11, "the", CON)],
            [None, None, CON],
        ),
    ],
)
def test_a_verdict_has_the_label_of_the_characters_that_it_covers(verdicts, gold, labels):
    assert list(gold_labels(verdicts, gold)) == labels


def test_what_only_one_side_has_is_counted_apart():
    verdicts = node(("seen by us", CON), xpath="/p[1]")
    gold = node(("seen by people", CON), xpath="/p[2]")
    assert counts(verdicts, gold) == {"unlabelled": 1, "unseen": 1}


def test_captures_without_gold_and_gold_without_verdicts_have_no_row():
    table = compare(node(("a", CON), record_id="ours"), node(("a", CON), record_id="theirs"))
    assert table.empty
    assert math.isnan(summarise(table).loc["all", "acc"])


def test_invalid_is_missed_by_both_classes_and_claimed_by_none():
    texts = ("one ", "two ", "three ", "four")
    verdicts = node(*zip(texts, (CON, INV, BP, INV), strict=True))
    gold = node(*zip(texts, (CON, CON, BP, BP), strict=True))
    row = compare(verdicts, gold).loc["page"]
    assert (row["acc"], row["r_con"], row["r_bp"]) == (0.5, 0.5, 0.5)
    assert (row["p_con"], row["p_bp"]) == (1, 1)
    assert row["f1_con"] == row["f1_bp"] == pytest.approx(2 / 3)


def test_a_class_that_does_not_occur_is_not_measured():
    row = compare(node(("a", BP)), node(("a", BP))).loc["page"]
    assert row["r_bp"] == 1
    assert math.isnan(row["r_con"])


def table(**columns: list[int]) -> pd.DataFrame:
    return pd.DataFrame({"invalid_con": 0, "invalid_bp": 0, "unlabelled": 0, "unseen": 0} | columns)


def test_a_row_of_the_thesis():
    """Appendix D, 014ff911-..., T001: 713 of 748 elements were decided."""
    row = with_measures(table(tp=[112], fn=[16], fp=[107], tn=[478])).loc[0]
    columns = ["acc", "p_bp", "p_con", "r_bp", "r_con", "f1_bp", "f1_con"]
    assert row[columns].tolist() == pytest.approx(
        [0.827489, 0.97, 0.51, 0.82, 0.88, 0.89, 0.65], abs=0.0051
    )


def test_the_summary_of_the_thesis():
    """Table 4.2, T001: the counts of appendix D summed, the 993 invalid elements left out."""
    captures = table(
        tp=[871, 0], fn=[78, 0], fp=[606, 0], tn=[4307, 0], invalid_con=[0, 9], invalid_bp=[0, 984]
    )
    both = summarise(captures)
    columns = ["acc", "p_con", "r_con", "f1_con", "p_bp", "r_bp"]
    assert both.loc["decided", columns].tolist() == pytest.approx(
        [0.883, 0.59, 0.918, 0.718, 0.982, 0.877], abs=5e-4
    )
    assert both.loc["all", "acc"] == pytest.approx((871 + 4307) / 6855)


WORDS = st.lists(st.sampled_from(("a ", "bb ", "c\n  c ")), min_size=1, max_size=8)


@given(WORDS, st.data())
def test_gold_labels_do_not_depend_on_how_gold_is_split(words, data):
    labels = data.draw(
        st.lists(st.sampled_from((CON, BP)), min_size=len(words), max_size=len(words))
    )
    fine = node(*zip(words, labels, strict=True))
    merged: list[tuple[str, Label]] = []
    for word, label in zip(words, labels, strict=True):
        if merged and merged[-1][1] is label:
            merged[-1] = (merged[-1][0] + word, label)
        else:
            merged.append((word, label))
    assert list(gold_labels(fine, node(*merged))) == labels
