"""Tables of the report on changes, if `dbce changes` was run: months, redesigns, change rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.archive import month_of
from dbce.output import WholeTable
from dbce.report.table import table
from dbce.visual.changes.compare import ChangeKind
from dbce.visual.changes.plan import TABLES
from dbce.visual.changes.rates import rates
from dbce.visual.changes.snapshot import CHANGES

if TYPE_CHECKING:
    from dbce.report.table import Table
    from dbce.storage import Folder

COLUMNS = ["site", "url_surtkey", "fetch_time", "before_time", "class", "score", "important"]


def change_tables(folder: Folder) -> tuple[Table, ...]:
    """Return changes by month, redesigns and change rates; () without a table of changes."""
    if not folder.names(f"{TABLES}/part-*.parquet"):
        return ()
    found = WholeTable(folder, f"{TABLES}/part-*.parquet", CHANGES).to_table(columns=COLUMNS)
    rows: pd.DataFrame = found.to_pandas()
    often = table("change_rates", "Changes of content a year, by page", rates(folder))
    return _by_month(rows), _redesigns(rows), often


def _by_month(rows: pd.DataFrame) -> Table:
    """Snapshots by the month in which they were captured, and what changed since the one before."""
    month = rows["fetch_time"].map(month_of, na_action="ignore").rename("month")
    counts = pd.crosstab(month, rows["class"].fillna("not compared"))
    counts = counts.reindex(columns=[*map(str, ChangeKind), "not compared"], fill_value=0)
    counts["important"] = rows["important"].eq(True).groupby(month).sum()
    return table("changes", "Snapshots by month and change", counts.reset_index())


def _redesigns(rows: pd.DataFrame) -> Table:
    """When the pages of a site took another template: between which captures, by how many pages."""
    some = rows[rows["class"] == str(ChangeKind.REDESIGN)]
    groups = some.groupby(
        ["site", some["fetch_time"].map(month_of, na_action="ignore").rename("month")]
    )
    frame = pd.DataFrame(
        {
            "pages": groups["url_surtkey"].nunique(),
            "not_before": groups["before_time"].min(),
            "not_after": groups["fetch_time"].max(),
        }
    ).reset_index()
    return table("redesigns", "Redesigns by site and month of the first captures", frame)
