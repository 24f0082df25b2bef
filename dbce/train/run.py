"""`dbce train`: a model from labelled archives, tested on sites it was not trained on."""

from __future__ import annotations

import json
import platform
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import log_loss

from dbce.boilerplate.classify import (
    LEARNED,
    Chances,
    Model,
    ScoredLines,
    calibrate,
    score_lines,
    votes,
    write,
)
from dbce.model import Config, UsageError
from dbce.storage import write_file
from dbce.train.examples import Example, read_examples
from dbce.train.fit import FEWER, SITES, TREES, fit
from dbce.train.folds import (
    SECOND_TREES,
    add_second,
    calibrate_across_folds,
    fit_scales,
    held_out_votes,
    line_gains,
    main_text,
    text_f1,
)

BINS = 10
"""Bins of equal width for the expected calibration error."""

SAMPLE = 5_000
"""Lines on which importances are measured."""

LISTED = 40
"""Features that a model card lists."""


@dataclass(frozen=True, slots=True)
class LabelledArchive:
    """An archive and its gold; each page counts `weight` times.

    Gold that follows other rules than the rest (which keeps user comments, say) is given less.
    """

    archive: str
    gold: str
    weight: float = 1.0

    @classmethod
    def from_arguments(cls, words: Sequence[str]) -> LabelledArchive:
        """From what stands behind `--data`.

        Raises:
            UsageError: too few or many words, or a weight that is no positive number.
        """
        if len(words) not in (2, 3):
            raise UsageError("--data takes an archive, its gold and perhaps a weight")
        try:
            weight = float(words[2]) if len(words) == 3 else 1.0
        except ValueError as e:
            raise UsageError(f"--data: the weight {words[2]} is not a number") from e
        if not 0 < weight < float("inf"):
            raise UsageError(f"--data: the weight {words[2]} must be above 0, and finite")
        return cls(words[0], words[1], weight)


def train(
    data: Sequence[LabelledArchive],
    out: Path,
    config: Config,
    *,
    folds: int,
    progress: Callable[[str], None],
    texts: Path | None = None,
) -> dict[str, Any]:
    """Trains on labelled archives, writes the model to `out`, returns its card.

    `texts` gets the main text of every page by a model that never saw its site, as JSON lines, and what each line
    gains, probability less cut, for decisions over structures, and of which lines the gold says nothing.

    Raises:
        UsageError: gold that cannot be read, labels no page, or has one class only; no folds; a
            file that cannot be written.
    """
    if folds < 2:
        raise UsageError(f"--folds is {folds}; at least 2 parts of the sites are needed")
    for path in (out, *([texts] if texts else [])):
        if path.is_dir() or not path.parent.is_dir():  # known before hours of training
            raise UsageError(f"cannot write {path}; name a file in an existing folder")
    examples: list[Example] = []
    for one in data:
        progress(f"reading {one.archive}")
        examples += read_examples(one.archive, one.gold, config, one.weight, progress)
    scores = held_out_votes(examples, folds, config.seed, progress)
    progress(f"fitting on all {len(examples)} pages")
    first = fit_scales(fit(examples, config.seed), examples, scores)
    held_first = calibrate_across_folds(first, examples, scores, folds)
    model, held = add_second(
        first, examples, held_first, folds=folds, seed=config.seed, progress=progress
    )
    if texts is not None:
        write_file(str(texts), "".join(_texts(examples, held)))
    progress("measuring which features matter")
    matter = importances(model, examples, config.seed)
    card = model.card | describe(examples, held, folds) | {"importances": matter}
    write(replace(model, card=card), out)
    return card


