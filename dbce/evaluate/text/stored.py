"""Texts and verdicts of a finished run for the pages in a gold file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds

from dbce.evaluate.text.gold import LabelledRun
from dbce.model import Label
from dbce.output import NODES, PAGES, WholeTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.evaluate.text.gold import GoldText
    from dbce.storage import Folder

SCHEMAS = {"pages": PAGES, "nodes": NODES}

PAGE_COLUMNS = ("record_id", "url", "fetch_time", "text")
NODE_COLUMNS = ("record_id", "xpath", "start", "end", "text", "label", "probability")


@dataclass(frozen=True, slots=True)
class StoredText:
    """The main text of a page in a run."""

    record_id: str
    url: str
    text: str


def page_texts(
    folder: Folder, gold: Iterable[GoldText]
) -> tuple[frozenset[str], dict[str, StoredText]]:
    """Return the pages that the run knows and the main texts of those with verdicts.

    Pages are named as in the gold.
    """
    wanted = pa.array([one.page for one in gold], pa.string())
    known: set[str] = set()
    found: dict[str, StoredText] = {}
    named = ds.field("record_id").isin(wanted) | ds.field("url").isin(wanted)
    pages = _rows(folder, "pages", PAGE_COLUMNS, named)
    # A URL in the gold stands for the first snapshot that has a verdict.
    for page in sorted(pages, key=lambda page: (page["fetch_time"] is None, page["fetch_time"])):
        for name in (page["record_id"], page["url"]):
            known.add(name)
            if page["text"] is not None:
                text = StoredText(page["record_id"], page["url"], page["text"])
                found.setdefault(name, text)
    return frozenset(known), found


def urls(folder: Folder, record_ids: Iterable[str]) -> dict[str, str]:
    """URLs by record id."""
    named = ds.field("record_id").isin(pa.array(sorted(record_ids), pa.string()))
    rows = _rows(folder, "pages", ("record_id", "url"), named)
    return {row["record_id"]: row["url"] for row in rows}


def verdicts(folder: Folder, record_ids: Iterable[str]) -> Iterator[LabelledRun]:
    """The verdicts on all text runs of some captures, as they are stored: page by page, in order."""
    named = ds.field("record_id").isin(pa.array(sorted(record_ids), pa.string()))
    for row in _rows(folder, "nodes", NODE_COLUMNS, named):
        yield LabelledRun(**row | {"label": Label(row["label"])})


def _rows(
    folder: Folder, name: str, columns: Sequence[str], where: ds.Expression
) -> Iterator[dict[str, Any]]:
    """The rows of one of the run's tables that fulfil a condition, in the order they are stored."""
    table = WholeTable(folder, f"{name}/*.parquet", SCHEMAS[name])
    for batch in table.batches(list(columns), where):
        yield from batch.to_pylist()
