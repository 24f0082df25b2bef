"""What every classifier of lines can do, as in scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.features import Features


class Classifier(Protocol):
    """Learns from pages with labels, and gives the lines of pages their probability of content."""

    def fit(self, pages: Sequence[Features], labels: Sequence[NDArray[np.uint8]]) -> Self:
        """Learns from pages with a label for every line; those labelled INVALID have none.

        Raises:
            ValueError: no line is labelled content, or none boilerplate.
        """

    def predict_proba(self, pages: Sequence[Features]) -> list[NDArray[np.float64]]:
        """For each page the probability of every line that it is content."""
