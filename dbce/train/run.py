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
from dbce.train.fit import FOR_COMMENTS, SITES, TREES, draw_lines, fit, grow, part, training_weights

SAMPLE = 5_000  # lines on which importances are measured
LISTED = 40  # features that a model card lists


@dataclass(frozen=True, slots=True)
class LabelledArchive:
    """An archive and its gold; each page counts `weight` times.

    Gold by other rules than the rest (with user comments as content, for instance) gets less.
    """

    archive: str
    gold: str
    weight: float = 1.0

    @classmethod
    def from_arguments(cls, words: Sequence[str]) -> LabelledArchive:
        """Return the archive that the arguments of `--data` name.

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
    """Train on labelled archives, write the model to `out`, return its card.

    `texts` gets the main text of every page by a model that never saw its site, as JSON lines, and what each line
    gains, probability less cut, for decisions over structures, and the lines without gold.

    Raises:
        UsageError: gold that cannot be read, labels no page, or has one class only; no folds; a
            file that cannot be written.
    """
    if folds < 2:
        raise UsageError(f"--folds is {folds}; at least 2 parts of the sites are needed")
    for file in filter(None, (out, texts)):
        check_writable(file)  # known before hours of training
    examples: list[Example] = []
    for source in data:
        progress(f"reading {source.archive}")
        examples += read_examples(source.archive, source.gold, config, source.weight, progress)
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


def _texts(examples: Sequence[Example], held: Sequence[Chances]) -> Iterator[str]:
    for example, chances in zip(examples, held, strict=True):
        row = {
            "record_id": example.record_id,
            "url": example.url,
            "text": main_text(example, chances),
            "gains": line_gains(example, chances).round(4).tolist(),
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
        "trees_for_comments": TREES | FOR_COMMENTS,
        "trees_of_second_stage": SECOND_TREES,
        "sites_a_name_needs": SITES,
        "versions": {p: version(p) for p in ("dbce", "scikit-learn", "numpy", "lxml")}
        | {"python": platform.python_version()},
    }


def scores_by_source(
    examples: Sequence[Example], held: Sequence[Chances]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the F1 of every page by source: of its content and, where gold has comments, with these."""
    without: dict[str, list[float]] = defaultdict(list)
    kept: dict[str, list[float]] = defaultdict(list)
    for example, chances in zip(examples, held, strict=True):
        if example.segments:
            continue  # there is no text to hold it to
        without[example.source].append(text_f1(example.gold, main_text(example, chances)))
        if example.gold_comments is not None:
            gold_text = f"{example.gold}\n{example.gold_comments}"
            text = main_text(example, chances, keep_comments=True)
            kept[example.source].append(text_f1(gold_text, text))
    return without, kept


def segments_right(examples: Sequence[Example], held: Sequence[Chances]) -> dict[str, list[float]]:
    """Return the share of correctly classified lines of every page of gold without text, by source."""
    shares: dict[str, list[float]] = defaultdict(list)
    for example, chances in zip(examples, held, strict=True):
        if example.segments:
            is_content = line_gains(example, chances) >= 0
            is_right = (is_content == (example.share > 0.5))[example.is_labelled]
            shares[example.source].append(float(is_right.mean()))
    return shares


def _means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {source: round(float(np.mean(pages)), 4) for source, pages in scores.items()}


def calibration_error(examples: Sequence[Example], held: Sequence[Chances]) -> float:
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    chance = np.concatenate(
        [chances.content[e.is_labelled] for e, chances in zip(examples, held, strict=True)]
    )
    return reliability(chance, truth, np.ones(len(truth))).error


def calibration_of_words(examples: Sequence[Example], held: Sequence[Chances]) -> dict[str, float]:
    """Return the expected calibration error of every source, lines weighted by their words."""
    lines: dict[str, list[Floats]] = defaultdict(list)
    for example, chances in zip(examples, held, strict=True):
        known = example.is_labelled
        rows = (chances.content, example.share > 0.5, example.features.lines.words)
        lines[example.source].append(np.array([row[known] for row in rows]))
    return {
        source: round(reliability(*np.hstack(pages)).error, 4) for source, pages in lines.items()
    }


