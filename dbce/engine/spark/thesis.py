"""The method of the thesis on Spark (section 2.4): a shuffle by LSH bucket, a task for each bucket, a shuffle by record.

Stage 1 is a task for each file, as for all methods, and leaves entries with their sanitised bodies. What travels here
is bodies: by bucket once for each bucket of several entries, by record once a cross.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce import thesis
from dbce.engine.spark.rows import (
    ANNOTATION,
    CROSS,
    annotation_row,
    cross_of,
    groups,
    map_partitions,
)
from dbce.model import Config, Cross, fault_detail
from dbce.output import Row, strings
from dbce.output.index import PLACE

IN_BUCKETS = pa.schema([("bucket", pa.string()), *thesis.ENTRY])  # an entry in one of its buckets

KEYS = pa.schema(strings("bucket", "record_id"))
"""An entry in one of its buckets, without what travels."""

OF_CROSSES = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("cross", pa.struct(CROSS)),
        *strings("body", "fault"),
    ]
)
"""An entry's annotated body of one cross, or how making it fails."""


def annotated_entries(entries: DataFrame, config: Config, partitions: int) -> DataFrame:
    """The annotation of every entry that has *up* in a bucket; `entries` are rows of `dbce.thesis.ENTRY`, one a record id."""
    in_buckets = map_partitions(entries, partial(_key_by_bucket, config), IN_BUCKETS)
    distinct = F.broadcast(_distinct_buckets(_buckets(entries, config)))
    is_distinct = F.xxhash64("bucket") == F.col("distinct")
    by_bucket = (
        in_buckets.join(distinct, is_distinct, "left_semi")
        .repartition(partitions, "bucket")
        .sortWithinPartitions("bucket", "surt", "timestamp", "record_id")
    )
    of_crosses = map_partitions(by_bucket, partial(_annotate_buckets, config), OF_CROSSES)
    by_record = of_crosses.repartition(partitions, "record_id").sortWithinPartitions("record_id")
    return map_partitions(by_record, partial(_merge_by_record, config), ANNOTATION)


def bucket_sizes(entries: DataFrame, config: Config) -> list[int]:
    """Numbers of entries of the buckets that are too large to be worked on whole."""
    large = _buckets(entries, config).where(F.col("entries") > thesis.MAX_BUCKET)
    return [row["entries"] for row in large.select("entries").collect()]


def _buckets(entries: DataFrame, config: Config) -> DataFrame:
    """Number of entries of each bucket, and a digest of their record ids; no body is read."""
    keys = map_partitions(entries.drop("body"), partial(_key_by_bucket, config), KEYS)
    digest = F.bit_xor(F.xxhash64("record_id"))
    return keys.groupBy("bucket").agg(F.count("*").alias("entries"), digest.alias("members"))


def _distinct_buckets(sizes: DataFrame) -> DataFrame:
    """Hashes of the buckets with several entries; of buckets with the same entries the first."""
    several = sizes.where("entries > 1").groupBy("entries", "members")
    return several.agg(F.min("bucket").alias("bucket")).select(
        F.xxhash64("bucket").alias("distinct")
    )


def _key_by_bucket(config: Config, rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        for key in thesis.bucket_keys(thesis.entry_of(row), config):
            yield row | {"bucket": key}


def _annotate_buckets(config: Config, rows: Iterator[Row]) -> Iterator[Row]:
    distinct: set[Cross] = set()  # of this task; buckets of another may have the same cross
    for bucket in groups(rows, "bucket"):
        for piece in thesis.pieces(bucket):
            by_record = {row["record_id"]: row for row in piece}
            for cross in thesis.crosses([thesis.entry_of(row) for row in piece]):
                if cross not in distinct:
                    distinct.add(cross)
                    yield _annotate_cross(by_record, cross, config)


def _annotate_cross(by_record: dict[str, Row], cross: Cross, config: Config) -> Row:
    row = {name: by_record[cross.cur][name] for name in (*PLACE, "record_id")}
    row["cross"] = {name: getattr(cross, name) for name in Cross.__dataclass_fields__}
    bodies = {member: by_record[member]["body"] for member in cross.members if member}
    try:
        return row | {"body": thesis.annotate_cross(bodies, cross, config)}
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return row | {"fault": fault_detail(e, cross.cur)}


def _merge_by_record(config: Config, rows: Iterator[Row]) -> Iterator[Row]:
    for of_record in groups(rows, "record_id"):
        by_cross = {cross_of(row["cross"]): row for row in of_record}
        crosses = thesis.merged_crosses(by_cross, config)
        place = {name: by_cross[crosses[0]][name] for name in (*PLACE, "record_id")}
        faults = [f for cross in crosses if (f := by_cross[cross]["fault"]) is not None]
        if faults:
            yield place | {"fault": faults[0]}
            continue
        try:
            bodies = [(cross, by_cross[cross]["body"]) for cross in crosses]
            yield annotation_row(thesis.merge_annotations(bodies, config)) | place
        except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
            yield place | {"fault": fault_detail(e, place["record_id"])}


_EXCHANGE = re.compile(r"Exchange hashpartitioning\((bucket|record_id)#\d+, \d+\), REPARTITION")
_SUM = re.compile(r"^[\d.,]+ [KMGTPE]?i?B", re.MULTILINE)
"""The sum of a metric, at the beginning of its last line."""


def shuffled_bytes(spark: SparkSession) -> dict[str, str]:
    """Bytes of the last shuffle by bucket and by record, as Spark's own page shows them."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()  # noqa: SLF001 - Python has no other way to ask
    store = spark._jsparkSession.sharedState().statusStore()  # noqa: SLF001
    executions = store.executionsList()
    sizes = dict.fromkeys(("bucket", "record"), "0 B")
    for execution in map(executions.apply, range(executions.size())):
        nodes = store.planGraph(execution.executionId()).allNodes()
        values = store.executionMetrics(execution.executionId())
        for node in map(nodes.apply, range(nodes.size())):
            if match := _EXCHANGE.match(node.desc()):
                sizes[match[1].removesuffix("_id")] = _size_of(node.metrics(), values)
    return sizes


def _size_of(metrics: Any, values: Any) -> str:
    for metric in map(metrics.apply, range(metrics.size())):
        if metric.name() == "shuffle bytes written" and values.contains(metric.accumulatorId()):
            return str(_SUM.findall(values.apply(metric.accumulatorId()))[0])
    return "0 B"
