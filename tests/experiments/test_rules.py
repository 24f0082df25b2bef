"""Each rule of the decisions, and its worth."""

import re
from importlib import import_module
from inspect import getmembers, isfunction
from pathlib import Path

import pytest

from dbce.boilerplate.decide import asides, structures
from dbce.boilerplate.word_labels import OF_SITE
from dbce.model import Config
from scripts.experiments.rules import (
    ALL_RULES,
    DECIDE,
    MEASURES,
    RULES,
    Rule,
    pays_row,
    texts_by_rule,
    without_rules,
)
from scripts.experiments.sets import Archive
from scripts.experiments.systems import texts_of_method
from tests.experiments.build import open_set
from tests.site import TOPICS, page, story

STEPS = {"aside_lines", "decide", "note_marks", "note_labels", "neighbours_verdict"}
"""Functions of the decisions that are no rules, but apply or help them."""


def test_each_function_of_the_decisions_is_a_rule_that_names_what_pays_for_it() -> None:
    functions = {
        f"{module.__name__}.{name}"
        for module in (asides, structures)
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    targets = {rule.target for rule in RULES.values()}
    assert {name for name in functions - targets if name.rpartition(".")[2] not in STEPS} == set()
    assert all(rule.pays for rule in RULES.values())


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_something_that_is_there_to_be_replaced(rule: str) -> None:
    module, _, name = RULES[rule].target.rpartition(".")
    assert hasattr(import_module(module), name)


def test_the_document_has_what_pays_for_each_rule() -> None:
    document = Path("docs/evaluation.md").read_text(encoding="utf-8")
    section = document.split("\n### Rules of decisions\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| (.*?) \| (.*) \|$", section, re.MULTILINE)[1:])
    assert [*rows] == [*RULES]
    assert {name for name, rule in RULES.items() if f"**{rule.pays}**" not in rows[name]} == set()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Four pages of a site, all with gold."""
    pages = [page(topic) for topic in TOPICS]
    lines = [
        {"record_id": one.record_id, "gold_text": story(topic)}
        for one, topic in zip(pages, TOPICS, strict=True)
    ]
    return open_set(tmp_path, pages, lines)


def test_pages_that_are_judged_once_are_decided_on_as_if_judged_anew(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Rule(f"{DECIDE}.words.aside_lines", lambda lines: [OF_SITE] * len(lines.gains), "")
    monkeypatch.setitem(RULES, "nothing stays", nothing)
    texts = texts_by_rule(archive, Config(), [*RULES, "notes+nothing stays"])
    usual = texts.pop(ALL_RULES)
    assert usual == texts_of_method(archive, Config().method, Config())
    assert texts["notes+nothing stays"] == texts["nothing stays"] == dict.fromkeys(usual, "")
    for names, changed in texts.items():
        with without_rules(names):
            assert usual | changed == texts_of_method(archive, Config().method, Config())


def test_a_rule_is_paid_for_on_the_set_where_it_gains_most() -> None:
    nothing = [0.0] * len(MEASURES)
    lists = [0.0, *[float("nan")] * 4, 0.2, *[0.0] * 3]
    found = [("a", 3, lists), ("b", 2, [0.01, *nothing[1:]]), ("c", 1, [-0.02, *nothing[1:]])]
    assert pays_row("rule", found) == ["rule", 6, "+0.0100 b", "+0.2000 a list", "-0.0200 c"]
