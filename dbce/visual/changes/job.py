"""Changes of a run, or of a night, as a job of the engine, and those of one pair: snapshots in, a table of changes out.

First the captures are found that have others of their URL. Then each input file is read, and each part of the URLs compared.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from threadpoolctl import threadpool_limits

from dbce import archive, engine, output
from dbce.archive import Source
from dbce.engine import Workers
from dbce.model import Progress, UsageError, files
from dbce.output import Row
from dbce.storage import FIXITY, WORK, Folder, create_table, open_parquet, seal, tidy
from dbce.visual.changes.history import PAGELYZER, STRUCTURE, history
from dbce.visual.changes.read import (
    CAPTURE_COLUMNS,
    Keys,
    Plan,
    frame,
    keys,
    names_of,
    plain_rows,
    plan_of,
    read_snapshots,
    rows_of,
)
from dbce.visual.changes.snapshot import CHANGES, SNAPSHOTS, Look, snapshot_row
from dbce.visual.render import open_pictures, open_rendered

DONE = "_changes.json"
"""The account, written last; readers of Parquet folders pass over names that begin so."""

_REQUESTED = "asked.json"  # outside of `work/`, which is removed when the job begins
_WHERE = ["night", "name"]


@dataclass(frozen=True, slots=True)
class ChangesAccount:
    """Rows by class ("" of those that could not be compared), important ones, URLs with one capture."""

    classes: Counter[str]
    important: int
    singles: int


TABLES = "changes"  # the folder of the tables, in that of a run


@dataclass(frozen=True, slots=True)
class ChangesJob(engine.TableJob, engine.Settings):
    """Changes between the snapshots of the run in the folder `out`, by a mode of `history.MODES`.

    `nights` are folders of earlier nights of the same archive: the first capture of each URL in this run is
    compared with the last judged one in them. Of the run only selected captures count.
    """

    kind: ClassVar = "comparison of snapshots"
    part: ClassVar = TABLES
    outputs: ClassVar = (DONE, FIXITY, "part-*.parquet")

    out: str
    mode: str = STRUCTURE
    nights: tuple[Folder, ...] = ()
    selection: output.RowSelection = output.RowSelection()  # noqa: RUF009 - a value

    @property
    def settings(self) -> engine.Settings:
        return self

    def digest(self) -> str:
        """Return the identifier of the comparison: the mode, the state of the run, and the selection."""
        selected = "" if self.selection.takes_all else f" {json.dumps(self.selection.options())}"
        return f"{self.mode} {output.digest_of(self.out)}{selected}"

    def is_finished(self) -> bool:
        return bool(self.folder.exists(DONE) or self.folder.names("part-*.parquet"))

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> int:
        """Read the snapshots, then compare them; return the number of URLs with one capture."""
        run, _ = output.open_whole(self.out, self.selection)
        frames = [frame(run, name) for name in names_of(run)]
        urls = [np.empty(0, np.uint64), *(keys(captures, "url_surtkey") for captures in frames)]
        earlier = _last(self.nights, np.concatenate(urls))
        plan = plan_of([*frames, earlier] if self.nights else frames, self.mode)
        readings = [Reading(run, name) for name in names_of(run)]
        for (night, name), captures in earlier.groupby(_WHERE):
            rows = rows_of(captures[[*CAPTURE_COLUMNS, "gone"]].reset_index(drop=True), plan)
            readings.append(Reading(Folder(str(night)), str(name), tuple(rows)))
        progress = Progress("changes", stages=2)
        todo = {r.unit: r for r in readings if not place.exists(r.path)}
        reading = engine.work_without_progress(partial(read_file, plan, place))
        workers.do(engine.Stage(1, "read", f"reading {files(len(todo))}", todo, reading), progress)
        parts = {part_name(n): n for n in range(plan.parts) if not place.exists(part_name(n))}
        compare = engine.work_without_progress(partial(compare_part, self.out, self.mode, place))
        comparing = engine.Stage(2, "compare", "comparing snapshots", parts, compare, "task")
        workers.do(comparing, progress)
        return plan.singles

    def finish(self, place: Folder, _sources: tuple[Source, ...], singles: int) -> ChangesAccount:
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
    """Raise UsageError unless a folder has a finished run, and pictures if the mode needs them."""
    folder, _ = output.open_whole(uri)
    if mode != STRUCTURE:
        if isinstance(folder, output.NightsFolder):
            raise UsageError(
                f"{uri} is a nightly archive, whose pictures are compared night by night: name one, or leave "
                "--mode out"
            )
        open_pictures(uri)


def find_changes_of_night(archive: Folder, night: str, before: Sequence[str]) -> ChangesAccount:
    """Write the table of changes of a night into its folder, without pictures.

    `before` are the nights that count and came before, folders as `night` is.

    Raises:
        UsageError: the files of a night do not belong together.
        StoreError: stored data differ from what was written.
    """
    nights = tuple(archive.subfolder(name) for name in before)
    job = ChangesJob(archive.subfolder(night).uri, STRUCTURE, nights)
    account: ChangesAccount = engine.drive(
        job, lambda: nullcontext(engine.Local(1)), engine.StartMode.OVERWRITE
    )
    job.folder.remove(_REQUESTED)
    return account


def ask_for_changes(night: Folder) -> None:
    """Note in a night's folder that its changes are requested, until they exist."""
    night.subfolder(TABLES).write(_REQUESTED, b"{}")


