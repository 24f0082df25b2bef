"""Whole sites are held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dbce.classify.model import probabilities
from dbce.errors import UsageError
from dbce.train import folds as module
from dbce.train.fit import part
from dbce.train.folds import CUTS, calibrated, chances, held_out, log_odds, page_f1, platt

FOLDS = 3


def silent(_: str) -> None:
    pass


@pytest.fixture
def spied(tiny, monkeypatch) -> list[set[str]]:
    """The sites that each fit was given; fitting itself is left out."""
    learned: list[set[str]] = []

    def fit(examples, seed):
        learned.append({example.site for example in examples})
        return tiny

    monkeypatch.setattr(module, "fit", fit)
    return learned


def test_no_site_is_judged_by_a_model_that_saw_it(spied, examples, monkeypatch):
    judged: list[set[str]] = []
    by_features = {id(example.features): example.site for example in examples}

    def watched(model, pages):
        judged.append({by_features[id(one)] for one in pages})
        return probabilities(model, pages)

    monkeypatch.setattr(module, "probabilities", watched)
    held_out(examples, FOLDS, 1, silent)
    assert len(spied) == len(judged) > 1
    assert all(not seen & tested for seen, tested in zip(spied, judged, strict=True))
    assert sorted(site for tested in judged for site in tested) == sorted(
        {example.site for example in examples}
    )


def test_a_site_of_two_archives_is_held_out_of_both(spied, examples):
    both = [*examples, *(replace(example, source="other") for example in examples)]
    held_out(both, FOLDS, 1, silent)
    for fold, seen in zip(sorted({part(e.site, FOLDS) for e in both}), spied, strict=True):
        assert all(part(site, FOLDS) != fold for site in seen)


def test_every_line_has_a_score(spied, examples):
    scores = held_out(examples, FOLDS, 1, silent)
    assert [len(score) for score in scores] == [len(e.share) for e in examples]
    assert all(np.isfinite(score).all() for score in scores)


def test_sites_that_fall_into_one_part_cannot_be_held_out(examples):
    with pytest.raises(UsageError, match="more sites"):
        held_out([e for e in examples if e.site == examples[0].site], FOLDS, 1, silent)


def test_log_odds_of_certainty_are_finite():
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
    np.testing.assert_allclose(chances(log_odds(np.array([0.2, 0.9])), 1, 0), [0.2, 0.9])


def test_calibration_takes_back_what_was_too_sure(examples):
    """Scores that are three times what the truth bears out are divided by three."""
    rng = np.random.default_rng(1)
    odds = [rng.normal(size=2000) * 1.5 for _ in examples[:4]]
    pages = [
        replace(e, share=(rng.random(2000) < chances(o, 1, 0)).astype(float), weight=np.ones(2000))
        for e, o in zip(examples, odds, strict=False)
    ]
    slope, intercept = platt(pages, [3 * o for o in odds])
    assert slope == pytest.approx(1 / 3, rel=0.1)
    assert intercept == pytest.approx(0, abs=0.1)


def test_the_cut_is_the_one_with_the_best_text(tiny, examples):
    scores = [np.where(e.share > 0.5, 2.0, -2.0) for e in examples]
    model = calibrated(tiny, examples, scores)
    assert model.cut in CUTS.round(2)
    found = [chances(s, model.slope, model.intercept) for s in scores]
    assert all(page_f1(e, f, model.cut) > 0.95 for e, f in zip(examples, found, strict=True))
    assert (model.names, model.card) == (tiny.names, tiny.card)


def test_the_text_of_a_page_is_scored_by_its_words(examples):
    example = examples[0]
    assert page_f1(example, example.share, 0.5) == 1
    assert page_f1(example, 1 - example.share, 0.5) < 0.3
    assert page_f1(example, np.zeros_like(example.share), 0.5) == 0
