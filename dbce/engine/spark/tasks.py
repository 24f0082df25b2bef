"""The workers of a Spark cluster, or of a Spark on this machine: a task for every unit.

Stages are functions of the core; Spark brings units to executors, and to stage 3 of a run what stage 2
found. No task sees HTML of another machine: only sketches travel.
"""

import pickle
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema

from dbce import thesis
from dbce.engine import Comparison, Stage, no_progress
from dbce.engine.spark.compare import compare
from dbce.engine.spark.rows import (
    ANNOTATION,
    BATCH,
    DONE,
    UNIT,
    groups,
    map_partitions,
    result_of_row,
    rows_of,
)
from dbce.engine.spark.thesis import bucket_sizes, shuffled_bytes
from dbce.model import LOG, Progress, count_of
from dbce.output import ANNOTATIONS, COMPARED, Row
from dbce.output.index import CAPTURE, unit_size
from dbce.storage import Folder, open_parquet

GLOB = re.compile(r"[\[\]{}*?\\]")
"""Signs that Spark takes for a pattern in a path to read, though not in one to write."""

GROUPED, GROUPED_BY_DEFAULT = "spark.sql.shuffle.partitions", "200"
"""Spark's setting for the number of tasks that group rows, and what it is where nobody has set it."""

FEW_UNITS, FEW_CAPTURES, FEW_BYTES = 20, 5000, 2**24
"""Limits of what the driver counts and compares itself: files, captures, and packed bytes of the results."""

Results: TypeAlias = DataFrame | dict[str, bytes]
"""Results of stage 2 of a run: a table or, for few captures, packed for the task of each unit."""

POLL = 1.0  # seconds between two looks at how many tasks are done


@dataclass(frozen=True, slots=True)
class OnSpark:
    """The executors of a session; stage 2 of a run has `partitions` tasks, by default two for each core."""

    spark: SparkSession
    partitions: int | None = None

    def count(self, index: Folder, units: Sequence[str]) -> int:
        if len(units) <= FEW_UNITS:
            return sum(unit_size(index, unit) for unit in units)
        return self._read_rows([index], pa.schema([CAPTURE.field("name")])).count()

    def compare(self, comparison: Comparison, captures: int, progress: Progress) -> Results:
        """Do stage 2 of a run, if it was not done before a crash; what is found, by unit or as a table.

        Few captures are compared in this process, before Spark has planned how to bring them together.
        """
        if self._is_quick(comparison, captures):
            progress.stage(2, "compare", 1, f"comparing {count_of(captures, 'capture')}", "step")
            by_unit = comparison.here().items()
            packed = {name: zlib.compress(pickle.dumps(list(results))) for name, results in by_unit}
            if sum(map(len, packed.values())) <= FEW_BYTES:
                return packed
        return self.compare_on_executors(comparison, captures, progress)

    def _is_quick(self, comparison: Comparison, captures: int) -> bool:
        """Return whether few captures are compared with each other alone, and nobody else has or wants the result."""
        if captures > FEW_CAPTURES or self.partitions is not None or comparison.is_kept:
            return False
        others = comparison.known or comparison.config.is_literal
        return not (others or comparison.out.exists(COMPARED))

    def compare_on_executors(
        self, comparison: Comparison, captures: int, progress: Progress
    ) -> DataFrame:
        """Do stage 2 of a run by tasks, one for some blocks; the table of what is found, which stays after a crash."""
        partitions = self.partitions or 2 * self.spark.sparkContext.defaultParallelism
        progress.stage(
            2, "compare", partitions, f"comparing {count_of(captures, 'capture')}", "task"
        )
        annotated = comparison.out.subfolder(ANNOTATIONS)
        with watch_tasks(self.spark, progress), grouping(self.spark, partitions):
            if not comparison.out.exists(COMPARED):
                earlier = comparison.known
                known = self._read_rows(earlier, CAPTURE) if earlier else None
                new = self._read_rows([comparison.index], CAPTURE)
                entries = None
                if comparison.config.is_literal:
                    kept = comparison.out.subfolder(thesis.ENTRIES)
                    entries = self._read_rows([kept], thesis.ENTRY)
                    thesis.warn_of_cut_buckets(bucket_sizes(entries, comparison.config))
                annotations = compare(new, known, comparison.config, partitions, entries)
                _write_rows(annotations, annotated)
                comparison.out.write(COMPARED, b"")
                if comparison.config.is_literal:
                    LOG.info(
                        "shuffled %(bucket)s by bucket, %(record)s by record",
                        shuffled_bytes(self.spark),
                    )
        return self._read_rows([annotated], ANNOTATION)

    def do(self, stage: Stage[Any], progress: Progress, results: Results | None = None) -> None:
        """Do all units of a stage, a task for each, which gets the results of its unit, in order."""
        progress.stage(stage.number, stage.name, len(stage.units), stage.doing, stage.part)
        if not stage.units:
            return
        open_work, is_alone = stage.open_work, results is None
        work = self._table(stage, results if isinstance(results, dict) else {})
        if isinstance(results, DataFrame):
            of_units = results.join(F.broadcast(work.select("name", "task")), "name")
            both = work.unionByName(of_units, allowMissingColumns=True)
            by_unit = both.repartitionById(len(stage.units), "task")
            work = by_unit.sortWithinPartitions("name", "number")

        def do_units(rows: Iterator[Row]) -> Iterator[Row]:
            for of_unit in groups(rows, "name"):
                first = next(of_unit)  # the unit itself: it has no number, and nothing sorts first
                unit, packed = pickle.loads(first["unit"])  # noqa: S301 - the driver made it
                results = ((row["number"], result_of_row(row)) for row in of_unit)
                its_own = pickle.loads(zlib.decompress(packed)) if packed else results  # noqa: S301
                with open_work() as do:
                    do(unit if is_alone else (unit, its_own), no_progress)
                yield {"name": first["name"]}

        with watch_tasks(self.spark, progress):
            map_partitions(work, do_units, DONE).collect()

    def _table(self, stage: Stage[Any], packed: Mapping[str, bytes]) -> DataFrame:
        rows = [
            {"task": number, "name": name, "unit": pickle.dumps((unit, packed.get(name)))}
            for number, (name, unit) in enumerate(stage.units.items())
        ]
        # Of a list of rows Spark would make a table in a Python of its own.
        table = self.spark.createDataFrame(pa.Table.from_pylist(rows, UNIT))
        return table.repartitionById(len(rows), "task")

    def _read_rows(self, folders: Sequence[Folder], schema: pa.Schema) -> DataFrame:
        """Return the rows of the tables in some folders; on a store tasks read them, as all else there, not Hadoop."""
        columns = from_arrow_schema(schema)
        if all(folder.renames for folder in folders):
            paths = (GLOB.sub(r"\\\g<0>", f"file://{folder.path}") for folder in folders)
            return self.spark.read.schema(columns).parquet(*paths)
        files = [
            {"folder": _uri(folder), "name": name}
            for folder in folders
            for name in folder.names("*.parquet")
        ]
        table = self.spark.createDataFrame(pa.Table.from_pylist(files))
        rows = table.repartition(len(files)).mapInArrow(partial(_stored_rows, schema), columns)
        return rows.persist()  # several joins ask for them, each for all columns


