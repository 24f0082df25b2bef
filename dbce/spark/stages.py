"""Stages 1 and 3 on Spark, which read the archive: tables in, a table out, all work in the core.

No stage has an action in it and none sees HTML of another machine: only sketches travel.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce.archive import Source, read
from dbce.model import Capture, Dropped, Reason, Stage, Status
from dbce.output.unit import write_unit
from dbce.pipeline import (
    SEEN_BEFORE,
    judge_in_batches,
    sketch,
)
from dbce.spark import schemas
from dbce.spark.rows import (
    annotation_of,
    capture_row,
    dropped_of,
    dropped_row,
    groups,
    mapped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame

    from dbce.config import Config
    from dbce.model import Annotation
    from dbce.output.folder import Folder
    from dbce.pipeline import Annotated
    from dbce.spark.rows import Row


READ_AHEAD = 200
"""Captures of one source that are in memory at a time."""

CHANGED = {
    "status": Status.REJECTED,
    "reason": Reason.DAMAGED,
    "stage": Stage.READ,
    "detail": "not there any more: the file has changed since it was first read",
}


def read_captures(sources: DataFrame, config: Config) -> DataFrame:
    """Stage 1: a row for every capture of every source, with its sketch if it has one."""

    def sketches(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            for number, capture in enumerate(read(_source(row), config.limits)):
                result = capture if isinstance(capture, Dropped) else sketch(capture, config)
                if isinstance(result, Dropped):
                    yield dropped_row(result) | {"number": number}
                elif isinstance(capture, Capture):
                    yield capture_row(capture, result) | {"number": number}

    return mapped(sources, sketches, schemas.CAPTURE)


def without_duplicates(captures: DataFrame) -> DataFrame:
    """The captures, all but the first of one record id dropped as duplicates."""
    place = F.struct("name", "number")
    repeated = (
        captures.where("status IS NULL")
        .groupBy("record_id")
        .agg(F.min(place).alias("first"), F.count("*").alias("times"))
        .where("times > 1")
        .drop("times")
    )
    again = F.col("status").isNull() & F.col("first").isNotNull() & (place != F.col("first"))
    outcome = {
        "status": Status.SKIPPED,
        "reason": Reason.DUPLICATE_RECORD,
        "stage": Stage.PARSE,
        "detail": SEEN_BEFORE,
    }
    return captures.join(F.broadcast(repeated), "record_id", "left").select(
        *(
            F.when(again, F.lit(str(outcome[name]))).otherwise(F.col(name)).alias(name)
            if name in outcome
            else F.col(name)
            for name in captures.columns
        )
    )


def judge_and_write(
    sources: DataFrame,
    captures: DataFrame,
    annotations: DataFrame,
    folder: Folder,
    *,
    config: Config,
    partitions: int,
) -> DataFrame:
    """Stage 3: writes the outputs of every source; a row for each that is done."""
    outcome = captures.drop("site", "signature", "words", "ends", "places")
    work = sources.join(outcome, "name", "left").join(annotations, "record_id", "left")

    def units(rows: Iterator[Row]) -> Iterator[Row]:
        for group in groups(rows, "name"):
            first = next(group)
            source = _source(first)
            of_source = (row for row in chain([first], group) if row["offset"] is not None)
            write_unit(folder, source.name, _judged(source, of_source, config), config)
            yield {"name": source.name}

    by_source = work.repartition(partitions, "name").sortWithinPartitions("name", "number")
    return mapped(by_source, units, schemas.UNIT)


def _judged(source: Source, rows: Iterator[Row], config: Config) -> Iterator[Annotated | Dropped]:
    """The results of one source in file order; its captures are read again, by offset."""
    return judge_in_batches(_with_annotations(source, rows, config), config)


def _with_annotations(
    source: Source, rows: Iterator[Row], config: Config
) -> Iterator[tuple[Capture, Annotation | None] | Dropped]:
    while some := list(islice(rows, READ_AHEAD)):
        captures = _read_again(source, some, config)
        for row in some:
            capture = captures.get(row["record_id"])
            if row["status"] is not None:
                yield dropped_of(row)
            elif isinstance(capture, Capture):
                yield capture, annotation_of(row) if row["crosses"] else None
            else:
                yield capture or dropped_of(row | CHANGED)


def _read_again(
    source: Source, rows: Sequence[Row], config: Config
) -> dict[str, Capture | Dropped]:
    """The captures of rows that have a sketch, by record id.

    Records that share a gzip member share an offset too, so more may come than was asked for.
    """
    wanted = {row["record_id"]: row["offset"] for row in rows if row["status"] is None}
    at = replace(source, offsets=tuple(sorted(set(wanted.values()))))
    again: dict[str, Capture | Dropped] = {}
    for capture in read(at, config.limits):
        if capture.record_id in wanted:
            again.setdefault(capture.record_id, capture)
    return again


def _source(row: Row) -> Source:
    offsets = row["offsets"]
    return Source(row["name"], row["uri"], None if offsets is None else tuple(offsets))
