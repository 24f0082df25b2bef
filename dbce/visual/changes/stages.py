"""The two stages of a table of changes: read each input file, then compare each part of the URLs.

Both leave what they make in the run's folder, so where they run makes no difference.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from threadpoolctl import threadpool_limits

from dbce.storage import Table, open_parquet
from dbce.visual.changes.change_model import STRUCTURE
from dbce.visual.changes.history import history
from dbce.visual.changes.plan import visits
from dbce.visual.changes.read import read_snapshots
from dbce.visual.changes.schema import CHANGES, SNAPSHOTS, snapshot_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.output import Row
    from dbce.storage import Folder
    from dbce.visual.changes.plan import Plan
    from dbce.visual.changes.snapshot import Look

TABLES = "changes"
"""The folder of the tables, in that of a run."""

WORK = f"{TABLES}/work"
"""The snapshots between the stages; removed in the end."""

ORDER = ("site", "url_surtkey", "fetch_time", "record_id")
"""How the rows of a part are sorted."""


def read_file(folder: Folder, name: str, chosen: Plan) -> None:
    """Leaves the snapshots of an input file of which `name` is that of its tables, part by part."""
    rows = [row | {"is_new": True} for row in visits(folder, name, chosen)]
    write_rows(folder, name, rows, folder, chosen.mode)


def write_rows(folder: Folder, name: str, rows: Sequence[Row], out: Folder, mode: str) -> None:
    """Leaves rows of captures in `out`, with their snapshots, which are read in `folder`."""
    wanted = {row["record_id"]: row for row in rows if row["to_read"]}
    found = read_rows(folder, name, wanted, mode)
    full = [row | found.get(row["record_id"], {}) for row in rows]
    full.sort(key=itemgetter("part"))
    with (
        out.create(f"{WORK}/{_base(folder, out)}{name}") as stream,
        pq.ParquetWriter(stream, SNAPSHOTS, compression="zstd") as writer,
    ):
        for _, of_part in groupby(full, itemgetter("part")):
            writer.write_table(pa.Table.from_pylist(list(of_part), SNAPSHOTS))


def read_rows(folder: Folder, name: str, wanted: Mapping[str, Row], mode: str) -> dict[str, Row]:
    """What SNAPSHOTS has of the snapshots of an input file that are wanted, by record id."""
    looks = dict(_looks(folder, name, wanted, mode))
    return {
        one.record_id: snapshot_row(one._replace(look=looks.get(one.record_id)))
        for one in read_snapshots(folder, name, wanted)
    }


def _base(folder: Folder, out: Folder) -> str:
    """What tells files of the same name in other folders apart."""
    return "" if folder.uri == out.uri else f"{folder.uri.rpartition('/')[2]}%2F"


def _looks(
    folder: Folder, name: str, wanted: Mapping[str, Row], mode: str
) -> Iterator[tuple[str, Look]]:
    if mode == STRUCTURE:
        return
    from dbce.visual.changes.look import read_looks

    yield from read_looks(folder.uri, name, wanted)


def compare_part(folder: Folder, part: int, mode: str) -> None:
    """Leaves a part of the table of changes."""
    rows = pa.concat_tables([SNAPSHOTS.empty_table(), *_snapshots(folder, part)])
    rows = rows.sort_by([(column, "ascending") for column in ORDER])
    with (
        threadpool_limits(1),  # products are small: threads would only wait for each other
        folder.create(f"{TABLES}/part-{part:04}.parquet") as stream,
        Table(stream, CHANGES, pa.Table.from_pylist) as table,
    ):
        for _, of_url in groupby(_rows(rows), itemgetter("url_surtkey")):
            for row in history(list(of_url), folder.uri, mode):
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
