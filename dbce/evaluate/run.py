"""A finished run against gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from dbce.evaluate import nodes, words
from dbce.evaluate.gold import GoldText, LabelledRun, read_gold
from dbce.evaluate.report import Report
from dbce.model import Label
from dbce.output.read import open_run
from dbce.output.schemas import NODES, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.output.folder import Folder

SCHEMAS = {"pages": PAGES, "nodes": NODES}

PAGE_COLUMNS = ("record_id", "url", "fetch_time", "text")
NODE_COLUMNS = ("record_id", "xpath", "start", "end", "text", "label")


def main_report(folder_uri: str, gold: str) -> str:
    """What `dbce evaluate` prints."""
    return evaluate(folder_uri, gold).text()


def evaluate(folder_uri: str, gold_path: str) -> Report:
    """The scores of a run's verdicts; which scores depends on the kind of gold.

    Raises:
        UsageError: the gold cannot be used (see `read_gold`), or the folder holds no finished run.
    """
    folder, _ = open_run(folder_uri)
    texts: list[GoldText] = []
    runs: list[LabelledRun] = []
    for one in read_gold(gold_path):
        if isinstance(one, GoldText):
            texts.append(one)
        else:
            runs.append(one)
    title = f"{folder_uri} against {gold_path}"
    return _by_words(title, folder, texts) if texts else _by_nodes(title, folder, runs)


def _by_words(title: str, folder: Folder, gold: Sequence[GoldText]) -> Report:
    known, predicted = _texts(folder, gold)
    scores = [words.score_page(one.text, predicted.get(one.page, "")) for one in gold]
    frame = words.page_table(scores)
    frame.insert(0, "group", [one.group for one in gold])
    frame.index = pd.Index([one.page for one in gold], name="page")
    scored = frame[frame["gold"] > 0]
    groups = {name: words.summarise(pages) for name, pages in scored.groupby("group")}
    unknown = sum(one.page not in known for one in gold)
    silent = sum(one.page in known and one.page not in predicted for one in gold)
    false = int(frame.loc[frame["gold"] == 0, "predicted"].sum())
    return Report(
        title,
        scored,
        pd.DataFrame({"all": words.summarise(scored)}).T,
        pd.DataFrame(groups if len(groups) > 1 else {}).T,
        _notes(
            (unknown, "pages in the gold that the run does not know, scored 0"),
            (silent, "pages in the gold that were skipped or rejected, scored 0"),
            (len(frame) - len(scored), "pages without words in the gold, not scored"),
            (false, "words that the run found on pages without words in the gold"),
        ),
    )


def _texts(folder: Folder, gold: Sequence[GoldText]) -> tuple[set[str], dict[str, str]]:
    """(pages that the run knows, main text by page), pages named as in the gold."""
    wanted = pa.array([one.page for one in gold])
    known: set[str] = set()
    predicted: dict[str, str] = {}
    named = ds.field("record_id").isin(wanted) | ds.field("url").isin(wanted)
    pages = _rows(folder, "pages", PAGE_COLUMNS, named)
    # A URL in the gold stands for the first snapshot that has a verdict.
    for page in sorted(pages, key=lambda page: (page["fetch_time"] is None, page["fetch_time"])):
        for name in (page["record_id"], page["url"]):
            known.add(name)
            if page["text"] is not None:
                predicted.setdefault(name, page["text"])
    return known, predicted


def _by_nodes(title: str, folder: Folder, gold: Sequence[LabelledRun]) -> Report:
    captures = {run.record_id for run in gold}
    named = ds.field("record_id").isin(pa.array(sorted(captures)))
    rows = _rows(folder, "nodes", NODE_COLUMNS, named)
    verdicts = (LabelledRun(**row | {"label": Label(row["label"])}) for row in rows)
    frame = nodes.compare(verdicts, gold)
    return Report(
        title,
        frame,
        nodes.summarise(frame),
        pd.DataFrame(),
        _notes(
            (
                len(captures) - len(frame),
                "captures in the gold without verdicts in the run, not scored",
            ),
            (int(frame["unlabelled"].sum()), "text runs of the run without gold, not scored"),
            (
                int(frame["unseen"].sum()),
                "text runs of the gold that are in no text node of the run",
            ),
        ),
    )


def _rows(
    folder: Folder, name: str, columns: Sequence[str], where: ds.Expression
) -> Iterator[dict[str, Any]]:
    """The rows of one of the run's tables that fulfil a condition, in the order they are stored."""
    files = [folder.at(file) for file in folder.names(f"{name}/*.parquet")]
    dataset = ds.dataset(files, schema=SCHEMAS[name], filesystem=folder.fs)
    for batch in dataset.to_batches(columns=list(columns), filter=where):
        yield from batch.to_pylist()


def _notes(*counted: tuple[int, str]) -> tuple[str, ...]:
    return tuple(f"{what}: {count}" for count, what in counted if count)
