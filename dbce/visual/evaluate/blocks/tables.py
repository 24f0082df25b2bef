"""The tables of the thesis, and those of the measures that it has not, from the rows of an evaluation.

4.4 and 4.5: correspondence, of all and of important blocks. 4.6 and 4.7: Cq and ICq by category.
4.8: text coverage, summed over pages before it is divided.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.results import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ALL = {f"c{letter}": f"C{letter}" for letter in "coumfq"} | {"ptb": "PTB", "gtb": "GTB"}
IMPORTANT = {f"ic{letter}": f"IC{letter}" for letter in "coumfq"} | {"iptb": "IPTB", "igtb": "IGTB"}
KINDS = {name: name for name in ("characters", "texts", "elements", "area")} | {
    "edges_fine": "fine edges",
    "edges_coarse": "coarse edges",
}
"""Kinds of atoms as the tables call them, by their names in columns."""


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """All tables that the scores of `evaluate` make, algorithms by their short names."""
    scores = scores.assign(algorithm=scores["algorithm"].map(short_names(scores["algorithm"])))
    yield correspondence(scores)
    yield correspondence(scores, important=True)
    if _has_groups(scores):
        yield by_group(scores)
        yield by_group(scores, important=True)
    yield text_coverage(scores)
    yield of_atoms(scores)
    yield of_others(scores)


def correspondence(scores: pd.DataFrame, *, important: bool = False) -> Table:
    """Means over pages (tables 4.4 and 4.5), and what the thesis counts as found of what there is.

    Where stored segmentations seem to be the gold itself, a second row is without them.
    """
    names = IMPORTANT if important else ALL
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    rows = []
    for name, of_one in _told_apart(scores):
        means = of_one[list(names)].mean()
        ratio = means[quality] / means[gold] if means[gold] else float("nan")
        shown = {heading: means[column] for column, heading in names.items()}
        rows.append(
            {"algorithm": name, "pages": len(of_one)}
            | shown
            | {f"{names[quality]}/{names[gold]}": ratio}
        )
    what = "important blocks" if important else "blocks"
    return Table(f"Correspondence of {what}, means over pages", pd.DataFrame(rows))


def _told_apart(scores: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The scores of each algorithm, then those without copies of the gold, if there are any."""
    for name, of_one in scores.groupby("algorithm", sort=False):
        yield str(name), of_one
        others = of_one[~of_one["copied"]]
        if 0 < len(others) < len(of_one):
            yield f"{name} without {len(of_one) - len(others)} equal to the gold", others


def by_group(scores: pd.DataFrame, *, important: bool = False) -> Table:
    """Mean Cq of each algorithm by group of pages (tables 4.6 and 4.7), beside the gold's blocks."""
    quality, gold = ("icq", "igtb") if important else ("cq", "gtb")
    names = list(dict.fromkeys(scores["algorithm"]))
    means = scores.pivot_table(quality, "group", "algorithm", "mean")[names]
    # Every algorithm has rows of the same gold: a page counts once.
    of_gold = scores.drop_duplicates(["group", "url", "record_id"]).groupby("group")
    shown = means.assign(
        AVG=means.mean(axis=1), **{gold.upper(): of_gold[gold].mean(), "pages": of_gold.size()}
    )
    heading = "ICq" if important else "Cq"
    return Table(f"{heading} by group, means over pages", shown.reset_index())


def text_coverage(scores: pd.DataFrame) -> Table:
    """Mean share of words in blocks; then words in blocks of all words (table 4.8), also by group."""
    sums = ["words_covered", "words"]
    whole = scores.groupby("algorithm", sort=False)[sums].sum()
    of_pages = scores.groupby("algorithm", sort=False)["tc"].mean()
    shown = pd.DataFrame({"mean": of_pages, "all": whole["words_covered"] / whole["words"]})
    if _has_groups(scores):
        of_groups = scores.pivot_table(sums, "algorithm", "group", "sum")
        shown = shown.join(of_groups["words_covered"] / of_groups["words"])
    return Table(
        "Text coverage, mean over pages, and words in blocks of all words", shown.reset_index()
    )


def of_atoms(scores: pd.DataFrame) -> Table:
    """B-cubed by kind of atom."""
    kinds = [kind for kind in KINDS if f"bcubed_{kind}_f" in scores]
    columns = {
        f"bcubed_{kind}_{letter}": f"{KINDS[kind]} {letter.upper()}"
        for kind in kinds
        for letter in "prf"
    }
    shown = scores.groupby("algorithm", sort=False)[list(columns)].mean().rename(columns=columns)
    return Table("B-cubed, means over pages", shown.reset_index())


def of_others(scores: pd.DataFrame) -> Table:
    """The measures of appendix C; those of texts where pages are rendered."""
    columns = {"rand": "Rand", "adjusted_rand": "AdjRand", "nmi": "NMI", "emd": "EMD"}
    columns |= {f"exact_{letter}": f"exact {letter.upper()}" for letter in "prf"}
    found = scores.groupby("algorithm", sort=False)
    shown = found[list(columns)].mean().rename(columns=columns)
    shown["Dunn"] = found["dunn"].median()  # it is infinite where clusters are points
    known = shown.dropna(axis="columns", how="all")
    return Table("Other measures, means over pages, of Dunn the median", known.reset_index())


def _has_groups(scores: pd.DataFrame) -> bool:
    return len(set(scores["group"])) > 1


def short_names(algorithms: Iterable[str]) -> dict[str, str]:
    """A name for each algorithm: of `bom(granularity=5, distance=50)` it is `bom` if there is no other bom.

    Of several with one name, the parameters that are not the same in all stay.
    """
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for algorithm in dict.fromkeys(algorithms):
        kinds[algorithm.partition("(")[0]].append(algorithm)
    found = {}
    for kind, of_kind in kinds.items():
        shared = set.intersection(*(set(_parameters(one)) for one in of_kind))
        for one in of_kind:
            told = [p for p in _parameters(one) if p not in shared]
            found[one] = f"{kind}({', '.join(told)})" if told else kind
    return found


def _parameters(algorithm: str) -> list[str]:
    inside = algorithm.partition("(")[2].removesuffix(")")
    return inside.split(", ") if inside else []
