"""The method of the thesis on Spark (section 2.4): a shuffle by LSH bucket, a task for each bucket, a shuffle by record.

Stage 1 is a task for each file, as for all methods, and leaves entries with their sanitised bodies. What travels here
is bodies: by bucket once a band (18 at the default threshold), by record once a cross.
"""

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame

from dbce import thesis
from dbce.engine.spark.rows import (
    ANNOTATION,
    CROSS,
    Step,
    annotation_row,
    cross_of,
    groups,
    map_partitions,
)
from dbce.model import Config, Cross, fault_detail
from dbce.output import Row
from dbce.output.index import PLACE

IN_BUCKETS = pa.schema([("bucket", pa.string()), *thesis.ENTRY])
"""An entry in one of its buckets."""

OF_CROSSES = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("cross", pa.struct(CROSS)),
        ("body", pa.string()),
        ("fault", pa.string()),
    ]
)
"""An entry's annotated body of one cross, or how making it fails."""


def annotated_entries(entries: DataFrame, config: Config, partitions: int) -> DataFrame:
    """The annotation of every entry that has *up* in a bucket.

    Args:
        entries: rows of `dbce.thesis.ENTRY`, one a record id.
        config: its threshold and classifier count.
        partitions: tasks of each shuffle.
    """
    in_buckets = map_partitions(entries, _key_by_bucket(config), IN_BUCKETS)
    by_bucket = in_buckets.repartition(partitions, "bucket").sortWithinPartitions(
        "bucket", "surt", "timestamp", "record_id"
    )
    of_crosses = map_partitions(by_bucket, _annotate_buckets(config), OF_CROSSES)
    by_record = of_crosses.repartition(partitions, "record_id").sortWithinPartitions("record_id")
    return map_partitions(by_record, _merge_by_record(config), ANNOTATION)


def _key_by_bucket(config: Config) -> Step:
    def key_by_bucket(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            for key in thesis.bucket_keys(thesis.entry_of(row), config):
                yield row | {"bucket": key}

    return key_by_bucket


def _annotate_buckets(config: Config) -> Step:
    def annotate_buckets(rows: Iterator[Row]) -> Iterator[Row]:
        # Of other buckets of this task; equal ones of other tasks are worked on again.
        known: set[Cross] = set()
        known_members: set[tuple[str, ...]] = set()
        for bucket in groups(rows, "bucket"):
            for piece in thesis.pieces(bucket):
                by_record = {row["record_id"]: row for row in piece}
                if (members := tuple(by_record)) in known_members:
                    continue
                known_members.add(members)
                for cross in thesis.crosses([thesis.entry_of(row) for row in piece]):
                    if cross not in known:
                        known.add(cross)
                        yield _annotate_cross(by_record, cross, config)

    return annotate_buckets


def _annotate_cross(by_record: dict[str, Row], cross: Cross, config: Config) -> Row:
    row = {name: by_record[cross.cur][name] for name in (*PLACE, "record_id")}
    row["cross"] = {name: getattr(cross, name) for name in Cross.__dataclass_fields__}
    bodies = {member: by_record[member]["body"] for member in cross.members if member}
    try:
        return row | {"body": thesis.annotate_cross(bodies, cross, config)}
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return row | {"fault": fault_detail(e, cross.cur)}


def _merge_by_record(config: Config) -> Step:
    def merge_by_record(rows: Iterator[Row]) -> Iterator[Row]:
        for of_record in groups(rows, "record_id"):
            crosses = [(cross_of(row["cross"]), row) for row in of_record]
            crosses.sort(key=lambda pair: thesis.strength(pair[0]))
            first = crosses[0][1]
            where = {name: first[name] for name in (*PLACE, "record_id")}
            faults = [row["fault"] for _, row in crosses if row["fault"] is not None]
            if faults:
                yield where | {"fault": faults[0]}
                continue
            try:
                found = thesis.merge_annotations(
                    [(cross, row["body"]) for cross, row in crosses], config
                )
                yield annotation_row(found) | where
            except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
                yield where | {"fault": fault_detail(e, first["record_id"])}

    return merge_by_record
