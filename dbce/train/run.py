"""`dbce train`: a model from labelled archives, calibrated and tested on sites that it was not trained on."""

from __future__ import annotations

import json
import platform
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from dbce.boilerplate import classify
from dbce.boilerplate.classify import Chances, Floats, Model, Second, Trees
from dbce.evaluate.diagnostics import reliability
from dbce.evaluate.scores import words
from dbce.model import Config, UsageError, count_of
from dbce.storage import check_writable, write_file
from dbce.train.examples import Example, read_examples
from dbce.train.fit import FEWER, SITES, TREES, draw_lines, fit, grow, part, training_weights

SAMPLE = 5_000  # lines on which importances are measured
LISTED = 40  # features that a model card lists


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

        Raises UsageError: too few or many words, or a weight that is no positive number.
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
    out: str,
    config: Config,
    *,
    folds: int,
    progress: Callable[[str], None],
    texts: str | None = None,
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
    for file in filter(None, (out, texts)):
        check_writable(file)  # known before hours of training
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
        write_file(texts, "".join(_texts(examples, held)))
    progress("measuring which features matter")
    matter = importances(model, examples, config.seed)
    card = model.card | describe(examples, held, folds) | {"importances": matter}
    classify.write(replace(model, card=card), out)
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
        "expected_calibration_error_of_words": calibration_of_words(examples, held),
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
    """Share of the labelled lines judged as the gold has them, of every page of gold without text, by source."""
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
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    chance = np.concatenate(
        [of_lines.content[e.is_labelled] for e, of_lines in zip(examples, held, strict=True)]
    )
    return reliability(chance, truth, np.ones(len(truth))).error


def calibration_of_words(examples: Sequence[Example], held: Sequence[Chances]) -> dict[str, float]:
    """Expected calibration error of every source, where a line counts as much as it has words."""
    lines: dict[str, list[Floats]] = defaultdict(list)
    for example, of_lines in zip(examples, held, strict=True):
        known = example.is_labelled
        rows = (of_lines.content, example.share > 0.5, example.features.lines.words)
        lines[example.source].append(np.array([row[known] for row in rows]))
    return {
        source: round(reliability(*np.hstack(pages)).error, 4) for source, pages in lines.items()
    }


def importances(model: Model, examples: Sequence[Example], seed: int) -> dict[str, float]:
    """Growth of the log loss when a feature is shuffled (Breiman 2001), on a sample of lines, of those with most."""
    rng = np.random.default_rng(seed)
    of_pages = [(classify.score_lines(e.features, model.weights), e.is_labelled) for e in examples]
    rows = np.vstack([of.rows[told] for of, told in of_pages])
    known = np.concatenate([of.known[told] for of, told in of_pages])
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    sample = rng.choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    rows, known, truth = rows[sample], known[sample], truth[sample]

    def loss() -> float:
        odds = classify.votes(model, classify.ScoredLines(rows, known))
        return float(log_loss(truth, classify.calibrate(model, odds).content))

    base, found = loss(), {}
    for column, name in enumerate(model.names):
        kept = rows[:, column].copy()
        rows[:, column] = rng.permutation(kept)
        found[name] = round(loss() - base, 5)
        rows[:, column] = kept
    best = sorted(found, key=lambda name: (-found[name], name))[:LISTED]
    return {name: found[name] for name in best}


# Testing on sites that were not learned from; the calibration and the second stage, fitted on what
# that gives.


def held_out_votes(
    examples: Sequence[Example],
    folds: int,
    seed: int,
    progress: Callable[[str], None],
    trees: dict[str, Any] = TREES,
) -> list[NDArray[np.float64]]:
    """For each example what the trees of a model that never saw its site say of its lines (`classify.votes`).

    Raises UsageError: all sites are in one part, or those of the others have one class only.
    """
    found: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(examples)
    for fold, (test, others) in folds_of(examples, folds).items():
        if not others:
            raise UsageError(
                f"all sites with gold fall into one of {folds} parts, which leaves none to learn "
                "from; give pages of more sites, or other --folds"
            )
        progress(f"fold {fold + 1} of {folds}: {count_of(len(test), 'page')} held out")
        model = fit([examples[n] for n in others], seed, trees)
        for n in test:
            found[n] = classify.votes(
                model, classify.score_lines(examples[n].features, model.weights)
            )
    return found


def folds_of(examples: Sequence[Example], folds: int) -> dict[int, tuple[list[int], list[int]]]:
    """Numbers of the examples of each fold that has any, and of all others; a site is in one fold."""
    fold_of = np.array([part(e.site, folds) for e in examples])
    return {
        fold: (np.flatnonzero(fold_of == fold).tolist(), np.flatnonzero(fold_of != fold).tolist())
        for fold in np.unique(fold_of).tolist()
    }


