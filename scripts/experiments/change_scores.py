"""Accuracy of `dbce changes` for changes of content, and the regressions behind it, learned anew.

    python -m scripts.experiments.change_scores --run RUN... --gold GOLD... [--structure] [--pagelyzer] [--learn FILE [--modes MODE...]] [--pairs FILE]

RUN are folders of `dbce run` on archives with snapshots, rendered or not, GOLD their text gold, in the same order.
Every figure is of sites that the regressions did not learn from. `--learn dbce/visual/changes/chances.json` writes
what ships. docs/changes.md has the tables.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold

from dbce.history import REDESIGNED
from dbce.model import UsageError
from dbce.visual.changes.history import MODES, MOST, STRUCTURE, STRUCTURE_FEATURE
from dbce.visual.changes.pagelyzer import OTHER_NUMBER
from scripts.experiments.change_fit import learn, log_odds, stored
from scripts.experiments.change_pairs import pairs
from scripts.experiments.sets import call

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FOLDS = 10
"""Parts of the sites, each held out once."""

LABELS = (
    *("site", "url", "old", "new", "content", "share", "redesign", "equal", "template"),
    *("rendered", "set"),
)
"""What the table of pairs has besides features."""

IMAGE = ("rows ", "structural ", "pixels ", "difference ", "height ")
"""How the names of the features begin that pictures give."""

PUBLISHED = ("colours: ", "delta: ", "cosine: ")
"""How those begin that Pagelyzer has."""

BINS = 10
"""Bins of equal width for the expected calibration error."""

REPORTED = pd.DataFrame(
    [
        ("all types", "image", 449, 0.60),
        ("all types", "content", 449, 0.83),
        ("all types", "hybrid", 449, 0.72),
        ("HTML", "image", np.nan, 0.77),
        ("HTML", "content", np.nan, 0.86),
        ("HTML", "hybrid", np.nan, 0.68),
    ],
    columns=["pairs of", "mode", "pairs", "balanced"],
)
"""Pagelyzer's balanced accuracy on 449 pairs of Internet Memory, from the shares of similar and dissimilar pairs
told right in Sanoja's thesis (figure 5.4); how many were HTML it does not say."""


