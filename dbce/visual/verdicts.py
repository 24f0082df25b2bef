"""Verdicts of a run on the texts of its rendered pages."""

import re
from collections.abc import Collection, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import Label
from dbce.storage import Folder, open_parquet

COLUMNS = ("record_id", "node", "start", "end", "label")

# The tables of one input file: `dbce run` and `dbce render` may split a file differently.

PIECE = re.compile(r"\.\d{4,}$")
"""End of a piece's name. A file with such a name is taken for one: more tables are searched."""


def tables_beside(folder: Folder, kind: str, name: str) -> list[str]:
    """Return the names of a folder's tables of a kind that may have the same input as the table `name`.

    These are the tables of the whole file and of all its pieces, in order; names are without the kind.
    """
    base = _input(name)
    names = (table.removeprefix(f"{kind}/") for table in folder.names(f"{kind}/*.parquet"))
    return [table for table in names if _input(table) == base]


def rows_with(
    folder: Folder, name: str, record_ids: Collection[str], columns: Sequence[str]
) -> pa.Table:
    """Return the rows of a table with some `record_id`; row groups without any are not decoded."""
    ids = pa.array(sorted(record_ids), pa.string())
    with open_parquet(folder, name) as table:
        parts = [table.schema_arrow.empty_table().select(columns)]
        for group in range(table.num_row_groups):
            group_ids = table.read_row_group(group, ["record_id"])["record_id"]
            is_selected = pc.is_in(group_ids, value_set=ids)
            if pc.any(is_selected).as_py():
                parts.append(table.read_row_group(group, list(columns)).filter(is_selected))
    return pa.concat_tables(parts)


def _input(name: str) -> str:
    return PIECE.sub("", name.removesuffix(".parquet")).removesuffix(".warc.gz")


def is_judged(folder: Folder) -> bool:
    return folder.exists("run.json")


def contents(folder: Folder, file: str, record_ids: Collection[str]) -> dict[str, dict[int, float]]:
    """Return the share of every text node of some captures that is content, by record id and number.

    `file` is the name of the tables of the captures; those of the run may be of the whole file or of other
    pieces. Captures that no run has judged are left out.
    """
    judged = [
        rows_with(folder, f"nodes/{table}", record_ids, COLUMNS)
        for table in tables_beside(folder, "nodes", file)
        if len(rows_with(folder, f"pages/{table}", record_ids, ["record_id"]))
    ]
    if not judged:
        return {}
    runs = pa.concat_tables(judged).to_pandas()
    runs["length"] = runs["end"] - runs["start"]
    runs["content"] = runs["length"].where(runs["label"] == Label.CONTENT, 0)
    sums = runs.groupby(["record_id", "node"], sort=False)[["length", "content"]].sum()
    share = (sums["content"] / sums["length"]).reset_index(name="share")
    return {
        str(record_id): dict(zip(of_page["node"].tolist(), of_page["share"].tolist(), strict=True))
        for record_id, of_page in share.groupby("record_id", sort=False)
    }
