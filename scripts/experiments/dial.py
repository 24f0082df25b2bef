"""What do --min-probability and --prefer give and cost?

    python -m scripts.experiments.dial [--set NAME]...

Precision, recall and F1 of bags of words, mean over pages, of sets that no model has learned from: with the dial at
each of AT, as each page decides by itself, and with what is preferred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.evaluate.results import table
from dbce.model import Config
from scripts.experiments.sets import call, compared_sets, set_parser
from scripts.experiments.systems import page_scores, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.experiments.sets import Archive, Texts

ALL = ("cleanportaleval", "flink")

AT = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

SETTINGS = {
    **{f"{least}": Config(min_probability=least) for least in AT},
    "recall": Config(prefer="recall"),
    "balance": Config(),
    "precision": Config(prefer="precision"),
}


def means(archive: Archive, texts: Texts) -> list[float]:
    """(precision, recall, F1) of texts, mean over the pages whose gold has words."""
    scores: list[float] = (
        page_scores(archive.gold, texts)[["bag_p", "bag_r", "bag_f1"]].mean().tolist()
    )
    return scores


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the table, a row for each setting, three columns a set."""
    parser = set_parser("dial", "The dial.", ALL)
    options = parser.parse_args(arguments)
    archives = dict(compared_sets(ALL, options.set))
    rows = []
    for name, config in SETTINGS.items():
        of_sets = [means(a, texts_of_method(a, config.method, config)) for a in archives.values()]
        rows.append([name, *(value for values in of_sets for value in values)])
    if archives:
        print(table(("dial", *(f"{s} {m}" for s in archives for m in ("P", "R", "F1"))), rows))


if __name__ == "__main__":
    call(main)
