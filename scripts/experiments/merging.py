"""The table of the thesis again, word by word, and what merging the crosses of all buckets adds (it leaves that open).

    python -m scripts.experiments.merging [--set NAME]... [--archive ARCHIVE GOLD] [--share N] [--urls N]

Test cases of the thesis (`--method thesis --classifier NAME`) by every way to merge (`--merge`), and the default, on
the pages with gold that the thesis compares. A word is content where most words of its text node are in the gold.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dbce import thesis
from dbce.evaluate.nodes import CELLS, with_measures
from dbce.evaluate.results import table
from dbce.evaluate.scores import gold_share
from dbce.model import LABELS, Capture, Config, Label
from dbce.thesis.annotation import annotate
from dbce.thesis.classification import classify
from dbce.thesis.merging import merge
from dbce.train.fit import part
from scripts.experiments.oracle import fast_words, literal_crosses
from scripts.experiments.sets import (
    SITES,
    call,
    choose_sets,
    is_trained_on,
    open_archive,
    present,
    say,
    set_parser,
)
from scripts.experiments.systems import judged_by_method

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.boilerplate import Annotated
    from dbce.model import Cross
    from scripts.experiments.oracle import Literal

CLASSIFIERS = ("T001", "T002", "T006")
MERGES = ("strongest", "inherit", "majority", "forest")
DEFAULT = "the default"

CONFLICTS = ("forest", "majority", "strongest-cross")
"""Rules that decide where classes conflict."""

HEADER = (
    *("set", "classifier, merged by", "words", "accuracy", "content P", "R", "F1"),
    *("boilerplate P", "R", "F1", "conflicts"),
)

Counts = dict[str, Counter[str]]
"""Words by cell of `CELLS`, by classifier and way to merge."""


def main(arguments: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = set_parser("merging", __doc__, SITES)
    parser.add_argument(
        "--archive", nargs=2, metavar=("ARCHIVE", "GOLD"), help="these instead of sets"
    )
    parser.add_argument("--share", type=int, default=1, help="every Nth registered domain (1: all)")
    parser.add_argument("--urls", type=int, default=1, help="score every Nth URL (1: all)")
    options = parser.parse_args(arguments)
    sets: Iterable[tuple[str, Path, Path]] = present(choose_sets(SITES, options.set))
    if options.archive:
        archive, gold = map(Path, options.archive)
        sets = [(archive.name, archive, gold)]
    rows: list[list[object]] = []
    for name, archive, gold in sets:
        parts = options.share, options.urls
        rows += [[name, *row] for row in set_rows(name, archive, gold, *parts)]
    print(table(HEADER, rows))


def set_rows(
    name: str, archive: Path, gold: Path, share: int = 1, urls: int = 1
) -> Iterator[list[object]]:
    """The rows of a set: what each classifier and way to merge says of its words."""
    learned = " (learned from this set)" if is_trained_on(name) else ""
    counts = count_words(archive, gold, Config(), share, urls)
    for title, cells in counts.items():
        words = sum(cells[cell] for cell in CELLS)
        measures = with_measures(pd.DataFrame([{cell: cells[cell] for cell in CELLS}])).iloc[0]
        yield [
            f"{title}{learned if title == DEFAULT else ''}",
            words,
            *(float(measures[column]) for column in ("acc", "p_con", "r_con", "f1_con")),
            *(float(measures[column]) for column in ("p_bp", "r_bp", "f1_bp")),
            cells["conflicts"] / max(words, 1),
        ]


def count_words(path: Path, gold: Path, config: Config, share: int = 1, urls: int = 1) -> Counts:
    """Words of the pages with gold and a cross, by what the gold says of them and what each way does."""
    archive = open_archive(path, gold, config, share=share)
    captures = [capture for capture in archive.captures if isinstance(capture, Capture)]
    literal = literal_crosses(captures, Config(method="thesis"))
    scored = {
        one.record_id for one in captures if part(one.surt, urls) == 0
    } & literal.crosses.keys()
    gold_of = {one.page: one.text for one in archive.gold if one.text and one.page in scored}
    counts: Counts = {}
    for one in judged_by_method(archive, config.method, config):
        if one.capture.record_id not in gold_of:
            continue
        truth = [*true_labels(one, gold_of[one.capture.record_id])]
        for title, labels, conflicts in labels_by_way(one, literal):
            cells = counts.setdefault(title, Counter())
            pairs = ((t, label) for t, label in zip(truth, labels, strict=True) if t is not None)
            of_pair = Counter(pairs)
            cells.update({name: of_pair[cell] for name, cell in CELLS.items()})
            cells["conflicts"] += conflicts
        say(one.capture.record_id)
    return counts


def true_labels(one: Annotated, gold: str) -> Iterator[Label | None]:
    """The label of every word of a page by its gold text; None of nodes without letters."""
    texts = [node.text for node in one.page.nodes]
    for text, share in zip(texts, gold_share(texts, gold), strict=True):
        label = Label.CONTENT if share > 1 / 2 else Label.BOILERPLATE
        yield from [None if np.isnan(share) else label] * len(text.split())


def labels_by_way(one: Annotated, literal: Literal) -> Iterator[tuple[str, list[Label], int]]:
    """Name, labels of all words and number of words in conflict, of each classifier and way to merge, and the default."""
    yield DEFAULT, [Label(word.label) for word in fast_words(one)], 0
    words = [word for node in one.page.nodes for word in node.text.split()]
    crosses: list[Cross] = literal.crosses[one.capture.record_id]
    annotated = [annotate(literal.bodies, cross) for cross in crosses]
    seed = Config().seed
    for classifier in CLASSIFIERS:
        bodies = [
            classify(body, cross.bits, classifier, seed)
            for body, cross in zip(annotated, crosses, strict=True)
        ]
        for by in MERGES:
            merged = merge(bodies[:1] if by == "strongest" else bodies, seed, by)
            verdicts = thesis.word_verdicts(words, merged)
            labels = [LABELS[verdict.label] for verdict in verdicts]
            conflicts = sum(verdict.rule in CONFLICTS for verdict in verdicts)
            yield f"{classifier}, {by}", labels, conflicts


if __name__ == "__main__":
    call(main)
