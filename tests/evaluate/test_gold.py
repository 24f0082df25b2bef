"""Gold files, of two kinds that are told apart by their fields; and verdicts on text runs against the truth, however the two are split."""

import gzip
import json
import math
from itertools import groupby
from operator import itemgetter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate.gold import GoldText, LabelledRun, Segments, read_gold, with_comments
from dbce.evaluate.nodes import compare, gold_labels, summarise, with_measures
from dbce.model import Label, UsageError

CON, BP, INV = Label.CONTENT, Label.BOILERPLATE, Label.INVALID
RUN = {
    "record_id": "<urn:uuid:1>",
    "xpath": "/html/body/p/text()[1]",
    "start": 0,
    "end": 5,
    "text": "Hello",
    "label": "content",
}


@pytest.fixture
def gold_file(tmp_path):
    def write(*lines: object) -> str:
        path = tmp_path / "gold.jsonl"
        path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
        return str(path)

    return write


@pytest.mark.parametrize(
    ("lines", "gold"),
    [
        ([{"record_id": "<urn:1>", "gold_text": "One"}], GoldText("urn:1", "One", "")),
        ([{"text": "Two", "site": "b"}, ""], GoldText("u", "Two", "b")),
        ([{"gold_text": "a"}, {"gold_text": "b"}], GoldText("u", "b", "")),
        ([{"gold_text": None}], GoldText("u", "", "")),
        (
            [{"gold_text": None, "with": ["one", "two"], "without": ["three"]}],
            GoldText("u", "", "", segments=Segments(("one", "two"), ("three",))),
        ),
        ([{"gold_text": "t", "with": ["t"]}], GoldText("u", "t", "")),
        ([{"text": "t", "gold_text_comments": "a"}], GoldText("u", "t", "", "a")),
        ([{"text": "t", "gold_text_comments": ""}], GoldText("u", "t", "", "")),
        ([{"text": "t", "gold_text_comments": None}], GoldText("u", "t", "")),
    ],
)
def test_text_gold_is_of_pages(gold_file, lines, gold):
    assert read_gold(gold_file(*(line and {"url": "u"} | line for line in lines))) == (gold,)


def test_scores_are_grouped_by_any_field(gold_file):
    path = gold_file({"url": "http://a.example/", "gold_text": "", "era": 2015})
    assert [one.group for one in read_gold(path, group="era")] == ["2015"]


def test_gold_with_xpaths_is_node_gold(gold_file):
    assert read_gold(gold_file(RUN)) == (
        LabelledRun("urn:uuid:1", "/html/body/p/text()[1]", 0, 5, "Hello", Label.CONTENT),
    )


def test_gold_may_be_compressed(tmp_path):
    path = tmp_path / "gold.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"url": "u", "gold_text": "t"}\n'))
    assert read_gold(str(path)) == (GoldText("u", "t", ""),)


TEXT = {"url": "u", "gold_text": "t"}


@pytest.mark.parametrize(
    ("good", "line", "complaint"),
    [
        (TEXT, "{", "not JSON"),
        (TEXT, "[1]", "not a JSON object"),
        (TEXT, {"gold_text": "of which page?"}, "no url"),
        (TEXT, {"url": "u"}, "no text"),
        (TEXT, {"url": "u", "gold_text": 5}, "gold_text is 5"),
        (TEXT, {"record_id": 7, "gold_text": "t"}, "record_id is 7"),
        (TEXT, TEXT | {"gold_text_comments": ["a"]}, "gold_text_comments is"),
        (TEXT, TEXT | {"gold_text_comments": 0}, "gold_text_comments is 0"),
        (TEXT, {"url": "u", "gold_text": None, "with": "one"}, "with is 'one'; .* a list of"),
        (RUN, RUN | {"label": "invalid"}, "label is 'invalid'"),
        (RUN, RUN | {"label": ["content"]}, "label is"),
        (RUN, RUN | {"start": 5}, "start is 5 and end 5"),
        (RUN, RUN | {"start": -1}, "start is -1"),
        (RUN, RUN | {"end": "5"}, "end is '5'"),
        (RUN, RUN | {"record_id": None}, "no record_id"),
        (RUN, RUN | {"xpath": ""}, "xpath is empty"),
    ],
)
def test_a_bad_line_is_named(gold_file, good, line, complaint):
    path = gold_file(good, "", line)
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 3: .*{complaint}"):
        read_gold(path)


