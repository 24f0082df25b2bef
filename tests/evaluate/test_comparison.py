"""Several runs against one gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbce.evaluate import evaluate_all
from dbce.model import UsageError
from tests.evaluate.rows import page, run, truth

THESIS = ["tp", "fn", "fp", "tn", "acc", "p_bp", "p_con", "r_bp", "r_con", "f1_bp", "f1_con"]


def by_method(method: str) -> dict:
    return {"config": {"method": method}, "config_digest": f"digest of {method}"}


@pytest.fixture
def labelled(stored):
    """Runs by T001 and T002 over two pages with node gold."""
    gold = [
        run("a", 0, "story ", "content", "one.example"),
        run("a", 6, "menu", "boilerplate", "one.example"),
        run("b", 0, "story", "content", "two.example"),
    ]
    for method, label in (("T001", "invalid"), ("T002", "boilerplate")):
        nodes = [
            run("a", 0, "story ", "content"),
            run("a", 6, "menu", label),
            run("b", 0, "story", label),
        ]
        uri, path = stored(gold, nodes=nodes, name=method, account=by_method(method))
    folders = [uri.replace("T002", method) for method in ("T001", "T002")]
    return evaluate_all(folders, path)


def test_every_capture_has_a_row_for_each_method_with_the_columns_of_the_thesis(labelled):
    table = labelled.table()
    assert table[["method", "record_id", "group"]].to_numpy().tolist() == [
        ["T001", "a", "one.example"],
        ["T001", "b", "two.example"],
        ["T002", "a", "one.example"],
        ["T002", "b", "two.example"],
    ]
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


def test_text_gold_compares_methods_by_their_words(stored):
    gold = [truth("a", "x y"), truth("b", "x y", "two.example")]
    first, _ = stored(gold, [page("a", "x y"), page("b", "x")], name="1", account=by_method("T001"))
    second, path = stored(gold, [page("a", "x y")], name="2", account=by_method("T002"))
    comparison = evaluate_all([first, second], path)
    assert comparison.summary()["bag_f1_mean"].to_dict() == {
        "T001": pytest.approx(5 / 6),
        "T002": 0.5,
    }
    assert "Note: T002: pages in the gold that the run does not know, scored 0: 1" in (
        comparison.text()
    )


def test_runs_of_one_method_are_told_apart_by_their_folders(stored):
    gold, pages = [truth("a", "x")], [page("a", "x")]
    first, _ = stored(gold, pages, name="fast", account=by_method("T002"))
    second, path = stored(gold, pages, name="lxml", account=by_method("T002"))
    runs = evaluate_all([first, f"{second}/"], path).runs
    assert [one.name for one in runs] == ["T002 fast", "T002 lxml"]


def test_one_run_says_what_it_says_alone(stored):
    folder, path = stored([truth("a", "x")], [page("a", "x")], account=by_method("T002"))
    comparison = evaluate_all([folder], path)
    assert comparison.text() == comparison.runs[0].report.text()


def test_a_run_named_twice_is_refused(stored):
    folder, path = stored([truth("a", "x")], [page("a", "x")])
    with pytest.raises(UsageError, match="named twice"):
        evaluate_all([folder, folder], path)


def test_every_column_of_the_table_is_described(labelled, stored):
    folder, path = stored([truth("a", "x")], [page("a", "x")])
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    columns = {*labelled.table(), *evaluate_all([folder], path).table()}
    assert {name for name in columns if f"`{name}`" not in formats} == set()


def test_comments_are_content_to_a_run_whose_settings_say_so(stored):
    gold = [run("a", 0, "story ", "content"), run("a", 6, "First!", "comment")]
    nodes = [run("a", 0, "story ", "content"), run("a", 6, "First!", "boilerplate")]
    for comments in ("drop", "keep"):
        config = {"method": comments, "comments": comments}
        uri, path = stored(gold, nodes=nodes, name=comments, account={"config": config})
    both = evaluate_all([uri.replace("keep", comments) for comments in ("drop", "keep")], path)
    assert both.summary()["acc"].to_dict() == {"drop": 1, "keep": 0.5}
