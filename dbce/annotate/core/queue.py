"""The queue of pages to be labelled: their order, and the progress of each person."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dbce.output import Row
from dbce.view.run import JUDGED_ONLY, SUMMARY, Run

KEPT = 64  # pages that a desk keeps in memory as annotators see them

# By chance, and the same chance every time; two of one archive's runs draw the same captures.
_CHANCE = "md5(record_id), record_id"
ORDERS = {
    "random": _CHANCE,
    "site": f"row_number() OVER (PARTITION BY site ORDER BY {_CHANCE}), site",
    "least-sure": f"confidence ASC NULLS LAST, {_CHANCE}",
}
"""Name: the order. By site: the first of every site, then the second of every site."""


Task = dict[str, Any]
"""A page in the list of a desk: its row as `page`, whether it `is_done`, and fields of the desk."""


class TaskQueue:
    """Pages in order: a sample, then others (`find_rows`, by record ids) that one of `people` has begun."""

    def __init__(
        self,
        people: Callable[[], Mapping[str, Sequence[str]]],
        sample: Sequence[Row],
        find_rows: Callable[[Sequence[str]], Iterable[Row]],
        task: Callable[[str, Row], Task],
    ) -> None:
        self._people = people
        self._sample = sample
        self._find_rows = find_rows
        self._task = task

    def tasks(self, by: str) -> list[Task]:
        sampled = {row["record_id"] for row in self._sample}
        begun = [record_id for record_id in self._people().get(by, ()) if record_id not in sampled]
        return [self._task(by, row) for row in (*self._sample, *self._find_rows(begun))]

    def next_after(self, by: str, record_id: str) -> str | None:
        """Return the id of a person's next open page, after the last the first; None if all are done."""
        tasks = self.tasks(by)
        ids = [task["page"]["record_id"] for task in tasks]
        first = ids.index(record_id) + 1 if record_id in ids else 0
        open_tasks = (task for task in (*tasks[first:], *tasks[:first]) if not task["is_done"])
        return next((task["page"]["record_id"] for task in open_tasks), None)


def sample(run: Run, order: str, captures: int) -> list[Row]:
    return run.tables.rows(
        f"SELECT {SUMMARY} FROM pages WHERE {JUDGED_ONLY} ORDER BY {ORDERS[order]} LIMIT ?",  # noqa: S608 - our own words
        [captures],
    )


def rows_of(run: Run, record_ids: Sequence[str]) -> list[Row]:
    return run.tables.rows(
        f"SELECT {SUMMARY} FROM pages WHERE {JUDGED_ONLY} AND list_contains(?, record_id) "  # noqa: S608 - bound
        "ORDER BY url, fetch_time, record_id",
        [list(record_ids)],
    )
