"""The joint method: evidence of other pages, other times and the page itself, weighed by a model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.cut import cuts
from dbce.boilerplate.classify.features import batch_features
from dbce.boilerplate.classify.model import chances
from dbce.boilerplate.classify.second import with_comments
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.model import Model
    from dbce.metadata import Told
    from dbce.model import Annotation, Hashes, Mask, Page

LIKELY = 0.5
"""Probability from which a line that is no content counts as a comment."""

NODES_AT_ONCE = 40_000
"""Text nodes of the pages of a batch, beyond which the next page begins another: each takes three kilobytes."""

HALF = 0.5
"""Part of a line in hidden elements beyond which it is not shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A label (a place in LABELS) and the probability of content for every word of a page.

    `comments` says which words have their label for being a comment of a user; `ends` is where each
    text node's words end among them. `lines` is the line of each text node; of each line `gains` has the
    probability less the cut, `lengths` the words, and `shown` whether a reader sees it.
    """

    labels: NDArray[np.uint8]
    probabilities: NDArray[np.float64]
    comments: Mask
    ends: Hashes
    lines: Ints
    gains: NDArray[np.float64]
    lengths: Floats
    shown: Mask


def judge_jointly(
    pages: Sequence[tuple[Page, Annotation | None]],
    model: Model,
    told: Sequence[Told | None] = (),
    *,
    keep_comments: bool = False,
) -> list[Judged]:
    """The judgement of pages with their annotations, if they have one.

    `told` is what each page tells of itself, where that is known.

    A line is judged as a whole: words that other pages share by chance follow their paragraph.
    Comments of users are content if they are to be kept, else boilerplate.
    """
    if not pages:
        return []
    told = told or [None] * len(pages)
    starts = np.cumsum([0, *(len(page.nodes) for page, _ in pages[:-1])])
    cuts = np.flatnonzero(np.diff(starts // NODES_AT_ONCE)) + 1
    judged: list[Judged] = []
    for start, end in pairwise([0, *cuts.tolist(), len(pages)]):
        part = slice(start, end)
        judged += _judge(pages[part], model, told[part], keep_comments=keep_comments)
    return judged


def _judge(
    pages: Sequence[tuple[Page, Annotation | None]],
    model: Model,
    told: Sequence[Told | None],
    *,
    keep_comments: bool,
) -> list[Judged]:
    features = batch_features(pages, told)
    (of_lines,) = chances(model, [features])
    lines = features.lines
    line_of_word = np.repeat(lines.of_node, lines.node_words)
    of_line = with_comments(of_lines) if keep_comments else of_lines.content
    least = cuts(features, of_line, of_lines.comment)
    is_content = of_line >= least
    labels = np.where(is_content, np.uint8(CONTENT), np.uint8(BOILERPLATE))[line_of_word]
    of_word = of_line[line_of_word]
    likely = (of_lines.content < least) & (of_lines.comment >= LIKELY)
    comments = (likely & (is_content == keep_comments))[line_of_word]
    node_ends = np.cumsum(lines.node_words)
    gains = of_line - least
    judged, start = [], 0
    bounds = zip(pairwise(lines.node_starts.tolist()), pairwise(lines.starts.tolist()), strict=True)
    for nodes, of_page in bounds:
        ends = node_ends[slice(*nodes)]
        its_words, its_lines = slice(start, int(ends[-1])), slice(*of_page)
        judged.append(
            Judged(
                labels[its_words],
                of_word[its_words],
                comments[its_words],
                (ends - start).astype(np.uint32),
                lines.of_node[slice(*nodes)] - of_page[0],
                gains[its_lines],
                lines.words[its_lines],
                lines.hidden[its_lines] <= HALF,
            )
        )
        start = its_words.stop
    return judged
