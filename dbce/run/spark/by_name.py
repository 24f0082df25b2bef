"""Any work on named things, on Spark: a task for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.pandas.types import from_arrow_schema

from dbce.run.spark import schemas
from dbce.run.spark.engine import watched
from dbce.run.spark.rows import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from dbce.output.index import Row
    from dbce.progress import Progress


def each_name(
    spark: SparkSession, names: Sequence[str], work: Callable[[str], None], progress: Progress
) -> None:
    """Does the work for each of the names, in the executors; `work` leaves there what comes of it."""

    def done(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            work(row["name"])
            yield row

    if names:
        table = spark.createDataFrame([(name,) for name in names], from_arrow_schema(schemas.DONE))
        with watched(spark, progress):
            mapped(table.repartition(len(names)), done, schemas.DONE).collect()
