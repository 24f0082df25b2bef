"""The joint method: what other pages, other times and the page itself say, weighed by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.classify.features import page_features
from dbce.classify.model import probabilities
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify.model import Model
    from dbce.model import Annotation, Page


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A label (a place in LABELS) and the probability of content for every word of a page."""

    labels: NDArray[np.uint8]
    probabilities: NDArray[np.float64]


def judge_jointly(pages: Sequence[tuple[Page, Annotation | None]], model: Model) -> list[Judged]:
    """The judgement of pages with their annotations, if they have one; all in one batch.

    A line is judged as a whole: words that other pages share by chance follow their paragraph.
    """
    features = [page_features(page, found) for page, found in pages]
    return [
        _on_words(chance, one.lines.of_node, one.lines.node_words, model.cut)
        for chance, one in zip(probabilities(model, features), features, strict=True)
    ]


def _on_words(
    chance: NDArray[np.float64],
    of_node: NDArray[np.int64],
    node_words: NDArray[np.int64],
    cut: float,
) -> Judged:
    of_word = np.repeat(chance[of_node], node_words)
    labels = np.where(of_word >= cut, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    return Judged(labels, of_word)
