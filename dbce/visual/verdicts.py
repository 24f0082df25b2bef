"""What a run says of the texts of the pages that were rendered beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import Label
from dbce.output import open_parquet

if TYPE_CHECKING:
    from dbce.output import Folder

    Contents = dict[str, dict[int, float]]


def is_judged(folder: Folder) -> bool:
    """Whether a finished run is in a folder."""
    return folder.exists("run.json")


def contents(folder: Folder, file: str) -> Contents:
    """The share of every text node of a file's captures that is content, by record id and number.

    `file` is the name of a table of `nodes`; without it there are no verdicts.
    """
    if not folder.exists(f"nodes/{file}"):
        return {}
    with open_parquet(folder, f"nodes/{file}") as table:
        runs = table.read(columns=["record_id", "node", "start", "end", "label"]).to_pandas()
    runs["length"] = runs["end"] - runs["start"]
    runs["content"] = runs["length"].where(runs["label"] == Label.CONTENT, 0)
    sums = runs.groupby(["record_id", "node"], sort=False)[["length", "content"]].sum()
    share = (sums["content"] / sums["length"]).reset_index(name="share")
    return {
        str(record_id): dict(zip(of_page["node"].tolist(), of_page["share"].tolist(), strict=True))
        for record_id, of_page in share.groupby("record_id", sort=False)
    }
