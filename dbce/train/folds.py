"""Testing on sites that were not learned from, and calibrating on what that gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression

from dbce.classify.model import Model, probabilities
from dbce.errors import UsageError
from dbce.evaluate.words import words
from dbce.train.fit import fit, part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dbce.train.examples import Example

CUTS = np.arange(0.25, 0.66, 0.05)


def held_out(
    examples: Sequence[Example], folds: int, seed: int, progress: Callable[[str], None]
) -> list[NDArray[np.float64]]:
    """For each example the log-odds of its lines by a model that never saw its site.

    Raises:
        UsageError: all sites are in one part, or those of the others have one class only.
    """
    found: list[NDArray[np.float64]] = [np.zeros(0)] * len(examples)
    for fold in range(folds):
        test = [n for n, e in enumerate(examples) if part(e.site, folds) == fold]
        if not test:
            continue
        learned = [e for e in examples if part(e.site, folds) != fold]
        if not learned:
            raise UsageError(
                f"all sites with gold fall into one of {folds} parts, which leaves none to learn "
                "from; give pages of more sites, or other --folds"
            )
        progress(f"fold {fold + 1} of {folds}: {len(test)} pages held out")
        model = fit(learned, seed)
        pages = probabilities(model, [examples[n].features for n in test])
        for n, page in zip(test, pages, strict=True):
            found[n] = log_odds(page)
    return found


def log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log-odds of probabilities, which may be 0 or 1."""
    clipped = np.clip(probability, 1e-9, 1 - 1e-9)
    return np.log(clipped / (1 - clipped))


def calibrated(
    model: Model, examples: Sequence[Example], scores: Sequence[NDArray[np.float64]]
) -> Model:
    """The model with the slope and intercept that fit scores on held-out sites, and its cut."""
    slope, intercept = platt(examples, scores)
    found = [chances(s, slope, intercept) for s in scores]
    cut = max(CUTS, key=lambda c: (_mean_f1(examples, found, c), -abs(c - 0.5)))
    return replace(model, slope=slope, intercept=intercept, cut=round(float(cut), 2))


def platt(
    examples: Sequence[Example], scores: Sequence[NDArray[np.float64]]
) -> tuple[float, float]:
    """Slope and intercept of Platt scaling (1999), lines weighted as in training."""
    regression = LogisticRegression(C=1e6)
    regression.fit(
        np.concatenate(scores)[:, None],
        np.concatenate([e.share for e in examples]) > 0.5,
        sample_weight=np.concatenate([e.weight for e in examples]),
    )
    return float(regression.coef_[0, 0]), float(regression.intercept_[0])


def chances(scores: NDArray[np.float64], slope: float, intercept: float) -> NDArray[np.float64]:
    """Calibrated probabilities of log-odds."""
    return 1 / (1 + np.exp(-(slope * scores + intercept)))


def _mean_f1(
    examples: Sequence[Example], found: Sequence[NDArray[np.float64]], cut: float
) -> float:
    return float(np.mean([page_f1(e, f, cut) for e, f in zip(examples, found, strict=True)]))


def main_text(example: Example, chance: NDArray[np.float64], cut: float) -> str:
    """The lines that are content from `cut` on."""
    texts = example.features.lines.texts
    return "\n".join(text for text, p in zip(texts, chance, strict=True) if p >= cut)


def page_f1(example: Example, chance: NDArray[np.float64], cut: float) -> float:
    """F1 of the words of the main text against the gold text."""
    wanted, found = words(example.gold), words(main_text(example, chance, cut))
    return 2 * (Counter(wanted) & Counter(found)).total() / (len(wanted) + len(found))
