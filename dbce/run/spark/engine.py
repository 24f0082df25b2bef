"""A whole run on Spark: files in, a folder out."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from pyspark.sql.pandas.types import from_arrow_schema

from dbce.model import Stage
from dbce.output import ANNOTATIONS, Done, is_compared, is_done
from dbce.output.index import CAPTURE, has_unit
from dbce.progress import files
from dbce.run.spark.compare import compare
from dbce.run.spark.schemas import ANNOTATION, SOURCE
from dbce.run.spark.stages import index_files, judge_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from dbce.archive import Source
    from dbce.model import Config
    from dbce.progress import Progress
    from dbce.run import Stores

GLOB = re.compile(r"[\[\]{}*?\\]")
"""Signs that Spark takes for a pattern in a path to read, though not in one to write."""

POLL = 1.0
"""Seconds between two looks at how many tasks are done."""


def run(
    spark: SparkSession,
    sources: Sequence[Source],
    stores: Stores,
    config: Config,
    progress: Progress,
    *,
    partitions: int | None = None,
    last: Stage = Stage.JUDGE,
    when_read: Callable[[], None] = lambda: None,
) -> Done:
    """Runs the three stages, up to the `last`, and writes the outputs of every source.

    What is done already stays as it is: files in the index, a comparison that was stored whole,
    outputs of files. `partitions` is the number of tasks of stage 2; by default two for each core.
    `when_read` is called after the first stage, and may stop the run.
    """
    seconds = {}
    partitions = partitions or 2 * spark.sparkContext.defaultParallelism
    annotated = f"{stores.out.hadoop_uri}/{ANNOTATIONS}"

    start = perf_counter()
    todo = [source for source in sources if not has_unit(stores.index, source.unit)]
    progress.stage(1, "read", len(todo), f"reading {files(len(todo))}")
    with watched(spark, progress):
        if todo:
            index_files(table(spark, todo), stores, config).collect()
    captures = _stored(spark, [stores.index.hadoop_uri], CAPTURE)
    count = captures.count()
    seconds["read"] = perf_counter() - start
    when_read()
    if last is Stage.READ:
        return Done(count, seconds)

    start = perf_counter()
    progress.stage(2, "compare", partitions, f"comparing {count} captures", "task")
    with watched(spark, progress):
        if not is_compared(stores.out):
            earlier = [index.hadoop_uri for index in stores.known]
            known = _stored(spark, earlier, CAPTURE) if earlier else None
            found = compare(captures, known, config, partitions)
            found.write.mode("overwrite").parquet(annotated)
    annotations = _stored(spark, [annotated], ANNOTATION)
    seconds["compare"] = perf_counter() - start
    if last is Stage.COMPARE:
        return Done(count, seconds)

    start = perf_counter()
    todo = [source for source in sources if not is_done(stores.out, source.unit)]
    progress.stage(3, "judge", len(todo), f"judging and writing {files(len(todo))}")
    with watched(spark, progress):
        if todo:
            judge_files(table(spark, todo), annotations, stores, config, len(todo)).collect()
    seconds["judge"] = perf_counter() - start
    return Done(count, seconds)


def table(spark: SparkSession, sources: Sequence[Source]) -> DataFrame:
    """The files, each in a partition of its own, with the number of it."""
    rows = [(number, s.unit, json.dumps(s.plain())) for number, s in enumerate(sources)]
    table = spark.createDataFrame(rows, from_arrow_schema(SOURCE))
    return table.repartitionById(len(sources), "task")


def _stored(spark: SparkSession, uris: Sequence[str], schema: pa.Schema) -> DataFrame:
    """What is stored under some addresses."""
    reader = spark.read.schema(from_arrow_schema(schema))
    return reader.parquet(*(GLOB.sub(r"\\\g<0>", uri) for uri in uris))


@contextmanager
def watched(spark: SparkSession, progress: Progress) -> Iterator[None]:
    """Names the jobs of a stage for Spark's own page, and counts its tasks while they run."""
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
                progress.reached(done)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        context.setJobDescription("")