def _stored_rows(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of files, by their folders and names."""
    for file in rows_of(batches):
        with open_parquet(Folder(file["folder"]), file["name"]) as table:
            for batch in table.iter_batches(BATCH, columns=schema.names):
                yield batch.cast(schema)


def _write_rows(rows: DataFrame, out: Folder) -> None:
    """Write a table into a folder, in place of what is there, a file a task."""
    out.remove("")
    rows.mapInArrow(partial(_store_rows, _uri(out)), from_arrow_schema(DONE)).collect()


def _store_rows(uri: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    task = TaskContext.get()
    name = f"{task.partitionId() if task else 0:05}.parquet"
    with Folder(uri).create(name) as stream, pq.ParquetWriter(stream, ANNOTATION) as table:
        for batch in batches:
            table.write_batch(batch.cast(ANNOTATION))
    yield from ()


def _uri(folder: Folder) -> str:
    return str(folder.fs.unstrip_protocol(folder.path))


@contextmanager
def grouping(spark: SparkSession, partitions: int) -> Iterator[None]:
    """Group rows by `partitions` tasks within the block, unless the session sets their number.

    Spark's own number is for terabytes; before sketches are compared they are grouped four times by a few columns.
    """
    before = str(spark.conf.get(GROUPED))
    if before == GROUPED_BY_DEFAULT:
        spark.conf.set(GROUPED, partitions)
    try:
        yield
    finally:
        spark.conf.set(GROUPED, before)


@contextmanager
def watch_tasks(spark: SparkSession, progress: Progress) -> Iterator[None]:
    """Name the jobs of a stage for Spark's own page, and count its tasks while they run."""
    context = spark.sparkContext
    context.setJobDescription(f"dbce: {progress.doing}")
    over = Event()

    def watch() -> None:
        # Where Spark has gone, or Ctrl-C came, who waits for the results is told, and not a thread.
        with suppress(Exception, KeyboardInterrupt):
            tracker = context.statusTracker()
            while not over.wait(POLL):
                infos = map(tracker.getStageInfo, tracker.getActiveStageIds())
                done = max((info.numCompletedTasks for info in infos if info), default=0)
                progress.set_parts_done(done)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        context.setJobDescription("")
