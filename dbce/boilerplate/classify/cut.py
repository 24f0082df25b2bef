"""The cut: the probability from which on the lines of a page are content."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.features import Features

    Chance = NDArray[np.float64]

SURE = 0.6
"""Of content, whatever the rest of the page is like."""

UNSURE = 0.1
"""Against content, whatever the rest of the page is like.

It is far below 1 - SURE: on sites unlike those learned from the probabilities of content are too low rather than too high.
"""

AGAINST_ALL = 0.8
"""Against the evidence of all other pages; on held-out sites no worse than SURE, and safer elsewhere."""


def cuts(page: Features, chance: Chance) -> Chance:
    """The probability from which on each line of one or more pages is content.

    It is one for all lines of a page; but where all crosses call a line boilerplate, and all pages of
    the circle have it, at least AGAINST_ALL: habits learned elsewhere do not easily overrule what a site
    shows of itself. `chance` is the probability of every line to be content.
    """
    starts, words = page.lines.starts, page.lines.words
    of_pages = [page_cut(chance[a:b], words[a:b]) for a, b in pairwise(starts.tolist())]
    usual = np.repeat(of_pages, np.diff(starts))
    votes, shared_by = (page.matrix[:, page.names.index(n)] for n in ("votes", "shared_by"))
    return np.where((votes == 0) & (shared_by >= 1), np.maximum(usual, AGAINST_ALL), usual)


def page_cut(chance: Chance, words: Floats, beta: float = 1.0) -> float:
    """The cut of a page from its lines' probabilities and lengths: half way between two answers.

    `beta` says how many times as much recall counts as precision.

    The one is half of the best F1 that may be expected, of F-beta 1 / (1 + beta²); where probabilities are
    right, no other cut gives more of it (Lipton, Elkan and Naryanaswamy, Optimal thresholding of classifiers to maximize
    F1 measure, 2014). The other is the middle of the gap that parts the words into the two groups
    that differ most (Otsu, A threshold selection method from gray-level histograms, 1979); on a site
    unlike those learned from, where all probabilities are too high or too low, it moves with them, but
    not beyond what is sure by itself.
    """
    order = np.argsort(-chance, kind="stable")
    order = order[words[order] > 0]
    falling, lengths = chance[order], words[order].astype(np.float64)
    lengths_above, wanted = np.cumsum(lengths), np.cumsum(lengths * falling)
    if not wanted.any():
        return 0.5
    half_of_f1 = float((wanted / (lengths_above + beta**2 * wanted[-1])).max())
    if len(order) < 2:
        return half_of_f1
    left = lengths_above[-1] - lengths_above[:-1]
    above, below = wanted[:-1] / lengths_above[:-1], (wanted[-1] - wanted[:-1]) / left
    gap = (lengths_above[:-1] * left * (above - below) ** 2).argmax()
    middle = np.clip(falling[gap : gap + 2].mean(), UNSURE, SURE)
    return (half_of_f1 + float(middle)) / 2
