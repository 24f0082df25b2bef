"""Chances of lines: what a model says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Chances(NamedTuple):
    """The probability of every line of a page to be content, and to be a comment of a user."""

    content: NDArray[np.float64]
    comment: NDArray[np.float64]


def with_comments(of: Chances) -> NDArray[np.float64]:
    """The probability of every line to be content or a comment."""
    return 1 - (1 - of.content) * (1 - of.comment)
