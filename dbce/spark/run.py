"""A whole run on Spark: files in, a folder out."""

from __future__ import annotations

import re
from time import perf_counter
from typing import TYPE_CHECKING

from pyspark.sql.pandas.types import from_arrow_schema

from dbce.output.manifest import Done
from dbce.output.unit import WORK
from dbce.spark import stages
from dbce.spark.compare import compare
from dbce.spark.schemas import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from dbce.archive import Source
    from dbce.config import Config
    from dbce.output.folder import Folder

GLOB = re.compile(r"[\[\]{}*?\\]")
"""Signs that Spark takes for a pattern in a path to read, though not in one to write."""


def run(
    spark: SparkSession,
    sources: Sequence[Source],
    folder: Folder,
    config: Config,
    progress: Callable[[str], None],
    *,
    partitions: int | None = None,
) -> Done:
    """Runs the three stages and writes the outputs of every source.

    What passes from stage to stage is stored in between, so that no stage is ever done twice.
    `partitions` is the number of tasks of stage 2; by default two for each core.
    """
    seconds = {}
    partitions = partitions or 2 * spark.sparkContext.defaultParallelism
    inputs = _table(spark, sources)

    start = perf_counter()
    progress(f"stage 1 of 3: reading {len(sources)} files")
    captures = _stored(stages.read_captures(inputs, config), folder, "captures")
    captures = stages.without_duplicates(captures)
    count = captures.count()
    seconds["read"] = perf_counter() - start

    start = perf_counter()
    progress(f"stage 2 of 3: comparing {captures.where('status IS NULL').count()} pages")
    annotations = _stored(compare(captures, config, partitions), folder, "annotations")
    seconds["compare"] = perf_counter() - start

    start = perf_counter()
    progress("stage 3 of 3: judging and writing")
    done = stages.judge_and_write(
        inputs, captures, annotations, folder, config=config, partitions=len(sources)
    )
    done.count()
    seconds["judge"] = perf_counter() - start
    return Done(count, seconds)


def _table(spark: SparkSession, sources: Sequence[Source]) -> DataFrame:
    rows = [(s.name, s.uri, None if s.offsets is None else list(s.offsets)) for s in sources]
    return spark.createDataFrame(rows, from_arrow_schema(SOURCE)).repartition(len(sources))


def _stored(table: DataFrame, folder: Folder, name: str) -> DataFrame:
    path = f"{folder.hadoop_uri}/{WORK}/{name}"
    table.write.mode("overwrite").parquet(path)
    return table.sparkSession.read.parquet(GLOB.sub(r"\\\g<0>", path))
