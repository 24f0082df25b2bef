"""Runs whose verdicts are of models that never saw the site, to score `dbce changes` on what it meets in use.

    python -m scripts.experiments.changes_unseen --data ARCHIVE GOLD... --held-out JSONL --out DIR

JSONL has the main texts that models gave of which the site was held out (`build/held-out.jsonl` of `make train`). For each
ARCHIVE DIR/NAME is a run with these as verdicts, line by line, and DIR/NAME/NAME.gold.jsonl the gold of the pages that have
one. `change_scores` takes both. docs/changes.md has the table.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from rapidfuzz.distance import LCSseq

from dbce.boilerplate import Annotated, as_annotated
from dbce.cli import main as command
from dbce.html import holders, lines
from dbce.model import Label, TextRun, Verdict
from dbce.train.examples import source_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.html import Canonical, Document
    from dbce.model import Annotation, Capture, Page
    from dbce.quality import KindSigns

METHOD = "T002"
"""What judges the pages first, to be overruled: the fastest."""


def kept_lines(page: Page, text: str) -> tuple[list[int], set[int]]:
    """For each text node the number of its line, and which lines of a page are in its main text."""
    of_node = lines(page, holders(page))
    parts: defaultdict[int, list[str]] = defaultdict(list)
    for line, node in zip(of_node, page.nodes, strict=True):
        parts[line].extend(node.text.split())
    ours = ["".join(parts[line]) for line in range(len(parts))]
    theirs = ["".join(line.split()) for line in text.splitlines()]
    same = [step for step in LCSseq.opcodes(ours, theirs) if step.tag == "equal"]
    return of_node, {line for step in same for line in range(step.src_start, step.src_end)}


def verdicts(page: Page, text: str) -> tuple[TextRun, ...]:
    """A run for each text node: content, if its line is in the main text."""
    of_node, kept = kept_lines(page, text)
    return tuple(
        TextRun(number, 0, len(node.text), _verdict(line in kept))
        for number, (line, node) in enumerate(zip(of_node, page.nodes, strict=True))
    )


def _verdict(is_content: bool) -> Verdict:
    label = Label.CONTENT if is_content else Label.BOILERPLATE
    return Verdict(label, float(is_content), "10000", 1, "held out")


def run(archive: str, gold: str, texts: Mapping[str, str], out: Path) -> None:
    """Leaves the run of an archive, and in its folder the gold of the pages that have a text."""

    def judged(
        capture: Capture,
        found: Annotation | None,
        document: Document | Canonical,
        runs: tuple[TextRun, ...],
        signs: KindSigns,
    ) -> Annotated:
        text = texts.get(capture.record_id)
        labelled = runs if text is None else verdicts(document.page, text)
        return as_annotated(capture, found, document, labelled, signs)

    folder = out / source_of(archive)
    with patch("dbce.boilerplate.as_annotated", judged):
        words = ("--out", str(folder), "--overwrite", "--master", "none", "--method", METHOD)
        command(["run", archive, *words])
    rows = Path(gold).read_text(encoding="utf-8").splitlines(keepends=True)
    known = folder / Path(gold).name
    kept = (row for row in rows if json.loads(row)["record_id"].strip("<>") in texts)
    known.write_text("".join(kept), encoding="utf-8")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs=2, action="append", required=True)
    parser.add_argument("--held-out", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    options = parser.parse_args()
    with options.held_out.open(encoding="utf-8") as rows:
        found = [json.loads(row) for row in rows]
    texts = {row["record_id"].strip("<>"): row["text"] for row in found}
    for archive, gold in options.data:
        run(archive, gold, texts, options.out)


if __name__ == "__main__":
    main()