def fit_scales(
    model: Model, examples: Sequence[Example], found: Sequence[NDArray[np.float64]]
) -> Model:
    """Model with the scales fitted to votes on held-out lines; lines weigh as in training.

    First Platt scaling (1999) of comments, on lines of which the gold tells; then a logistic
    regression of content on both, as in stacking (Wolpert 1992). Pages that count less than others
    are left out: their gold may have comments as content.
    """
    trusted = most_trusted(examples)
    found, examples = [found[n] for n in trusted], [examples[n] for n in trusted]
    content_votes, comment_votes = np.concatenate(found).T
    weight = np.concatenate(training_weights(examples))
    comments = np.concatenate([e.comments for e in examples])
    slope, intercept = regression(comment_votes[:, None], comments, weight)
    no_comment = log_expit(-(slope * comment_votes + intercept))
    share = np.concatenate([e.share for e in examples])
    blend = regression(np.column_stack([content_votes, no_comment]), share, weight)
    return replace(model, comment_scale=(slope, intercept), blend=(blend[0], blend[1], blend[2]))


def calibrate_across_folds(
    model: Model, examples: Sequence[Example], found: Sequence[NDArray[np.float64]], folds: int
) -> list[Chances]:
    """Chances of held-out lines; each fold is calibrated by what the other folds gave."""
    held: dict[int, Chances] = {}
    for test, others in folds_of(examples, folds).values():
        scaled = fit_scales(model, [examples[n] for n in others], [found[n] for n in others])
        held |= {n: classify.calibrate(scaled, found[n]) for n in test}
    return [held[n] for n in range(len(examples))]


def most_trusted(examples: Sequence[Example]) -> list[int]:
    most = max(e.trust for e in examples)
    return [n for n, e in enumerate(examples) if e.trust == most]


def regression(
    columns: NDArray[np.float64], share: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[float]:
    """Coefficients of the columns, then the intercept, by lines whose share is known; of one class only, as they come."""
    known = ~np.isnan(share)
    truth = share[known] > 0.5
    if truth.all() or not truth.any():
        return [1.0] * columns.shape[1] + [0.0]
    fitted = LogisticRegression(C=1e6).fit(columns[known], truth, sample_weight=weight[known])
    return [*map(float, fitted.coef_[0]), float(fitted.intercept_[0])]


def main_text(example: Example, of_lines: Chances, *, keep_comments: bool = False) -> str:
    """Main text: the lines of content, without those that gold texts leave open."""
    is_content = line_gains(example, of_lines, keep_comments=keep_comments) >= 0
    if not example.segments:
        is_content &= example.is_labelled
    return "\n".join(compress(example.features.lines.texts, is_content))


def line_gains(
    example: Example, of_lines: Chances, *, keep_comments: bool = False
) -> NDArray[np.float64]:
    """Probability of each line less the cut, as `dbce.boilerplate.decide` decides by."""
    chance = classify.with_comments(of_lines) if keep_comments else of_lines.content
    return chance - classify.cuts(example.features, chance, of_lines.comment)


def text_f1(gold: str, text: str) -> float:
    wanted, found = words(gold), words(text)
    return 2 * (Counter(wanted) & Counter(found)).total() / (len(wanted) + len(found))


# Fitting the second stage, which learns from answers of first stages that never saw the page's
# site.
#
# That is stacking (Wolpert, Stacked generalization, 1992): from answers on its own lessons, which
# are surer than any will be in use, the second stage would learn to trust the first too much.

SECOND_TREES = TREES | {"max_iter": 120, "learning_rate": 0.08, "max_leaf_nodes": 16}
"""Smaller trees than those of the first stage, for larger ones gained nothing more."""


def add_second(
    model: Model,
    examples: Sequence[Example],
    held: Sequence[Chances],
    *,
    folds: int,
    seed: int,
    progress: Callable[[str], None],
) -> tuple[Model, list[Chances]]:
    """Return the model with a second stage, and the chances of held-out lines by both stages.

    `held` are the chances by first stages that never saw the page's site; a page's second stage learned from the other
    parts of the sites, and is calibrated by them.
    """
    rows = [
        classify.context_rows(e.features, *of_lines)
        for e, of_lines in zip(examples, held, strict=True)
    ]
    parts = folds_of(examples, folds)
    votes: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(examples)
    for fold, (test, others) in parts.items():
        progress(f"second stage, fold {fold + 1} of {folds}")
        trees = _fit(examples, rows, others, seed)
        for n in test:
            votes[n] = classify.second_votes(trees, held[n], rows[n])
    again = list(held)
    for test, others in parts.values():
        blend = _blend(examples, votes, others)
        for n in test:
            again[n] = classify.blend_votes(votes[n], blend, held[n])
    every = range(len(examples))
    second = Second(_fit(examples, rows, every, seed), _blend(examples, votes, every))
    return replace(model, second=second), again


def _fit(
    examples: Sequence[Example], rows: Sequence[Floats], of: Sequence[int], seed: int
) -> Trees:
    its = [examples[n] for n in of]
    chosen, weight = draw_lines(
        [len(e.share) for e in its], np.concatenate(training_weights(its)), seed
    )
    share = np.concatenate([e.share for e in its])[chosen]
    return grow(np.concatenate([rows[n] for n in of])[chosen], share, weight, SECOND_TREES, seed)


def _blend(
    examples: Sequence[Example], votes: Sequence[NDArray[np.float64]], of: Sequence[int]
) -> tuple[float, float, float]:
    of = [of[n] for n in most_trusted([examples[n] for n in of])]
    its = [examples[n] for n in of]
    share = np.concatenate([e.share for e in its])
    weight = np.concatenate(training_weights(its))
    first, second, intercept = regression(np.concatenate([votes[n] for n in of]), share, weight)
    return first, second, intercept
