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
    of_node, counts = np.array(lines.of_node), np.diff(ends, prepend=0)
    of_word = np.repeat(np.array(kept)[of_node], counts)
    labels = np.where(of_word, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    rule = np.where(asides != NEITHER, asides, np.uint8(STRUCTURE))
    rules = np.where(labels == pooled.labels, pooled.rules, np.repeat(rule[of_node], counts))
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
