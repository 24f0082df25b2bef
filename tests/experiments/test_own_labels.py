"""Labels of our own: their file, the agreement of both passes, and their place among lessons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dbce import html
from dbce.boilerplate.classify import page_features
from dbce.model import Config
from dbce.train.examples import Example
from scripts.experiments.own_labels import (
    LabelledPage,
    agreement,
    digest_of,
    is_main,
    labelled_pages,
    with_labels,
)

BODY = b"<title>Boots</title><ul><li>Shop<li>Cart</ul><h1>Boots</h1><p>Of soft leather, sewn by hand.</p>"


def test_ranges_of_all_pages_ascend_and_stay_within_their_lines() -> None:
    pages = labelled_pages()
    assert len(pages) >= 150
    for page in pages:
        for ranges in (page.main, page.again or []):
            ends = [end for pair in ranges for end in pair]
            assert ends == sorted(ends)
            assert all(0 <= end < page.lines for end in ends)


def test_both_passes_agree() -> None:
    *_, whole = agreement(labelled_pages())
    assert whole[0] == "all"
    assert whole[1] >= 30
    assert whole[3] >= 0.85


def test_agreement_is_kappa_over_lines() -> None:
    page = LabelledPage("a", "product", 4, "", [[0, 1]], [[0, 0], [2, 2]])
    alike = replace(page, kind="service", again=page.main)
    assert list(agreement([page, alike, replace(page, again=None)])) == [
        ("product", 1, 4, pytest.approx(0.0)),
        ("service", 1, 4, pytest.approx(1.0)),
        ("all", 2, 8, pytest.approx(0.5)),
    ]


def test_both_ends_of_a_range_are_main_text() -> None:
    assert is_main([[1, 2], [4, 4]], 6).tolist() == [False, True, True, False, True, False]


def test_labels_stand_in_place_of_the_gold() -> None:
    features = page_features(html.load(BODY, "text/html", Config().limits).page, None)
    texts = features.lines.texts
    nothing = np.zeros(len(texts))
    example = Example(
        *("", "a.example", "r", "", "Boots", None, features, nothing, nothing, nothing, 1)
    )
    page = LabelledPage("r", "product", len(texts), digest_of(texts), [[2, 3]])
    own = with_labels(example, page)
    assert own.gold == "Boots\nOf soft leather, sewn by hand."
    assert own.share.tolist() == [0, 0, 1, 1]
    assert (own.weight > 0).all()
