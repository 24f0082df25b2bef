"""Calibration of probabilities: of the runs said to be content with 0.7, 70 % should be content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dbce.evaluate.text import nodes
from dbce.evaluate.text import runs as stored
from dbce.evaluate.text.gold import Gold, GoldText, LabelledRun, by_kind
from dbce.evaluate.text.scores import gold_share, words
from dbce.model import Label

if TYPE_CHECKING:
    from dbce.storage import Folder

BINS = 10
"""Bins of equal width for the expected calibration error, as many as model cards have."""

Outcome = tuple[float, bool, int]
"""Probability of a text run, whether it is content, its words."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Probabilities against the truth, every text run counted once (or by its words).

    `bins` has a row for each tenth of the probabilities, `low` to `low` + 0.1: `weight` (runs or
    words), `probability` (mean of what was said) and `content` (share that is content), NaN where
    there is nothing. `error` is the expected calibration error: the mean distance of the two,
    bins weighed by `weight` (Naeini et al., 2015); NaN without runs.
    """

    bins: pd.DataFrame
    error: float


def reliability(
    probability: NDArray[np.float64], content: NDArray[np.bool_], weight: NDArray[np.float64]
) -> Reliability:
    """Return the reliability of probabilities; the arguments have an entry for each text run."""
    place = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
    sums = [
        np.bincount(place, values * weight, BINS)
        for values in (np.ones(len(place)), probability, content)
    ]
    with np.errstate(invalid="ignore"):
        said, true = sums[1] / sums[0], sums[2] / sums[0]
    bins = pd.DataFrame(
        {"low": np.arange(BINS) / BINS, "weight": sums[0], "probability": said, "content": true}
    )
    total = float(sums[0].sum())
    error = float(np.abs(sums[1] - sums[2]).sum() / total) if total else np.nan
    return Reliability(bins, error)


def outcomes(folder: Folder, gold: Gold) -> pd.DataFrame:
    """The text runs of a run for which gold says what they are: probability, content, words.

    Text gold says that a run is content where most of its words are in the text (`gold_share`);
    runs without words are left out.
    """
    texts, runs = by_kind(gold)
    found = _by_text(folder, texts) if texts else _by_nodes(folder, runs)
    return pd.DataFrame(found, columns=["probability", "content", "words"])


def _by_nodes(folder: Folder, gold: Sequence[LabelledRun]) -> Iterator[Outcome]:
    verdicts = stored.verdicts(folder, {run.record_id for run in gold})
    for run, label in nodes.match_gold(verdicts, gold):
        if label is not None and run.probability is not None:
            yield run.probability, label is Label.CONTENT, len(words(run.text))


def _by_text(folder: Folder, gold: Sequence[GoldText]) -> Iterator[Outcome]:
    _, found = stored.page_texts(folder, gold)
    gold_of = {found[one.page].record_id: one.text for one in gold if one.page in found}
    of_page: dict[str, list[LabelledRun]] = defaultdict(list)
    for run in stored.verdicts(folder, gold_of):
        of_page[run.record_id].append(run)
    for record_id, runs in of_page.items():
        shares = gold_share([run.text for run in runs], gold_of[record_id])
        for run, share in zip(runs, shares, strict=True):
            if run.probability is not None and not np.isnan(share):
                yield run.probability, bool(share > 1 / 2), len(words(run.text))
