"""Is the F1 that `expected_f1` promises of a page kept, on domains that the model was not taught on?

python -m scripts.experiments.expected_f1 halves FOLDER        writes the gold of half of all domains, to train on
python -m scripts.experiments.expected_f1 score RUN...

`halves` writes SET.gold.jsonl for every set, with the pages of the first half of the registered domains. `score` takes runs
that are called as their sets, by a model that learned from those, and says how good the texts of the other half are, by what was expected.
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dbce.archive import site
from dbce.output import WholeTable, open_whole
from dbce.output.rows import PAGES
from dbce.storage import json_objects
from dbce.train.examples import domain_of
from dbce.train.fit import part
from dbce.train.run import text_f1
from scripts.experiments.sets import DATA, SETS, present

HALVES = 2

EDGES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98)
"""Where the classes of what is expected begin."""

COLUMNS = ["record_id", "url", "text", "expected_f1"]


class ScoredPage(NamedTuple):
    """A page: its set and kind, what was expected of it, and its F1."""

    name: str
    kind: str
    expected: float
    f1: float


def write_halves(folder: Path) -> None:
    """Write the gold of the pages whose registered domains fall into the first half."""
    for name, _, gold in present((*SETS, "trafeval", "recipes")):
        rows = [row for _, row in json_objects(str(gold))]
        kept = [row for row in rows if _half(row) == 0]
        lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in kept)
        (folder / f"{name}.gold.jsonl").write_text(lines, encoding="utf-8")
        print(f"{name}: {len(kept)} of {len(rows)} pages")


def _half(row: dict[str, Any]) -> int:
    """The half of the registered domain of a page with gold, as training names it."""
    return part(domain_of(str(row.get("site") or site(str(row["url"]), "domain"))), HALVES)


def scored_pages(runs: list[str]) -> list[ScoredPage]:
    """The pages of the second half that have gold and a text."""
    found = []
    for run in runs:
        name = Path(run).name
        gold = {
            str(row["record_id"]).strip("<>"): row
            for _, row in json_objects(str(DATA / name / f"{name}.gold.jsonl"))
        }
        rows = WholeTable(open_whole(run)[0], "pages/*.parquet", PAGES).to_table(COLUMNS)
        for row in rows.to_pylist():
            known = gold.get(row["record_id"])
            if known is None or row["expected_f1"] is None or not str(known["gold_text"]).strip():
                continue
            if _half(known) == 1:
                f1 = text_f1(known["gold_text"], row["text"])
                kind = str(known.get("kind", "")) if name == "wcxb" else ""
                found.append(ScoredPage(name, kind, row["expected_f1"], f1))
    return found


def say_scores(pages: list[ScoredPage]) -> None:
    """Say what was expected and found, by what was expected, by set, and by kind."""
    print("| expected F1 | pages | mean | found |\n|---|--:|--:|--:|")
    error = 0.0
    for low, high in zip(EDGES, (*EDGES[1:], 1.001), strict=True):
        inside = [page for page in pages if low <= page.expected < high]
        if inside:
            error += _line(f"{low:g} to {min(high, 1):g}", inside) * len(inside)
    print(f"\nexpected calibration error {error / len(pages):.3f}\n")
    for title in ("name", "kind"):
        print(f"| {title} | pages | expected | found |\n|---|--:|--:|--:|")
        for name in sorted({getattr(page, title) for page in pages} - {""}):
            _line(name, [page for page in pages if getattr(page, title) == name])
        print()


def _line(name: str, pages: list[ScoredPage]) -> float:
    """Print a row on some pages, and return how far what was expected of them is from what was found."""
    expected, found = (
        float(np.mean(of)) for of in ([p.expected for p in pages], [p.f1 for p in pages])
    )
    print(f"| {name} | {len(pages)} | {expected:.3f} | {found:.3f} |")
    return abs(expected - found)


def main() -> None:
    """Write halves of gold, or score runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("halves").add_argument("folder", type=Path)
    commands.add_parser("score").add_argument("runs", nargs="+", metavar="RUN")
    options = parser.parse_args()
    if options.command == "halves":
        write_halves(options.folder)
    else:
        say_scores(scored_pages(options.runs))


if __name__ == "__main__":
    main()
