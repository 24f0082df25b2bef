"""The tables of one input file: `dbce run` and `dbce render` read the same file in other pieces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.storage import open_parquet

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dbce.storage import Folder

PIECE = re.compile(r"\.\d{4,}$")
"""The end of a piece's name. A file that is called so is taken for one: more tables are looked into."""


def tables_beside(folder: Folder, kind: str, name: str) -> list[str]:
    """The names of a folder's tables of a kind that may be of the input that the table `name` is of.

    They are those of the whole file and of all its pieces, in order; names are without the kind.
    """
    own = _input(name)
    names = (table.removeprefix(f"{kind}/") for table in folder.names(f"{kind}/*.parquet"))
    return [table for table in names if _input(table) == own]


def rows_with(
    folder: Folder, name: str, wanted: Collection[str], columns: Sequence[str]
) -> pa.Table:
    """The rows of a table whose `record_id` is wanted; groups of rows without one are not decoded."""
    ids = pa.array(sorted(wanted), pa.string())
    with open_parquet(folder, name) as table:
        found = [table.schema_arrow.empty_table().select(columns)]
        for group in range(table.num_row_groups):
            known = table.read_row_group(group, ["record_id"])["record_id"]
            there = pc.is_in(known, value_set=ids)
            if pc.any(there).as_py():
                found.append(table.read_row_group(group, list(columns)).filter(there))
    return pa.concat_tables(found)


def _input(name: str) -> str:
    return PIECE.sub("", name.removesuffix(".parquet")).removesuffix(".warc.gz")
