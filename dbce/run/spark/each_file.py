"""Any work on files, on Spark: a task for each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dbce.archive import Source
from dbce.run.spark import schemas
from dbce.run.spark.engine import table, watched
from dbce.run.spark.rows import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from dbce.output.index import Row
    from dbce.progress import Progress


def each(
    spark: SparkSession,
    sources: Sequence[Source],
    work: Callable[[Source], None],
    progress: Progress,
) -> None:
    """Does the work on each of the files, in the executors; `work` leaves there what comes of it."""

    def done(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            work(Source.of(json.loads(row["source"])))
            yield {"name": row["name"]}

    if sources:
        with watched(spark, progress):
            mapped(table(spark, sources), done, schemas.DONE).collect()
