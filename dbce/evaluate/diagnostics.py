"""Calibration of a run's probabilities, and its worst pages with their missing and surplus text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dbce.evaluate import nodes
from dbce.evaluate import runs as stored
from dbce.evaluate.gold import Gold, GoldText, LabelledRun, by_kind
from dbce.evaluate.runs import Comparison, Run
from dbce.evaluate.scores import gold_share, words
from dbce.model import WORD_RUN, Label, as_numbers
from dbce.storage import Folder

# Calibration of probabilities: of the text runs with a probability of 0.7, 70 % should be content.

BINS = 10  # bins of equal width for the expected calibration error, as many as model cards have
Outcome = tuple[float, bool, int]  # probability of a text run, whether it is content, its words


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Probabilities against the truth, every text run counted once (or by its words).

    `bins` has a row for each tenth of the probabilities, `low` to `low` + 0.1: `weight` (runs or
    words), `probability` (their mean) and `content` (share that is content), NaN where
    there is nothing. `error` is the expected calibration error: the mean distance of the two,
    bins weighed by `weight` (Naeini et al., 2015); NaN without runs.
    """

    bins: pd.DataFrame
    error: float

    @property
    def points(self) -> list[tuple[float, float, float]]:
        """Mean probability, share of content and weight of each non-empty bin."""
        filled = self.bins[self.bins["weight"] > 0]
        return list(zip(filled["probability"], filled["content"], filled["weight"], strict=True))


def reliability(
    probability: NDArray[np.float64], content: NDArray[np.bool_], weight: NDArray[np.float64]
) -> Reliability:
    place = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
    sums = [
        np.bincount(place, values * weight, BINS)
        for values in (np.ones(len(place)), probability, content)
    ]
    with np.errstate(invalid="ignore"):
        mean, share = sums[1] / sums[0], sums[2] / sums[0]
    bins = pd.DataFrame(
        {"low": np.arange(BINS) / BINS, "weight": sums[0], "probability": mean, "content": share}
    )
    total = float(sums[0].sum())
    error = float(np.abs(sums[1] - sums[2]).sum() / total) if total else np.nan
    return Reliability(bins, error)


def reliabilities(run: Run) -> dict[str, Reliability]:
    """Return the reliability of a run by unit of weight: `runs`, or their `words`."""
    judged = outcomes(run.folder, run.gold)
    probability = judged["probability"].to_numpy(np.float64)
    content = judged["content"].to_numpy(np.bool_)
    weights = {"runs": np.ones(len(judged)), "words": judged["words"].to_numpy(np.float64)}
    return {name: reliability(probability, content, weight) for name, weight in weights.items()}


def outcomes(folder: Folder, gold: Gold) -> pd.DataFrame:
    """Return the text runs of a run that gold labels: probability, content, words.

    By text gold a run is content if most of its words are in the text (`gold_share`);
    runs without words are left out.
    """
    texts, runs = by_kind(gold)
    rows = _outcomes_by_text(folder, texts) if texts else _outcomes_by_nodes(folder, runs)
    return pd.DataFrame(rows, columns=["probability", "content", "words"])


def _outcomes_by_nodes(folder: Folder, gold: Sequence[LabelledRun]) -> Iterator[Outcome]:
    verdicts = stored.verdicts(folder, {run.record_id for run in gold})
    for run, label in nodes.match_gold(verdicts, nodes.by_node(gold)):
        if label is not None and run.probability is not None:
            yield run.probability, label is Label.CONTENT, len(words(run.text))


def _outcomes_by_text(folder: Folder, gold: Sequence[GoldText]) -> Iterator[Outcome]:
    _, pages = stored.page_texts(folder, gold)
    gold_of = {pages[entry.page]["record_id"]: entry.text for entry in gold if entry.page in pages}
    runs_of: dict[str, list[LabelledRun]] = defaultdict(list)
    for run in stored.verdicts(folder, gold_of):
        runs_of[run.record_id].append(run)
    for record_id, runs in runs_of.items():
        shares = gold_share([run.text for run in runs], gold_of[record_id])
        for run, share in zip(runs, shares, strict=True):
            if run.probability is not None and not np.isnan(share):
                yield run.probability, bool(share > 1 / 2), len(words(run.text))


