"""Changes of a run, or of a night, as a job of the engine: snapshots in, a table of what changed out."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd

from dbce.archive import Source
from dbce.engine import (
    Local,
    Settings,
    Stage,
    StartMode,
    TableJob,
    Workers,
    drive,
    work_without_progress,
)
from dbce.model import Progress, UsageError, files
from dbce.output import JUDGED, NightsFolder, RowSelection, digest_of, open_whole
from dbce.storage import FIXITY, Folder, open_parquet, seal, tidy
from dbce.visual.changes.history import STRUCTURE
from dbce.visual.changes.plan import (
    COLUMNS,
    TABLES,
    Keys,
    Reading,
    compare_part,
    frame,
    keys,
    names_of,
    part_name,
    plan_of,
    read_file,
    rows_of,
    snapshots_of,
)
from dbce.visual.render import open_pictures

DONE = "_changes.json"
"""The account, written last; readers of Parquet folders pass over names that begin so."""

_ASKED = "asked.json"  # outside of `work/`, which is removed when the job begins
_WHERE = ["night", "name"]


@dataclass(frozen=True, slots=True)
class ChangesAccount:
    """Rows by class ("" of those that could not be compared), important ones, URLs with one capture."""

    classes: Counter[str]
    important: int
    singles: int


@dataclass(frozen=True, slots=True)
class ChangesSettings(Settings):
    """Mode, one of `change_model.MODES`, and what the run was that is compared."""

    mode: str
    run: str
    selection: RowSelection = RowSelection()  # noqa: RUF009 - a value

    def digest(self) -> str:
        chosen = "" if self.selection.takes_all else f" {json.dumps(self.selection.options())}"
        return f"{self.mode} {self.run}{chosen}"


@dataclass(frozen=True, slots=True)
class ChangesJob(TableJob):
    """Changes between the snapshots of the run in the folder `out`.

    `nights` are folders of earlier nights of the same archive: of each URL the last capture in them that
    has verdicts is what the first of this run is compared with. Of the run only what is selected counts.
    """

    kind: ClassVar = "comparison of snapshots"
    outputs: ClassVar = (DONE, FIXITY, "part-*.parquet")

    out: str
    mode: str = STRUCTURE
    nights: tuple[Folder, ...] = ()
    selection: RowSelection = RowSelection()  # noqa: RUF009 - a value

    @property
    def folder(self) -> Folder:
        return Folder(self.out).subfolder(TABLES)

    @property
    def settings(self) -> ChangesSettings:
        return ChangesSettings(self.mode, digest_of(self.out), self.selection)

    def is_finished(self) -> bool:
        return bool(self.folder.exists(DONE) or self.folder.names("part-*.parquet"))

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> int:
        """Read the snapshots, then compare them; return the number of URLs with one capture."""
        run, _ = open_whole(self.out, self.selection)
        own = [frame(run, name) for name in names_of(run)]
        urls = [np.empty(0, np.uint64), *(keys(captures, "url_surtkey") for captures in own)]
        known = _last(self.nights, np.concatenate(urls))
        chosen = plan_of([*own, known] if self.nights else own, self.mode)
        readings = [Reading(run, name) for name in names_of(run)]
        for (night, name), captures in known.groupby(_WHERE):
            rows = rows_of(captures[[*COLUMNS, "gone"]].reset_index(drop=True), chosen)
            readings.append(Reading(Folder(str(night)), str(name), tuple(rows)))
        progress = Progress("changes", stages=2)
        todo = {r.unit: r for r in readings if not place.exists(snapshots_of(r.unit))}
        reading = work_without_progress(partial(read_file, chosen, place))
        workers.do(Stage(1, "read", f"reading {files(len(todo))}", todo, reading), progress)
        parts = {part_name(n): n for n in range(chosen.parts) if not place.exists(part_name(n))}
        compare = work_without_progress(partial(compare_part, self.out, self.mode, place))
        comparing = Stage(2, "compare", "comparing snapshots", parts, compare, "task")
        workers.do(comparing, progress)
        return chosen.singles

    def finish(self, place: Folder, _sources: tuple[Source, ...], singles: int) -> ChangesAccount:
        """Write the account of the table."""
        totals = _count_changes(place, singles)
        account = {
            "mode": self.mode,
            "classes": dict(sorted(totals.classes.items())),
            "important": totals.important,
            "singles": singles,
        }
        data = json.dumps(account, indent=1).encode()
        seal(place, place.names("part-*.parquet"), place.take_digests(), last=DONE, data=data)
        tidy(place)
        return totals


def check(uri: str, mode: str) -> None:
    """Check that a folder has what a mode compares: a finished run, and pictures if it needs any."""
    folder, _ = open_whole(uri)
    if mode != STRUCTURE:
        if isinstance(folder, NightsFolder):
            raise UsageError(
                f"{uri} is a nightly archive, whose pictures are compared night by night: name one, or leave "
                "--mode out"
            )
        open_pictures(uri)


def find_changes_of_night(
    archive: Folder, night: str, before: Sequence[str], jobs: int = 1
) -> ChangesAccount:
    """Write the table of changes of a night into its folder, without pictures.

    `before` are the nights that count and came before, folders as `night` is.

    Raises:
        UsageError: the files of a night do not belong together.
        StoreError: what is stored is not what was written.
    """
    nights = tuple(archive.subfolder(name) for name in before)
    job = ChangesJob(archive.subfolder(night).uri, STRUCTURE, nights)
    ended = drive(job, lambda: nullcontext(Local(jobs)), StartMode.OVERWRITE)
    assert ended is not None  # noqa: S101 - only what is gone on with may have nothing left to do
    account: ChangesAccount = ended.manifest
    job.folder.remove(_ASKED)
    return account


def ask_for_changes(night: Folder) -> None:
    """Note in a night's folder that its changes are wanted, until they are there."""
    night.subfolder(TABLES).write(_ASKED, b"{}")


def nights_without_changes(archive: Folder, nights: Sequence[str]) -> list[str]:
    """Return those of some nights, by their folders, whose changes are wanted and not there: a call was killed."""
    return [night for night in nights if archive.exists(f"{night}/{TABLES}/{_ASKED}")]


def _count_changes(folder: Folder, singles: int) -> ChangesAccount:
    classes: Counter[str] = Counter()
    important = 0
    for name in folder.names("part-*.parquet"):
        with open_parquet(folder, name) as table:
            for batch in table.iter_batches(columns=["class", "important"]):
                classes.update(kind or "" for kind in batch["class"].to_pylist())
                important += sum(filter(None, batch["important"].to_pylist()))
    return ChangesAccount(classes, important, singles)


def _last(nights: Sequence[Folder], urls: Keys) -> pd.DataFrame:
    """Return the last capture with verdicts of each of some URLs, and in which night and file it is."""
    parts = [pd.DataFrame(columns=[*COLUMNS, "gone", *_WHERE])]
    for night in nights:
        for name in names_of(night):
            captures = frame(night, name)
            judged = captures["status"].isin([str(status) for status in JUDGED])
            some = captures[judged & np.isin(keys(captures, "url_surtkey"), urls)]
            parts.append(some.assign(night=night.uri, name=name))
    every = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    by_time = every.sort_values(["fetch_time", "record_id"], kind="stable")
    return by_time.drop_duplicates("url_surtkey", keep="last").reset_index(drop=True)
