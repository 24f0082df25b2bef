"""Weight of each line in training, chosen so that no set, no site and no page rules.

Sets differ in size by a factor of six, sites by a hundred, pages by thousands of lines, and snapshots of
a URL say nearly the same again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.train.examples import Example

OF_URL = 0.6
"""Power of the number of labelled snapshots of its URL that a page's weight is divided by."""

OF_SITE = 0.4
"""Power of the weight of all pages of its site that a page's weight is divided by."""

OF_SET = 0.5
"""The same for its set."""


def training_weights(examples: Sequence[Example]) -> list[NDArray[np.float64]]:
    """For each example the weights of its lines; their mean over all lines of all is 1.

    A page's weight is shared out among its lines as `Example.weight` has it.
    """
    of_page = np.array([e.trust for e in examples])
    of_page /= _sums(of_page > 0, [f"{e.source} {e.url}" for e in examples]) ** OF_URL
    of_site = _sums(of_page, [e.site for e in examples])
    of_page /= np.maximum(of_site, of_page.max()) ** OF_SITE
    of_page /= _sums(of_page, [e.source for e in examples]) ** OF_SET
    found = [
        weight * e.weight / max(e.weight.sum(), 1.0)
        for weight, e in zip(of_page, examples, strict=True)
    ]
    mean = sum(float(one.sum()) for one in found) / sum(map(len, found))
    return [one / mean for one in found]


def _sums(values: NDArray[np.generic], groups: Sequence[str]) -> NDArray[np.float64]:
    """For each value the sum over its group."""
    _, group = np.unique(groups, return_inverse=True)
    return np.asarray(np.bincount(group, values)[group])
