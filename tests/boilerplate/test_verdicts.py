"""From labels of words to verdicts on text runs: patterns, classifiers, the methods they take part in, and the dial."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce import model
from dbce.archive import capture
from dbce.boilerplate import Annotated, with_dial, word_labels
from dbce.boilerplate.classify import Features, joint
from dbce.boilerplate.classify.features import batch_features
from dbce.boilerplate.judge import JudgeInput, PageEvidence, as_annotated, judge, verdicts
from dbce.html import load
from dbce.metadata import SelfDescription, declared_opening
from dbce.model import BOILERPLATE, CONTENT, Config, Cross, Label
from dbce.pipeline import annotate
from tests import reference
from tests.boilerplate.builders import annotation, compared
from tests.html.soup import page as parsed
from tests.site import TOPICS, article, page, story
from tests.training import HOSTS, commented_pages, remarks

SIGNS = {"+": CONTENT, "-": BOILERPLATE, "?": model.INVALID}
OF_LABEL = {label: sign for sign, label in SIGNS.items()}


def decided(signs: str, *, invalid_counts: bool = True) -> list[tuple[str, float, str]]:
    """(sign, probability, rule) of words, given the signs of their labels by the patterns."""
    words = word_labels.pattern_verdicts(np.array([SIGNS[sign] for sign in signs], dtype=np.uint8))
    words = word_labels.without_invalid(words) if invalid_counts else words
    columns = words.labels.tolist(), words.probabilities.tolist(), words.rules.tolist()
    return [
        (OF_LABEL[label], chance, word_labels.RULES[rule])
        for label, chance, rule in zip(*columns, strict=True)
    ]


def test_patterns_give_a_label_with_half_a_vote_and_t002_counts_what_they_leave_open():
    clear = [("+", 0.75, "pattern"), ("-", 0.25, "pattern")]
    assert decided("+-?", invalid_counts=False) == [*clear, ("?", 0.5, "pattern")]
    assert decided("+-?") == [*clear, ("-", 0.5, "invalid-is-boilerplate")]


# Words become text runs that tile their nodes.


def runs(texts: list[str], signs: str, bits: list[int] | None = None) -> tuple[model.TextRun, ...]:
    """The runs of text nodes whose words have the labels of the signs."""
    ends = np.array(list(accumulate(len(text.split()) for text in texts)), dtype=np.uint32)
    labels = np.array([SIGNS[sign] for sign in signs], dtype=np.uint8)
    chances = np.where(labels == CONTENT, 0.75, 0.25)
    of_words = word_labels.WordLabels(labels, chances, np.zeros_like(labels))
    its_bits = np.array([16] * len(signs) if bits is None else bits, dtype=np.uint8)
    nodes = tuple(model.TextNode(0, i + 1, i, False, text) for i, text in enumerate(texts))
    return word_labels.text_runs(nodes, ends, its_bits, of_words, comparisons=2)


def test_words_of_one_label_with_other_bits_are_two_runs_each_with_its_verdict():
    found = runs(["a b c"], "+++", bits=[0b11000, 0b11000, 0b10011])
    assert [run.verdict for run in found] == [
        model.Verdict(Label.CONTENT, 0.75, bits, 2, "pattern") for bits in ("11000", "10011")
    ]


# All that Python takes for white space may stand between words, before and after.
space = st.sampled_from([*" \t\n\r\f\v\xa0\x85\x1c\u2003\u2028\u3000", "  \n"])
word = st.text(st.sampled_from("ab\u200b\u00e9\U0001f600&<-"), min_size=1, max_size=3)


@st.composite
def texts_and_signs(draw) -> tuple[list[str], str]:
    texts = []
    for _ in range(draw(st.integers(1, 5))):
        words = draw(st.lists(word, min_size=1, max_size=5))
        pieces = [piece for each in words for piece in (each, draw(space))]
        before, behind = (draw(st.sampled_from(["", " ", odd])) for odd in ("\xa0\n", "\u3000"))
        texts.append("".join([before, *pieces[:-1], behind]))
    count = sum(len(text.split()) for text in texts)
    return texts, draw(st.text("+-?", min_size=count, max_size=count))


@given(texts_and_signs())
def test_runs_tile_every_text_and_hold_whole_words_with_their_labels_and_neighbours_differ(case):
    texts, signs = case
    found = [(*run[:3], run.verdict.label) for run in runs(texts, signs)]
    assert found == reference.runs(texts, [model.LABELS[SIGNS[sign]] for sign in signs])


# What is known of every word becomes verdicts: the methods that patterns take part in.


SHARED = {"one": "ab", "two": "a", "three": "b", "four": "", "five": "bc"}
"""Words of a page and the others that have them."""

CROSSES = (
    Cross("cur", "a", None, None, None, 0.9, 0),
    Cross("cur", "b", None, None, None, 0.8, 0),
    Cross("cur", "b", "c", None, None, 0.8, 0.7),
)


def judged(method: str, crosses: tuple[Cross, ...] = CROSSES) -> dict[str, model.Verdict]:
    """The verdict on each of the words, which are paragraphs of their own."""
    its_page = parsed("".join(f"<p>{word}</p>" for word in SHARED))
    shared = {who: "".join("01"[who in others] for others in SHARED.values()) for who in "abc"}
    found = annotation(*crosses, nodes=len(SHARED), **shared)
    (runs,) = verdicts([PageEvidence(its_page, found)], Config(method=method))
    return {its_page.nodes[run.node].text: run.verdict for run in runs}


def test_the_strongest_cross_alone_is_asked_and_what_it_leaves_open_is_boilerplate():
    found = judged("T002")
    content = [word for word, v in found.items() if v.label is Label.CONTENT]
    assert content == ["three", "four", "five"]
    assert {v.comparisons for v in found.values()} == {1}
    cross = replace(CROSSES[0], down="b", next="c")
    four = judged("T002", (cross, *CROSSES))["four"]
    assert (four.label, four.decided_by) == (Label.BOILERPLATE, "invalid-is-boilerplate")


def archive() -> list[PageEvidence]:
    """Four pages with three paragraphs and a fourth that they share in part; one that is alone."""
    captures = []
    for topic in TOPICS:
        shared = f"{story(topic, 12)[:-1]} as we said in every letter of this year."
        own = (story(f"{topic}{n}") for n in range(3))
        captures.append(page(topic, html=article(topic, *own, shared)))
    captures.append(capture("http://alone.example/", article("alone"), "20160101000000"))
    return [PageEvidence(*one) for one in compared(captures)]


def test_patterns_part_a_paragraph_that_is_shared_in_part():
    pages = archive()
    *others, alone = verdicts(pages, Config(method="T002"))
    node = next(n for n, one in enumerate(pages[0].page.nodes) if "every letter" in one.text)
    assert {r.verdict.label for r in others[0] if r.node == node} == {*Label} - {Label.INVALID}
    assert {run.verdict.comparisons for runs in others for run in runs} == {1}
    assert {run.verdict.decided_by for run in alone} == {"density"}


@pytest.mark.parametrize(("keep", "label"), [("drop", Label.BOILERPLATE), ("keep", Label.CONTENT)])
def test_a_line_that_is_a_comment_is_dropped_or_kept_for_being_one(reader_file, keep, label):
    config = Config(model=str(reader_file), comments=keep)
    captures = [one for one, *_ in commented_pages(HOSTS[0])]
    for found, topic in zip(annotate(captures, config), TOPICS, strict=True):
        decided = {found.page.nodes[run.node].text: run.verdict for run in found.runs}
        comments = {text for text, v in decided.items() if v.decided_by == "comment"}
        assert comments == set(remarks(HOSTS[0], topic))
        assert {decided[text].label for text in comments} == {label}
        assert {v.decided_by for text, v in decided.items() if text not in comments} == {"joint"}
        assert not any(f"Letters of {HOSTS[0]}" in line for line in found.text.splitlines())


def test_other_methods_know_nothing_of_comments():
    captures = [one for one, *_ in commented_pages(HOSTS[0])]
    dropped, kept = (
        [a.runs for a in annotate(captures, Config(method="T002", comments=comments))]
        for comments in ("drop", "keep")
    )
    assert dropped == kept


def named(topic: str) -> str:
    """The page of a topic below a heading that every page of the site has, and its title too."""
    html = article(topic).replace(f"<title>{topic}</title>", "<title>Harbour news</title>")
    return html.replace('<div class="nav">', '<h2>Harbour news</h2><div class="nav">')


@pytest.mark.parametrize("method", ["joint", "T002"])
def test_every_method_decides_on_lines_or_structures_as_asked(method):
    pages = [page(topic, html=named(topic)) for topic in TOPICS]

    def judged_by(decide: str) -> list[tuple[str, ...]]:
        done = annotate(pages, Config(method=method, decide=decide))
        return [tuple(run.verdict.decided_by for run in one.runs) for one in done]

    by_structures = judged_by("structures")
    assert all(rules[0] == "structure" for rules in by_structures)
    assert "structure" not in {rule for rules in judged_by("lines") for rule in rules}
    assert judged_by("auto") == (by_structures if method == "joint" else judged_by("lines"))


def test_what_a_page_tells_of_itself_is_known_when_it_is_judged(monkeypatch):
    asked: list[SelfDescription | None] = []

    def recorded(batch: Any, told: Sequence[SelfDescription | None]) -> Features:
        asked.extend(told)
        return batch_features(batch, told)

    monkeypatch.setattr(joint, "batch_features", recorded)
    body = json.dumps({"@type": "NewsArticle", "articleBody": "The ferry crosses. " * 50})
    heads = f'<script type="application/ld+json">{body}</script>', ""
    pages = [capture("http://paper.example/", f"{head}<p>The ferry.", "2014") for head in heads]
    judge([JudgeInput(one, None) for one in pages], Config(), as_annotated)
    assert [set(of.texts) for of in asked if of] == [{"article"}, set()]


# The dial: content cut off elsewhere, and nothing judged again.


ASKED = ("ferry", "bridge", "tunnel", "museum")


def annotated(**settings: Any) -> list[Annotated]:
    return list(annotate([page(topic) for topic in ASKED], Config(**settings)))


def content(result: Annotated) -> set[tuple[int, int]]:
    return {(run.node, run.start) for run in result.runs if run.verdict.label is Label.CONTENT}


@pytest.mark.parametrize("method", ["joint", "T002", "T001"])
def test_the_higher_the_probability_the_less_is_content(method):
    found = [
        list(map(content, annotated(method=method, min_probability=least, decide="lines")))
        for least in (0.01, 0.3, 0.5, 0.7, 0.9, 1.0)
    ]
    for before, now in pairwise(found):
        assert all(new <= old for new, old in zip(now, before, strict=True))
    assert sum(map(len, found[0])) > sum(map(len, found[-1]))


def test_who_prefers_recall_has_no_less_than_who_prefers_precision():
    precise, usual, full = (
        list(map(content, annotated(prefer=prefer, decide="lines")))
        for prefer in ("precision", "balance", "recall")
    )
    assert all(few <= many for few, many in zip(precise, full, strict=True))
    assert sum(map(len, precise)) <= sum(map(len, usual)) <= sum(map(len, full))


@pytest.mark.parametrize("decide", ["lines", "structures"])
@pytest.mark.parametrize(
    "dial", [{"min_probability": 0.35}, {"prefer": "recall"}, {"prefer": "precision"}]
)
@pytest.mark.parametrize("method", ["joint", "T002"])
def test_a_judged_page_is_dialled_as_if_it_had_been_judged_so(method, decide, dial):
    settings = {"method": method, "decide": decide}
    turned = annotated(**settings, **dial)
    for usual, expected in zip(annotated(**settings), turned, strict=True):
        document = load(usual.capture.payload, usual.capture.content_type, model.Limits())
        runs = [run._replace(structure=None) for run in usual.runs]  # as a stored run has them
        opening = declared_opening(document.declared_metadata)
        found = with_dial(document.page, runs, Config(**settings, **dial), opening)
        assert found == expected.runs


def test_what_the_dial_decides_says_so():
    pages = zip(annotated(), annotated(min_probability=0.999, decide="lines"), strict=True)
    runs = [pair for old, new in pages for pair in zip(old.runs, new.runs, strict=True)]
    moved = {
        after.verdict.decided_by
        for before, after in runs
        if before.verdict.label is Label.CONTENT and after.verdict.label is Label.BOILERPLATE
    }
    assert moved == {"dial"}
    assert {old.verdict.probability for old, _ in runs} == {
        new.verdict.probability for _, new in runs
    }
