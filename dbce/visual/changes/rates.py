"""Rate of changes of a page's content, from snapshots at irregular times: to set crawl frequency.

A snapshot shows whether there was a change since the previous one, not how many. If changes are a Poisson
process, its probability is 1 - exp(-rate * time); the rate is that of maximum likelihood (Cho and Garcia-Molina, Estimating
Frequency of Change, ACM TOIT 2003, irregular access), its interval that of the likelihood ratio.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq

from dbce.archive import month_of
from dbce.output import WholeTable
from dbce.report.figures import Table, table
from dbce.storage import Folder
from dbce.visual.changes.compare import ChangeKind
from dbce.visual.changes.job import TABLES
from dbce.visual.changes.snapshot import CHANGES

YEAR = 365.25 * 24 * 3600  # seconds

DROP = 1.92
"""Drop of the log-likelihood at the ends of a 95 % interval: half of a chi-squared of 3.84."""

LEAST, GREATEST = 1e-6, 1e6
"""Bounds of the search for a rate, in changes a year."""


class Rate(NamedTuple):
    """Changes a year: the likeliest, and the ends of its 95 % interval.

    With no change `likeliest` and `low` are 0; with nothing but changes `likeliest` and `high` are infinite: a
    page that changes between any two snapshots may do so at any rate.
    """

    likeliest: float
    low: float
    high: float


def rate(years: NDArray[np.float64], changed: NDArray[np.bool_]) -> Rate:
    """Return the rate of changes of some pairs: `years` between snapshots, above 0, and whether each differs."""
    differing, equal = years[changed], float(years[~changed].sum())

    def likelihood(value: float) -> float:
        return float(np.log(-np.expm1(-value * differing)).sum() - value * equal)

    def slope(value: float) -> float:
        return float((differing / np.expm1(np.minimum(value * differing, 700))).sum() - equal)

    if not len(differing):
        return Rate(0.0, 0.0, DROP / equal)
    if not equal:
        return Rate(np.inf, _end(likelihood, 0.0, LEAST, GREATEST), np.inf)
    best = float(brentq(slope, LEAST, GREATEST))
    top = likelihood(best)
    low, high = (_end(likelihood, top, *sides) for sides in ((LEAST, best), (best, GREATEST)))
    return Rate(best, low, high)


def _end(likelihood: Callable[[float], float], highest: float, start: float, stop: float) -> float:
    """Return the rate between two values whose log-likelihood is DROP below the `highest`; an end if there is none."""

    def excess(value: float) -> float:
        return likelihood(value) - highest + DROP

    if excess(start) * excess(stop) > 0:
        return start if start == LEAST else stop
    return float(brentq(excess, start, stop))


def rates(changes: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each URL with a compared pair, and for each site, whose `url` is "".

    Columns: RATES; a site's rate is that of its pages if all have the same. Sorted by site, its own row
    first, then by rate.
    """
    was_compared = changes["class"].notna() & (changes["class"] != ChangeKind.GONE)
    pairs = changes[was_compared & (changes["fetch_time"] > changes["before_time"])]
    seconds = (pairs["fetch_time"] - pairs["before_time"]).dt.total_seconds()
    pairs = pairs.assign(years=seconds / YEAR, changed=pairs["score"] < 0)
    rows = []
    for site, of_site in pairs.groupby("site", sort=True):
        rows.append(_row(site, "", of_site))
        urls = of_site.groupby("url_surtkey", sort=True)
        of_urls = [_row(site, of_url["url"].iloc[-1], of_url) for _, of_url in urls]
        rows += sorted(of_urls, key=lambda row: -row[RATES.index("changes_a_year")])
    return pd.DataFrame(rows, columns=RATES)


RATES = ["site", "url", "pairs", "changes", "first", "last", "changes_a_year", "low", "high"]


def _row(site: object, url: object, pairs: pd.DataFrame) -> tuple[Any, ...]:
    estimate = rate(pairs["years"].to_numpy(), pairs["changed"].to_numpy(np.bool_))
    times = (pairs["before_time"].min(), pairs["fetch_time"].max())
    return (str(site), str(url), len(pairs), int(pairs["changed"].sum()), *times, *estimate)


COLUMNS = [
    *("site", "url_surtkey", "url", "fetch_time", "before_time"),
    *("class", "score", "important"),
]


def change_tables(folder: Folder) -> tuple[Table, ...]:
    """Return changes by month, redesigns and change rates; () without a table of changes."""
    if not folder.names(f"{TABLES}/part-*.parquet"):
        return ()
    changes = WholeTable(folder, f"{TABLES}/part-*.parquet", CHANGES).to_table(columns=COLUMNS)
    rows: pd.DataFrame = changes.to_pandas()
    change_rates = table("change_rates", "Changes of content a year, by page", rates(rows))
    return _by_month(rows), _redesigns(rows), change_rates


def _by_month(rows: pd.DataFrame) -> Table:
    """Return the number of snapshots by month of capture and kind of change since the previous one."""
    month = rows["fetch_time"].map(month_of, na_action="ignore").rename("month")
    counts = pd.crosstab(month, rows["class"].fillna("not compared"))
    counts = counts.reindex(columns=[*map(str, ChangeKind), "not compared"], fill_value=0)
    counts["important"] = rows["important"].eq(True).groupby(month).sum()
    return table("changes", "Snapshots by month and change", counts.reset_index())


def _redesigns(rows: pd.DataFrame) -> Table:
    """Return the redesigns of sites by month: number of pages, and the captures between which they happened."""
    redesigns = rows[rows["class"] == str(ChangeKind.REDESIGN)]
    month = redesigns["fetch_time"].map(month_of, na_action="ignore").rename("month")
    frame = redesigns.groupby(["site", month]).agg(
        pages=("url_surtkey", "nunique"),
        not_before=("before_time", "min"),
        not_after=("fetch_time", "max"),
    )
    heading = "Redesigns by site and month of the first captures"
    return table("redesigns", heading, frame.reset_index())
