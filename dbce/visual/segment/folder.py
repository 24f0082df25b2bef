"""All pages that `dbce render` left, cut into blocks: a table beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.storage import Folder, Table, open_parquet
from dbce.visual import in_turn
from dbce.visual.render import rendered_names
from dbce.visual.segment.schema import BLOCKS, REJECTS
from dbce.visual.segment.unit import TABLES, cut_file, part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual import Each
    from dbce.visual.segment.unit import SegmentationJob


@dataclass(frozen=True, slots=True)
class Segmented:
    """What was done: pages cut and rejected, blocks that hold no other, and the table they are in."""

    pages: int
    rejected: int
    blocks: int
    table: str


def segment_folder(cutting: SegmentationJob, each: Each = in_turn) -> Segmented:
    """Cuts all rendered pages of a folder; the tables take their names when all are cut.

    `each` does the work on every file, here or elsewhere.

    Raises:
        UsageError: no finished rendering is there.
        StoreError: what is stored is not what was written.
    """
    files = rendered_names(cutting.uri)
    each(files, partial(cut_file, cutting))
    folder = Folder(cutting.uri)
    table = f"{TABLES}/{cutting.table}"
    pages = count = 0
    for blocks in _gathered(folder, table, BLOCKS, [part("blocks", cutting, f) for f in files]):
        pages += pc.sum(pc.equal(blocks["block"], 0)).as_py() or 0
        count += pc.sum(blocks["terminal"]).as_py() or 0
    parts = [part("rejects", cutting, file) for file in files]
    rejects = _gathered(folder, f"{TABLES}/rejects/{cutting.table}", REJECTS, parts)
    rejected = sum(one.num_rows for one in rejects)
    return Segmented(pages, rejected, count, folder.at(table))


def _gathered(
    folder: Folder, name: str, schema: pa.Schema, parts: Sequence[str]
) -> Iterator[pa.Table]:
    """The parts one by one, while they become one table, which takes its name after the last."""
    with folder.create(name) as stream, Table(stream, schema, _concatenated) as table:
        for one in parts:
            with open_parquet(folder, one) as file:
                rows = file.read()
            table.add(rows, rows.num_rows)
            yield rows


def _concatenated(parts: list[pa.Table], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables(parts).cast(schema)
