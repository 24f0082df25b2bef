"""Reading the tables of a finished run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from dbce.errors import UsageError
from dbce.model import Reason
from dbce.output.folder import Folder
from dbce.output.schemas import NODES, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.output.manifest import Manifest
    from dbce.output.rows import Row

STAMP = "%Y%m%d%H%M%S"
"""Timestamps at the edges: 14 digits, UTC."""

_ONCE = (pc.field("reason") != Reason.DUPLICATE_RECORD) | pc.field("reason").is_null()
"""Rows that do not repeat another one's record id."""


def open_run(uri: str) -> tuple[Folder, Manifest]:
    """The folder of a finished run and its manifest.

    Raises:
        UsageError: there is no finished run.
    """
    folder = Folder(uri)
    try:
        return folder, json.loads(folder.read("run.json"))
    except (OSError, ValueError) as e:
        raise UsageError(
            f"{uri} holds no finished run (no sound run.json); make one: dbce run INPUT --out {uri}"
        ) from e


def page_rows(folder: Folder, columns: Sequence[str] | None = None) -> Iterator[Row]:
    """All rows of `pages`, input by input, in file order."""
    for name in folder.names("pages/*.parquet"):
        with folder.fs.open(folder.at(name), "rb") as stream:
            for batch in pq.ParquetFile(stream).iter_batches(columns=columns):
                yield from batch.to_pylist()


def find_snapshots(folder: Folder, surt: str) -> list[Row]:
    """The rows of `pages` of one URL, by its sort key, earliest first.

    A record stored twice is one snapshot; one without a readable date is none.
    """
    rows = _where(folder, "pages", PAGES, (pc.field("url_surtkey") == surt) & _ONCE)
    dated = (row for row in rows if row["fetch_time"] is not None)
    return sorted(dated, key=lambda row: (row["fetch_time"], row["record_id"]))


def find_pages(folder: Folder, record_ids: Sequence[str]) -> dict[str, Row]:
    """Rows of `pages` by record id."""
    wanted = pa.array(record_ids, pa.string())
    rows = _where(folder, "pages", PAGES, pc.field("record_id").isin(wanted) & _ONCE)
    return {row["record_id"]: row for row in rows}


def node_rows(folder: Folder, record_id: str) -> list[Row]:
    """The rows of `nodes` of one capture, in document order."""
    return _where(folder, "nodes", NODES, pc.field("record_id") == record_id)


def _where(folder: Folder, kind: str, schema: Any, condition: Any) -> list[Row]:
    files = [folder.at(name) for name in folder.names(f"{kind}/*.parquet")]
    table = ds.dataset(files, schema=schema, filesystem=folder.fs).to_table(filter=condition)
    return cast("list[Row]", table.to_pylist())
