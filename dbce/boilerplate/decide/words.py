"""Decisions over structures, applied to words: labels, rules, and the structure of each text."""

from collections.abc import Iterator, Sequence
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
from dbce.metadata import Opening
from dbce.model import BOILERPLATE, CONTENT, LABELS, Config, Hashes, Page, Structure, TextRun

Structures: TypeAlias = "list[Structure | None] | None"
"""Structure of each text node; None if lines were decided one by one."""


def labels_by_structures(
    ends: Hashes, word_labels: WordLabels, lines: LineValues, opening: Opening
) -> tuple[WordLabels, Structures]:
    """Labels by asides and structures, and the structure of each node; the rule tells where a label is not the line's."""
    aside_rules = np.array(asides.aside_lines(lines), dtype=np.uint8)
    lines = replace(lines, aside=(aside_rules != asides.NEITHER).tolist())
    kept, element = decide(lines, opening)
    elements = sorted({e for e in element if e >= 0})
    for line in asides.control_labels(lines):  # what stands around them is decided as with them
        kept[line], element[line], aside_rules[line] = False, -1, OF_SITE
    of_word = np.repeat(lines.of_node, np.diff(ends, prepend=0))
    labels = np.where(kept, np.uint8(CONTENT), np.uint8(BOILERPLATE))[of_word]
    rule = np.where(aside_rules != asides.NEITHER, aside_rules, np.uint8(STRUCTURE))
    rules = np.where(labels == word_labels.labels, word_labels.rules, rule[of_word])
    decided = replace(word_labels, labels=labels, rules=rules)
    # Structures are numbered from 1; 0 stands for none.
    number = {element: n for n, element in enumerate(elements, 1)}
    of_line = [number.get(e, 0) for e in element]
    numbers_of_words = np.array(of_line)[of_word]
    structures = [None, *_structures(lines.page, elements, decided, numbers_of_words)]
    return decided, [structures[of_line[line]] for line in lines.of_node]


def _structures(
    page: Page, elements: Sequence[int], word_labels: WordLabels, of_word: NDArray[np.int64]
) -> Iterator[Structure]:
    """Structures of some elements of a page; `of_word` numbers the structure of each word, 0 for none.

    The label of a structure is that of most of its words.
    """
    size = len(elements) + 1
    words = np.bincount(of_word, minlength=size)[1:]
    content = np.bincount(of_word, word_labels.labels == CONTENT, minlength=size)[1:]
    chances = np.bincount(of_word, word_labels.probabilities, minlength=size)[1:]
    means = (chances / np.maximum(words, 1)).round(4).tolist()
    is_content = (2 * content > words).tolist()
    for n, (element, most, chance) in enumerate(zip(elements, is_content, means, strict=True)):
        label = LABELS[CONTENT] if most else LABELS[BOILERPLATE]
        yield Structure(n, KIND[page.tags[element]], element, label, chance)


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
    lines = replace(uncut, gains=chances.tolist()).less_cut(cut)
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
    found = page_cut(chances, lengths.astype(np.float32), BETA[config.prefer])
    return found.lowered if alone else found.usual
