"""What the comparison says of each line: its crosses, and the wider circle of other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.classify.patterns import element_bits, pattern_labels
from dbce.model import BOILERPLATE, CIRCLE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.classify.lines import Floats, Lines
    from dbce.model import Annotation

CROSS = ("up", "down", "votes", "shared_most", "shared_mean", "similarity")

EVIDENCE = (*CROSS, *CIRCLE)
"""Names of the evidence, in order."""


def evidence_features(lines: Lines, found: Annotation | None) -> dict[str, Floats]:
    """The evidence on every line by name, NaN where there is none.

    `up`, `down`: share of the line's words that this member of the strongest cross shares; `votes`:
    how content-like the bit patterns of all crosses find it, 0 to 1, an invalid vote 0.5;
    `shared_most`, `shared_mean`: over all members that are other pages; then the circle's columns,
    averaged over the line's words.
    """
    nothing = np.full(len(lines.texts), np.nan, dtype=np.float32)
    values = dict.fromkeys(EVIDENCE, nothing)
    if found is None:
        return values
    of_word = np.repeat(lines.of_node, lines.node_words)
    counts = np.bincount(of_word)

    def on_lines(of_words: NDArray[np.generic]) -> Floats:
        return (np.bincount(of_word, weights=of_words) / counts).astype(np.float32)

    strongest = found.crosses[0]
    # Snapshots speak through the votes only: as features of their own they tell a model first of all
    # which training sets have snapshots.
    for role in ("up", "down"):
        member = getattr(strongest, role)
        if member is not None:
            values[role] = on_lines(found.shared[member])
    values["votes"] = on_lines(_votes(found, len(of_word)))
    pages = sorted({m for c in found.crosses for m in (c.up, c.down) if m is not None})
    shared = np.stack([on_lines(found.shared[page]) for page in pages])
    values["shared_most"] = shared.max(axis=0)
    values["shared_mean"] = shared.mean(axis=0)
    values["similarity"] = np.full(len(counts), strongest.similarity_up, dtype=np.float32)
    for name, column in zip(CIRCLE, found.circle.T, strict=True):
        values[name] = _average(lines, column, on_lines)
    return values


def _votes(found: Annotation, words: int) -> Floats:
    value = np.full(3, 0.5, dtype=np.float32)
    value[BOILERPLATE], value[CONTENT] = 0, 1
    votes = [value[pattern_labels(c.bits, element_bits(found, c, words))] for c in found.crosses]
    mean: Floats = np.mean(votes, axis=0)
    return mean


def _average(
    lines: Lines, of_nodes: NDArray[np.float32], on_lines: Callable[[NDArray[np.generic]], Floats]
) -> Floats:
    """A value of text nodes on lines, the longer node the weightier; NaN counts as no answer."""
    known = on_lines(np.repeat(~np.isnan(of_nodes), lines.node_words))
    summed = on_lines(np.repeat(np.nan_to_num(of_nodes), lines.node_words))
    return np.divide(summed, known, out=np.full_like(summed, np.nan), where=known > 0)
