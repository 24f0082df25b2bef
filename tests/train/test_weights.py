"""What each line counts in training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dbce.train.weights import OF_SET, training_weights


def total(found: list[np.ndarray]) -> list[float]:
    return [float(one.sum()) for one in found]


def test_lines_count_one_in_the_mean(examples):
    found = training_weights(examples)
    assert np.concatenate(found).mean() == pytest.approx(1)
    assert [len(one) for one in found] == [len(e.weight) for e in examples]


def test_a_page_counts_the_same_however_many_lines_it_has(examples):
    one, *rest = examples
    longer = replace(one, weight=np.tile(one.weight, 50))
    shorter, larger = (total(training_weights([page, *rest])) for page in (one, longer))
    assert larger[0] / larger[1] == pytest.approx(shorter[0] / shorter[1])


def test_snapshots_of_a_url_share_much_of_its_weight(examples):
    one, *rest = examples
    alone = total(training_weights(examples))
    thrice = total(training_weights([one] * 3 + rest))
    assert thrice[0] / thrice[-1] < alone[0] / alone[-1]
    assert sum(thrice[:3]) / thrice[-1] > alone[0] / alone[-1]


def test_a_set_of_more_pages_does_not_rule(examples):
    """Four times the pages, of sites as large, count less than four times as much."""
    small = [replace(e, source="small", site=f"small {e.site}", url=f"s {e.url}") for e in examples]
    large = [
        replace(e, source="large", site=f"{n} {e.site}", url=f"{n} {e.url}")
        for n in range(4)
        for e in examples
    ]
    found = total(training_weights([*small, *large]))
    ratio = sum(found[len(small) :]) / sum(found[: len(small)])
    assert ratio == pytest.approx(4 ** (1 - OF_SET))


def test_a_page_that_is_trusted_less_counts_less(examples):
    doubted = [replace(e, trust=0.4) if n == 0 else e for n, e in enumerate(examples)]
    before, after = total(training_weights(examples)), total(training_weights(doubted))
    assert after[0] / after[-1] < 0.5 * before[0] / before[-1]
