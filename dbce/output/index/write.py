"""One file of the index: what stage 1 found in one archive file."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.model import Origin, Reason, Stage, Status, StoreError, fault_detail
from dbce.output.index.recipe import Recipe
from dbce.output.index.schema import CAPTURE, NUMBERS
from dbce.storage import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from dbce.model import Config
    from dbce.output.index.rows import Row
    from dbce.storage import Folder

ROWS = 2000
"""Rows of a row group at most."""

BYTES = 8 << 20
"""Of sketches in a row group, about: what a writer holds at once."""

STORED = {
    "compression": "zstd",
    "write_page_checksum": True,
    "use_dictionary": ["name", "site", "status", "reason", "stage", "detail"],
    "write_statistics": ["number", "site", "surt"],
    # So many bytes are compressed together: pages of one template have most words in common.
    "data_page_size": 4 << 20,
}


def write_unit(index: Folder, name: str, rows: Iterable[Row], config: Config) -> int:
    """Writes what was found in the unit called `name`, one row a capture; their number.

    Raises:
        StoreError: what is stored is not what was written.
    """
    schema = CAPTURE.with_metadata(Recipe.of(config).metadata())
    numbered = (row | {"name": name, "number": number} for number, row in enumerate(rows))

    def groups() -> Iterator[pa.Table]:
        while some := list(_group(numbered)):
            yield _table(some, schema)

    return write_groups(index, f"{stem(name)}.parquet", groups(), schema)


def _group(rows: Iterator[Row]) -> Iterator[Row]:
    """The next rows that are stored together."""
    size = 0
    for row in islice(rows, ROWS):
        yield row
        size += sum(len(row.get(name) or b"") for name in NUMBERS)
        if size >= BYTES:
            return


def _table(rows: list[Row], schema: pa.Schema) -> pa.Table:
    """The rows as a table; a row that no table can hold says only where its record stands, and why."""
    try:
        return pa.Table.from_pylist(rows, schema)
    except Exception:  # noqa: BLE001 - one of the rows, which is told below
        return pa.Table.from_pylist([_holdable(row, schema) for row in rows], schema)


def _holdable(row: Row, schema: pa.Schema) -> Row:
    try:
        pa.RecordBatch.from_pylist([row], schema)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this row
        place = {name: row[name] for name in ("name", "number", "offset", "length")}
        detail = fault_detail(e, Origin(row["name"], row["offset"], row["length"]))
        nothing = {"record_id": "", "url": "", "surt": "", "digest": "", "is_html": False}
        fault = {"status": Status.REJECTED, "reason": Reason.FAULT, "stage": Stage.READ}
        return place | nothing | fault | {"detail": detail}
    return row


def write_groups(index: Folder, file: str, groups: Iterable[pa.Table], schema: pa.Schema) -> int:
    """Writes a file of the index, given as its row groups; the number of its rows.

    The file takes its name when all of it is written, and found to be stored.

    Raises:
        StoreError: what is stored is not what was written.
    """
    written = 0

    def check(stored: BinaryIO) -> None:
        found = pq.ParquetFile(stored).metadata.num_rows
        if found != written:
            raise StoreError(f"{index.at(file)} holds {found} rows where {written} were written")

    with (
        index.create(file, check) as stream,
        pq.ParquetWriter(stream, schema, **STORED) as table,
    ):
        for group in groups:
            table.write_table(group)
            written += len(group)
    return written
