"""Reading the tables of a finished run."""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from dbce.archive import lines_of, read_annotated, read_annotated_at, timestamp14
from dbce.model import Config, InputError, Limits, Reason, UsageError, current
from dbce.output.nights import home_of
from dbce.output.schemas import NODES, PAGES
from dbce.output.whole_tables import shown_rows, tables_of
from dbce.storage import open_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.archive import Annotated
    from dbce.output.nights import Manifest
    from dbce.output.rows import Row
    from dbce.storage import Folder

ROWS = 256
"""Rows of a table that are in memory at a time, where all are gone through."""


def rows_of(folder: Folder, name: str, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of a table's file that count, in order; columns that it does not have are left out. `record_id` is one.

    Few at a time are in memory, for texts may be long.
    """
    with open_parquet(folder, name) as table:
        known = [column for column in columns if column in table.schema_arrow.names]
        for batch in table.iter_batches(ROWS, columns=known):
            yield from shown_rows(folder, name, pa.Table.from_batches([batch])).to_pylist()


def find_snapshots(folder: Folder, surt: str) -> list[Row]:
    """The rows of `pages` of one URL, by its sort key, earliest first.

    A record stored twice is one snapshot; one without a readable date is none.
    """
    rows = _where(folder, "pages", PAGES, (pc.field("url_surtkey") == surt) & _once())
    dated = (row for row in rows if row["fetch_time"] is not None)
    return sorted(dated, key=lambda row: (row["fetch_time"], row["record_id"]))


def _once() -> pc.Expression:
    """The condition on rows that do not repeat another one's record id."""
    return (pc.field("reason") != Reason.DUPLICATE_RECORD) | pc.field("reason").is_null()


def find_pages(folder: Folder, record_ids: Sequence[str]) -> dict[str, Row]:
    """Rows of `pages` by record id."""
    wanted = pa.array(record_ids, pa.string())
    rows = _where(folder, "pages", PAGES, pc.field("record_id").isin(wanted) & _once())
    return {row["record_id"]: row for row in rows}


def node_rows(folder: Folder, record_id: str) -> list[Row]:
    """The rows of `nodes` of one capture, in document order."""
    return _where(folder, "nodes", NODES, pc.field("record_id") == record_id)


def node_rows_at(folder: Folder, name: str, start: int, count: int) -> list[Row]:
    """So many rows of a file of `nodes` from one on: only the row groups that hold them are read."""
    return cast("list[Row]", table_at(folder, f"nodes/{name}", start, count).to_pylist())


def table_at(folder: Folder, name: str, start: int, count: int) -> pa.Table:
    """So many rows of a table's file from one on: only the row groups that hold them are read."""
    with open_parquet(folder, name) as table:
        sizes = [table.metadata.row_group(n).num_rows for n in range(table.metadata.num_row_groups)]
        ends = list(accumulate(sizes))
        first, last = bisect_right(ends, start), bisect_left(ends, start + count)
        before = ends[first - 1] if first else 0
        groups = table.read_row_groups(list(range(first, min(last + 1, len(sizes)))))
        return groups.slice(start - before, count)


def annotated_pages(folder: Folder, base: str) -> Iterator[Annotated]:
    """The annotated pages of an input, by the base of its outputs' names, in the order of the file.

    Raises:
        UsageError: the archive is damaged.
    """
    name = f"warc/{base}.dbce.warc.gz"
    folder.check(name)
    try:
        yield from read_annotated(folder.fs.unstrip_protocol(folder.at(name)))
    except InputError as e:
        raise UsageError(f"{folder.at(name)} is damaged: {e.detail}") from e


def annotated_page(folder: Folder, page: Row) -> bytes:
    """The annotated HTML of a judged capture, by its row of `pages`.

    Raises:
        UsageError: the run's archive does not have it.
        InputError: its record is damaged.
    """
    folder = home_of(folder, page)
    folder.check("warc/index.cdxj")
    index = folder.fs.unstrip_protocol(folder.at("warc/index.cdxj"))
    try:
        for file, offset in lines_of(index, page["url_surtkey"], timestamp14(page["fetch_time"])):
            name = f"warc/{posixpath.basename(file)}"
            folder.check(name)
            uri = folder.fs.unstrip_protocol(folder.at(name))
            try:
                found = read_annotated_at(uri, offset)
            except InputError:
                folder.check(name, verify=True)  # is it the file?
                raise
            if found.record_id == page["record_id"]:
                return found.html
    except OSError as e:
        raise UsageError(f"cannot read {index}: {e.strerror or e}") from e
    raise UsageError(f"{folder.uri}/warc does not have {page['record_id']}; run dbce again")


def config_of(manifest: Manifest) -> Config:
    """The configuration that a run was made with, as far as this version knows its settings."""
    stored = manifest["config"]
    limits = Limits(**current(Limits, stored["limits"]))
    return Config(**current(Config, stored), limits=limits)


def _where(folder: Folder, kind: str, schema: Any, condition: pc.Expression) -> list[Row]:
    """Rows of a table; of a nightly archive each with the `night` that it is of."""
    found: list[Row] = []
    for tables in tables_of(folder, f"{kind}/*.parquet", schema):
        shown = condition if tables.shown is None else condition & tables.shown
        more = {"night": tables.part} if tables.part else {}
        with tables.naming_damage():
            found += [row | more for row in tables.stored.to_table(filter=shown).to_pylist()]
    return found
