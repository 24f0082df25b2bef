"""Damaged captures of a run as tables of the report: by site and month, and each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.output import capture_qualities, month_qualities
from dbce.report.table import table

if TYPE_CHECKING:
    from dbce.report.table import Table
    from dbce.storage import Folder

_BY_MONTH = ["site", "month", "captures", "damaged", "content_share", "kinds"]
_EACH = ["fetch_time", "damage", "reason", "site", "url", "record_id"]


def quality(folder: Folder, whole: Folder) -> tuple[Table, Table]:
    """Return a table of months with damage and one of damaged captures; `whole` is the run without a selection."""
    captures = capture_qualities(folder, whole)
    months = [
        (*month[:5], ", ".join(f"{kind} {number}" for kind, number in month.kinds.items()))
        for month in month_qualities(captures)
        if month.damaged
    ]
    damaged = [
        (one.time, str(one.damage.kind), one.damage.evidence, one.site, one.url, one.record_id)
        for one in captures
        if one.damage
    ]
    each = pd.DataFrame(damaged, columns=_EACH)
    each["fetch_time"] = each["fetch_time"].astype("datetime64[us, UTC]")
    return (
        table(
            "damaged_months",
            "Sites and months with damaged captures",
            pd.DataFrame(months, columns=_BY_MONTH),
        ),
        table("damaged", "Damaged captures", each),
    )