def _texts(examples: Sequence[Example], found: Sequence[Chances]) -> Iterator[str]:
    for example, of_lines in zip(examples, found, strict=True):
        row = {
            "record_id": example.record_id,
            "url": example.url,
            "text": main_text(example, of_lines),
            "gains": line_gains(example, of_lines).round(4).tolist(),
            "unknown": [] if example.segments else np.flatnonzero(~example.is_labelled).tolist(),
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"


def describe(examples: Sequence[Example], held: Sequence[Chances], folds: int) -> dict[str, Any]:
    """Return the part of a model card about the data and the held-out results."""
    without, kept = scores_by_source(examples, held)
    return {
        "data": dict(Counter(e.source for e in examples)),
        "sites": len({e.site for e in examples}),
        "lines": int(sum(e.is_labelled.sum() for e in examples)),
        "folds": folds,
        "held_out_f1": _means(without),
        "held_out_f1_standard_error": {
            source: round(float(np.std(pages) / len(pages) ** 0.5), 4)
            for source, pages in without.items()
        },
        "held_out_f1_comments_kept": _means(kept),
        "held_out_segments_right": _means(segments_right(examples, held)),
        "expected_calibration_error": round(calibration_error(examples, held), 4),
        "trees": TREES,
        "trees_for_comments": TREES | FEWER,
        "trees_of_second_stage": SECOND_TREES,
        "sites_a_name_needs": SITES,
        "versions": {p: version(p) for p in ("dbce", "scikit-learn", "numpy", "lxml")}
        | {"python": platform.python_version()},
    }


def scores_by_source(
    examples: Sequence[Example], held: Sequence[Chances]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """F1 of every page by source: of its content, and where the gold tells with its comments."""
    without: dict[str, list[float]] = defaultdict(list)
    kept: dict[str, list[float]] = defaultdict(list)
    for example, of_lines in zip(examples, held, strict=True):
        if example.segments:
            continue  # there is no text to hold it to
        without[example.source].append(text_f1(example.gold, main_text(example, of_lines)))
        if example.gold_comments is not None:
            both = f"{example.gold}\n{example.gold_comments}"
            found = main_text(example, of_lines, keep_comments=True)
            kept[example.source].append(text_f1(both, found))
    return without, kept


def segments_right(examples: Sequence[Example], held: Sequence[Chances]) -> dict[str, list[float]]:
    """Share of the lines with segments of the gold that are judged as it has them, of every page of gold without text, by source."""
    found: dict[str, list[float]] = defaultdict(list)
    for example, of_lines in zip(examples, held, strict=True):
        if example.segments:
            is_content = line_gains(example, of_lines) >= 0
            right = (is_content == (example.share > 0.5))[example.is_labelled]
            found[example.source].append(float(right.mean()))
    return found


def _means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {source: round(float(np.mean(pages)), 4) for source, pages in scores.items()}


def calibration_error(examples: Sequence[Example], held: Sequence[Chances]) -> float:
    """Expected calibration error over lines: mean distance of probability and share, binned."""
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    chance = np.concatenate(
        [of_lines.content[e.is_labelled] for e, of_lines in zip(examples, held, strict=True)]
    )
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    return float(np.abs(np.bincount(bins, weights=truth - chance)).sum() / len(chance))


def importances(model: Model, examples: Sequence[Example], seed: int) -> dict[str, float]:
    """Return the growth of the log loss when a feature is shuffled, of the features with most.

    Permutation importance (Breiman 2001) on a sample of the training lines.
    """
    rng = np.random.default_rng(seed)
    of_pages = [(score_lines(e.features, model.weights), e.is_labelled) for e in examples]
    rows = np.vstack([of.rows(told) for of, told in of_pages])
    known = np.concatenate([of.known[told] for of, told in of_pages])
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    sample = rng.choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    rows, known, truth = rows[sample], known[sample], truth[sample]
    own = rows.shape[1] - len(LEARNED)

    def loss() -> float:
        chance = calibrate(
            model, votes(model, ScoredLines(rows[:, :own], rows[:, own:], known))
        ).content
        return float(log_loss(truth, chance))

    base, found = loss(), {}
    for column, name in enumerate(model.names):
        kept = rows[:, column].copy()
        rows[:, column] = rng.permutation(kept)
        found[name] = round(loss() - base, 5)
        rows[:, column] = kept
    best = sorted(found, key=lambda name: (-found[name], name))[:LISTED]
    return {name: found[name] for name in best}