def test_a_file_without_gold_is_refused(gold_file, tmp_path):
    with pytest.raises(UsageError, match="holds no gold"):
        read_gold(gold_file(" "))
    with pytest.raises(UsageError, match="cannot read the gold"):
        read_gold(str(tmp_path / "missing.jsonl"))
    (tmp_path / "latin").write_bytes(b'{"url": "u", "text": "\xe4"}')
    with pytest.raises(UsageError, match="not UTF-8"):
        read_gold(str(tmp_path / "latin"))


def test_a_comment_is_boilerplate_but_to_a_run_that_keeps_comments(gold_file):
    gold = read_gold(gold_file(RUN, RUN | {"start": 5, "end": 9, "label": "comment"}))
    assert [(one.label, one.comment) for one in gold] == [(CON, False), (BP, True)]
    assert with_comments(gold, "drop") == gold
    assert [one.label for one in with_comments(gold, "keep")] == [CON, CON]
    gold = read_gold(gold_file(TEXT | {"gold_text_comments": "First!"}))
    assert with_comments(gold, "keep") == gold, "text gold has no runs that are comments"


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
    cells = ("tp", "fn", "fp", "tn", "invalid_con", "invalid_bp")
    assert counts(verdicts, gold) == dict.fromkeys(cells, 1)


def test_a_verdict_has_the_gold_label_of_most_of_its_characters():
    legal = "2016 - Example Inc."
    gold = node(("Definition of Boilerplate ", CON), (legal, BP))
    assert counts(node((f"Definition of Boilerplate {legal}", CON)), gold) == {"tp": 1}
    finer = node(("Definition ", CON), ("of ", BP), ("Boilerplate ", CON), (legal, BP))
    assert counts(finer, gold) == {"tp": 2, "fn": 1, "tn": 1}


BLANK = f"\n{' ' * 40}"


@pytest.mark.parametrize(
    ("verdicts", "gold", "labels"),
    [
        # White space is no character, and an even split is content.
        (node((f"{BLANK}ad story", CON)), node((f"{BLANK}ad ", BP), ("story", CON)), [CON]),
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
    printed = [0.827489, 0.97, 0.51, 0.82, 0.88, 0.89, 0.65]
    assert row[columns].tolist() == pytest.approx(printed, abs=0.0051)


def test_the_summary_of_the_thesis():
    """Table 4.2, T001: the counts of appendix D summed, the 993 invalid elements left out."""
    invalid = {"invalid_con": [0, 9], "invalid_bp": [0, 984]}
    both = summarise(table(tp=[871, 0], fn=[78, 0], fp=[606, 0], tn=[4307, 0], **invalid))
    columns = ["acc", "p_con", "r_con", "f1_con", "p_bp", "r_bp"]
    printed = [0.883, 0.59, 0.918, 0.718, 0.982, 0.877]
    assert both.loc["decided", columns].tolist() == pytest.approx(printed, abs=5e-4)
    assert both.loc["all", "acc"] == pytest.approx((871 + 4307) / 6855)


WORDS = st.lists(st.sampled_from(("a ", "bb ", "c\n  c ")), min_size=1, max_size=8)


@given(WORDS, st.data())
def test_gold_labels_do_not_depend_on_how_gold_is_split(words, data):
    labels = [data.draw(st.sampled_from((CON, BP))) for _ in words]
    pairs = list(zip(words, labels, strict=True))
    stretches = groupby(pairs, key=itemgetter(1))
    merged = [("".join(word for word, _ in of), label) for label, of in stretches]
    assert list(gold_labels(node(*pairs), node(*merged))) == labels
