"""Stage 2 on Spark: sketches in, annotations out, and what revisits repeat. It reads the index alone."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import partial
from itertools import chain
from typing import NamedTuple

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce import boilerplate
from dbce.archive import EMPTY_DIGESTS
from dbce.boilerplate import compare_what_can_be
from dbce.engine.spark.rows import ANNOTATION, CUT, annotation_row, groups, map_partitions
from dbce.engine.spark.thesis import annotated_entries
from dbce.model import Config, Reason, Resolution
from dbce.output import Row
from dbce.output.index import PLACE, sketch_of

# What revisits repeat, by joins; dbce.boilerplate.neighbourhood is the same on plain values.
#
# Every capture offers a key for each of `RULES`, and every revisit asks for one. Of the captures
# that offer a key the first is taken before anything is joined with it, so a payload that occurs
# a million times is one row by then.

IS_REVISIT = f"reason <=> '{Reason.REVISIT}'"  # condition: the row of the index is of a revisit

BEST = tuple(field.name for field in fields(boilerplate.Original))
"""Columns by which the originals that fit are ordered: the fields by which values are."""


def resolve_revisits(revisits: DataFrame, captures: DataFrame) -> DataFrame:
    """The revisits with two columns more: `resolution`, and `original`, null where there is none.

    Both are rows of the index: revisits one a record id, captures that they may repeat with other revisits among them.
    """
    keyed = revisits.withColumn("keys", _keys(rule.says for rule in boilerplate.RULES))
    wanted = keyed.select("record_id", "timestamp", F.inline("keys"))
    offered = (
        captures.where(f"NOT {IS_REVISIT} AND record_id != '' AND timestamp IS NOT NULL")
        .withColumn("is_dropped", F.col("status").isNotNull())
        .select(
            F.struct(*BEST).alias("original"),
            F.inline(_keys(rule.has for rule in boilerplate.RULES)),
        )
    )
    is_earlier = F.col("rule") == [r.resolution for r in boilerplate.RULES].index(
        Resolution.EARLIER
    )
    first = (
        offered.where(~is_earlier)
        .join(wanted.select("rule", "key").distinct(), ["rule", "key"], "left_semi")
        .groupBy("rule", "key")
        .agg(F.min("original").alias("original"))
    )
    order = ("original.is_dropped", -F.unix_micros("original.timestamp"), "original")
    last = (
        wanted.where(is_earlier)
        .join(offered, ["rule", "key"])
        .where("original.timestamp < timestamp")
        .groupBy("record_id", "rule")
        .agg(F.min_by("original", F.struct(*order)).alias("original"))
    )
    firsts = wanted.join(first, ["rule", "key"]).select("record_id", "rule", "original")
    best = (
        firsts.unionByName(last)
        .groupBy("record_id")
        .agg(F.min(F.struct("rule", "original")).alias("best"))
    )
    rules = F.array(*(F.lit(rule.resolution.value) for rule in boilerplate.RULES))
    none = F.when(F.size("keys") > 0, Resolution.NOT_HERE.value).otherwise(
        Resolution.NOTHING_TO_GO_BY.value
    )
    resolution = F.coalesce(F.get(rules, F.col("best.rule")), none)
    return (
        keyed.join(best, "record_id", "left")
        .withColumns({"original": F.col("best.original"), "resolution": resolution})
        .drop("best", "keys")
    )


def _keys(by_rule: Iterable[Iterable[str]]) -> Column:
    texts = ([F.concat(_field(name), F.lit(" ")) for name in names] for names in by_rule)
    keys = (F.concat(*of_rule) for of_rule in texts)  # null where one of them is
    every = [F.struct(F.lit(n).alias("rule"), key.alias("key")) for n, key in enumerate(keys)]
    return F.filter(F.array(*every), lambda key: key["key"].isNotNull())


def _field(name: str) -> Column:
    """A field of a rule as text, null where it is empty."""
    digest = F.col("digest")
    derived = {
        "second": F.unix_seconds("timestamp"),
        "refers_to_second": F.unix_seconds("refers_to_time"),
        "refers_to_earlier": F.when(F.col("refers_to_time").isNull(), F.col("refers_to_surt")),
        "digest_of_something": F.when(~digest.isin(sorted(EMPTY_DIGESTS)), digest),
    }
    text = derived.get(name, F.col(name)).cast("string")
    return F.when(text != "", text)


# Sketches travel once, to the task that compares their block. A site is one block; only of those
# that are larger than a block must be known where they are cut, and that follows from URLs and
# times alone.

KEYS = ("surt", "time", "record_id")  # the order of a site's captures, from which its blocks follow

FEW = 1000  # sites that a query names one by one at most


class Thin(NamedTuple):
    """A capture without words: what cutting a site needs to know."""

    surt: str
    timestamp: int
    record_id: str
    site: str = ""


def compare(
    new: DataFrame,
    known: DataFrame | None,
    config: Config,
    partitions: int,
    entries: DataFrame | None = None,
) -> DataFrame:
    """Return an annotation of each new capture that has a partner or a snapshot.

    Captures that are known from before are neighbours only, and so are revisits. A new revisit has a
    row without crosses that says what it repeats; so has a new capture that repeats a record.

    `new` is the index of what is to be judged, `known` that of what was judged before, if anything was. `entries` are what
    the method of the thesis compares.
    """
    both = new.withColumn("is_new", F.lit(True))
    if known is not None:
        of_sites = known if config.across_sites else _rows_of_sites(known, new)
        both = both.unionByName(of_sites.withColumn("is_new", F.lit(False)))
    rows = both.withColumns(
        {
            "site": F.lit("") if config.across_sites else F.col("site"),
            "time": F.unix_micros("timestamp"),  # means the same in every time zone
            "is_revisit": F.expr(IS_REVISIT),
        }
    )
    again = _duplicate_places(rows).cache()
    first = rows.join(F.broadcast(again), ["is_new", *PLACE], "left_anti")
    sketches = first.where("status IS NULL")
    compared = sketches.withColumn("is_asked", F.col("is_new"))
    repeats = again.where("is_new").select(*PLACE)
    if not rows.where("is_revisit").isEmpty():
        resolved = resolve_revisits(first.where("is_revisit"), rows).cache()
        # Those that repeat a capture with a sketch are compared with its texts.
        texts = sketches.select(F.col("record_id").alias("repeated"), *boilerplate.TEXTS)
        unchanged = resolved.where("NOT original.is_dropped").drop(*boilerplate.TEXTS)
        others = unchanged.join(texts, F.col("original.record_id") == F.col("repeated"))
        others = others.withColumn("is_asked", F.lit(False))
        compared = compared.unionByName(others.select(compared.columns))
        of_new = resolved.where("is_new").select(*PLACE, "resolution", "original")
        repeats = repeats.unionByName(of_new, allowMissingColumns=True)
    if entries is not None:
        counted = entries.join(F.broadcast(again.select(*PLACE)), [*PLACE], "left_anti")
        annotations = annotated_entries(counted, config, partitions)
    else:
        annotations = _compare_blocks(compared, config, partitions, is_night=known is not None)
    return annotations.unionByName(repeats, allowMissingColumns=True)


def _compare_blocks(
    compared: DataFrame, config: Config, partitions: int, *, is_night: bool
) -> DataFrame:
    """The annotations of those that are asked about; rows of one record id each."""
    in_blocks = compared.withColumn("block", _block(compared, config))
    if is_night:
        # What is known of other blocks stays where it is: a night costs what the night brings.
        touched = in_blocks.where("is_asked").select("site", "block").distinct()
        in_blocks = in_blocks.join(F.broadcast(touched), ["site", "block"], "left_semi")
    side_by_side = in_blocks.repartition(partitions, "site", "block").sortWithinPartitions(
        "site", "block"
    )
    return map_partitions(side_by_side, partial(_annotations, config), ANNOTATION)


def _rows_of_sites(known: DataFrame, new: DataFrame) -> DataFrame:
    """The known rows of the sites of new captures, and those that revisits refer to; the rest is not even read."""
    compared = new.where(f"status IS NULL OR {IS_REVISIT}")
    either = compared.select(F.explode(F.array("site", "refers_to_site")).alias("site"))
    sites = either.where("site IS NOT NULL").distinct()
    few = [row["site"] for row in sites.limit(FEW + 1).collect()]
    if len(few) <= FEW:  # named, they are held against the statistics of row groups
        return known.where(F.col("site").isin(few))
    return known.join(F.broadcast(sites), "site", "left_semi")


def _duplicate_places(rows: DataFrame) -> DataFrame:
    """The places of all captures but the one with the least claim of each record id."""
    claim = F.struct(*boilerplate.Claim._fields)
    captures = rows.where("status IS NULL OR is_revisit")
    least = (
        captures.groupBy("record_id")
        .agg(F.min(claim).alias("least"), F.count("*").alias("times"))
        .where("times > 1")
        .select("record_id", "least")
    )
    sharing = captures.join(F.broadcast(least), "record_id")
    return sharing.where(claim != F.col("least")).select("is_new", *PLACE)


def _block(captures: DataFrame, config: Config) -> Column:
    """The block of every capture in its site: "" where the site is one."""
    sizes = captures.groupBy("site").agg(
        F.count("*").alias("captures"), F.count_distinct("surt").alias("urls")
    )
    large = sizes.where(F.col("captures") > boilerplate.BLOCK).cache()
    if large.isEmpty():
        return F.lit("")
    by_site = captures.select("site", *KEYS).join(F.broadcast(large), "site").repartition("site")
    rows = map_partitions(
        by_site.sortWithinPartitions("site", *KEYS), partial(_cuts, config), CUT
    ).collect()
    cuts = {
        row["site"]: boilerplate.Cuts(
            tuple(cut["url"] for cut in row["cuts"]),
            tuple(tuple(map(tuple, cut["times"])) for cut in row["cuts"]),
        )
        for row in rows
    }

    def block(site: str, surt: str, time: int, record_id: str) -> str:
        return cuts[site].block(Thin(surt, time, record_id)) if site in cuts else ""

    # Row by row, for by batches of pandas each worker would import that.
    return F.udf(block, "string", useArrow=False)("site", *KEYS)


def _cuts(config: Config, rows: Iterator[Row]) -> Iterator[Row]:
    for of_site in groups(rows, "site"):
        first = next(of_site)
        thin = (Thin(*(row[key] for key in KEYS)) for row in chain([first], of_site))
        cuts = boilerplate.cuts_of(thin, first["captures"], first["urls"], config)
        its_cuts = zip(cuts.urls, cuts.times, strict=True)
        yield {
            "site": first["site"],
            "cuts": [{"url": url, "times": times} for url, times in its_cuts],
        }


def _annotations(config: Config, rows: Iterator[Row]) -> Iterator[Row]:
    for of_block in groups(rows, "site", "block"):
        block = list(of_block)
        place = {row["record_id"]: row for row in block if row["is_asked"]}
        if place:
            sketches = map(sketch_of, block)
            for result in compare_what_can_be(sketches, config, of=place.keys()):
                where = {name: place[result.record_id][name] for name in PLACE}
                if isinstance(result, boilerplate.ComparisonFailure):
                    yield where | {"record_id": result.record_id, "fault": result.detail}
                else:
                    yield annotation_row(result) | where
