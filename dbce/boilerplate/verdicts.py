"""Stage 3 on one page or many: the evidence on every word becomes a verdict on every text run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import (
    density_labels,
    element_bits,
    judge_by_bucket,
    judge_jointly,
    load_model,
    pattern_labels,
    reclassified,
    run_starts,
)
from dbce.boilerplate.merge import (
    COMMENT,
    DENSITY,
    JOINT,
    RECLASSIFIED,
    Pooled,
    overruled,
    pool,
    text_runs,
    without_invalid,
)
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Judged
    from dbce.model import Annotation, Config, Hashes, Page, TextRun

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""


def verdicts(
    pages: Sequence[tuple[Page, Annotation | None]], config: Config
) -> list[tuple[TextRun, ...]]:
    """The runs of pages with their verdicts, by the method that is configured."""
    if config.method == "self":
        by_bucket = zip(pages, judge_by_bucket(pages), strict=True)
        return [
            _by_patterns(page, annotation, config, chances)
            for (page, annotation), chances in by_bucket
        ]
    if config.method != "joint":
        return [_by_patterns(page, annotation, config) for page, annotation in pages]
    model = load_model(config.model)
    judged = judge_jointly(pages, model, keep_comments=config.comments == "keep")
    return [
        _by_model(page, annotation, judgement)
        for (page, annotation), judgement in zip(pages, judged, strict=True)
    ]


def _by_model(page: Page, annotation: Annotation | None, judged: Judged) -> tuple[TextRun, ...]:
    rules = np.where(judged.comments, np.uint8(COMMENT), np.uint8(JOINT))
    pooled = Pooled(judged.labels, judged.probabilities.round(4), rules)
    comparisons = len(annotation.crosses) if annotation and annotation.knows_other_pages else 0
    return text_runs(page.nodes, judged.ends, _bits(judged.ends, annotation), pooled, comparisons)


def _ends(page: Page) -> Hashes:
    return np.cumsum([len(node.text.split()) for node in page.nodes], dtype=np.uint32)


def _bits(ends: Hashes, annotation: Annotation | None) -> NDArray[np.uint8]:
    """Every word's bits in the strongest cross; of a page that stands alone, 10000."""
    words = int(ends[-1])
    if annotation is None:
        return np.full(words, 16, dtype=np.uint8)
    return element_bits(annotation, annotation.crosses[0], words)


def _by_patterns(
    page: Page,
    annotation: Annotation | None,
    config: Config,
    chances: NDArray[np.float64] | None = None,
) -> tuple[TextRun, ...]:
    """By the strongest cross alone or the majority of all; without *up* by the page's densities.

    `chances` are what a classifier says instead (`overruled`).
    """
    ends = _ends(page)
    bits = _bits(ends, annotation)
    if annotation is None or not annotation.knows_other_pages:
        return text_runs(page.nodes, ends, bits, _alone(page, ends), comparisons=0)
    asked = annotation.crosses if config.method == "majority" else annotation.crosses[:1]
    votes = [pattern_labels(c.bits, element_bits(annotation, c, len(bits))) for c in asked]
    pooled = _pooled(page, ends, bits, np.stack(votes), config)
    if chances is not None:
        pooled = overruled(pooled, chances)
    return text_runs(page.nodes, ends, bits, pooled, comparisons=len(asked))


def _pooled(
    page: Page, ends: Hashes, bits: NDArray[np.uint8], votes: NDArray[np.uint8], config: Config
) -> Pooled:
    """The votes of the patterns, or of a classifier that the page itself taught, on every word.

    `votes` are its labels by the patterns of each cross; the bits are those of the strongest.
    """
    by_pattern = pool(votes)
    if config.method == "T001":
        return by_pattern
    if config.method in ("T002", "majority", "self"):
        return without_invalid(by_pattern)
    starts = run_starts(bits, ends)
    of_runs = reclassified(
        page, starts, ends, votes[0, starts], method=config.method, seed=config.seed
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
