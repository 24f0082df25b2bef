"""`dbce train`: a model from labelled archives, tested on sites it was not trained on."""

from __future__ import annotations

import json
import platform
from collections import defaultdict
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.classify.model import calibrated_log_odds, with_names, write
from dbce.errors import UsageError
from dbce.train.examples import read_examples
from dbce.train.fit import SITES, TREES, fit, part
from dbce.train.folds import calibrated, chances, held_out, main_text, page_f1, platt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from dbce.classify.model import Model
    from dbce.config import Config
    from dbce.train.examples import Example

BINS = 10
"""Bins of equal width for the expected calibration error."""

SAMPLE = 20_000
"""Lines on which importances are measured."""

LISTED = 40
"""Features that a model card lists."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An archive and its gold; each page counts `weight` times.

    Gold that follows other rules than the rest (which keeps user comments, say) is given less.
    """

    archive: str
    gold: str
    weight: float = 1.0

    @classmethod
    def of(cls, words: Sequence[str]) -> Labelled:
        """From what stands behind `--data`.

        Raises:
            UsageError: too few or many words, or a weight that is no positive number.
        """
        if len(words) not in (2, 3):
            raise UsageError("--data takes an archive, its gold and perhaps a weight")
        try:
            weight = float(words[2]) if len(words) == 3 else 1.0
        except ValueError as e:
            raise UsageError(f"--data: the weight {words[2]} is no number") from e
        if not 0 < weight < float("inf"):
            raise UsageError(f"--data: the weight {words[2]} must be above 0, and finite")
        return cls(words[0], words[1], weight)


def train(
    data: Sequence[Labelled],
    out: Path,
    config: Config,
    *,
    folds: int,
    progress: Callable[[str], None],
    texts: Path | None = None,
) -> dict[str, Any]:
    """Trains on labelled archives, writes the model to `out`, returns its card.

    `texts` gets the main text of every page by a model that never saw its site, as JSON lines.

    Raises:
        UsageError: gold that cannot be read, labels no page, or has one class only; no folds; a
            file that cannot be written.
    """
    if folds < 2:
        raise UsageError(f"--folds is {folds}; at least 2 parts of the sites are needed")
    for path in (out, *([texts] if texts else [])):
        if path.is_dir() or not path.parent.is_dir():  # known before hours of training
            raise UsageError(f"cannot write {path}; name a file in a folder that is there")
    examples: list[Example] = []
    for one in data:
        progress(f"reading {one.archive}")
        examples += read_examples(one.archive, one.gold, config, one.weight, progress)
    scores = held_out(examples, folds, config.seed, progress)
    progress(f"fitting on all {len(examples)} pages")
    model = calibrated(fit(examples, config.seed), examples, scores)
    chance = _calibrated_by_others(examples, scores, folds)
    progress("measuring which features matter")
    matter = importances(model, examples, config.seed)
    card = model.card | describe(examples, chance, model.cut, folds) | {"importances": matter}
    write(replace(model, card=card), out)
    if texts is not None:
        texts.write_text("".join(_texts(examples, chance, model.cut)), encoding="utf-8")
    return card


def _calibrated_by_others(
    examples: Sequence[Example], scores: Sequence[NDArray[np.float64]], folds: int
) -> list[NDArray[np.float64]]:
    """Probabilities of held-out scores; each fold is calibrated by what the other folds gave."""
    fold_of = [part(e.site, folds) for e in examples]
    found: list[NDArray[np.float64]] = [np.zeros(0)] * len(examples)
    for fold in sorted(set(fold_of)):
        others = [n for n, f in enumerate(fold_of) if f != fold]
        fitted = platt([examples[n] for n in others], [scores[n] for n in others])
        for n, f in enumerate(fold_of):
            if f == fold:
                found[n] = chances(scores[n], *fitted)
    return found


def _texts(
    examples: Sequence[Example], chance: Sequence[NDArray[np.float64]], cut: float
) -> Iterator[str]:
    for example, of_lines in zip(examples, chance, strict=True):
        row = {
            "record_id": example.record_id,
            "url": example.url,
            "text": main_text(example, of_lines, cut),
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


def describe(
    examples: Sequence[Example], held: Sequence[NDArray[np.float64]], cut: float, folds: int
) -> dict[str, Any]:
    """What a model card says of data and held-out results."""
    f1: dict[str, list[float]] = defaultdict(list)
    for example, chance in zip(examples, held, strict=True):
        f1[example.source].append(page_f1(example, chance, cut))
    return {
        "data": {source: len(pages) for source, pages in f1.items()},
        "sites": len({e.site for e in examples}),
        "lines": sum(len(e.share) for e in examples),
        "folds": folds,
        "cut": cut,
        "held_out_f1": {source: round(float(np.mean(pages)), 4) for source, pages in f1.items()},
        "held_out_f1_standard_error": {
            source: round(float(np.std(pages) / len(pages) ** 0.5), 4)
            for source, pages in f1.items()
        },
        "expected_calibration_error": round(calibration_error(examples, held), 4),
        "trees": TREES,
        "sites_a_name_needs": SITES,
        "versions": {p: version(p) for p in ("dbce", "scikit-learn", "numpy", "lxml")}
        | {"python": platform.python_version()},
    }


def calibration_error(examples: Sequence[Example], held: Sequence[NDArray[np.float64]]) -> float:
    """Expected calibration error over lines: mean distance of probability and share, binned."""
    truth = np.concatenate([e.share for e in examples]) > 0.5
    chance = np.concatenate(held)
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    return float(np.abs(np.bincount(bins, weights=truth - chance)).sum() / len(chance))


def importances(model: Model, examples: Sequence[Example], seed: int) -> dict[str, float]:
    """How much the log loss grows when a feature is shuffled: the features that matter most.

    Permutation importance (Breiman 2001) on a sample of the training lines.
    """
    rng = np.random.default_rng(seed)
    rows = np.vstack([with_names(e.features, model.weights) for e in examples])
    truth = np.concatenate([e.share for e in examples]) > 0.5
    sample = rng.choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    rows, truth = rows[sample], truth[sample]

    def loss() -> float:
        odds = calibrated_log_odds(model, rows)
        return float(np.logaddexp(0, np.where(truth, -odds, odds)).mean())

    base, found = loss(), {}
    for column, name in enumerate(model.names):
        kept = rows[:, column].copy()
        rows[:, column] = rng.permutation(kept)
        found[name] = round(loss() - base, 5)
        rows[:, column] = kept
    best = sorted(found, key=lambda name: (-found[name], name))[:LISTED]
    return {name: found[name] for name in best}
