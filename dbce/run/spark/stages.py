"""Stages 1 and 3 on Spark, which read the archive: a task for every file, all work in the core.

No stage has an action in it and none sees HTML of another machine: only sketches travel.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce.archive import Source
from dbce.run import index_file, judge_file
from dbce.run.spark import schemas
from dbce.run.spark.rows import found_in, groups, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

    from dbce.model import Config
    from dbce.output.index import Row
    from dbce.run import Stores


def index_files(sources: DataFrame, stores: Stores, config: Config) -> DataFrame:
    """Stage 1: puts every archive file into the index; a row for each that is done."""

    def indexed(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            index_file(_source(row), stores, config)
            yield {"name": row["name"]}

    return mapped(sources, indexed, schemas.DONE)


def judge_files(
    sources: DataFrame,
    annotations: DataFrame,
    stores: Stores,
    config: Config,
    tasks: int,
) -> DataFrame:
    """Stage 3: writes the outputs of every archive file; a row for each that is done.

    What was found on the captures of a file comes to its task in the order of the file. `tasks` is the
    number of files.
    """
    of_files = annotations.join(F.broadcast(sources.select("name", "task")), "name")
    work = sources.unionByName(of_files, allowMissingColumns=True)

    def judged(rows: Iterator[Row]) -> Iterator[Row]:
        for of_file in groups(rows, "name"):
            first = next(of_file)  # the file itself: it has no number, and nothing sorts first
            found = ((row["number"], found_in(row)) for row in of_file)
            judge_file(_source(first), stores, found, config)
            yield {"name": first["name"]}

    by_file = work.repartitionById(tasks, "task").sortWithinPartitions("name", "number")
    return mapped(by_file, judged, schemas.DONE)


def _source(row: Row) -> Source:
    return Source.of(json.loads(row["source"]))
