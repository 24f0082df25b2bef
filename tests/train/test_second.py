"""The second stage learns from pages of other sites, by answers that others gave."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.boilerplate.classify import chances
from dbce.train import second
from dbce.train.fit import LINES, drawn, part
from dbce.train.second import add_second

FOLDS = 3


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
        second.context_rows(e.features, *of) for e, of in zip(with_remarks, held, strict=True)
    ]
    # Pages of the invented sites look alike: a number that is the page's own tells them apart.
    for number, rows in enumerate(rows_of_pages):
        rows[:, 0] = number
    given = iter(rows_of_pages)
    monkeypatch.setattr(second, "context_rows", lambda *_: next(given))
    monkeypatch.setattr(second, "grow", grow)
    monkeypatch.setattr(second, "second_votes", lambda _, first, __: np.zeros((len(first[0]), 2)))
    add_second(reader, with_remarks, held, folds=FOLDS, seed=1, progress=lambda _: None)
    every = {part(example.site, FOLDS) for example in with_remarks}
    assert len(every) > 1
    assert grown == [*(every - {fold} for fold in sorted(every)), every]


def test_lines_without_weight_are_not_drawn_and_the_others_weigh_as_much_as_all():
    weight = np.tile([0.0, 1.0, 2.0], LINES)
    chosen, drawn_weight = drawn([len(weight)], weight, 1)
    assert len(chosen) == LINES
    assert (weight[chosen] > 0).all()
    assert drawn_weight.sum() == pytest.approx(weight.sum(), rel=0.1)
