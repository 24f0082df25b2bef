"""Structures of a page, limits of what is decided on them, and the rules that decide."""

import math
import re
from importlib import import_module
from inspect import getmembers, isfunction
from pathlib import Path

import lxml.html
import pytest

from dbce.boilerplate import decide
from dbce.boilerplate.word_labels import OF_SITE
from dbce.model import Config
from scripts.experiments import ceilings, lost, rules
from scripts.experiments.rules import RULES
from scripts.experiments.sets import Archive
from scripts.experiments.structures import KINDS, Structure, Tally, key, structures
from scripts.experiments.systems import texts_of_method
from tests.experiments.build import gold_of, open_set
from tests.html.soup import page as parsed
from tests.site import TOPICS, page

# Whether they come out whole


PAGE = lxml.html.document_fromstring(
    "<title>The ferry sails - Harbour</title><body>"
    "<h1>The ferry sails</h1><h2>Timetable</h2><noscript><h2>Not for readers</h2></noscript>"
    "<table><tr><td>Harbour<td>at seven</tr><tr><td>Island<td>at eight</tr></table>"
    "<table><tr><td><p>one cell</tr></table>"
    "<ul><li>the first stop</li><li>the second stop</li></ul><ul><li>alone</li></ul>"
    "<p>A paragraph of some words.</p><blockquote><p>In a quotation.</p></blockquote>"
)


def test_each_structure_of_a_page_is_asked_for_once() -> None:
    assert list(structures(PAGE)) == [
        Structure("headline", ("theferrysails",)),
        Structure("heading", ("timetable",)),
        Structure("table", ("harbouratseven", "islandateight")),
        Structure("paragraph", ("onecell",)),
        Structure("list", ("thefirststop", "thesecondstop")),
        Structure("paragraph", ("aparagraphofsomewords",)),
        Structure("paragraph", ("inaquotation",)),
    ]


@pytest.mark.parametrize(
    ("text", "share"), [("The first stop\nThe second stop", 1), ("The first stop", 0.5), ("", 0)]
)
def test_of_a_list_each_item_counts(text: str, share: float) -> None:
    assert Structure("list", ("thefirststop", "thesecondstop")).share(key(text)) == share


def test_what_the_gold_has_is_whole_or_not_and_all_else_intrudes() -> None:
    tally = Tally()
    tally.count(Structure("headline", ("theferrysails",)), "", "theferrysails")
    for number in range(40):
        heading = Structure("heading", (f"heading{number:02}",))
        tally.count(heading, heading.keys[0] if number % 2 else "", "heading01 heading02 heading03")
    assert (tally.wanted["headline"], tally.whole["headline"]) == (1, 1)
    assert (tally.wanted["heading"], tally.whole["heading"]) == (20, 2)
    assert (tally.others["heading"], tally.intruding["heading"]) == (20, 1)
    assert all(math.isnan(share) for share in tally.shares()[: len(KINDS) + 1])


# Limits, and what comes out in part


SECTIONS = parsed(
    "<h1>Ferries</h1><h2><b>At</b> seven</h2><p>One goat<br>pays</p><h3>Goats</h3><h2>At eight</h2><p>None"
)


@pytest.mark.parametrize(
    ("wanted", "likely", "kept", "told"),
    [
        ({1, 2}, {1, 2}, {1, 2}, [""]),
        ({1}, {1}, set(), ["alone"]),
        ({1, 2}, {1}, set(), ["judged"]),
        ({1, 2}, {2}, set(), ["rules"]),
        ({1, 2}, {2}, {2}, ["without it"]),
        ({0, 6}, {6}, {6}, ["without it"]),
        ({1, 6}, {6}, {6}, ["alone"]),
        ({1, 4}, set(), set(), ["judged", "alone"]),
        ({2}, set(), set(), []),
    ],
)
def test_a_heading_is_lost_with_its_section_by_the_model_or_by_rules_or_alone(
    wanted, likely, kept, told
):
    levels = lost.levels(SECTIONS)
    assert list(lost.headings(levels, wanted, likely, kept)) == told


