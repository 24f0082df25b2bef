"""The outputs of one input file: the unit of work of the last stage.

Every input file has files of its own in `warc/`, `pages/`, `nodes/` and `rejects/`. So the bytes
do not depend on how the work was spread, and a unit can be done again without touching another.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, Self

import pyarrow as pa
import pyarrow.parquet as pq

import dbce
from dbce.archive import AnnotatedWriter
from dbce.model import Dropped, Status
from dbce.output.rows import node_rows, page_row, reject_row
from dbce.output.schemas import NODES, PAGES, REJECTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.config import Config
    from dbce.output.folder import Folder
    from dbce.output.rows import Row
    from dbce.pipeline import Annotated

ROW_GROUP = 10_000
"""Rows of a table that are held in memory before they are written."""

WORK = "work"
"""Where a run keeps what only its own stages read; removed when it ends."""

OUTPUTS = ("warc", "pages", "nodes", "rejects")
"""The folders of a run's outputs."""


def stem(name: str) -> str:
    """The name that an input's outputs share: without `.warc.gz`; other endings tell files apart."""
    base = (name.removesuffix(".warc.gz") or name).replace("/", "%2F")
    # Readers of Parquet folders pass over names that begin so (macOS leaves "._x.warc.gz").
    return f"%{ord(base[0]):02X}{base[1:]}" if base[0] in "._" else base


def write_unit(
    folder: Folder, name: str, results: Iterable[Annotated | Dropped], config: Config
) -> None:
    """Writes all outputs of the input called `name`, then its account as the mark of completion.

    The files take their names together, when all are whole.
    """
    base = stem(name)
    account: Counter[tuple[str, str]] = Counter()
    index: list[str] = []
    with ExitStack() as files:
        # First all streams, then the tables: what is entered last is closed first, so that no file
        # takes its name before every table is written out.
        streams = [
            files.enter_context(folder.create(f"{kind}/{base}.parquet"))
            for kind in ("pages", "nodes", "rejects")
        ]
        archive = files.enter_context(folder.create(f"warc/{base}.dbce.warc.gz"))
        pages, nodes, rejects = (
            files.enter_context(_Table(stream, schema))
            for stream, schema in zip(streams, (PAGES, NODES, REJECTS), strict=True)
        )
        warc = AnnotatedWriter(
            archive,
            f"{base}.dbce.warc.gz",
            config.record_type,
            config.digest(),
            dbce.__version__,
        )
        for result in results:
            account[_outcome(result)] += 1
            if isinstance(result, Dropped):
                if result.status is Status.REJECTED:
                    rejects.add(reject_row(result))
                if result.is_html:
                    pages.add(page_row(result, config.site_by))
                continue
            pages.add(page_row(result, config.site_by))
            for row in node_rows(result):
                nodes.add(row)
            index.append(warc.write(result.capture, result.html))
        warc.close()
    folder.write(f"{WORK}/index/{base}.cdxj", "".join(f"{line}\n" for line in index).encode())
    folder.write(f"{WORK}/units/{base}.json", _account(name, account))


def _outcome(result: Annotated | Dropped) -> tuple[str, str]:
    return result.status, result.reason if isinstance(result, Dropped) else ""


def _account(name: str, account: Counter[tuple[str, str]]) -> bytes:
    rows = [
        {"status": status, "reason": reason, "captures": captures}
        for (status, reason), captures in sorted(account.items())
    ]
    return json.dumps({"input": name, "account": rows}, indent=1).encode()


class _Table:
    """A Parquet file that grows row by row, in row groups of a fixed size: stable bytes."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(stream, schema, compression="zstd")
        self._rows: list[Row] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()

    def add(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows = []
