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
from dbce.boilerplate.decide import LineValues, Structures, decided, dialled, line_values
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
from dbce.metadata import Opening
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Judged
    from dbce.metadata import Told
    from dbce.model import Annotation, Config, Hashes, Page, TextRun

HALF = 0.5 + 1e-9
"""Share of votes from which on a line is content by patterns: an equal share is none for content."""

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""


def verdicts(
    pages: Sequence[tuple[Page, Annotation | None]],
    config: Config,
    openings: Sequence[Opening] = (),
    told: Sequence[Told | None] = (),
) -> list[tuple[TextRun, ...]]:
    """The runs of pages with their verdicts, by the method that is configured.

    `openings` are for each page what it declares its headline and standfirst to be, `told` what else it tells of itself.
    """
    openings = openings or [Opening()] * len(pages)
    judged = _judged(pages, config, openings, told)
    if not config.is_dialled:
        return judged
    return [
        dialled(page, runs, config, opening)
        for (page, _), runs, opening in zip(pages, judged, openings, strict=True)
    ]


def _judged(
    pages: Sequence[tuple[Page, Annotation | None]],
    config: Config,
    openings: Sequence[Opening],
    told: Sequence[Told | None],
) -> list[tuple[TextRun, ...]]:
    """The runs of pages with the verdicts of a method where F1 is expected to be best."""
    if config.method != "joint":
        by_bucket = judge_by_bucket(pages) if config.method == "self" else [None] * len(pages)
        return [
            _by_patterns(page, annotation, config, opening, chances)
            for (page, annotation), opening, chances in zip(pages, openings, by_bucket, strict=True)
        ]
    model = load_model(config.model)
    judged = judge_jointly(pages, model, told, keep_comments=config.comments == "keep")
    return [
        _by_model(page, annotation, judgement, opening if config.by_structures else None)
        for (page, annotation), judgement, opening in zip(pages, judged, openings, strict=True)
    ]


def _by_model(
    page: Page, annotation: Annotation | None, judged: Judged, opening: Opening | None
) -> tuple[TextRun, ...]:
    """By a model; without `opening` line by line."""
    rules = np.where(judged.comments, np.uint8(COMMENT), np.uint8(JOINT))
    pooled = Pooled(judged.labels, judged.probabilities.round(4), rules)
    structures: Structures = None
    if opening is not None:
        lines = LineValues(
            judged.lines.tolist(),
            judged.gains.tolist(),
            judged.lengths.tolist(),
            judged.shown.tolist(),
            [False] * len(judged.shown),
        )
        pooled, structures = decided(page, judged.ends, pooled, lines, opening)
    comparisons = len(annotation.crosses) if annotation and annotation.knows_other_pages else 0
    bits = _bits(judged.ends, annotation)
    return text_runs(page.nodes, judged.ends, bits, pooled, comparisons, structures=structures)


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
    opening: Opening,
    chances: NDArray[np.float64] | None = None,
) -> tuple[TextRun, ...]:
    """By the strongest cross alone or the majority of all; without *up* by the page's densities.

    `chances` are what a classifier says instead (`overruled`).
    """
    ends = _ends(page)
    bits = _bits(ends, annotation)
    comparisons = 0
    if annotation is None or not annotation.knows_other_pages:
        pooled = _alone(page, ends)
    else:
        asked = annotation.crosses if config.method == "majority" else annotation.crosses[:1]
        comparisons = len(asked)
        votes = [pattern_labels(c.bits, element_bits(annotation, c, len(bits))) for c in asked]
        pooled = _pooled(page, ends, bits, np.stack(votes), config)
        if chances is not None:
            pooled = overruled(pooled, chances)
    structures: Structures = None
    if config.by_structures:
        lines = line_values(page, ends, pooled).above(HALF)
        pooled, structures = decided(page, ends, pooled, lines, opening)
    return text_runs(page.nodes, ends, bits, pooled, comparisons, structures=structures)


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
