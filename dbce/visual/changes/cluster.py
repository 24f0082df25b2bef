"""The changes of a run on Spark: a task for each input file, then one for each part of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.engine.spark import each_name
from dbce.progress import Progress, files
from dbce.visual.changes.local import units
from dbce.visual.changes.stages import compare_part, read_file

if TYPE_CHECKING:
    from dbce.storage import Folder
    from dbce.visual.changes.plan import Plan


def work_on_spark(spark: Any, folder: Folder, chosen: Plan) -> None:
    """As `work_locally`, and the same bytes."""
    names = units(folder)
    progress = Progress("changes", stages=2)

    def read(name: str) -> None:
        read_file(folder, name, chosen)

    def compare(part: str) -> None:
        compare_part(folder, int(part), chosen.mode)

    progress.stage(1, "read", len(names), f"reading {files(len(names))}")
    each_name(spark, names, read, progress)
    progress.stage(2, "compare", chosen.parts, "comparing snapshots", "task")
    each_name(spark, [str(part) for part in range(chosen.parts)], compare, progress)
