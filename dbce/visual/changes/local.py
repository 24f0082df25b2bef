"""The changes of a run, in this process."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.output import open_run
from dbce.storage import open_parquet
from dbce.visual.changes.change_model import STRUCTURE
from dbce.visual.changes.plan import plan
from dbce.visual.changes.stages import TABLES, WORK, compare_part, read_file
from dbce.visual.render import open_rendered

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbce.storage import Folder
    from dbce.visual.changes.plan import Plan

    Work = Callable[[Folder, Plan], None]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found: rows by class ("" of those that could not be compared), URLs with one capture."""

    classes: Counter[str]
    important: int
    singles: int


def find_changes(uri: str, mode: str = STRUCTURE, work: Work | None = None) -> Found:
    """Writes the table of changes of a finished run; `work` does the stages, here if it is not named.

    Raises:
        UsageError: there is no finished run, or its files do not belong together.
        StoreError: what is stored is not what was written.
    """
    folder, _ = open_run(uri)
    if mode != STRUCTURE:
        open_rendered(uri)
    chosen = plan(folder, mode)
    folder.remove(TABLES)
    (work or work_locally)(folder, chosen)
    folder.remove(WORK)
    return told(folder, chosen.singles)


def work_locally(folder: Folder, chosen: Plan) -> None:
    """Does both stages in this process."""
    for name in units(folder):
        read_file(folder, name, chosen)
    for part in range(chosen.parts):
        compare_part(folder, part, chosen.mode)


def units(folder: Folder) -> list[str]:
    """What the tables of each input file are called."""
    return [name.removeprefix("pages/") for name in folder.names("pages/*.parquet")]


def told(folder: Folder, singles: int) -> Found:
    """What the table of changes in a folder says."""
    classes: Counter[str] = Counter()
    important = 0
    for name in folder.names(f"{TABLES}/part-*.parquet"):
        with open_parquet(folder, name) as table:
            for batch in table.iter_batches(columns=["class", "important"]):
                classes.update(kind or "" for kind in batch["class"].to_pylist())
                important += sum(filter(None, batch["important"].to_pylist()))
    return Found(classes, important, singles)
