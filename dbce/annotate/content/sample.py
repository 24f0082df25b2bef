"""Which captures are to be labelled, in which order: always the same of the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.view.search import SUMMARY
from dbce.view.tables import JUDGED_ONLY

if TYPE_CHECKING:
    from dbce.view.run import Run
    from dbce.view.tables import Row

CAPTURES = 50
"""How many are asked for unless told otherwise."""

# By chance, and the same chance every time; two of one archive's runs draw the same captures.
_CHANCE = "md5(record_id), record_id"
ORDERS = {
    "random": _CHANCE,
    "site": f"row_number() OVER (PARTITION BY site ORDER BY {_CHANCE}), site",
    "least-sure": f"confidence ASC NULLS LAST, {_CHANCE}",
}
"""Name: the order. By site: the first of every site, then the second of every site."""


def sample(run: Run, order: str, captures: int) -> list[Row]:
    """The first judged captures of an order, what a list tells of each."""
    return run.tables.rows(
        f"SELECT {SUMMARY} FROM pages WHERE {JUDGED_ONLY} ORDER BY {ORDERS[order]} LIMIT ?",  # noqa: S608 - our own words
        [captures],
    )


def rows_of(run: Run, record_ids: list[str]) -> list[Row]:
    """What a list tells of some judged captures, those that the run has, by URL and time."""
    return run.tables.rows(
        f"SELECT {SUMMARY} FROM pages WHERE {JUDGED_ONLY} AND list_contains(?, record_id) "  # noqa: S608 - bound
        "ORDER BY url, fetch_time, record_id",
        [record_ids],
    )
