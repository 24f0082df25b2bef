"""Stage 3 on one page or many: what is known of every word becomes a verdict on every text run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.classify import (
    density_labels,
    element_bits,
    judge_jointly,
    load_model,
    pattern_labels,
    reclassified,
    run_starts,
)
from dbce.merge import DENSITY, JOINT, RECLASSIFIED, Pooled, pool, text_runs, without_invalid
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify import Judged
    from dbce.config import Config
    from dbce.model import Annotation, Hashes, Page, TextRun

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""


def verdicts(
    pages: Sequence[tuple[Page, Annotation | None]], config: Config
) -> list[tuple[TextRun, ...]]:
    """The runs of pages with their verdicts, by the method that is configured."""
    if config.method != "joint":
        return [_by_thesis(page, found, config) for page, found in pages]
    model = load_model(config.model)
    judged = judge_jointly(pages, model)
    return [_by_model(page, found, one) for (page, found), one in zip(pages, judged, strict=True)]


def _by_model(page: Page, found: Annotation | None, judged: Judged) -> tuple[TextRun, ...]:
    rules = np.full(len(judged.labels), JOINT, dtype=np.uint8)
    pooled = Pooled(judged.labels, judged.probabilities.round(4), rules)
    crosses_ = len(found.crosses) if found else 0
    return text_runs(page.nodes, _ends(page), _bits(page, found), pooled, crosses_)


def _ends(page: Page) -> Hashes:
    return np.cumsum([len(node.text.split()) for node in page.nodes], dtype=np.uint32)


def _bits(page: Page, found: Annotation | None) -> NDArray[np.uint8]:
    """Every word's bits in the strongest cross; of a page that stands alone, 10000."""
    words = int(_ends(page)[-1])
    if found is None:
        return np.full(words, 16, dtype=np.uint8)
    return element_bits(found, found.crosses[0], words)


def _by_thesis(page: Page, found: Annotation | None, config: Config) -> tuple[TextRun, ...]:
    """By the strongest cross alone, or without any by the page's densities."""
    ends, bits = _ends(page), _bits(page, found)
    if found is None:
        return text_runs(page.nodes, ends, bits, _alone(page, ends), comparisons=0)
    labels = pattern_labels(found.crosses[0].bits, bits)
    pooled = _by_one_cross(page, ends, bits, labels, config)
    return text_runs(page.nodes, ends, bits, pooled, comparisons=1)


def _by_one_cross(
    page: Page, ends: Hashes, bits: NDArray[np.uint8], labels: NDArray[np.uint8], config: Config
) -> Pooled:
    """What the methods of the thesis, T001 to T006, say of every word; its labels by the patterns."""
    by_pattern = pool(labels[np.newaxis])
    if config.method == "T001":
        return by_pattern
    if config.method == "T002":
        return without_invalid(by_pattern)
    starts = run_starts(bits, ends)
    of_runs = reclassified(
        page, starts, ends, labels[starts], method=config.method, seed=config.seed
    )
    if of_runs is None:
        return by_pattern
    probabilities = np.repeat(of_runs, np.diff(starts, append=len(bits)))
    return Pooled(
        labels=np.where(probabilities > 0.5, np.uint8(CONTENT), np.uint8(BOILERPLATE)),
        probabilities=probabilities,
        rules=np.full(len(bits), RECLASSIFIED, dtype=np.uint8),
    )


def _alone(page: Page, ends: Hashes) -> Pooled:
    labels = np.repeat(density_labels(page), np.diff(ends, prepend=0))
    return Pooled(
        labels=labels,
        probabilities=np.where(labels == CONTENT, DENSITY_TRUST, 1 - DENSITY_TRUST),
        rules=np.full(len(labels), DENSITY, dtype=np.uint8),
    )