def nights_without_changes(archive: Folder, nights: Sequence[str]) -> list[str]:
    """Return the nights, by folder, whose changes were requested and are missing: a call was killed."""
    return [night for night in nights if archive.exists(f"{night}/{TABLES}/{_REQUESTED}")]


def _count_changes(folder: Folder, singles: int) -> ChangesAccount:
    table = output.WholeTable(folder, "part-*.parquet", CHANGES)
    rows = table.to_table(["class", "important"])
    kinds = rows["class"].fill_null("").value_counts().to_pylist()
    classes = Counter({kind["values"]: kind["counts"] for kind in kinds})
    return ChangesAccount(classes, pc.sum(rows["important"]).as_py() or 0, singles)


def _last(nights: Sequence[Folder], urls: Keys) -> pd.DataFrame:
    """Return the last judged capture of each of some URLs, with its night and file."""
    parts = [pd.DataFrame(columns=[*CAPTURE_COLUMNS, "gone", *_WHERE])]
    for night in nights:
        for name in names_of(night):
            captures = frame(night, name)
            judged = captures["status"].isin([str(status) for status in output.JUDGED])
            selected = captures[judged & np.isin(keys(captures, "url_surtkey"), urls)]
            parts.append(selected.assign(night=night.uri, name=name))
    all_captures = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    by_time = all_captures.sort_values(["fetch_time", "record_id"], kind="stable")
    return by_time.drop_duplicates("url_surtkey", keep="last").reset_index(drop=True)


class Reading(NamedTuple):
    """An input file whose snapshots are to be read: its run's folder, and the name of its tables.

    `rows` are those of the captures to read; None for all in the plan, which are new.
    """

    run: Folder
    name: str
    rows: tuple[Row, ...] | None = None

    @property
    def unit(self) -> str:
        """Name of the reading, which differs for files of the same name in other runs."""
        base = "" if self.rows is None else f"{self.run.uri.rpartition('/')[2]}%2F"
        return f"{base}{self.name}"

    @property
    def path(self) -> str:
        """Path of its snapshots until those of all files are read."""
        return f"{WORK}/{self.unit}"


def part_name(part: int) -> str:
    return f"part-{part:04}.parquet"


def read_file(plan: Plan, place: Folder, reading: Reading) -> None:
    """Write the snapshots of an input file to a folder, part by part."""
    rows: Sequence[Row]
    if reading.rows is None:
        rows = [row | {"is_new": True} for row in rows_of(frame(reading.run, reading.name), plan)]
    else:
        rows = [row | {"is_new": False} for row in reading.rows]
    to_read = {row["record_id"]: row for row in rows if row["to_read"]}
    snapshots = read_rows(reading.run, reading.name, to_read, plan.mode)
    full = [row | snapshots.get(row["record_id"], {}) for row in rows]
    full.sort(key=itemgetter("part"))
    with (
        place.create(reading.path) as stream,
        pq.ParquetWriter(stream, SNAPSHOTS, compression="zstd", write_page_checksum=True) as writer,
    ):
        for _, part_rows in groupby(full, itemgetter("part")):
            writer.write_table(pa.Table.from_pylist(list(part_rows), SNAPSHOTS))


