# ruff: noqa: T201 - a command prints
"""`python -m dbce.evaluate`: the methods of the thesis on the shared data sets, as a table.

The sets are looked for in the folder that the environment variable DBCE_DATA names, or else in
`../shared/data` beside this project; what is absent is left out, with a line that says so.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dbce.archive import expand, read
from dbce.config import Config
from dbce.evaluate.markdown import table
from dbce.evaluate.run import evaluate
from dbce.output.folder import Folder
from dbce.output.manifest import Done, finish
from dbce.output.unit import write_unit
from dbce.pipeline import compare, judge_all, sketch_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.evaluate.report import Report

DATA = Path(os.environ.get("DBCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

METHODS = ("T001", "T002")

INPUTS = (
    "cleanportaleval/cleanportaleval.warc.gz",
    "cleanportaleval/cleanportaleval.cdxj",
    "flink/flink.warc.gz",
    "flink/flink.cdxj",
)
"""Files below DATA; the gold of each set stands beside it."""

HEADER = (
    *("input", "method", "captures judged", "with up", "with down", "pages scored"),
    *("bag F1", "± SE", "bag F1 micro", "lcs F1", "bag P", "bag R"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One method on one input: captures judged, shares of them that have partners, scores."""

    method: str
    judged: int
    with_up: float
    with_down: float
    report: Report


def outcomes(archive: Path, gold: Path, config: Config) -> Iterator[Outcome]:
    """The outcome of every method; they share the first two stages."""
    sources = expand([str(archive)])
    captures = [capture for source in sources for capture in read(source, config.limits)]
    sketches, dropped = sketch_all(captures, config)
    annotations = {a.record_id: a for a in compare(sketches, config)}
    for method in METHODS:
        of_method = replace(config, method=method)
        results = judge_all(captures, dropped, annotations, of_method)
        with TemporaryDirectory() as directory:
            folder = Folder(directory)
            for name, unit in groupby(results, key=lambda result: result.origin.filename):
                write_unit(folder, name, unit, of_method)
            manifest = finish(folder, [archive.name], of_method, Done(len(captures), {}))
            recall = manifest["partner_recall"]["all"]
            report = evaluate(directory, str(gold))
        yield Outcome(method, len(sketches), recall["up"], recall["down"], report)


def main() -> int:
    """Prints the table; the exit code."""
    rows: list[list[object]] = []
    for name in INPUTS:
        archive = DATA / name
        if not archive.exists():
            print(f"{name} left out: not in {DATA} (set DBCE_DATA)", file=sys.stderr)
            continue
        print(f"running {', '.join(METHODS)} on {name} ...", file=sys.stderr)
        gold = archive.with_name(f"{archive.parent.name}.gold.jsonl")
        rows += [[archive.name, *_row(one)] for one in outcomes(archive, gold, Config())]
    if rows:
        print(table(HEADER, rows))
        print("\nFrom `python -m dbce.evaluate`; F1, P and R are means over pages but for micro.")
    return 0


def _row(one: Outcome) -> list[object]:
    scores = one.report.summary.to_dict("index")["all"]
    columns = ("f1_mean", "f1_se", "f1_micro")
    return [
        *(one.method, one.judged, one.with_up, one.with_down, int(scores["pages"])),
        *(scores[f"bag_{column}"] for column in columns),
        *(scores["lcs_f1_mean"], scores["bag_p_mean"], scores["bag_r_mean"]),
    ]


if __name__ == "__main__":
    sys.exit(main())
