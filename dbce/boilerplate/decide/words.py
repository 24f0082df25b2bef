"""Decisions over structures, written back to words: labels, rules, and the structure of each text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dbce.boilerplate.decide.asides import NEITHER, aside_lines
from dbce.boilerplate.decide.structures import decide
from dbce.boilerplate.merge import STRUCTURE, Pooled
from dbce.model import BOILERPLATE, CONTENT, LABELS, Structure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.metadata import Opening
    from dbce.model import Hashes, Page

Structures: TypeAlias = "list[Structure | None] | None"
"""The structure of each text node; None where lines were decided on."""


def decided(
    page: Page, ends: Hashes, pooled: Pooled, lines: LineValues, opening: Opening
) -> tuple[Pooled, Structures]:
    """Labels by asides and structures, and the structure of each node; where a label is not the line's the rule says so."""
    asides = np.array(aside_lines(page, lines), dtype=np.uint8)
    lines = replace(lines, aside=(asides != NEITHER).tolist())
    kept, element, kinds = decide(page, lines, opening)
    of_word = np.repeat(lines.of_node, np.diff(ends, prepend=0))
    labels = np.where(kept, np.uint8(CONTENT), np.uint8(BOILERPLATE))[of_word]
    rule = np.where(asides != NEITHER, asides, np.uint8(STRUCTURE))
    rules = np.where(labels == pooled.labels, pooled.rules, rule[of_word])
    decided = replace(pooled, labels=labels, rules=rules)
    # Structures are counted from 1 on: 0 stands for none.
    elements = sorted(kinds)
    number = {element: n for n, element in enumerate(elements, 1)}
    of_line = [number.get(e, 0) for e in element]
    structures = [None, *_structures(decided, np.array(of_line)[of_word], elements, kinds)]
    return decided, [structures[of_line[line]] for line in lines.of_node]


def _structures(
    pooled: Pooled, of_word: NDArray[np.int64], elements: Sequence[int], kinds: dict[int, str]
) -> Iterator[Structure]:
    """The structures of these elements; `of_word` is for each word the number of its own, 0 for none.

    The label of a structure is that of most of its words.
    """
    size = len(elements) + 1
    words = np.bincount(of_word, minlength=size)[1:]
    content = np.bincount(of_word, pooled.labels == CONTENT, minlength=size)[1:]
    chances = np.bincount(of_word, pooled.probabilities, minlength=size)[1:]
    means = (chances / np.maximum(words, 1)).round(4).tolist()
    is_content = (2 * content > words).tolist()
    for n, (element, most, chance) in enumerate(zip(elements, is_content, means, strict=True)):
        label = LABELS[CONTENT] if most else LABELS[BOILERPLATE]
        yield Structure(n, kinds[element], element, label, chance)
