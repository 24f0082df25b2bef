"""The two stages of a table of changes: read each input file, then compare each part of the URLs."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from threadpoolctl import threadpool_limits

from dbce.storage import WORK, Folder, Table, open_parquet
from dbce.visual.changes.change_model import STRUCTURE
from dbce.visual.changes.history import history
from dbce.visual.changes.plan import visits
from dbce.visual.changes.read import read_snapshots
from dbce.visual.changes.snapshot import CHANGES, SNAPSHOTS, snapshot_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.output import Row
    from dbce.visual.changes.plan import Plan
    from dbce.visual.changes.snapshot import Look

TABLES = "changes"
"""The folder of the tables, in that of a run."""

ORDER = ("site", "url_surtkey", "fetch_time", "record_id")
"""Columns by which the rows of a part are sorted."""


class Reading(NamedTuple):
    """An input file whose snapshots are to be read: its run's folder, and what its tables are called.

    `rows` are those of its captures that count; None for all that the plan has, which are new.
    """

    run: Folder
    name: str
    rows: tuple[Row, ...] | None = None

    @property
    def unit(self) -> str:
        """Name of what is read, which tells files of the same name in other runs apart."""
        base = "" if self.rows is None else f"{self.run.uri.rpartition('/')[2]}%2F"
        return f"{base}{self.name}"


def part_name(part: int) -> str:
    """The name of a part of the table of changes."""
    return f"part-{part:04}.parquet"


def read_file(chosen: Plan, place: Folder, reading: Reading) -> None:
    """Leave the snapshots of an input file in a place, part by part."""
    rows: Sequence[Row]
    if reading.rows is None:
        rows = [row | {"is_new": True} for row in visits(reading.run, reading.name, chosen)]
    else:
        rows = [row | {"is_new": False} for row in reading.rows]
    wanted = {row["record_id"]: row for row in rows if row["to_read"]}
    snapshots = read_rows(reading.run, reading.name, wanted, chosen.mode)
    full = [row | snapshots.get(row["record_id"], {}) for row in rows]
    full.sort(key=itemgetter("part"))
    with (
        place.create(snapshots_of(reading.unit)) as stream,
        pq.ParquetWriter(stream, SNAPSHOTS, compression="zstd", write_page_checksum=True) as writer,
    ):
        for _, of_part in groupby(full, itemgetter("part")):
            writer.write_table(pa.Table.from_pylist(list(of_part), SNAPSHOTS))


def snapshots_of(unit: str) -> str:
    """Path at which the snapshots of an input file wait for those of the others."""
    return f"{WORK}/{unit}"


def read_rows(folder: Folder, name: str, wanted: Mapping[str, Row], mode: str) -> dict[str, Row]:
    """Rows of SNAPSHOTS for those snapshots of an input file that are wanted, by record id."""
    looks = dict(_looks(folder, name, wanted, mode))
    return {
        snapshot.record_id: snapshot_row(snapshot._replace(look=looks.get(snapshot.record_id)))
        for snapshot in read_snapshots(folder, name, wanted)
    }


def _looks(
    folder: Folder, name: str, wanted: Mapping[str, Row], mode: str
) -> Iterator[tuple[str, Look]]:
    if mode == STRUCTURE:
        return
    from dbce.visual.changes.look import read_looks

    yield from read_looks(folder.uri, name, wanted)


def compare_part(run: str, mode: str, place: Folder, part: int) -> None:
    """Leave a part of the table of changes of a run."""
    rows = pa.concat_tables([SNAPSHOTS.empty_table(), *_snapshots(place, part)])
    rows = rows.sort_by([(column, "ascending") for column in ORDER])
    with (
        threadpool_limits(1),  # products are small: threads would only wait for each other
        place.create(part_name(part)) as stream,
        Table(stream, CHANGES, pa.Table.from_pylist) as table,
    ):
        for _, of_url in groupby(_rows(rows), itemgetter("url_surtkey")):
            for row in history(list(of_url), run, mode):
                table.add(row)


def _snapshots(folder: Folder, part: int) -> Iterator[pa.Table]:
    """The row groups of a part in all files: a group holds one part, as its statistics say."""
    for name in folder.names(f"{WORK}/*.parquet"):
        with open_parquet(folder, name) as table:
            for group in range(table.metadata.num_row_groups):
                if table.metadata.row_group(group).column(0).statistics.min == part:
                    yield table.read_row_group(group)


def _rows(table: pa.Table) -> Iterator[Row]:
    for batch in table.to_batches(100):
        yield from batch.to_pylist()
