"""Decisions over structures, applied to words: labels, rules, and the structure of each text."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify import LineValues, page_cut
from dbce.boilerplate.decide import asides
from dbce.boilerplate.decide.structures import decide
from dbce.boilerplate.decide.tree import line_values
from dbce.boilerplate.word_labels import DIAL, OF_SITE, RULES, STRUCTURE, WordLabels, text_runs
from dbce.html import KIND
from dbce.kernel import compiled
from dbce.metadata import Opening
from dbce.model import BOILERPLATE, CONTENT, LABELS, Config, Hashes, Page, Structure, TextRun

Structures: TypeAlias = "list[Structure | None] | None"
"""Structure of each text node; None if lines were decided one by one."""


def labels_by_structures(
    ends: Hashes, word_labels: WordLabels, lines: LineValues, opening: Opening
) -> tuple[WordLabels, Structures]:
    """Labels by asides and structures, and the structure of each node; the rule tells where a label is not the line's."""
    leads, labels_of_controls = asides.likely_nodes(lines.page)
    aside_rules = asides.aside_lines(lines, leads)
    lines = replace(lines, aside=[*map(bool, aside_rules)])
    kept, elements = decide(lines, opening)
    rules = [rule or STRUCTURE for rule in aside_rules]
    # Structures are numbered from 1; 0 stands for none.
    numbers = {element: n for n, element in enumerate(sorted({-1, *elements}))}
    of_line = [numbers[element] for element in elements]
    # What stands around them is decided as with them.
    for line in asides.control_labels(lines, labels_of_controls):
        kept[line], of_line[line], rules[line] = False, 0, OF_SITE
    before = word_labels.labels, word_labels.rules, word_labels.probabilities
    labels, rules_of_words = np.empty((2, len(word_labels.labels)), np.uint8)
    sums, columns = np.zeros((3, len(numbers))), (lines.of_node, kept, rules, of_line)
    named = Structure, LABELS, [*numbers][1:], lines.page.tags, KIND
    structures = compiled.label_words(columns, ends, before, labels, rules_of_words, sums, named)
    return WordLabels(labels, word_labels.probabilities, rules_of_words), structures


# The dial: a cut other than the one with the best expected F1.

BETA = {"precision": 0.5, "recall": 2.0}  # weight of recall relative to precision, by preference


def with_dial(
    page: Page, runs: Sequence[TextRun], config: Config, opening: Opening
) -> tuple[TextRun, ...]:
    """Runs of a classified page with the cut that the configuration asks for; nothing is classified again.

    Page and opening are those that the runs were judged with.
    """
    nodes, _, _, of_runs, _ = zip(*runs, strict=True)
    words = np.array([len(page.nodes[run.node].text[run.start : run.end].split()) for run in runs])
    ends = np.bincount(nodes, words, len(page.nodes)).cumsum().astype(np.uint32)
    usual = WordLabels(
        np.repeat([np.uint8(LABELS.index(v.label)) for v in of_runs], words),
        np.repeat([v.probability for v in of_runs], words),
        np.repeat([np.uint8(RULES.index(v.decided_by)) for v in of_runs], words),
    )
    uncut = line_values(page, ends, usual)
    # As they are stored: a run that is read back has the same lines on either side.
    chances = np.array(uncut.gains).round(4)
    comparisons = of_runs[0].comparisons
    cut = _cut(chances, np.array(uncut.words), config, alone=not comparisons)
    lines = replace(uncut, gains=(chances - cut).tolist())
    kept = np.array(lines.gains) >= 0
    of_word = np.repeat(kept[lines.of_node], np.diff(ends, prepend=0))
    labels = np.where(of_word, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    word_labels = replace(usual, labels=labels)
    structures: Structures = None
    if config.by_structures:
        word_labels, structures = labels_by_structures(ends, word_labels, lines, opening)
    moved = (word_labels.labels != usual.labels) & (word_labels.rules == usual.rules)
    word_labels = replace(word_labels, rules=np.where(moved, np.uint8(DIAL), word_labels.rules))
    bits = np.repeat([np.uint8(int(v.bits, 2)) for v in of_runs], words)
    return text_runs(page.nodes, ends, bits, word_labels, comparisons, structures=structures)


def _cut(
    chances: NDArray[np.float64], lengths: NDArray[np.float64], config: Config, *, alone: bool
) -> float:
    if config.min_probability:
        return config.min_probability
    cut = page_cut(chances, lengths.astype(np.float32), BETA[config.prefer])
    return cut.lowered if alone else cut.usual