@pytest.mark.parametrize(
    ("wanted", "likely", "kept", "told"),
    [
        ({3, 4, 5}, {3, 4}, {3, 4}, [""]),
        ({2, 3, 4, 5}, {2}, {2}, ["alone"]),
        ({2, 3, 4, 5}, set(), set(), ["with others"]),
        ({3, 4, 5}, {3}, {3}, ["in part"]),
        ({3, 4, 5}, {3, 4}, set(), ["rules"]),
        ({3, 4}, set(), set(), []),  # the gold has too little of it
    ],
)
def test_a_list_is_lost_by_the_model_or_by_rules(wanted, likely, kept, told):
    assert list(lost.lists([[3, 4, 5]], wanted, likely, kept)) == told


def test_a_list_has_the_lines_that_are_in_no_list_within_it():
    page = parsed("<p>a<ul><li>b<li>c<ol><li>d<li>e</ol><li>f</ul>")
    assert lost.lines_of_lists(page) == [[1, 2, 5], [3, 4]]


def test_structures_of_a_page_have_their_kinds_and_lines() -> None:
    page = parsed(
        "<table><tr><td>Home<br>News<br>Sea<td>A text</table><dl><dt>Hull<dd>oak</dl><h2>On</h2>"
        "<div class='my-warning'><p>Mind<p>it sinks</div><pre><div>a</div><div>b</div></pre>"
    )
    found = [("dl", (4, 5)), ("notice", (7, 8)), ("code", (9, 10)), ("heading", (6, 7))]
    assert list(ceilings.line_structures(page)) == found


BETWEEN = "x" * 60
LINES = ["firststop", "1", "secondstop", BETWEEN, "firststop", BETWEEN, "thirdstop", "secondstop"]


@pytest.mark.parametrize(
    ("keys", "kept", "told"),
    [
        (("firststop", "secondstop"), {4}, "elsewhere"),
        (("firststop", "secondstop"), {0}, "part"),
        (("firststop", "secondstop"), {0, 1, 2}, "whole"),
        (("firststop", "fourthstop"), {0}, "not found"),
        (("secondstop", "thirdstop"), {2, 6}, "not found"),
        (("thirdstop", "secondstop"), {7}, "part"),
        (("firststopse",), {0, 2}, "not found"),
        (("firststop1second",), {0, 2}, "part"),
    ],
)
def test_a_structure_in_part_is_told_by_the_lines_that_have_it(keys, kept, told) -> None:
    assert ceilings.cause(Structure("list", keys), LINES, kept) == told


# Rules


STEPS = frozenset(
    "aside_lines likely_nodes is_linked beside_article decide marks_with_places note_marks note_labels neighbours_verdict".split()
)
"""Functions of the decisions that are no rules, but apply or help them."""


def test_each_function_of_the_decisions_is_a_rule_that_names_what_pays_for_it() -> None:
    functions = {
        f"{module.__name__}.{name}"
        for module in (decide.article, decide.asides, decide.notes, decide.structures)
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    targets = {rule.target for rule in RULES.values()}
    assert {name for name in functions - targets if name.rpartition(".")[2] not in STEPS} == set()
    assert all(rule.pays for rule in RULES.values())
    places = [target.rpartition(".") for target in targets]
    assert [name for module, _, name in places if not hasattr(import_module(module), name)] == []


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
    return open_set(tmp_path, pages, map(gold_of, pages))


def test_pages_that_are_judged_once_are_decided_on_as_if_judged_anew(archive, monkeypatch) -> None:
    target = f"{rules.DECIDE}.asides.aside_lines"
    nothing = rules.Rule(target, lambda lines, _: [OF_SITE] * len(lines.gains), "")
    monkeypatch.setitem(RULES, "nothing stays", nothing)
    texts = rules.texts_by_rule(archive, Config(), [*RULES, "notes+nothing stays"])
    usual = texts.pop(rules.ALL_RULES)
    assert usual == texts_of_method(archive, Config().method, Config())
    assert texts["notes+nothing stays"] == texts["nothing stays"] == dict.fromkeys(usual, "")
    for names, changed in texts.items():
        with rules.without_rules(names):
            assert usual | changed == texts_of_method(archive, Config().method, Config())


def test_a_rule_is_paid_for_on_the_set_where_it_gains_most() -> None:
    nothing = [0.0] * len(rules.MEASURES)
    lists = [0.0, *[float("nan")] * 4, 0.2, *[0.0] * 3]
    found = [("a", 3, lists), ("b", 2, [0.01, *nothing[1:]]), ("c", 1, [-0.02, *nothing[1:]])]
    told = ["rule", 6, "+0.0100 b", "+0.2000 a list", "-0.0200 c"]
    assert rules.pays_row("rule", found) == told
