"""Costs of commands, and of others on the same pages, as tables."""

from __future__ import annotations

from scripts.experiments.ratios import Costs, ratio_table


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_costs_are_held_against_a_peer_and_the_means_of_ratios_told() -> None:
    costs = [
        Costs("small", 4, 7.6, {"run": 10.0, "text": 5.0}, {"peer": 20.0, "other": 1.0}, 99.0, {}),
        Costs("large", 2, 80.0, {"run": 30.0, "text": 15.0}, {"peer": 20.0}, 99.0, {}),
    ]
    header, _, *rows = map(
        _cells, ratio_table(costs, ("run", "text"), "peer", ("peer", "other")).splitlines()
    )
    assert header[-2:] == ["run / peer", "text / peer"]
    assert [[row[0], *row[-2:]] for row in rows] == [
        ["small", "0.500", "0.250"],
        ["large", "1.500", "0.750"],
        ["mean of the ratios", "1.000", "0.500"],
    ]
    assert rows[1][6] == "n/a"
