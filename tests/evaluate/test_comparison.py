"""Several runs against one gold."""

from pathlib import Path

import pytest

from dbce.evaluate import evaluate_all
from dbce.model import UsageError
from tests.evaluate.rows import page, run, truth

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


def test_text_gold_compares_methods_by_their_words(compared):
    gold = [truth("a", "x y"), truth("b", "x y", "two.example")]
    found = compared(
        gold,
        T001=by("T001", [page("a", "x y"), page("b", "x")]),
        T002=by("T002", [page("a", "x y")]),
    )
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
    assert comparison.text() == comparison.runs[0].report.text()


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
