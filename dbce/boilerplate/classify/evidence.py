"""Evidence on each line from other pages: its crosses, and the wider circle."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.patterns import element_bits, pattern_labels
from dbce.model import CIRCLE, CONTENT, HISTORY, INVALID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.lines import Lines
    from dbce.model import Annotation

CROSS = ("up", "down", "votes", "shared_most", "shared_mean", "similarity")

# Votes in halves, so that they are added up as small whole numbers: an invalid one is half a vote.
HALF_VOTES = np.zeros(3, dtype=np.uint8)
HALF_VOTES[[CONTENT, INVALID]] = 2, 1

EVIDENCE = (*CROSS, *CIRCLE)
"""Names of the evidence of other pages, in order."""

TIME = (*HISTORY, "page_kept", "kept_more")
"""Names of the evidence of other snapshots of the page, in order."""


def evidence_features(lines: Lines, annotations: Sequence[Annotation | None]) -> dict[str, Floats]:
    """Evidence of other pages on every line, by name; NaN where there is none; an annotation a page.

    A page that was compared with its own snapshots alone has none.

    `up`, `down`: share of the line's words that this member of the strongest cross shares; `votes`:
    how content-like the bit patterns of all crosses find it, 0 to 1, an invalid vote 0.5;
    `shared_most`, `shared_mean`: over all members that are other pages; then the circle's columns,
    averaged over the line's words.
    """
    values = np.full((len(EVIDENCE), len(lines.holder)), np.nan, dtype=np.float32)
    pages = zip(
        annotations,
        pairwise(lines.starts.tolist()),
        pairwise(lines.node_starts.tolist()),
        strict=True,
    )
    for annotation, (start, end), (first, last) in pages:
        if annotation is not None and annotation.knows_other_pages:
            of_node = lines.of_node[first:last] - start
            values[:, start:end] = _of_page(annotation, of_node, lines.node_words[first:last])
    return dict(zip(EVIDENCE, values, strict=True))


def _of_page(annotation: Annotation, of_node: Ints, node_words: Ints) -> NDArray[np.float64]:
    """The evidence on the lines of one page, shape (len(EVIDENCE), lines)."""
    begins = np.flatnonzero(np.diff(of_node, prepend=-1))
    words = np.add.reduceat(node_words, begins)
    word_begins = np.cumsum(words) - words
    pages = sorted({m for c in annotation.crosses for m in (c.up, c.down) if m is not None})
    masks = np.stack([annotation.shared[page] for page in pages])
    shared = np.add.reduceat(masks, word_begins, axis=1, dtype=np.int64) / words
    values = np.full((len(EVIDENCE), len(words)), np.nan)
    cross = dict(zip(CROSS, values, strict=False))
    strongest = annotation.crosses[0]
    for role, other in (("up", strongest.up), ("down", strongest.down)):
        if other is not None:
            cross[role][:] = shared[pages.index(other)]
    cross["votes"][:] = np.add.reduceat(_votes(annotation, len(masks[0])), word_begins) / words
    cross["shared_most"][:] = shared.max(axis=0)
    cross["shared_mean"][:] = shared.mean(axis=0)
    cross["similarity"][:] = strongest.similarity_up
    values[len(CROSS) :] = _over_lines(annotation.circle, begins, node_words)
    return values


def time_features(lines: Lines, annotations: Sequence[Annotation | None]) -> dict[str, Floats]:
    """Evidence of other snapshots on every line, by name; NaN where there are none.

    The columns of the history, averaged over the line's words; what share of the page's words the
    others have, by which the page says how much it changes; and the line's share less the page's:
    whether it stays while the page changes, or changes while the page stays.
    """
    values = np.full((len(TIME), len(lines.holder)), np.nan, dtype=np.float32)
    pages = zip(
        annotations,
        pairwise(lines.starts.tolist()),
        pairwise(lines.node_starts.tolist()),
        strict=True,
    )
    for annotation, (start, end), (first, last) in pages:
        if annotation is not None and not np.isnan(annotation.history[:1, 0]).all():
            node_words = lines.node_words[first:last]
            begins = np.flatnonzero(np.diff(lines.of_node[first:last], prepend=-1))
            its_own = values[:, start:end]
            its_own[: len(HISTORY)] = _over_lines(annotation.history, begins, node_words)
            its_own[-2] = (annotation.history[:, 0] * node_words).sum() / node_words.sum()
            its_own[-1] = its_own[0] - its_own[-2]
    return dict(zip(TIME, values, strict=True))


def _over_lines(
    of_nodes: NDArray[np.float32], begins: Ints, node_words: Ints
) -> NDArray[np.float64]:
    """Columns of text nodes as rows of lines: the mean of a line's nodes that are not NaN.

    The longer node is the weightier.
    """
    is_known = ~np.isnan(of_nodes.T)
    answers = np.where(is_known, of_nodes.T, 0)
    weight = np.add.reduceat(is_known * node_words, begins, axis=1)
    total = np.add.reduceat(answers * node_words, begins, axis=1)
    means = np.full(total.shape, np.nan)
    np.divide(total, weight, out=means, where=weight > 0)
    return means


def _votes(annotation: Annotation, words: int) -> NDArray[np.float64]:
    """The mean vote of all crosses on every word."""
    votes = np.zeros(words, dtype=np.uint8)
    for cross in annotation.crosses:
        votes += HALF_VOTES[pattern_labels(cross.bits, element_bits(annotation, cross, words))]
    return votes / (2 * len(annotation.crosses))
