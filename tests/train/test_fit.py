"""A model learns what its examples show."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.classify.features import without_evidence
from dbce.classify.model import probabilities
from dbce.classify.names import SCORES
from dbce.classify.trees import Trees, arrays, check
from dbce.errors import UsageError
from dbce.train.fit import SITES, fit, part

if TYPE_CHECKING:
    from dbce.classify.model import Model
    from dbce.train.examples import Example


def right(model: Model, examples: list[Example]) -> float:
    """Share of the lines that are judged as the gold says."""
    found = np.concatenate(probabilities(model, [example.features for example in examples]))
    return float(np.mean((found > 0.5) == np.concatenate([e.share > 0.5 for e in examples])))


def alone(example: Example) -> Example:
    """The page as if nothing had been compared with it."""
    blank = without_evidence(example.features.matrix, example.features.names)
    return replace(example, features=replace(example.features, matrix=blank), alone=True)


def equal(one: Trees, other: Trees) -> bool:
    return all(np.array_equal(arrays(one)[f.name], arrays(other)[f.name]) for f in fields(Trees))


def test_it_judges_pages_it_has_seen(tiny, examples):
    assert right(tiny, examples) == 1


def test_it_judges_the_same_pages_without_their_evidence(tiny, examples):
    assert right(tiny, [alone(example) for example in examples]) == 1


def test_it_learns_from_pages_that_all_stand_alone(examples):
    pages = [alone(example) for example in examples]
    assert right(fit(pages, seed=1), pages) == 1


def test_twice_the_same_gives_the_same(tiny, examples):
    again = fit(examples, seed=1)
    assert np.array_equal(again.weights, tiny.weights)
    assert equal(again.named, tiny.named)
    assert equal(again.plain, tiny.plain)


def test_what_is_grown_is_sound_and_named(tiny, examples):
    assert tiny.names == (*examples[0].features.names, *SCORES)
    check(tiny.named, len(tiny.names))
    check(tiny.plain, len(tiny.names) - len(SCORES))
    assert (tiny.slope, tiny.intercept, tiny.cut) == (1.0, 0.0, 0.5)


def test_names_that_surround_content_weigh_more(tiny, examples):
    menu, _, _, headline, *_, footer = examples[0].features.tokens
    content = set(headline) - set(menu) - set(footer)
    boilerplate = (set(menu) | set(footer)) - set(headline)
    assert all(tiny.weights[list(content)] > 0)
    assert all(tiny.weights[list(boilerplate)] < 0)
    assert np.count_nonzero(tiny.weights) == len(
        {t for line in (menu, headline, footer) for t in line}
    )


def test_a_name_of_few_sites_has_no_weight(examples):
    some = [e for e in examples if e.site in sorted({e.site for e in examples})[: SITES - 1]]
    assert not fit(some, seed=1).weights.any()


def test_examples_of_one_class_cannot_be_learned_from(examples):
    for share in (0.0, 1.0):
        of_one = [replace(e, share=np.full_like(e.share, share)) for e in examples]
        with pytest.raises(UsageError, match="both are needed"):
            fit(of_one, seed=1)


@pytest.mark.parametrize("sites", [1, 2, 3])
def test_few_sites_are_enough_to_learn_from(examples, sites):
    kept = sorted({e.site for e in examples})[:sites]
    some = [e for e in examples if e.site in kept]
    assert 0 <= right(fit(some, seed=1), some) <= 1


def test_a_site_is_always_in_the_same_part():
    sites = [f"{n}.example" for n in range(500)]
    parts = [part(site, 5) for site in sites]
    assert parts == [part(site, 5) for site in sites]
    assert min(np.bincount(parts, minlength=5)) > 70