def read_rows(folder: Folder, name: str, rows: Mapping[str, Row], mode: str) -> dict[str, Row]:
    """Return the rows of SNAPSHOTS for selected captures of an input file, by record id."""
    looks: dict[str, Look] = {}
    if mode != STRUCTURE:
        from dbce.visual.changes.look import read_looks

        looks = dict(read_looks(folder.uri, name, rows, for_pagelyzer=mode in PAGELYZER))
    return {
        snapshot.record_id: snapshot_row(snapshot._replace(look=looks.get(snapshot.record_id)))
        for snapshot in read_snapshots(folder, name, rows)
    }


def compare_part(run: str, mode: str, place: Folder, part: int) -> None:
    """Write a part of the table of changes of a run."""
    rows = pa.concat_tables([SNAPSHOTS.empty_table(), *_snapshots(place, part)])
    order = ("site", "url_surtkey", "fetch_time", "record_id")
    batches = rows.sort_by([(column, "ascending") for column in order]).to_batches(100)
    in_order = (row for batch in batches for row in batch.to_pylist())
    with (
        threadpool_limits(1),  # products are small: threads would only wait for each other
        create_table(place, part_name(part), CHANGES, pa.Table.from_pylist) as table,
    ):
        for _, url_rows in groupby(in_order, itemgetter("url_surtkey")):
            for row in history(list(url_rows), run, mode):
                table.add(row)


def _snapshots(folder: Folder, part: int) -> Iterator[pa.Table]:
    """Yield the row groups of a part in all files: by its statistics a group holds one part."""
    for name in folder.names(f"{WORK}/*.parquet"):
        with open_parquet(folder, name) as table:
            for group in range(table.metadata.num_row_groups):
                if table.metadata.row_group(group).column(0).statistics.min == part:
                    yield table.read_row_group(group)


def compare_pair(
    uri: str,
    url: str,
    times: Sequence[datetime],
    mode: str = STRUCTURE,
    selection: output.RowSelection | None = None,
) -> Row:
    """Return the changes between the snapshots of a URL that are nearest to two times, as a row of CHANGES.

    Only selected snapshots count; of two equally near ones the earlier. No later snapshot shows whether a
    redesign was kept (`redesign_kept` is null).
    Raises UsageError: there is no finished run, or no rendered pages that `mode` needs; the run does not have the
    URL, or one of its snapshots is the nearest to both times.
    """
    folder, _ = output.open_whole(uri, selection)
    if mode != STRUCTURE:
        open_rendered(uri)
    captures = _captures(folder, archive.surt(url))
    if not captures:
        raise output.no_such_url(folder, url)
    numbers = range(len(captures))
    places = {min(numbers, key=lambda n: abs(captures[n]["fetch_time"] - time)) for time in times}
    if len(places) < 2:
        at = archive.clock_of(captures[places.pop()]["fetch_time"])
        if len(captures) == 1:
            raise UsageError(
                f"{url} has one snapshot, of {at}: there is nothing to compare it with"
            )
        several = f"of {len(captures)} snapshots of {url}"
        raise UsageError(f"{several} that of {at} is the nearest to both times")
    pair = [_read(folder, captures, place, mode) for place in sorted(places)]
    (change,) = history(pair, uri, mode)
    return change


def _captures(folder: Folder, surt: str) -> list[Row]:
    """Return the captures of a URL, the earliest first, with the `name` of the tables of their files."""
    captures: list[Row] = []
    for name in names_of(folder):
        file_captures = frame(folder, name)
        of_url = file_captures[file_captures["url_surtkey"] == surt]
        captures += plain_rows(of_url.assign(name=name, is_new=True))
    return sorted(captures, key=lambda row: (row["fetch_time"], row["record_id"]))


def _read(folder: Folder, captures: Sequence[Row], place: int, mode: str) -> Row:
    """Return a capture as a row of SNAPSHOTS; a revisit has the text of its original, if that is there."""
    row = captures[place]
    source = next((capture for capture in captures if capture["record_id"] == row["original"]), row)
    rows = {source["record_id"]: source} if source["status"] in output.JUDGED else {}
    snapshots = read_rows(folder, source["name"], rows, mode)
    return {"blocks": None, **row, **snapshots.get(source["record_id"], {})}
