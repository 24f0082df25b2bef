"""How well changes of content are told by verdicts of models that never saw the site.

    scripts/changes_unseen.py --run RUN... --pairs CSV --held-out JSONL

CSV is what `scripts/change_scores.py --structure --pairs` wrote of the runs, JSONL the main texts that models gave of which
the site was held out (`build/held-out.jsonl` of `make train`). Of a pair is known: words of the one main text that are nowhere
on the other page, and the template. The regression holds whole sites out, too. docs/changes.md has the table.
"""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GroupKFold

from dbce.visual.changes.evaluation import FOLDS
from dbce.visual.changes.fit import fitted, log_odds
from dbce.visual.changes.words import words

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    Words = Counter[str]

NAMES = ["any words", "all words", "share of words", "both sides"]
"""Of the words that came from nowhere or went for good: whether there are any, how many, their share, and how
many on the side that has fewer."""


def main_texts(path: str, wanted: Container[str]) -> dict[str, Words]:
    """The words of main texts, by record id."""
    found = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        record_id = str(fields.get("record_id") or fields.get("page") or "").strip("<>")
        if record_id in wanted:
            found[record_id] = Counter(words([fields["text"]])[0])
    return found


def page_texts(runs: Iterable[str], wanted: Container[str]) -> dict[str, Words]:
    """The words of all texts of pages, by record id."""
    found: dict[str, Words] = {}
    for run in runs:
        table = pq.read_table(f"{run}/nodes", columns=["record_id", "text"])
        rows = zip(table["record_id"].to_pylist(), table["text"].to_pylist(), strict=True)
        for record_id, text in rows:
            if record_id in wanted:
                found.setdefault(record_id, Counter()).update(words([text])[0])
    return found


def features(
    pairs: pd.DataFrame, main: Mapping[str, Words], pages: Mapping[str, Words]
) -> pd.DataFrame:
    """NAMES of each pair."""
    rows = []
    for old, new in zip(pairs["old"], pairs["new"], strict=True):
        came, went = (main[new] - pages[old]).total(), (main[old] - pages[new]).total()
        every = main[old].total() + main[new].total()
        share = ((came + went) / max(1, every)) ** 0.5
        rows.append((came + went > 0, math.log1p(came + went), share, math.log1p(min(came, went))))
    return pd.DataFrame(rows, columns=NAMES, index=pairs.index, dtype=float)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--run", nargs="+", required=True)
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--held-out", required=True)
    options = parser.parse_args()
    pairs = pd.read_csv(options.pairs)
    texts = main_texts(options.held_out, {*pairs["old"], *pairs["new"]})
    pairs = pairs[pairs["old"].isin(texts.keys()) & pairs["new"].isin(texts.keys())]
    pages = page_texts(options.run, texts)
    found = pairs.join(features(pairs, texts, pages))
    told = pd.Series(-np.inf, found.index)
    for rest, held in GroupKFold(FOLDS).split(found, groups=found["site"]):
        taught = found.iloc[rest]
        regression = fitted(taught[~taught["equal"]], [*NAMES, "template"])
        told.iloc[held] = log_odds(regression, found.iloc[held])
    said = told.mask(found["equal"], -np.inf) > 0
    for name, part in [("all", found), *found.groupby("set")]:
        changed, of_part = part["content"].astype(bool), said[part.index]
        print(
            f"{name}: {len(part)} pairs, balanced {balanced_accuracy_score(changed, of_part):.3f}, "
            f"changed found {of_part[changed].mean():.3f}, same found {(~of_part[~changed]).mean():.3f}"
        )


if __name__ == "__main__":
    main()
