"""The dial: content cut off elsewhere than where the F1 of a page is expected to be best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import page_cut
from dbce.boilerplate.decide.lines import line_values
from dbce.boilerplate.decide.words import Structures, decided
from dbce.boilerplate.merge import DIAL, RULES, Pooled, text_runs
from dbce.model import BOILERPLATE, CONTENT, LABELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.metadata import Opening
    from dbce.model import Config, Page, TextRun

BETA = {"precision": 0.5, "recall": 2.0}
"""Weight of recall beside that of precision, by what is preferred."""


def dialled(
    page: Page, runs: Sequence[TextRun], config: Config, opening: Opening
) -> tuple[TextRun, ...]:
    """The runs of a judged page with content cut off where the dial of a configuration says; none is judged again.

    A line's own probability is compared, and structures are decided on as ever. Page and opening are those that
    the runs were judged with.
    """
    lengths = [len(page.nodes[run.node].text[run.start : run.end].split()) for run in runs]
    nodes, _, _, of_runs, _ = zip(*runs, strict=True)
    words = np.array(lengths)
    ends = np.bincount(nodes, words, len(page.nodes)).cumsum().astype(np.uint32)
    usual = Pooled(
        np.repeat([np.uint8(LABELS.index(v.label)) for v in of_runs], words),
        np.repeat([v.probability for v in of_runs], words),
        np.repeat([np.uint8(RULES.index(v.decided_by)) for v in of_runs], words),
    )
    uncut = line_values(page, ends, usual)
    # As they are stored: a run that is read back has the same lines on either side.
    chances = np.array(uncut.gains).round(4)
    cut = _cut(chances, np.array(uncut.words), config)
    lines = replace(uncut, gains=chances.tolist()).above(cut)
    kept = np.array(lines.gains) >= 0
    of_word = np.repeat(kept[lines.of_node], np.diff(ends, prepend=0))
    labels = np.where(of_word, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    pooled = replace(usual, labels=labels)
    structures: Structures = None
    if config.by_structures:
        pooled, structures = decided(page, ends, pooled, lines, opening)
    moved = (pooled.labels != usual.labels) & (pooled.rules == usual.rules)
    pooled = replace(pooled, rules=np.where(moved, np.uint8(DIAL), pooled.rules))
    bits = np.repeat([np.uint8(int(v.bits, 2)) for v in of_runs], words)
    comparisons = of_runs[0].comparisons
    return text_runs(page.nodes, ends, bits, pooled, comparisons, structures=structures)


def _cut(chances: NDArray[np.float64], lengths: NDArray[np.float64], config: Config) -> float:
    """The probability from which on lines of such probabilities and lengths are content."""
    if config.min_probability:
        return config.min_probability
    return page_cut(chances, lengths.astype(np.float32), BETA[config.prefer]).of_others
