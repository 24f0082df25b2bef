"""The queue of pages to be labelled: their order, and how far each person is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dbce.output import Row
from dbce.view.run import JUDGED_ONLY, SUMMARY, Run

KEPT = 64  # pages that a desk keeps in memory as they lie before people

# By chance, and the same chance every time; two of one archive's runs draw the same captures.
_CHANCE = "md5(record_id), record_id"
ORDERS = {
    "random": _CHANCE,
    "site": f"row_number() OVER (PARTITION BY site ORDER BY {_CHANCE}), site",
    "least-sure": f"confidence ASC NULLS LAST, {_CHANCE}",
}
"""Name: the order. By site: the first of every site, then the second of every site."""


Task = dict[str, Any]
"""What the list of a desk knows of a page: its row as `page`, whether it `is_done`, and what the desk adds."""


class TaskQueue:
    """Pages in order: those that are asked for, then others (their rows by record ids) that one of `people` has begun."""

    def __init__(
        self,
        people: Callable[[], Mapping[str, Sequence[str]]],
        asked: Sequence[Row],
        others: Callable[[Sequence[str]], Iterable[Row]],
        task: Callable[[str, Row], Task],
    ) -> None:
        self._people = people
        self._asked = asked
        self._others = others
        self._task = task

    def tasks(self, by: str) -> list[Task]:
        asked = {row["record_id"] for row in self._asked}
        begun = [each for each in self._people().get(by, ()) if each not in asked]
        return [self._task(by, row) for row in (*self._asked, *self._others(begun))]

    def next_after(self, by: str, record_id: str) -> str | None:
        """Return the next page that a person has not done, after the last the first; None if all is done."""
        tasks = self.tasks(by)
        ids = [task["page"]["record_id"] for task in tasks]
        first = ids.index(record_id) + 1 if record_id in ids else 0
        left = (task for task in (*tasks[first:], *tasks[:first]) if not task["is_done"])
        return next((task["page"]["record_id"] for task in left), None)


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
