"""A stored run against gold of either kind."""

import pytest

from dbce.evaluate.results import table
from dbce.model import UsageError
from tests.evaluate.rows import evaluate, page, run, truth


def test_text_gold_gives_word_scores_by_site(evaluated):
    report = evaluated(
        [truth("a", "x y"), truth("b", "x y", "two.example")],
        [page("a", "x y"), page("b", "x z"), page("other", "q")],
    )
    assert report.table["bag_f1"].to_dict() == {"a": 1, "b": 0.5}
    assert report.summary.loc["all", "bag_f1_mean"] == 0.75
    assert report.groups["bag_f1_mean"].to_dict() == {"one.example": 1, "two.example": 0.5}
    assert report.notes == ()
    assert "| two.example |     1 |" in report.text()


def test_gold_that_the_run_cannot_answer_scores_zero_and_is_reported(evaluated):
    report = evaluated(
        [truth("a", "x"), truth("gone", "x"), truth("bad", "x"), truth("front", "")],
        [page("a", "x"), page("bad", None), page("front", "much ado")],
    )
    assert report.summary.loc["all", "bag_f1_mean"] == pytest.approx(1 / 3)
    assert report.notes == (
        "pages in the gold that the run does not know, scored 0: 1",
        "pages in the gold that were skipped or rejected, scored 0: 1",
        "pages without words in the gold, not scored: 1",
        "words that the run found on pages without words in the gold: 2",
    )


def test_a_url_stands_for_its_first_judged_snapshot(evaluated):
    gold = [{"url": "http://a.example/", "gold_text": "first"}]
    pages = [
        page("later", "later", "http://a.example/", 2017),
        page("first", "first", "http://a.example/", 2014),
        page("bad", None, "http://a.example/"),
    ]
    assert evaluated(gold, pages).summary.loc["all", "bag_f1_mean"] == 1


def test_node_gold_gives_the_measures_of_the_thesis(evaluated):
    nodes = [
        run("a", 0, "story", "content"),
        run("b", 0, "menu", "content"),
        run("c", 0, "?", "invalid"),
    ]
    gold = [run("a", 0, "story", "content"), run("b", 0, "menu", "boilerplate")]
    report = evaluated([*gold, run("gone", 0, "x", "content")], nodes=nodes)
    assert report.table[["tp", "fp"]].to_dict("index") == {
        "a": {"tp": 1, "fp": 0},
        "b": {"tp": 0, "fp": 1},
    }
    assert report.summary.loc["all", ["acc", "p_con", "r_con"]].tolist() == [0.5, 0.5, 1]
    assert report.notes == ("captures in the gold without verdicts in the run, not scored: 1",)
    assert "| all       |  1 |  0 |  1 |" in report.text()


def test_node_gold_is_scored_by_site_too(evaluated):
    gold = [run("a", 0, "x", "content", "one.example"), run("b", 0, "x", "content", "two.example")]
    nodes = [run("a", 0, "x", "content"), run("b", 0, "x", "boilerplate")]
    report = evaluated(gold, nodes=nodes)
    assert report.groups["acc"].to_dict() == {"one.example": 1, "two.example": 0}
    assert "| two.example |  0 |  1 |" in report.text()


def test_gold_of_another_archive_is_no_error(evaluated):
    texts = evaluated([truth("x", "y")], [page("a", "text")]).text()
    assert "Note: pages in the gold that the run does not know, scored 0: 1" in texts
    assert "| decided   |  0 |" in evaluated([run("x", 0, "y", "content")], name="other").text()


def test_a_folder_without_a_run_is_refused(stored, tmp_path):
    _, gold = stored([truth("a", "x")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no finished run"):
        evaluate(str(tmp_path / "empty"), gold)


def test_tables_are_aligned_and_numbers_stand_right():
    assert table(["set", "F1"], [["a|b", 0.5], ["c", None], ["d", float("nan")]]) == (
        "| set  |    F1 |\n| ---- | ----: |\n| a\\|b | 0.500 |\n| c    |   n/a |\n| d    |   n/a |"
    )
