"""What is known of every word becomes verdicts: the methods that patterns take part in."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from dbce.archive import capture
from dbce.boilerplate.classify import Features, joint
from dbce.boilerplate.classify.features import batch_features
from dbce.boilerplate.judge import JudgeInput, as_annotated, judge, verdicts
from dbce.metadata import SelfDescription
from dbce.model import Annotation, Config, Cross, Label, Page, Verdict
from dbce.pipeline import annotate
from tests.boilerplate.builders import annotation, compared
from tests.html.soup import page as parsed
from tests.site import TOPICS, article, page, story
from tests.training import HOSTS, commented_pages, remarks

SHARED = {"one": "ab", "two": "a", "three": "b", "four": "", "five": "bc"}
"""Words of a page and the others that have them."""

CROSSES = (
    Cross("cur", "a", None, None, None, 0.9, 0),
    Cross("cur", "b", None, None, None, 0.8, 0),
    Cross("cur", "b", "c", None, None, 0.8, 0.7),
)


def judged(method: str, crosses: tuple[Cross, ...] = CROSSES) -> dict[str, Verdict]:
    """The verdict on each of the words, which are paragraphs of their own."""
    its_page = parsed("".join(f"<p>{word}</p>" for word in SHARED))
    shared = {who: "".join("01"[who in others] for others in SHARED.values()) for who in "abc"}
    found = annotation(*crosses, nodes=len(SHARED), **shared)
    (runs,) = verdicts([(its_page, found)], Config(method=method))
    return {its_page.nodes[run.node].text: run.verdict for run in runs}


def test_the_thesis_asks_the_strongest_cross_alone():
    found = judged("T002")
    assert [word for word, v in found.items() if v.label is Label.CONTENT] == [
        *("three", "four", "five")
    ]
    assert {v.comparisons for v in found.values()} == {1}


def test_what_the_strongest_cross_leaves_open_is_boilerplate():
    cross = replace(CROSSES[0], down="b", next="c")
    four = judged("T002", (cross, *CROSSES))["four"]
    assert (four.label, four.decided_by) == (Label.BOILERPLATE, "invalid-is-boilerplate")


def archive() -> list[tuple[Page, Annotation | None]]:
    """Four pages with three paragraphs and a fourth that they share in part; one that is alone."""
    captures = [
        page(
            topic,
            html=article(
                topic,
                *(story(f"{topic}{n}") for n in range(3)),
                f"{story(topic, 12)[:-1]} as we said in every letter of this year.",
            ),
        )
        for topic in TOPICS
    ]
    captures.append(capture("http://alone.example/", article("alone"), "20160101000000"))
    return compared(captures)


SELF = Config(method="self")


def test_patterns_and_the_classifier_they_taught_share_the_work():
    *others, alone = verdicts(archive(), SELF)
    for runs in others:
        assert {run.verdict.decided_by for run in runs} == {"pattern", "self-trained"}
        assert {run.verdict.comparisons for run in runs} == {1}
        for run in runs:
            assert (run.verdict.label is Label.CONTENT) == (run.verdict.probability >= 0.5)
    assert {run.verdict.decided_by for run in alone} == {"density"}


def test_a_paragraph_that_is_shared_in_part_is_kept_whole():
    pages = archive()
    by_patterns, by_both = (verdicts(pages, Config(method=m))[0] for m in ("T002", "self"))
    node = next(n for n, one in enumerate(pages[0][0].nodes) if "every letter" in one.text)
    assert {r.verdict.label for r in by_patterns if r.node == node} == {*Label} - {Label.INVALID}
    assert {r.verdict.label for r in by_both if r.node == node} == {Label.CONTENT}


def test_where_there_is_nothing_to_learn_from_the_patterns_decide():
    assert judged("self") == judged("T002")


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


@pytest.mark.parametrize("method", ["T002", "self"])
def test_other_methods_know_nothing_of_comments(method):
    captures = [one for one, *_ in commented_pages(HOSTS[0])]
    dropped, kept = (
        [a.runs for a in annotate(captures, Config(method=method, comments=comments))]
        for comments in ("drop", "keep")
    )
    assert dropped == kept


def named(topic: str) -> str:
    """The page of a topic below a heading that every page of the site has, and its title too."""
    html = article(topic).replace(f"<title>{topic}</title>", "<title>Harbour news</title>")
    return html.replace('<div class="nav">', '<h2>Harbour news</h2><div class="nav">')


@pytest.mark.parametrize("method", ["joint", "T002", "self"])
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
    head = f'<script type="application/ld+json">{body}</script>'
    captures = [
        capture("http://paper.example/a", f"{head}<p>The ferry crosses.", "2014"),
        capture("http://paper.example/b", "<p>The ferry crosses.", "2014"),
    ]
    judge([JudgeInput(one, None) for one in captures], Config(), as_annotated)
    assert [set(of.texts) for of in asked if of] == [{"article"}, set()]
