"""Stored runs, one or several, against gold of either kind."""

from pathlib import Path

import pytest

from dbce.evaluate import evaluate_all
from dbce.evaluate.results import table
from dbce.model import UsageError
from tests.evaluate.conftest import evaluate, page, run, truth


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


def test_node_gold_gives_the_measures_of_the_thesis_by_site_too(evaluated):
    said = (("a", "story", "content"), ("b", "menu", "content"), ("c", "?", "invalid"))
    nodes = [run(page, 0, *of) for page, *of in said]
    gold = [
        run("a", 0, "story", "content", "one.example"),
        run("b", 0, "menu", "boilerplate", "two.example"),
    ]
    report = evaluated([*gold, run("gone", 0, "x", "content")], nodes=nodes)
    counts = report.table[["tp", "fp"]]
    assert (counts.index.tolist(), counts.to_numpy().tolist()) == (["a", "b"], [[1, 0], [0, 1]])
    assert report.summary.loc["all", ["acc", "p_con", "r_con"]].tolist() == [0.5, 0.5, 1]
    assert report.groups["acc"].to_dict() == {"one.example": 1, "two.example": 0}
    assert report.notes == ("captures in the gold without verdicts in the run, not scored: 1",)
    text = report.text()
    assert "| all       |  1 |  0 |  1 |" in text
    assert "| two.example |  0 |  0 |  1 |" in text


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


THESIS = ["tp", "fn", "fp", "tn", "acc", "p_bp", "p_con", "r_bp", "r_con", "f1_bp", "f1_con"]


def by(method: str, pages: list[dict] = (), nodes: list[dict] = ()) -> tuple:
    return {"method": method}, pages, nodes


@pytest.fixture
def labelled(compared):
    """Runs by T001 and T002 over two pages with node gold."""

    def runs(menu: str, story: str) -> list[dict]:
        first = run("a", 0, "story ", "content", "one.example")
        second = run("a", 6, "menu", menu, "one.example")
        return [first, second, run("b", 0, "story", story, "two.example")]

    labels = {"T001": "invalid", "T002": "boilerplate"}
    stored = {name: by(name, nodes=runs(label, label)) for name, label in labels.items()}
    return compared(runs("boilerplate", "content"), **stored)


def test_every_capture_has_a_row_for_each_method_with_the_columns_of_the_thesis(labelled):
    table = labelled.table()
    pages = (["a", "one.example"], ["b", "two.example"])
    expected = [[method, *page] for method in ("T001", "T002") for page in pages]
    assert table[["method", "record_id", "group"]].to_numpy().tolist() == expected
    assert set(THESIS) <= set(table)
    assert table["config_digest"].iloc[0] == "digest of T001"


def test_the_summary_has_a_row_for_each_method_and_one_without_invalid_runs(labelled):
    accuracy = labelled.summary()["acc"].to_dict()
    assert accuracy == pytest.approx({"T001": 1 / 3, "T001, decided": 1, "T002": 2 / 3})


def test_sites_have_a_row_and_methods_a_column(labelled):
    assert labelled.groups().to_dict("index") == {
        "one.example": {"pages": 1, "T001": 0.5, "T002": 1},
        "two.example": {"pages": 1, "T001": 0, "T002": 0},
    }
    assert "| two.example |     1 | 0.000 | 0.000 |" in labelled.text()


def test_text_gold_compares_methods_by_their_words(compared):
    gold = [truth("a", "x y"), truth("b", "x y", "two.example")]
    first, second = [page("a", "x y"), page("b", "x")], [page("a", "x y")]
    found = compared(gold, T001=by("T001", first), T002=by("T002", second))
    means = found.summary()["bag_f1_mean"].to_dict()
    assert means == {"T001": pytest.approx(5 / 6), "T002": 0.5}
    note = "Note: T002: pages in the gold that the run does not know, scored 0: 1"
    assert note in found.text()


def test_runs_of_one_method_are_told_apart_by_their_folders(compared):
    one = by("T002", [page("a", "x")])
    found = compared([truth("a", "x")], fast=one, lxml=one)
    assert [run.name for run in found.runs] == ["T002 fast", "T002 lxml"]


def test_one_run_says_what_it_says_alone(compared):
    comparison = compared([truth("a", "x")], one=by("T002", [page("a", "x")]))
    assert comparison.text() == comparison.runs[0].text()


def test_a_run_named_twice_is_refused(stored):
    folder, path = stored([truth("a", "x")], [page("a", "x")])
    with pytest.raises(UsageError, match="named twice"):
        evaluate_all([folder, folder], path)


def test_every_column_of_the_table_is_described(labelled, compared):
    texts = compared([truth("a", "x")], texts=by("T002", [page("a", "x")]))
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    columns = {*labelled.table(), *texts.table()}
    assert {name for name in columns if f"`{name}`" not in formats} == set()


def test_comments_are_content_to_a_run_whose_settings_say_so(compared):
    gold = [run("a", 0, "story ", "content"), run("a", 6, "First!", "comment")]
    nodes = [run("a", 0, "story ", "content"), run("a", 6, "First!", "boilerplate")]
    both = {name: ({"method": name, "comments": name}, [], nodes) for name in ("drop", "keep")}
    assert compared(gold, **both).summary()["acc"].to_dict() == {"drop": 1, "keep": 0.5}