def importances(model: Model, examples: Sequence[Example], seed: int) -> dict[str, float]:
    """Return the largest growths of the log loss when a feature is shuffled (Breiman 2001), on a sample of lines."""
    rng = np.random.default_rng(seed)
    pages = [(classify.score_lines(e.features, model.weights), e.is_labelled) for e in examples]
    rows = np.vstack([lines.rows[is_labelled] for lines, is_labelled in pages])
    known = np.concatenate([lines.known[is_labelled] for lines, is_labelled in pages])
    truth = np.concatenate([e.share[e.is_labelled] for e in examples]) > 0.5
    sample = rng.choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    rows, known, truth = rows[sample], known[sample], truth[sample]

    def loss() -> float:
        odds = classify.votes(model, classify.ScoredLines(rows, known))
        return float(log_loss(truth, classify.calibrate(model, odds).content))

    base, growth = loss(), {}
    for column, name in enumerate(model.names):
        kept = rows[:, column].copy()
        rows[:, column] = rng.permutation(kept)
        growth[name] = round(loss() - base, 5)
        rows[:, column] = kept
    ranked = sorted(growth, key=lambda name: (-growth[name], name))[:LISTED]
    return {name: growth[name] for name in ranked}


# Testing on sites that were not learned from; calibration and second stage, fitted on the votes
# there.


def held_out_votes(
    examples: Sequence[Example],
    folds: int,
    seed: int,
    progress: Callable[[str], None],
    trees: dict[str, Any] = TREES,
) -> list[NDArray[np.float64]]:
    """Return for each example the votes on its lines (`classify.votes`) of trees that never saw its site.

    Raises UsageError: all sites are in one part, or those of the others have one class only.
    """
    votes: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(examples)
    for fold, (test, training) in folds_of(examples, folds).items():
        if not training:
            raise UsageError(
                f"all sites with gold fall into one of {folds} parts, which leaves none to learn "
                "from; give pages of more sites, or other --folds"
            )
        progress(f"fold {fold + 1} of {folds}: {count_of(len(test), 'page')} held out")
        model = fit([examples[n] for n in training], seed, trees)
        for n in test:
            votes[n] = classify.votes(
                model, classify.score_lines(examples[n].features, model.weights)
            )
    return votes


def folds_of(examples: Sequence[Example], folds: int) -> dict[int, tuple[list[int], list[int]]]:
    """Return the numbers of the examples in each non-empty fold, and of all others; a site is in one fold."""
    fold_of = np.array([part(e.site, folds) for e in examples])
    return {
        fold: (np.flatnonzero(fold_of == fold).tolist(), np.flatnonzero(fold_of != fold).tolist())
        for fold in np.unique(fold_of).tolist()
    }


def fit_scales(
    model: Model, examples: Sequence[Example], votes: Sequence[NDArray[np.float64]]
) -> Model:
    """Model with the scales fitted to votes on held-out lines; lines weigh as in training.

    First Platt scaling (1999) of comments, on lines whose gold has them; then a logistic
    regression of content on both, as in stacking (Wolpert 1992). Pages that count less than others
    are left out: their gold may have comments as content.
    """
    trusted = most_trusted(examples)
    votes, examples = [votes[n] for n in trusted], [examples[n] for n in trusted]
    content_votes, comment_votes = np.concatenate(votes).T
    weight = np.concatenate(training_weights(examples))
    comments = np.concatenate([e.comments for e in examples])
    slope, intercept = regression(comment_votes[:, None], comments, weight)
    no_comment = log_expit(-(slope * comment_votes + intercept))
    share = np.concatenate([e.share for e in examples])
    blend = regression(np.column_stack([content_votes, no_comment]), share, weight)
    return replace(model, comment_scale=(slope, intercept), blend=(blend[0], blend[1], blend[2]))


