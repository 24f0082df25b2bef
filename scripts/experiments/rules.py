"""Which rule of the decisions is worth what?

    python -m scripts.experiments.rules [--halves FOLDER] [--set NAME]... [--share N] [--without RULE[+RULE]...]...

Each page is judged once, with FOLDER by the model of `comparing halves` that has not seen its domain, and decided on with
all rules and then without one after another, or without several at once. A row is what a rule gains on a set, the
measure with all rules less that without it: F1, the shares of structures, of each kind and of all, that come out whole,
of those that intrude, and of those that are broken, as `structures` counts them. Of sets whose gold is segments F1 is the
share of segments where they belong. The last table has the sets on which each rule gains and costs most.

With `--share N` only pages of every Nth domain are read. Without variants, a rule of the comparison, pages are compared anew:
that one is left out only when it is asked for.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from dbce import html
from dbce.boilerplate.classify import joint
from dbce.boilerplate.decide.asides import aside_rules, content_words
from dbce.boilerplate.decide.structures import LEAN_OF_HEADINGS
from dbce.boilerplate.decide.tree import APART, limit
from dbce.boilerplate.judge import page_evidence, verdicts
from dbce.boilerplate.variants import NONE
from dbce.boilerplate.word_labels import UNSEEN
from dbce.evaluate.results import table
from dbce.formats import judged_text
from dbce.kernel.compiled import cut_lines
from dbce.model import Config
from scripts.experiments.comparing import by_models
from scripts.experiments.segments import SETS as SEGMENTED
from scripts.experiments.segments import score
from scripts.experiments.sets import (
    SETS,
    add_title,
    call,
    choose_sets,
    compare_pages,
    judged_captures,
    present,
    set_parser,
)
from scripts.experiments.structures import KINDS, Tally, page_score, scored_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from dbce.model import Capture, Label, TextRun
    from scripts.experiments.sets import Archive, Texts

DECIDE = "dbce.boilerplate.decide"
CUT = "dbce.boilerplate.classify.joint"


class Rule(NamedTuple):
    """A rule of decisions: the name in the code that applies it, and what stands there without it.

    `pays` says what it is kept for: a set and the gain there, as `docs/evaluation.md` has it whole.
    """

    target: str
    without: Any
    pays: str


RULES: dict[str, Rule] = {
    "hidden text": Rule(
        f"{DECIDE}.asides.aside_rules",
        lambda lines: aside_rules(replace(lines, page=replace(lines.page, unseen=frozenset()))),
        "+.0028 dragnet",
    ),
    "text of the site": Rule(
        f"{DECIDE}.asides.aside_rules",
        lambda lines: aside_rules(replace(lines, page=replace(lines.page, of_site=frozenset()))),
        "+.0014 wcxb",
    ),
    "labels of controls": Rule(
        f"{DECIDE}.asides.control_labels", lambda *_: [], "a reported fault"
    ),
    "notices": Rule(f"{DECIDE}.asides._notices", lambda *_: [], "+.0029 fundus"),
    "pointers": Rule(f"{DECIDE}.asides._is_pointer", lambda *_: False, "+.0011 trafeval"),
    "calls": Rule(f"{DECIDE}.asides._calls", lambda *_: [], "a reported fault"),
    "credits": Rule(f"{DECIDE}.asides._credits", lambda *_: [], "+.0011 trafeval"),
    "rights": Rule(f"{DECIDE}.asides._note_on_rights", lambda _: range(0), "+.0007 timelines"),
    "contents": Rule(f"{DECIDE}.asides._contents", lambda *_: [], "a reported fault"),
    "hidden pages": Rule(
        f"{DECIDE}.asides.content_words",
        lambda lines, rules: content_words(lines, rules) | {UNSEEN: 0},
        "+.0071 fundus",
    ),
    "sign-in pages": Rule(f"{DECIDE}.asides.HARDLY_ANY", 0, "+.0111 chinese†"),
    "structures": Rule(
        f"{DECIDE}.structures._decide_structures", lambda *_: None, "+.0067 dragnet"
    ),
    "structures whole": Rule(
        f"{DECIDE}.structures.LIMITS",
        [2 * [limit(stays, APART)] for stays in (False, True)],
        "a reported fault",
    ),
    "large parts": Rule(f"{DECIDE}.tree.LARGE", inf, "+.0039 waddle"),
    "between content": Rule(f"{DECIDE}.structures.BETWEEN", 0.0, "+.0187 lists cleaneval"),
    "lists alone": Rule(f"{DECIDE}.structures.ALONE", 0.0, "+.0020 waddle"),
    "siblings": Rule(
        f"{DECIDE}.structures.sibling_gains", lambda lines: lines.gains, "+.0029 forums"
    ),
    "sentences": Rule(
        f"{DECIDE}.structures.gains_of_sentences", lambda _, gains: gains, "a reported fault"
    ),
    "of the text above": Rule(
        f"{DECIDE}.structures._is_of_text", lambda *_: False, "a reported fault"
    ),
    "layout tables": Rule(f"{DECIDE}.structures.layout_parts", lambda *_: set(), "+.0010 forums"),
    "posts": Rule(f"{DECIDE}.tree.posts", lambda *_: (), "+.0044 forums"),
    "notes": Rule(f"{DECIDE}.notes.keep_notes_with_marks", lambda *_: None, "+.0006 chinese"),
    "formulas": Rule(f"{DECIDE}.notes.formula_lines", lambda *_: (), "a reported fault"),
    "labels of boxes": Rule(
        f"{DECIDE}.notes.keep_labels", lambda *_: None, "+.0066 headings sites"
    ),
    "callouts": Rule(f"{DECIDE}.structures.callout_lines", lambda *_: (), "a reported fault"),
    "headings": Rule(f"{DECIDE}.structures.decide_headings", lambda *_: None, "+.0064 trafeval"),
    "headings before text": Rule(
        f"{DECIDE}.structures.headings_before_text", lambda *_: [], "+.0205 headings wcxb"
    ),
    "headings that lean": Rule(
        f"{DECIDE}.structures.LEAN_OF_HEADINGS", 0.0, "+.0060 headings cleaneval"
    ),
    "headings before sure text": Rule(
        f"{DECIDE}.structures.LEAN_ON_SURE", LEAN_OF_HEADINGS, "+.0111 headings cleaneval"
    ),
    "headings of tables": Rule(
        f"{DECIDE}.structures._names_structure", lambda *_: False, "+.0056 headings wcxb"
    ),
    "headings of one style": Rule(
        f"{DECIDE}.structures.mean_gain_by_style",
        lambda lines, numbers: {n: lines.gains[n] for n in numbers},
        "+.0120 headings cleaneval",
    ),
    "headline": Rule(f"{DECIDE}.article.opening_lines", lambda *_: (), "+.7083 headlines readers"),
    "further articles": Rule(f"{DECIDE}.article.further_articles", lambda *_: [], "+.0038 fundus"),
    "apart from an article": Rule(
        f"{DECIDE}.article.apart_from_article", lambda *_: [], "+.0093 waddle"
    ),
    "comment threads": Rule(f"{DECIDE}.article.comment_threads", lambda *_: (), "+.0069 readers"),
    "link bars": Rule(f"{DECIDE}.article.link_bars", lambda *_: (), "a reported fault"),
    "second copies": Rule(f"{DECIDE}.article.second_copies", lambda *_: [], "+.0043 dragnet-sites"),
    "standfirst": Rule(f"{DECIDE}.article.standfirst", lambda *_: (), "+.0014 trafeval"),
    "cut: gap": Rule(
        "dbce.kernel.compiled.cut_lines",
        lambda *lines: (best := cut_lines(*lines)) and (*best[:2], None),
        "+.0070 readers",
    ),
    "cut: at most": Rule(f"{CUT}.SURE", 1.0, "+.0015 forums"),
    "cut: lowered": Rule(f"{CUT}.LOWERED", 0.0, "+.0033 recipes"),
    "cut: not of comments": Rule(f"{CUT}.MAY_BE_COMMENT", 1.0, "+.0106 dragnet"),
    "cut: verbatim": Rule(f"{CUT}.VERBATIM", 0.8, "a reported fault"),
    "cut: shared by all": Rule(f"{CUT}.AGAINST_ALL", 0.0, "+.0032 timelines"),
    "variants": Rule("dbce.boilerplate.variants.variants", lambda *_: NONE, "+.0320 flink‡"),
}
"""The rules by name. Some are parts of others: with the larger one the smaller is left out, too."""

COMPARED = {"variants"}
"""Rules of the comparison, not of the decision."""

ALL_RULES = "all rules"

PAGES_AT_ONCE = 32

Labels = list[tuple[int, int, "Label"]]
"""Node, start and label of each run of a page."""

Gain = tuple[str, int, list[float]]
"""A rule or a set, the texts that change there, and what is gained by each measure."""

MEASURES = ("F1", *KINDS, "whole", "intruding", "broken")
HEADER = ("set", "rule", "texts that change", *MEASURES)
PAYS = (
    "rule",
    "texts that change",
    "gains most F1",
    "gains most whole structures",
    "costs most F1",
)


def without_rules(names: str) -> ExitStack:
    """A context without some rules, with a plus between their names."""
    stack = ExitStack()
    for name in names.split("+") if names != ALL_RULES else ():
        stack.enter_context(patch(RULES[name].target, RULES[name].without))
    return stack


def texts_by_rule(archive: Archive, config: Config, without: Sequence[str]) -> dict[str, Texts]:
    """The main texts with all rules, and without each those that change; every page is judged once."""
    texts: dict[str, Texts] = {names: {} for names in (ALL_RULES, *without)}
    captures = list(judged_captures(archive))
    for start in range(0, len(captures), PAGES_AT_ONCE):
        batch = captures[start : start + PAGES_AT_ONCE]
        documents = [_document(one, config) for one in batch]
        found = [archive.annotations.get(one.record_id) for one in batch]
        pages = [
            page_evidence(one.url, of, its, config)
            for one, of, its in zip(batch, documents, found, strict=True)
        ]
        usual: list[Labels] = []
        with _judging_once():
            for names, of_rule in texts.items():
                with without_rules(names):
                    of_pages = verdicts(pages, config)
                labels = [_labels(runs) for runs in of_pages]
                usual = usual or labels
                for n, (one, of) in enumerate(zip(batch, documents, strict=True)):
                    if names == ALL_RULES or labels[n] != usual[n]:
                        of_rule[one.record_id] = judged_text(of.page, of_pages[n], of.markup)
    return texts


def _document(capture: Capture, config: Config) -> html.Canonical:
    document = html.load(capture.payload, capture.content_type, config.limits, "judge")
    return document.canonical(to_write=False)


def _labels(runs: Sequence[TextRun]) -> Labels:
    return [(run.node, run.start, run.verdict.label) for run in runs]


@contextmanager
def _judging_once() -> Iterator[None]:
    """While it lasts the model is asked once for the same pages, and all that follows is done again."""
    features = _remembered(
        joint.batch_features, lambda pages, _: tuple(id(page) for page, _ in pages)
    )
    chances = _remembered(joint.chances, lambda _, page: id(page))
    with patch.object(joint, "batch_features", features), patch.object(joint, "chances", chances):
        yield


def _remembered(function: Callable[..., Any], key: Callable[..., Hashable]) -> Callable[..., Any]:
    """A function that is called once for each key of its arguments."""
    known: dict[Hashable, Any] = {}

    def call(*arguments: Any) -> Any:
        its_key = key(*arguments)
        if its_key not in known:
            known[its_key] = function(*arguments)
        return known[its_key]

    return call


class Scores:
    """The scores of the texts of a set by page: the structures of each, counted, and its F1."""

    def __init__(self, archive: Archive) -> None:
        self._pages = {page.page: page for page in scored_pages(archive)}
        self._segments = {page.page: page.segments for page in archive.gold if page.segments}
        self._known: dict[tuple[str, str], tuple[Tally, float]] = {}

    def of(self, texts: Texts) -> list[tuple[Tally, float]]:
        """The scores of all pages with gold."""
        return [self._score(page, texts.get(page, "")) for page in (*self._pages, *self._segments)]

    def _score(self, page: str, text: str) -> tuple[Tally, float]:
        key = page, text
        if key not in self._known:
            segments = self._segments.get(page)
            self._known[key] = (
                (Tally(), score(segments, text).accuracy)
                if segments
                else page_score(self._pages[page], text)
            )
        return self._known[key]


def measures(scores: Sequence[tuple[Tally, float]]) -> list[float]:
    """The values of MEASURES."""
    tally = Tally()
    for of_page, _ in scores:
        tally.add(of_page)
    wanted, others = tally.wanted.total(), tally.others.total()
    return [
        sum(f1 for _, f1 in scores) / max(1, len(scores)),
        *tally.shares()[: len(KINDS)],
        tally.whole.total() / max(1, wanted),
        tally.intruding.total() / max(1, others),
        tally.stumps / max(1, wanted + others),
    ]


def gains(archive: Archive, texts: dict[str, Texts]) -> Iterator[Gain]:
    """(rule, texts that change, what it gains by each measure); first all rules, and the measures themselves."""
    every, scores = texts[ALL_RULES], Scores(archive)
    usual = measures(scores.of(every))
    yield ALL_RULES, 0, usual
    for rule, changed in texts.items():
        if rule != ALL_RULES:
            others = {page: text for page, text in changed.items() if text != every[page]}
            less = measures(scores.of(every | others))
            yield rule, len(others), [a - b for a, b in zip(usual, less, strict=True)]


def pays_row(rule: str, found: Sequence[Gain]) -> list[object]:
    """The row of a rule in the last table; `found` are its gains by set."""
    return [
        rule,
        sum(changed for _, changed, _ in found),
        *(_extreme(found, max, kinds) for kinds in (["F1"], [*KINDS, "whole"])),
        _extreme(found, min, ["F1"]),
    ]


def _extreme(found: Sequence[Gain], which: Callable[..., Any], kinds: Sequence[str]) -> str:
    """The highest or lowest gain by some measures, and where."""
    values = [
        (of_set[MEASURES.index(kind)], "" if kind == "F1" else f" {kind}", name)
        for name, _, of_set in found
        for kind in kinds
    ]
    value, kind, name = which((v for v in values if v[0] == v[0]), default=(0.0, "", ""))
    return f"{value:+.4f} {name}{kind}" if value else "0"


def texts_of_set(
    compare: Callable[[], Archive], without: Sequence[str], halves: Path | None, method: str
) -> tuple[Archive, dict[str, Texts]]:
    """A set, compared, and its main texts with all rules and without each."""
    archive = compare()
    decided = [names for names in without if names not in COMPARED]
    texts = _texts_by_models(archive, decided, halves, method)
    for name in COMPARED.intersection(without):
        with without_rules(name):
            texts[name] = _texts_by_models(compare(), (), halves, method)[ALL_RULES]
    return archive, texts


def _texts_by_models(
    archive: Archive, without: Sequence[str], halves: Path | None, method: str
) -> dict[str, Texts]:
    texts: dict[str, Texts] = {names: {} for names in (ALL_RULES, *without)}
    for part, config in by_models(archive, halves):
        for names, of_rule in texts_by_rule(part, replace(config, method=method), without).items():
            texts[names].update(of_rule)
    return texts


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the tables."""
    names = *SETS, *SEGMENTED
    parser = set_parser("rules", "Rules.", names)
    parser.add_argument(
        "--without", metavar="RULE", action="append", help="all but variants unless given"
    )
    parser.add_argument(
        "--halves", type=Path, metavar="FOLDER", help="what `comparing halves` wrote"
    )
    parser.add_argument("--share", type=int, metavar="N", default=1, help="read every Nth domain")
    parser.add_argument("--method", metavar="NAME", default=Config().method)
    options = parser.parse_args(arguments)
    without = options.without or [name for name in RULES if name not in COMPARED]
    rows: list[list[object]] = []
    of_rules: dict[str, list[Gain]] = {names: [] for names in without}
    for name, path, gold in present(choose_sets(names, options.set)):
        archive, texts = texts_of_set(
            partial(compare_pages, name, path, gold, share=options.share),
            without,
            options.halves,
            options.method,
        )
        for rule, changed, values in gains(archive, texts):
            if rule != ALL_RULES:
                of_rules[rule].append((name, changed, values))
            if changed or rule == ALL_RULES:
                rows.append([name, rule, changed, *(f"{value:.4f}" for value in values)])
    if rows:
        print(table(HEADER, rows))
        pays = [pays_row(*of_rule) for of_rule in of_rules.items()]
        print(add_title("What pays for each rule:", table(PAYS, pays)))


if __name__ == "__main__":
    call(main)
