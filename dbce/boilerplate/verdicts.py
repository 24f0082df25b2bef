"""Stage 3 on one page or many: the evidence on every word becomes a verdict on every text run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

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
    STRUCTURE,
    Pooled,
    overruled,
    pool,
    text_runs,
    without_invalid,
)
from dbce.boilerplate.structures import LineValues, decide
from dbce.html import holders
from dbce.html import lines as html_lines
from dbce.model import BOILERPLATE, CONTENT, LABELS, Structure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Judged
    from dbce.model import Annotation, Config, Hashes, Page, TextRun

Structures: TypeAlias = "list[Structure | None] | None"
"""The structure of each text node; None where lines were decided on."""

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""


def verdicts(
    pages: Sequence[tuple[Page, Annotation | None]],
    config: Config,
    titles: Sequence[Sequence[str]] = (),
) -> list[tuple[TextRun, ...]]:
    """The runs of pages with their verdicts, by the method that is configured.

    `titles` are for each page what else it calls itself, beside its `<title>`.
    """
    titles = titles or [()] * len(pages)
    if config.method != "joint":
        by_bucket = judge_by_bucket(pages) if config.method == "self" else [None] * len(pages)
        return [
            _by_patterns(page, annotation, config, its_titles, chances)
            for (page, annotation), its_titles, chances in zip(
                pages, titles, by_bucket, strict=True
            )
        ]
    model = load_model(config.model)
    judged = judge_jointly(pages, model, keep_comments=config.comments == "keep")
    return [
        _by_model(page, annotation, judgement, its_titles if config.by_structures else None)
        for (page, annotation), judgement, its_titles in zip(pages, judged, titles, strict=True)
    ]


def _by_model(
    page: Page, annotation: Annotation | None, judged: Judged, titles: Sequence[str] | None
) -> tuple[TextRun, ...]:
    """By a model; without `titles` line by line."""
    rules = np.where(judged.comments, np.uint8(COMMENT), np.uint8(JOINT))
    pooled = Pooled(judged.labels, judged.probabilities.round(4), rules)
    structures: Structures = None
    if titles is not None:
        lines = LineValues(
            judged.lines.tolist(),
            judged.gains.tolist(),
            judged.lengths.tolist(),
            judged.shown.tolist(),
        )
        pooled, structures = _decided(page, judged.ends, pooled, lines, titles)
    comparisons = len(annotation.crosses) if annotation and annotation.knows_other_pages else 0
    bits = _bits(judged.ends, annotation)
    return text_runs(page.nodes, judged.ends, bits, pooled, comparisons, structures=structures)


def _decided(
    page: Page, ends: Hashes, pooled: Pooled, lines: LineValues, titles: Sequence[str]
) -> tuple[Pooled, Structures]:
    """Labels by structures, and the structure of each node; where a label is not the line's the rule says so."""
    kept, element, kinds = decide(page, lines, titles)
    of_node, counts = np.array(lines.of_node), np.diff(ends, prepend=0)
    of_word = np.repeat(np.array(kept)[of_node], counts)
    labels = np.where(of_word, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    rules = np.where(labels == pooled.labels, pooled.rules, np.uint8(STRUCTURE))
    decided = replace(pooled, labels=labels, rules=rules)
    element_of_node = np.array(element)[of_node]
    return decided, _structures(decided, np.repeat(element_of_node, counts), element_of_node, kinds)


def _structures(
    pooled: Pooled,
    of_word: NDArray[np.int64],
    of_node: NDArray[np.int64],
    kinds: dict[int, str],
) -> list[Structure | None]:
    """The structure of each node, None without one, by the elements of words and nodes (-1 for none).

    Its label is that of most of its words.
    """
    elements = np.array(sorted(kinds), dtype=np.int64)
    number = np.searchsorted(elements, of_word)
    within = of_word >= 0
    words = np.bincount(number[within], minlength=len(elements))
    content = np.bincount(number[within & (pooled.labels == CONTENT)], minlength=len(elements))
    chances = np.bincount(number[within], pooled.probabilities[within], minlength=len(elements))
    made = {
        element: Structure(n, kinds[element], element, label, chance)
        for n, (element, label, chance) in enumerate(
            zip(
                elements.tolist(),
                [LABELS[CONTENT] if most else LABELS[BOILERPLATE] for most in 2 * content > words],
                (chances / np.maximum(words, 1)).round(4).tolist(),
                strict=True,
            )
        )
    }
    return [made.get(element) for element in of_node.tolist()]


def _line_values(page: Page, ends: Hashes, pooled: Pooled) -> LineValues:
    """The lines of a page whose words were judged: what is more likely than not gains."""
    of_node = html_lines(page, holders(page))
    words = np.diff(ends, prepend=0)
    first = np.flatnonzero(np.diff(of_node, prepend=-1))
    lengths = np.add.reduceat(words, first)
    starts = np.append(0, ends[:-1])[first]
    # An equal share of votes is none for content.
    gains = np.add.reduceat(pooled.probabilities, starts) / lengths - (0.5 + 1e-9)
    hidden = [page.hidden[page.nodes[node].element] for node in first.tolist()]
    return LineValues(of_node, gains.tolist(), lengths.tolist(), [not h for h in hidden])


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
    titles: Sequence[str] = (),
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
        lines = _line_values(page, ends, pooled)
        pooled, structures = _decided(page, ends, pooled, lines, titles)
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