def calibrate_across_folds(
    model: Model, examples: Sequence[Example], votes: Sequence[NDArray[np.float64]], folds: int
) -> list[Chances]:
    """Return the chances of held-out lines; each fold is calibrated on the votes of the other folds."""
    held: dict[int, Chances] = {}
    for test, training in folds_of(examples, folds).values():
        scaled = fit_scales(model, [examples[n] for n in training], [votes[n] for n in training])
        held |= {n: classify.calibrate(scaled, votes[n]) for n in test}
    return [held[n] for n in range(len(examples))]


def most_trusted(examples: Sequence[Example]) -> list[int]:
    highest = max(e.trust for e in examples)
    return [n for n, e in enumerate(examples) if e.trust == highest]


def regression(
    columns: NDArray[np.float64], share: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[float]:
    """Return coefficients and intercept, fitted to lines of known share; 1 and 0 for a single class."""
    known = ~np.isnan(share)
    truth = share[known] > 0.5
    if truth.all() or not truth.any():
        return [1.0] * columns.shape[1] + [0.0]
    fitted = LogisticRegression(C=1e6).fit(columns[known], truth, sample_weight=weight[known])
    return [*map(float, fitted.coef_[0]), float(fitted.intercept_[0])]


def main_text(example: Example, chances: Chances, *, keep_comments: bool = False) -> str:
    """Return the lines of content, without those that gold texts leave unlabelled."""
    is_content = line_gains(example, chances, keep_comments=keep_comments) >= 0
    if not example.segments:
        is_content &= example.is_labelled
    return "\n".join(compress(example.features.lines.texts, is_content))


def line_gains(
    example: Example, chances: Chances, *, keep_comments: bool = False
) -> NDArray[np.float64]:
    """Return the probability of each line less the cut, by which `dbce.boilerplate.decide` decides."""
    chance = classify.with_comments(chances) if keep_comments else chances.content
    return chance - classify.cuts(example.features, chance, chances.comment)


def text_f1(gold: str, text: str) -> float:
    true, predicted = words(gold), words(text)
    return 2 * (Counter(true) & Counter(predicted)).total() / (len(true) + len(predicted))


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
        classify.context_rows(e.features, *chances)
        for e, chances in zip(examples, held, strict=True)
    ]
    parts = folds_of(examples, folds)
    votes: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(examples)
    for fold, (test, training) in parts.items():
        progress(f"second stage, fold {fold + 1} of {folds}")
        trees = _fit(examples, rows, training, seed)
        for n in test:
            votes[n] = classify.second_votes(trees, held[n], rows[n])
    final = list(held)
    for test, training in parts.values():
        blend = _blend(examples, votes, training)
        for n in test:
            final[n] = classify.blend_votes(votes[n], blend, held[n])
    all_numbers = range(len(examples))
    second = Second(_fit(examples, rows, all_numbers, seed), _blend(examples, votes, all_numbers))
    return replace(model, second=second), final


def _fit(
    examples: Sequence[Example], rows: Sequence[Floats], ids: Sequence[int], seed: int
) -> Trees:
    pages = [examples[n] for n in ids]
    chosen, weight = draw_lines(
        [len(e.share) for e in pages], np.concatenate(training_weights(pages)), seed
    )
    share = np.concatenate([e.share for e in pages])[chosen]
    return grow(np.concatenate([rows[n] for n in ids])[chosen], share, weight, SECOND_TREES, seed)


def _blend(
    examples: Sequence[Example], votes: Sequence[NDArray[np.float64]], ids: Sequence[int]
) -> tuple[float, float, float]:
    ids = [ids[n] for n in most_trusted([examples[n] for n in ids])]
    trusted = [examples[n] for n in ids]
    share = np.concatenate([e.share for e in trusted])
    weight = np.concatenate(training_weights(trusted))
    first, second, intercept = regression(np.concatenate([votes[n] for n in ids]), share, weight)
    return first, second, intercept
