"""Each rule of the decisions, and its worth."""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from dbce import html
from dbce.model import Config
from scripts.experiments.rules import RULES, main
from scripts.experiments.sets import captures_of
from tests.data import shared


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_a_function_that_is_called_where_it_is_replaced(rule: str) -> None:
    module, _, name = RULES[rule][0].rpartition(".")
    assert callable(getattr(import_module(module), name))


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.nightly
def test_without_a_rule_texts_change(capsys) -> None:
    shared("misinfo")
    main(["--set", "misinfo", "--without", "opening", "--without", "notes"])
    changed = {
        cells[2]: (int(cells[3]), float(cells[5]))
        for line in capsys.readouterr().out.splitlines()
        if (cells := [cell.strip() for cell in line.split("|")])[1:2] == ["misinfo*"]
    }
    assert changed["all rules"] == (0, 1.0)
    (count, headlines), (notes, _) = changed["without opening"], changed["without notes"]
    assert count > 10 > notes
    assert headlines < 0.8


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.nightly
def test_held_out_lines_are_decided_on_with_each_rule_and_without(tmp_path, capsys) -> None:
    folder = shared("misinfo")
    rows = []
    for capture in captures_of(str(folder / "misinfo.warc.gz"), Config()):
        page = html.load(capture.payload, capture.content_type, Config().limits).page
        lines = html.lines(page, html.holders(page))[-1] + 1
        rows.append({"record_id": capture.record_id, "text": "", "gains": [0.5] * lines})
    held_out = tmp_path / "held-out.jsonl"
    held_out.write_text("".join(json.dumps(row | {"unknown": []}) + "\n" for row in rows))
    main(["--set", "misinfo", "--without", "beside", "--held-out", str(held_out)])
    told = [
        [cell.strip() for cell in line.split("|")]
        for line in capsys.readouterr().out.splitlines()
        if "misinfo" in line
    ]
    assert [cells[1:4] for cells in told] == [
        ["misinfo", "all rules", "0"],
        ["misinfo", "without beside", "0"],
    ]
    assert float(told[0][6]) > 0.95
