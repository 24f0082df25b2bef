"""The blocks of all files together: a table beside the rendered pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.storage import Folder, Table, open_parquet
from dbce.visual.segment.schema import BLOCKS, REJECTS
from dbce.visual.segment.unit import part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual.segment.unit import SegmentSettings


@dataclass(frozen=True, slots=True)
class Segmented:
    """Pages cut and rejected, and blocks that hold no other."""

    pages: int
    rejected: int
    blocks: int


def gather(settings: SegmentSettings, place: Folder, files: Sequence[str]) -> Segmented:
    """Make one table of those of all files, the rejects first: the blocks say that all is there."""
    parts = [part("rejects", file) for file in files]
    rejects = _gathered(place, f"rejects/{settings.table}", REJECTS, parts)
    rejected = sum(rows.num_rows for rows in rejects)
    pages = blocks = 0
    parts = [part("blocks", file) for file in files]
    for rows in _gathered(place, settings.table, BLOCKS, parts):
        pages += pc.sum(pc.equal(rows["block"], 0)).as_py() or 0
        blocks += pc.sum(rows["terminal"]).as_py() or 0
    return Segmented(pages, rejected, blocks)


def _gathered(
    folder: Folder, name: str, schema: pa.Schema, parts: Sequence[str]
) -> Iterator[pa.Table]:
    """The parts one by one, while they become one table, which takes its name after the last."""
    with folder.create(name) as stream, Table(stream, schema, _concatenated) as table:
        for part_name in parts:
            with open_parquet(folder, part_name) as file:
                rows = file.read()
            table.add(rows, rows.num_rows)
            yield rows


def _concatenated(parts: list[pa.Table], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables(parts).cast(schema)
