"""The pages that a run does worst on, with what it missed and what it took too much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import LCSseq

from dbce.evaluate.text import nodes
from dbce.evaluate.text import runs as stored
from dbce.evaluate.text.gold import GoldText, LabelledRun, by_kind
from dbce.evaluate.text.runs import Comparison, Run
from dbce.model import WORD_RUN, Label

PAGES = 20
"""Pages that are listed at most."""
PIECES = 8
"""Pieces of text that are shown of a page, the longest."""
LENGTH = 100
"""Characters of a piece that are shown: its first. Not words: some languages set no spaces."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Stretches of text, shortened, in the order of the page; `words` and `pieces` count all."""

    words: int
    pieces: int
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page, its score, what it lacks of the gold and what it has beside it."""

    url: str
    record_id: str
    group: str
    score: float
    missing: Pieces
    surplus: Pieces


def worst(comparison: Comparison, run: Run) -> list[WorstPage]:
    """The pages of a run with the lowest scores below 1, the worst first."""
    frame = run.report.table
    low = frame[frame[comparison.measure] < 1]
    places = low.sort_values(comparison.measure, kind="stable").head(PAGES)
    names = [str(name) for name in places.index]
    texts, runs = by_kind(run.gold)
    told = _by_text(run, names, texts) if texts else _by_nodes(run, names, runs)
    return [
        WorstPage(
            *told[name][:2], str(row["group"]), float(row[comparison.measure]), *told[name][2:]
        )
        for name, row in zip(names, places.to_dict("records"), strict=True)
    ]


Findings = tuple[str, str, Pieces, Pieces]
"""URL, record id, missing, surplus."""


def _by_text(run: Run, names: Sequence[str], gold: Sequence[GoldText]) -> dict[str, Findings]:
    wanted = set(names)
    chosen = [one for one in gold if one.page in wanted]
    _, found = stored.page_texts(run.folder, chosen)
    told = {}
    for one in chosen:
        page = found.get(one.page, stored.StoredText("", one.page, ""))
        told[one.page] = (page.url, page.record_id, *differences(one.text, page.text))
    return told


def _by_nodes(run: Run, names: Sequence[str], gold: Sequence[LabelledRun]) -> dict[str, Findings]:
    url = stored.urls(run.folder, names)
    wanted = set(names)
    chosen = [one for one in gold if one.record_id in wanted]
    verdicts = stored.verdicts(run.folder, names)
    told = {}
    pairs = nodes.match_gold(verdicts, chosen)
    for record_id, of_page in groupby(pairs, key=lambda pair: pair[0].record_id):
        judged = list(of_page)
        missing = [v.text for v, t in judged if t is Label.CONTENT and v.label is not t]
        surplus = [v.text for v, t in judged if t is Label.BOILERPLATE and v.label is Label.CONTENT]
        told[record_id] = (
            url.get(record_id, ""),
            record_id,
            _shorten(missing),
            _shorten(surplus),
        )
    return told


def differences(gold: str, predicted: str) -> tuple[Pieces, Pieces]:
    """Return the pieces of the gold text that are missing and the surplus pieces of the prediction.

    They are what is left of both texts beside their longest common subsequence of words.
    """
    wanted, found = ([m.span() for m in WORD_RUN.finditer(text)] for text in (gold, predicted))
    numbers: dict[str, int] = {}
    sequences = (
        [numbers.setdefault(text[a:b].lower(), len(numbers)) for a, b in spans]
        for text, spans in ((gold, wanted), (predicted, found))
    )
    missing, surplus = [], []
    for step in LCSseq.opcodes(*sequences):
        if step.tag == "equal":
            continue
        if step.src_start < step.src_end:
            missing.append(gold[wanted[step.src_start][0] : wanted[step.src_end - 1][1]])
        if step.dest_start < step.dest_end:
            surplus.append(predicted[found[step.dest_start][0] : found[step.dest_end - 1][1]])
    return _shorten(missing), _shorten(surplus)


def _shorten(texts: Iterable[str]) -> Pieces:
    counted = [(len(WORD_RUN.findall(text)), " ".join(text.split())) for text in texts]
    longest = sorted(range(len(counted)), key=lambda n: (-counted[n][0], n))[:PIECES]
    shown = tuple(_cut(*counted[number]) for number in sorted(longest))
    return Pieces(sum(size for size, _ in counted), len(counted), shown)


def _cut(size: int, text: str) -> str:
    return text if len(text) <= LENGTH else f"{text[:LENGTH].rstrip()} ... ({size} words)"
