"""Whole sites are held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import expit

from dbce.boilerplate.classify import Chances, chances, model
from dbce.boilerplate.classify.model import calibrate
from dbce.model import UsageError
from dbce.train import run as module
from dbce.train.examples import Example
from dbce.train.fit import LINES, draw_lines, part
from dbce.train.run import add_second, fit_scales, held_out_votes, main_text, text_f1

Votes = NDArray[np.float64]


FOLDS = 3


def silent(_: str) -> None:
    pass


@pytest.fixture
def spied(tiny, monkeypatch) -> list[set[str]]:
    """The sites that each fit was given; fitting itself is left out."""
    learned: list[set[str]] = []

    def fit(examples, seed, trees):
        learned.append({example.site for example in examples})
        return tiny

    monkeypatch.setattr(module, "fit", fit)
    return learned


def test_no_site_is_judged_by_a_model_that_saw_it(spied, examples, monkeypatch):
    judged: dict[int, set[str]] = {}
    by_features = {id(example.features): example.site for example in examples}

    def watched(page, weights):
        judged.setdefault(len(spied), set()).add(by_features[id(page)])
        return model.score_lines(page, weights)

    monkeypatch.setattr(module, "score_lines", watched)
    held_out_votes(examples, FOLDS, 1, silent)
    assert len(spied) == len(judged) > 1
    assert all(not seen & tested for seen, tested in zip(spied, judged.values(), strict=True))
    assert sorted(site for tested in judged.values() for site in tested) == sorted(
        {example.site for example in examples}
    )


def test_a_site_of_two_archives_is_held_out_of_both(spied, examples):
    both = [*examples, *(replace(example, source="other") for example in examples)]
    held_out_votes(both, FOLDS, 1, silent)
    for fold, seen in zip(sorted({part(e.site, FOLDS) for e in both}), spied, strict=True):
        assert all(part(site, FOLDS) != fold for site in seen)


def test_every_line_has_a_score(spied, examples):
    scores = held_out_votes(examples, FOLDS, 1, silent)
    assert [score.shape for score in scores] == [(len(e.share), 2) for e in examples]
    assert all(np.isfinite(score).all() for score in scores)


def test_sites_that_fall_into_one_part_cannot_be_held_out(examples):
    with pytest.raises(UsageError, match="more sites"):
        held_out_votes([e for e in examples if e.site == examples[0].site], FOLDS, 1, silent)


def scored(example: Example, content: float, comment: float) -> NDArray[np.float64]:
    """What trees say that are so sure of what the gold has of content and of comments."""
    found = [
        np.where(truth > 0.5, sure, -sure)
        for truth, sure in ((example.share, content), (example.comments, comment))
    ]
    return np.column_stack(found)


def drawn_pages(examples: list[Example], lines: int = 4000) -> tuple[list[Example], list[Votes]]:
    """Pages whose lines are content as often as the log-odds say that come with them."""
    rng = np.random.default_rng(1)
    odds = [rng.normal(size=lines) * 1.5 for _ in examples]
    pages = [
        replace(
            e,
            share=(rng.random(lines) < expit(o)).astype(float),
            comments=np.full(lines, np.nan),
            weight=np.ones(lines),
        )
        for e, o in zip(examples, odds, strict=True)
    ]
    return pages, [np.column_stack([o, np.zeros(lines)]) for o in odds]


def test_calibration_takes_back_what_was_too_sure(tiny, examples):
    """Scores that are three times what the truth bears out are divided by three."""
    pages, odds = drawn_pages(examples[:4])
    too_sure = [3 * found for found in odds]
    found = np.concatenate([calibrate(tiny, one).content for one in odds])
    model = fit_scales(tiny, pages, too_sure)
    again = np.concatenate([calibrate(model, one).content for one in too_sure])
    np.testing.assert_allclose(again, found, atol=0.03)
    assert model.comment_scale == (1, 0), "nothing is known of comments"


def test_comments_are_calibrated_on_the_lines_of_which_the_gold_tells(tiny, examples):
    pages, odds = drawn_pages(examples[:4])
    known = [
        replace(e, comments=np.where(np.arange(len(e.share)) < 2000, e.share, np.nan))
        for e in pages
    ]
    votes = [np.column_stack([-o[:, 0], 3 * o[:, 0]]) for o in odds]
    for one in votes:
        one[2000:, 1] = 50  # what is said of the others does not count
    slope, intercept = fit_scales(tiny, known, votes).comment_scale
    assert slope == pytest.approx(1 / 3, rel=0.1)
    assert intercept == pytest.approx(0, abs=0.1)


def test_what_is_likely_a_comment_is_less_likely_content(reader, with_remarks):
    """Trees that find comments content, and know them for comments, are put right."""
    confused = [scored(example, 2, 6) for example in with_remarks]
    for example, found in zip(with_remarks, confused, strict=True):
        found[example.comments > 0.5, 0] = 2
    model = fit_scales(reader, with_remarks, confused)
    _, of_no_comment, _ = model.blend
    assert of_no_comment > 0
    for example, found in zip(with_remarks, confused, strict=True):
        content, comment = calibrate(model, found)
        assert np.array_equal(content > 0.5, example.share > 0.5)
        assert np.array_equal(comment > 0.5, example.comments > 0.5)


def test_pages_that_count_less_are_left_out_of_calibration(reader, with_remarks):
    votes = [scored(example, 2, 2) for example in with_remarks]
    most, least = with_remarks[:16], [replace(e, trust=0.4) for e in with_remarks[16:]]
    misleading = [-one for one in votes[16:]]
    one, other = (
        fit_scales(reader, most + more, votes[:16] + its_votes)
        for more, its_votes in (([], []), (least, misleading))
    )
    assert (one.blend, one.comment_scale) == (other.blend, other.comment_scale)


def test_pages_that_all_count_less_calibrate_all_the_same(reader, with_remarks):
    votes = [scored(example, 2, 2) for example in with_remarks]
    less = [replace(example, trust=0.4) for example in with_remarks]
    one, other = (fit_scales(reader, pages, votes) for pages in (with_remarks, less))
    assert one.blend == pytest.approx(other.blend)
    assert one.comment_scale == pytest.approx(other.comment_scale)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_comments_of_one_class_are_left_as_they_come(reader, with_remarks, share):
    votes = [scored(example, 2, 2) for example in with_remarks]
    pages = [replace(e, comments=np.full_like(e.share, share)) for e in with_remarks]
    assert fit_scales(reader, pages, votes).comment_scale == (1, 0)


def test_the_text_of_a_page_is_scored_by_its_words(examples):
    example = examples[0]

    def f1(chance: NDArray[np.float64]) -> float:
        of_lines = Chances(chance, np.zeros_like(chance))
        return text_f1(example.gold, main_text(example, of_lines))

    assert f1(example.share) == 1
    assert f1(1 - example.share) < 0.3
    assert f1(np.zeros_like(example.share)) == 0


# The second stage learns from pages of other sites, by answers that others gave.


@pytest.fixture
def held(reader, with_remarks):
    return chances(reader, [example.features for example in with_remarks])


def test_no_page_is_judged_by_a_second_stage_that_saw_its_site(
    reader, with_remarks, held, monkeypatch
):
    grown: list[set[int]] = []

    def grow(rows, truth, weight, *_):
        folds = {
            part(example.site, FOLDS)
            for example, its_rows in zip(with_remarks, rows_of_pages, strict=True)
            if (its_rows[:, None] == rows).all(axis=2).any()
        }
        grown.append(folds)
        return reader.plain

    rows_of_pages = [
        module.context_rows(e.features, *of) for e, of in zip(with_remarks, held, strict=True)
    ]
    # Pages of the invented sites look alike: a number that is the page's own tells them apart.
    for number, rows in enumerate(rows_of_pages):
        rows[:, 0] = number
    given = iter(rows_of_pages)
    monkeypatch.setattr(module, "context_rows", lambda *_: next(given))
    monkeypatch.setattr(module, "grow", grow)
    monkeypatch.setattr(module, "second_votes", lambda _, first, __: np.zeros((len(first[0]), 2)))
    add_second(reader, with_remarks, held, folds=FOLDS, seed=1, progress=lambda _: None)
    every = {part(example.site, FOLDS) for example in with_remarks}
    assert len(every) > 1
    assert grown == [*(every - {fold} for fold in sorted(every)), every]


def test_lines_without_weight_are_not_drawn_and_the_others_weigh_as_much_as_all():
    weight = np.tile([0.0, 1.0, 2.0], LINES)
    chosen, drawn_weight = draw_lines([len(weight)], weight, 1)
    assert len(chosen) == LINES
    assert (weight[chosen] > 0).all()
    assert drawn_weight.sum() == pytest.approx(weight.sum(), rel=0.1)
