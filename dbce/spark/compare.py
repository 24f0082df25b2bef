"""Stage 2 on Spark: sketches in, annotations out. It reads no archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce.cross import crosses, strongest
from dbce.pipeline import annotation, bucket_keys, entry
from dbce.spark.rows import (
    annotation_row,
    cross_of,
    cross_row,
    entry_of,
    groups,
    mapped,
    member_row,
    sketch_of,
)
from dbce.spark.schemas import ANNOTATION, CROSS, CROSSES, MEMBER, SKETCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

    from dbce.config import Config
    from dbce.spark.rows import Row

    Step = Callable[[Iterator[Row]], Iterator[Row]]


def compare(captures: DataFrame, config: Config, partitions: int) -> DataFrame:
    """An annotation for every capture that has a partner.

    First who meets whom, with signatures alone; then the words of those that met are brought
    together, once for each pair.
    """
    sketches = captures.where("status IS NULL").select(SKETCH.names)
    members = mapped(sketches, _members(config), MEMBER)
    in_buckets = _side_by_side(members, partitions, "place", "band", "key")
    met = mapped(in_buckets, _crosses(config), CROSS).distinct()
    chosen = mapped(_side_by_side(met, partitions, "cur"), _strongest(config), CROSSES)
    pairs = chosen.select("cur", F.explode("others").alias("record_id"), "crosses").withColumn(
        # The crosses travel once, with the capture they belong to.
        "crosses",
        F.when(F.col("cur") == F.col("record_id"), F.col("crosses")),
    )
    together = _side_by_side(pairs.join(sketches, "record_id"), partitions, "cur")
    return mapped(together, _annotations(config), ANNOTATION)


def _side_by_side(table: DataFrame, partitions: int, *keys: str) -> DataFrame:
    return table.repartition(partitions, *keys).sortWithinPartitions(*keys)


def _members(config: Config) -> Step:
    def members(rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            one = sketch_of(row)
            member = member_row(entry(one))
            for place, band, key in bucket_keys(one, config):
                yield member | {"place": place, "band": band, "key": key}

    return members


def _crosses(config: Config) -> Step:
    def bucket_crosses(rows: Iterator[Row]) -> Iterator[Row]:
        for bucket in groups(rows, "place", "band", "key"):
            yield from map(
                cross_row, crosses(map(entry_of, bucket), config.candidates, config.circle)
            )

    return bucket_crosses


def _strongest(config: Config) -> Step:
    def strongest_crosses(rows: Iterator[Row]) -> Iterator[Row]:
        for group in groups(rows, "cur"):
            chosen = strongest(map(cross_of, group), config.crosses)
            yield {
                "cur": chosen[0].cur,
                "others": sorted(
                    {m for c in chosen for m in (*c.members, *c.further) if m is not None}
                ),
                "crosses": list(map(cross_row, chosen)),
            }

    return strongest_crosses


def _annotations(config: Config) -> Step:
    def annotations(rows: Iterator[Row]) -> Iterator[Row]:
        for group in groups(rows, "cur"):
            members = list(group)
            sketches = {row["record_id"]: sketch_of(row) for row in members}
            chosen = next(row["crosses"] for row in members if row["crosses"])
            cur = sketches[members[0]["cur"]]
            found = annotation(cur, tuple(map(cross_of, chosen)), sketches, config)
            yield annotation_row(found)

    return annotations
