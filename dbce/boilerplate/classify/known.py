"""How much of a page a model has met before: its names, and the phrases of its language.

Where it has met little, what it learned of names and phrases says little, and what it learned of
structure, and what other pages show, has to decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.tokens import Tokens

NAMES = (0.2, 0.6)
"""Share of a page's names that have a weight: up to which nothing is known, from which on all is.

Words like "header" are anywhere. Of nine tenths of the pages of a set that nothing was learned from, more
are known than the second.
"""

PHRASES = (0.0, 0.3)
"""The same of its phrases; most of any language are rare."""


def known(
    names: Tokens, phrases: Tokens, weights: tuple[Floats, Floats], starts: Ints
) -> NDArray[np.float64]:
    """How well each page is known, from 0 to 1, shape (pages,), by the weights of names and phrases.

    The tokens are those of the lines of all pages, which begin at the lines `starts`.
    """
    of_names, of_phrases = weights
    by_names = _scaled(_share(names, of_names, starts), NAMES)
    return by_names * _scaled(_share(phrases, of_phrases, starts), PHRASES)


def _share(tokens: Tokens, weights: Floats, starts: Ints) -> NDArray[np.float64]:
    """The share of the tokens of each page that have a weight, the mean of its lines that have some."""
    sizes = tokens.sums(np.ones(len(tokens.token)))
    share = tokens.sums(weights[tokens.token] != 0) / np.maximum(sizes, 1)
    return np.add.reduceat(share, starts) / np.maximum(np.add.reduceat(sizes > 0, starts), 1)


def _scaled(share: NDArray[np.float64], of: tuple[float, float]) -> NDArray[np.float64]:
    low, high = of
    return np.clip((share - low) / (high - low), 0, 1)
