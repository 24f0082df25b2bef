"""How much of a page a model has met before: its names, and the phrases of its language.

Where it has met little, what it learned of names and phrases says little, and what it learned of
structure, and what other pages show, has to decide.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify.features import Features
    from dbce.classify.lines import Floats

NAMES = (0.2, 0.6)
"""Share of a page's names that have a weight: up to which nothing is known, from which on all is.

Words like "header" are anywhere. Of nine tenths of the pages of a set that nothing was learned from, more
are known than the second.
"""

PHRASES = (0.0, 0.3)
"""The same of its phrases; most of any language are rare."""


def known(page: Features, names: Floats, phrases: Floats) -> NDArray[np.float64]:
    """How well the page of each line is known, from 0 to 1, shape (lines,), by the weights of a model."""
    of_names = _scaled(_share(page.tokens, names, page), NAMES)
    of_phrases = _scaled(_share(page.phrases, phrases, page), PHRASES)
    return np.asarray((of_names * of_phrases)[page.lines.page])


def _share(
    tokens: Sequence[tuple[int, ...]], weights: Floats, page: Features
) -> NDArray[np.float64]:
    """The share of the tokens of each page that have a weight, the mean of its lines that have some."""
    sizes = np.array([len(of_line) for of_line in tokens])
    has_weight = weights[np.fromiter(chain.from_iterable(tokens), np.int64, sizes.sum())] != 0
    of_line = np.repeat(np.arange(len(tokens)), sizes)
    share = np.bincount(of_line, has_weight, len(tokens)) / np.maximum(sizes, 1)
    starts = page.lines.starts[:-1]
    return np.add.reduceat(share, starts) / np.maximum(np.add.reduceat(sizes > 0, starts), 1)


def _scaled(share: NDArray[np.float64], of: tuple[float, float]) -> NDArray[np.float64]:
    low, high = of
    return np.clip((share - low) / (high - low), 0, 1)
