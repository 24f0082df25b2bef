"""Migrating on Spark: a task for every file, with a browser of its own in the executor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.engine.spark import each
from dbce.model import StoreError, UsageError
from dbce.visual.render import chromium, find_places

if TYPE_CHECKING:
    from dbce.archive import Source
    from dbce.visual.migrate.local import Task


def migrate_on_spark(spark: Any, task: Task, named: str | None) -> None:
    """As `migrate_locally`; Chromium is the one that is `named` in each executor, or is found there."""
    config, folder = task.rendering(), task.folder

    def places(source: Source) -> None:
        find_places(folder, source)

    task.reading()
    each(spark, task.held, places, task.progress)
    found = task.units()
    work = {_key(unit.source): unit for unit in found if unit.source is not None}

    def migrate(source: Source) -> None:
        try:
            path = chromium(named)
        except UsageError as e:  # which the driver is to tell in one sentence
            raise StoreError(f"an executor cannot render: {e}") from e
        task.migrate(work[_key(source)], path, config)

    each(spark, [unit.source for unit in found if unit.source], migrate, task.progress)
    for unit in found:
        if unit.source is None:
            task.migrate(unit, "", config)  # which no browser is started for


def _key(source: Source | None) -> tuple[str, tuple[int, ...] | None]:
    return ("", None) if source is None else (source.name, source.offsets)
