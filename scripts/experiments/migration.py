"""Results of `dbce migrate` on pages with labels that people gave, beside those of the papers.

    python -m scripts.experiments.migration DIR... --gold mig5.labels.jsonl

DIR is what `dbce migrate` wrote. Prints for each DIR how many pages took their new form, blocks and
pixels, errors of the checker, and what was lost; then, for the pages with gold, the labels, and the
table 5.3 of Sanoja's thesis with ours beside it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pyarrow.parquet as pq
from rapidfuzz.distance import Levenshtein

if TYPE_CHECKING:
    from collections.abc import Sequence

THESIS = {
    "blog": (6.50, 0.50, 0, 0, 0.50, 7.00, 7),
    "enterprise": (4.00, 0.33, 0.33, 1.11, 2.77, 4.67, 6.45),
    "forum": (3.41, 0.59, 0.41, 2.11, 1.29, 4.41, 6.59),
    "picture": (2.71, 1.00, 0.29, 2.00, 0.71, 4.00, 6.71),
    "wiki": (6.00, 0, 0, 0.60, 0.40, 6.00, 6.6),
}
"""Table 5.3: Cc, Co, Cu, Cm, Cf, Cq and GTB."""

COUNTS = (
    "correct",
    "oversegmented",
    "undersegmented",
    "missed",
    "false_alarms",
    "cq",
    "blocks_before",
)
HEADS = ("Cc", "Co", "Cu", "Cm", "Cf", "Cq", "GTB")


class LabelScores(NamedTuple):
    """Two lists of labels in reading order, compared (thesis, 5.2.4): those that people gave, and ours.

    `expected` counts the distinct labels of the gold, `found` those that are given too. `common` counts
    labels as often as both lists have them; `distance` is Levenshtein's between the lists.
    """

    expected: int
    found: int
    gold: int
    labels: int
    common: int
    distance: int

    @property
    def share_found(self) -> float:
        """The share of distinct labels of the gold that are given."""
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """The share of labels given that are gold."""
        return self.common / self.labels if self.labels else 1.0

    @property
    def recall(self) -> float:
        """The share of labels of the gold that are given."""
        return self.common / self.gold if self.gold else 1.0

    @property
    def relative_distance(self) -> float:
        """The distance by the length of the longer list."""
        return self.distance / max(1, self.gold, self.labels)


def compare_labels(gold: Sequence[str], labels: Sequence[str]) -> LabelScores:
    """The labels of a page compared, composites among them, but not the page's own."""
    return LabelScores(
        expected=len(set(gold)),
        found=len(set(gold) & set(labels)),
        gold=len(gold),
        labels=len(labels),
        common=(Counter(gold) & Counter(labels)).total(),
        distance=int(Levenshtein.distance(gold, labels)),
    )


def read(folder: Path) -> pd.DataFrame:
    """The accounts in a folder, with Cq."""
    files = sorted((folder / "migrated/pages").glob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    table = pd.DataFrame(rows)
    table["cq"] = table[["correct", "oversegmented", "undersegmented"]].sum(axis=1, min_count=1)
    table["lost"] = table["losses"].map(lambda found: sum(dict(found or []).values()))
    return table


def overview(name: str, table: pd.DataFrame) -> str:
    """Return the results of the pages of a set, in one row."""
    measured = table[table["quality"].notna()]
    checked = table[table["errors_before"].notna()]
    sums = checked[["errors_before", "errors_after", "obsolete_before", "obsolete_after"]].sum()
    cells = (
        *(name, len(table), (table["status"] == "migrated").sum()),
        *(f"{measured['quality'].mean():.3f}", f"{measured['false_alarms'].mean():.2f}"),
        f"{measured['changed_pixels'].mean():.2f}",
        f"{(measured['height_after'] / measured['height_before'] - 1).abs().median():.3f}",
        *(int(table["lost"].sum()), *map(int, sums)),
        int((2 * checked["errors_after"] <= checked["errors_before"]).sum()),
    )
    return row(cells)


def labels(table: pd.DataFrame, gold: Path) -> tuple[str, pd.DataFrame]:
    """The scores of labels by category, and the pages with their categories."""
    by_id = {one["capture"]["record_id"].strip("<>"): one for one in map(json.loads, gold.open())}
    pages = table[table["record_id"].isin(by_id)].copy()
    scores = []
    for record_id, labels in zip(pages["record_id"], pages["labels"], strict=True):
        page = by_id[record_id]
        expected = [label.lower() for block, label in page["gold_labels"] if block != "PAGE"]
        found = compare_labels(expected, list(labels if labels is not None else []))
        scores.append(
            {
                "category": page["category"] or "none",
                "found": found.found,
                "expected": found.expected,
                "precision": found.precision,
                "recall": found.recall,
                "distance": found.relative_distance,
                "bom_found": (page["stored"] or {}).get("found", 0),
            }
        )
    scored = pd.DataFrame(scores, index=pages.index)
    pages["category"] = scored["category"]
    lines = [row(("labels", "pages", "found", "BoM", "precision", "recall", "distance")), rule(7)]
    for name, of in [*scored.groupby("category"), ("all", scored)]:
        shares = (
            of["found"].sum() / of["expected"].sum(),
            of["bom_found"].sum() / of["expected"].sum(),
        )
        means = of[["precision", "recall", "distance"]].mean()
        lines.append(row((name, len(of), *(f"{x:.2f}" for x in (*shares, *means)))))
    return "\n".join(lines), pages


def thesis_table(pages: pd.DataFrame) -> str:
    """Table 5.3, its numbers and ours."""
    lines = [row(("blocks", "pages", *HEADS)), rule(9)]
    for name, of in pages[pages["quality"].notna()].groupby("category"):
        kind = str(name)
        if kind in THESIS:
            lines.append(row((f"{kind}, thesis", "", *(f"{x:.2f}" for x in THESIS[kind]))))
        means = of[list(COUNTS)].mean()
        lines.append(row((f"{kind}, here", len(of), *(f"{x:.2f}" for x in means))))
    return "\n".join(lines)


def row(cells: Any) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def rule(columns: int) -> str:
    return "|" + "---|" * columns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--gold", type=Path, help="labels of MIG5, JSONL")
    options = parser.parse_args()
    tables = {folder: read(folder) for folder in options.folders}
    heads = ("set", "pages", "migrated", "Cq/GTB", "Cf", "pixels", "height", "lost")
    print(row((*heads, "errors", "after", "obsolete", "after", "halved")))
    print(rule(13))
    for folder, table in tables.items():
        print(overview(folder.name, table))
    if options.gold:
        found, pages = labels(pd.concat(tables.values()), options.gold)
        print(f"\n{found}\n\n{thesis_table(pages)}")


if __name__ == "__main__":
    main()