# The worst pages of a run.

PAGES = 20  # maximum pages listed
PIECES = 8  # longest pieces of text shown of a page
LENGTH = 100
"""First characters of a piece that are shown. Not words: some languages set no spaces."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Stretches of text, shortened, in the order of the page; `words` and `pieces` count all."""

    words: int
    pieces: int
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page, its score, and its missing and surplus text against the gold."""

    url: str
    record_id: str
    missing: Pieces
    surplus: Pieces
    group: str
    score: float


def worst(comparison: Comparison, run: Run) -> list[WorstPage]:
    """Return the pages of a run with the lowest scores below 1, the worst first."""
    frame = run.table
    low = frame[frame[comparison.measure] < 1]
    places = low.sort_values(comparison.measure, kind="stable").head(PAGES)
    rows = places.to_dict("index")
    texts, runs = by_kind(run.gold)
    findings = dict(
        _worst_by_text(run.folder, [item for item in texts if item.page in rows])
        if texts
        else _worst_by_nodes(run.folder, [item for item in runs if item.record_id in rows])
    )
    return [
        WorstPage(*findings[str(name)], str(row["group"]), float(row[comparison.measure]))
        for name, row in rows.items()
    ]


Findings = tuple[str, str, Pieces, Pieces]  # URL, record id, missing, surplus


def _worst_by_text(folder: Folder, gold: Sequence[GoldText]) -> Iterator[tuple[str, Findings]]:
    _, pages = stored.page_texts(folder, gold)
    for entry in gold:
        page = pages.get(entry.page, {"record_id": "", "url": entry.page, "text": ""})
        yield entry.page, (page["url"], page["record_id"], *differences(entry.text, page["text"]))


def _worst_by_nodes(folder: Folder, gold: Sequence[LabelledRun]) -> Iterator[tuple[str, Findings]]:
    truth = nodes.by_node(gold)
    url = stored.urls(folder, truth)
    pairs = nodes.match_gold(stored.verdicts(folder, truth), truth)
    for record_id, of_page in groupby(pairs, key=lambda pair: pair[0].record_id):
        judged = list(of_page)
        missing = [v.text for v, t in judged if t is Label.CONTENT and v.label is not t]
        surplus = [v.text for v, t in judged if t is Label.BOILERPLATE and v.label is Label.CONTENT]
        yield record_id, (url.get(record_id, ""), record_id, _shorten(missing), _shorten(surplus))


def differences(gold: str, predicted: str) -> tuple[Pieces, Pieces]:
    """Return missing pieces of the gold text, and surplus ones, by a longest common subsequence of words."""
    gold_spans, spans = ([m.span() for m in WORD_RUN.finditer(text)] for text in (gold, predicted))
    sequences = (
        [text[a:b].lower() for a, b in places]
        for text, places in ((gold, gold_spans), (predicted, spans))
    )
    missing, surplus = [], []
    for step in LCSseq.opcodes(*as_numbers(*sequences)):
        if step.tag == "equal":
            continue
        if step.src_start < step.src_end:
            missing.append(gold[gold_spans[step.src_start][0] : gold_spans[step.src_end - 1][1]])
        if step.dest_start < step.dest_end:
            surplus.append(predicted[spans[step.dest_start][0] : spans[step.dest_end - 1][1]])
    return _shorten(missing), _shorten(surplus)


def _shorten(texts: Iterable[str]) -> Pieces:
    counted = [(len(WORD_RUN.findall(text)), " ".join(text.split())) for text in texts]
    longest = sorted(range(len(counted)), key=lambda n: (-counted[n][0], n))[:PIECES]
    shortened = (
        text if len(text) <= LENGTH else f"{text[:LENGTH].rstrip()} ... ({size} words)"
        for size, text in map(counted.__getitem__, sorted(longest))
    )
    return Pieces(sum(size for size, _ in counted), len(counted), tuple(shortened))
