"""Each rule of the decisions, and its worth."""

from __future__ import annotations

from importlib import import_module

import pytest

from scripts.experiments.rules import RULES, main
from tests.data import shared


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_a_function_that_is_called_where_it_is_replaced(rule: str) -> None:
    module, _, name = RULES[rule][0].rpartition(".")
    assert callable(getattr(import_module(module), name))


@pytest.mark.data
@pytest.mark.slow
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
