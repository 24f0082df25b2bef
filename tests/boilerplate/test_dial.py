"""The dial: content cut off elsewhere, and nothing judged again."""

from dataclasses import replace

import pytest

from dbce.boilerplate import Annotated, with_dial
from dbce.html import load
from dbce.metadata import declared_opening
from dbce.model import Config, Label, Limits
from dbce.pipeline import annotate
from tests.site import page

TOPICS = ("ferry", "bridge", "tunnel", "museum")


def judged(config: Config) -> list[Annotated]:
    results = annotate([page(topic) for topic in TOPICS], config)
    return [result for result in results if isinstance(result, Annotated)]


def content(result: Annotated) -> set[tuple[int, int]]:
    return {(run.node, run.start) for run in result.runs if run.verdict.label is Label.CONTENT}


@pytest.mark.parametrize("method", ["joint", "T002", "T001"])
def test_the_higher_the_probability_the_less_is_content(method):
    before: list[set[tuple[int, int]]] | None = None
    sizes = []
    for least in (0.01, 0.3, 0.5, 0.7, 0.9, 1.0):
        config = Config(method=method, min_probability=least, decide="lines")
        now = [content(result) for result in judged(config)]
        if before is not None:
            assert all(new <= old for new, old in zip(now, before, strict=True))
        before = now
        sizes.append(sum(map(len, now)))
    assert sizes[0] > sizes[-1]


def test_who_prefers_recall_has_no_less_than_who_prefers_precision():
    precise, usual, full = (
        [content(result) for result in judged(Config(prefer=prefer, decide="lines"))]
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
    config = Config(method=method, decide=decide)
    turned = replace(config, **dial)
    for usual, expected in zip(judged(config), judged(turned), strict=True):
        document = load(usual.capture.payload, usual.capture.content_type, Limits())
        runs = [run._replace(structure=None) for run in usual.runs]  # as a stored run has them
        assert (
            with_dial(document.page, runs, turned, declared_opening(document.declared_metadata))
            == expected.runs
        )


def test_what_the_dial_decides_says_so():
    usual, turned = judged(Config()), judged(Config(min_probability=0.999, decide="lines"))
    moved = {
        after.verdict.decided_by
        for old, new in zip(usual, turned, strict=True)
        for before, after in zip(old.runs, new.runs, strict=True)
        if before.verdict.label is Label.CONTENT and after.verdict.label is Label.BOILERPLATE
    }
    assert moved == {"dial"}
    assert {run.verdict.probability for old in usual for run in old.runs} == {
        run.verdict.probability for new in turned for run in new.runs
    }