def labelled_pairs(
    runs: Sequence[str], golds: Sequence[str], *, pictures: bool = True, pagelyzer: bool = False
) -> pd.DataFrame:
    """The pairs of some runs, each with its gold; the column `set` is the name of the gold.

    Raises:
        UsageError: there is not one gold for each run, or a run or gold cannot be used.
    """
    if len(runs) != len(golds):
        raise UsageError(f"{len(runs)} runs and {len(golds)} files of gold: name one for each run")
    parts = [
        pairs(run, gold, pictures=pictures, pagelyzer=pagelyzer).assign(
            set=Path(gold).name.split(".")[0]
        )
        for run, gold in zip(runs, golds, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def features(found: pd.DataFrame) -> dict[str, list[str]]:
    """The names of the features of modes structure and image."""
    names = [name for name in found.columns if name not in LABELS]
    image = [name for name in names if name.startswith(IMAGE)]
    others = {*image, OTHER_NUMBER, *(name for name in names if name.startswith(PUBLISHED))}
    return {STRUCTURE: [name for name in names if name not in others], "image": image}


def with_unseen_scores(found: pd.DataFrame) -> pd.DataFrame:
    """The pairs with what each mode says of them by regressions that never saw their site.

    Adds the columns of MODES, log-odds that the content changed, and `MODE probability`; null where a
    mode has nothing to go by.

    Raises:
        UsageError: all pairs are of one site, so that no other is left to learn from.
    """
    names = features(found)
    scored = found.copy()
    sites = found["site"].nunique()
    if sites < 2:
        raise UsageError(
            "all pairs are of one site: give runs of several, to learn from the others"
        )
    folds = GroupKFold(min(FOLDS, sites))
    for rest, of_fold in folds.split(found, groups=found["site"]):
        learned = learn(found.iloc[rest], names)
        part = found.iloc[of_fold]
        part = part.assign(
            **{STRUCTURE_FEATURE: log_odds(learned[STRUCTURE], part).clip(-MOST, MOST)}
        )
        for mode, numbers in learned.items():
            known = part if mode == STRUCTURE else part[part["rendered"].astype(bool)]
            if not len(known):
                continue
            odds = log_odds(numbers, known).mask(known["equal"], -np.inf)
            scored.loc[known.index, f"{mode} log-odds"] = odds
            chance = 1 / (1 + np.exp(-(numbers.slope * odds + numbers.shift)))
            scored.loc[known.index, f"{mode} probability"] = chance
    return scored


def balance(found: pd.DataFrame) -> pd.DataFrame:
    """A row for each set: its pairs, sites, and how many have other content, bytes or templates."""
    groups = found.groupby("set")
    table = pd.DataFrame(
        {
            "sites": groups["site"].nunique(),
            "pairs": groups.size(),
            "content changed": groups["content"].sum(),
            "redesigns": groups["redesign"].sum(),
            "rendered": groups["rendered"].sum(),
        }
    )
    table.loc["all"] = table.sum()
    table["share changed"] = table["content changed"] / table["pairs"]
    return table.reset_index()


def scores(pairs: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each mode, on all pairs, those of each set, and those that are rendered."""
    rows = []
    for name, part in _parts(pairs):
        rows.append(_always(name, part))
        rows += [_score(name, mode, part) for mode in MODES if f"{mode} log-odds" in part]
    table = pd.DataFrame([row for row in rows if row])
    return table.drop_duplicates(["pairs of", "mode", "pairs"])


def _parts(pairs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "all", pairs
    for name, part in pairs.groupby("set"):
        yield str(name), part
    if pairs["rendered"].any():
        yield "rendered", pairs[pairs["rendered"].astype(bool)]
    if pairs["redesign"].any():
        yield "redesigns", pairs[pairs["redesign"]]


def _always(name: str, part: pd.DataFrame) -> dict[str, object]:
    same = float((~part["content"]).mean())
    return {
        "pairs of": name,
        "mode": "always the same",
        "pairs": len(part),
        "accuracy": same,
        "balanced": 0.5,
        "changed found": 0.0,
        "same found": 1.0,
    }


def _score(name: str, mode: str, part: pd.DataFrame) -> dict[str, object]:
    known = part[part[f"{mode} log-odds"].notna()]
    if not len(known) or known["content"].nunique() < 2:
        return {}
    predicted, true = known[f"{mode} log-odds"] > 0, known["content"].astype(bool)
    found, kept = float(predicted[true].mean()), float((~predicted[~true]).mean())
    return {
        "pairs of": name,
        "mode": mode,
        "pairs": len(known),
        "accuracy": float((predicted == true).mean()),
        "balanced": (found + kept) / 2,
        "changed found": found,
        "same found": kept,
        "calibration error": _calibration(known[f"{mode} probability"], true),
    }


def _calibration(predicted: pd.Series, true: pd.Series) -> float:
    """Mean distance of probability and truth in BINS bins of equal width, weighed by their pairs."""
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    gap = predicted.groupby(bins).mean() - true.groupby(bins).mean()
    return float((gap.abs() * predicted.groupby(bins).size()).sum() / len(predicted))


def redesigns(found: pd.DataFrame) -> dict[str, float]:
    """Return how well redesigns are told by their templates, against the eras of the gold."""
    predicted, true = found["template"] < REDESIGNED, found["redesign"].astype(bool)
    hit, kept = float(predicted[true].mean()), float((~predicted[~true]).mean())
    return {"redesigns found": hit, "others kept": kept, "balanced": (hit + kept) / 2}


def write_chances(found: pd.DataFrame, path: str, modes: Sequence[str]) -> None:
    """Learns from all pairs, and writes what `dbce changes` applies in some modes; the others stay as they are there."""
    file = Path(path)
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    learned: Mapping[str, object] = stored(learn(found, features(found)))
    chosen = known | {mode: numbers for mode, numbers in learned.items() if mode in modes}
    file.write_text(json.dumps(chosen, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Prints the tables; learns and writes what is asked for."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--run", nargs="+", required=True)
    parser.add_argument("--gold", nargs="+", required=True)
    parser.add_argument("--structure", action="store_true", help="without pictures")
    parser.add_argument("--pagelyzer", action="store_true", help="its modes in place of ours")
    parser.add_argument("--learn", metavar="FILE")
    parser.add_argument("--modes", nargs="+", default=MODES, help="of those that are written")
    parser.add_argument("--pairs", metavar="FILE", help="write every pair, as CSV")
    options = parser.parse_args(arguments)
    found = labelled_pairs(
        options.run, options.gold, pictures=not options.structure, pagelyzer=options.pagelyzer
    )
    rows = with_unseen_scores(found)
    for name, table in (("Pairs", balance(found)), ("Content", scores(rows)), ("Thesis", REPORTED)):
        print(f"{name}\n{_shown(table)}\n")
    print("Redesigns", {name: round(value, 3) for name, value in redesigns(found).items()})
    if options.learn:
        write_chances(found, options.learn, options.modes)
    if options.pairs:
        rows.to_csv(options.pairs, index=False)


def _shown(table: pd.DataFrame) -> str:
    return table.to_string(index=False, float_format="{:.3f}".format, na_rep="")


if __name__ == "__main__":
    call(main)
