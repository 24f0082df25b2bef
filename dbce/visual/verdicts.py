"""Verdicts of a run on the texts of the pages that were rendered beside it."""

from collections.abc import Collection

import pyarrow as pa

from dbce.model import Label
from dbce.output import rows_with, tables_beside
from dbce.storage import Folder

COLUMNS = ("record_id", "node", "start", "end", "label")


def is_judged(folder: Folder) -> bool:
    return folder.exists("run.json")


def contents(folder: Folder, file: str, record_ids: Collection[str]) -> dict[str, dict[int, float]]:
    """Return the share of every text node of some captures that is content, by record id and number.

    `file` is the name of the tables that the captures are in; those of the run may be of the whole file
    or of other pieces. Captures that no run has judged are not there.
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
