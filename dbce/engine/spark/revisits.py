"""Revisits on Spark: what each repeats, by joins; dbce.boilerplate.neighbourhood is the same on plain values.

Every capture offers a key for each of `RULES`, and every revisit asks for one. Of the captures that offer
a key the first is taken before anything is joined with it, so a payload that occurs a million times is
one row by then.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from dbce.archive import EMPTY_DIGESTS
from dbce.boilerplate import RULES, TEXTS, Original
from dbce.model import Reason, Resolution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import Column, DataFrame

IS_REVISIT = f"reason <=> '{Reason.REVISIT}'"
"""Condition: the row of the index is of a revisit."""

BEST = tuple(one.name for one in fields(Original))
"""Columns by which the originals that fit are ordered: the fields by which values are."""


def resolved(revisits: DataFrame, captures: DataFrame) -> DataFrame:
    """The revisits with two columns more: `resolution`, and `original`, null where there is none.

    Args:
        revisits: rows of the index, one a record id.
        captures: the rows that they may repeat; other revisits among them are left out.
    """
    asked = revisits.withColumn("keys", _keys(rule.says for rule in RULES))
    wanted = asked.select("record_id", F.inline("keys"))
    offered = (
        captures.where(f"NOT {IS_REVISIT} AND record_id != '' AND timestamp IS NOT NULL")
        .withColumn("is_dropped", F.col("status").isNotNull())
        .select(F.struct(*BEST).alias("original"), F.inline(_keys(rule.has for rule in RULES)))
    )
    first = (
        offered.join(wanted.select("rule", "key").distinct(), ["rule", "key"], "left_semi")
        .groupBy("rule", "key")
        .agg(F.min("original").alias("original"))
    )
    best = (
        wanted.join(first, ["rule", "key"])
        .groupBy("record_id")
        .agg(F.min(F.struct("rule", "original")).alias("best"))
    )
    return (
        asked.join(best, "record_id", "left")
        .withColumns({"original": F.col("best.original"), "resolution": _resolution()})
        .drop("best", "keys")
    )


def _keys(by_rule: Iterable[Iterable[str]]) -> Column:
    """Return the keys to look up by each rule, given its fields; none for rules that lack one."""
    texts = ([F.concat(_field(name), F.lit(" ")) for name in names] for names in by_rule)
    keys = (F.concat(*of_rule) for of_rule in texts)  # null where one of them is
    every = [F.struct(F.lit(n).alias("rule"), key.alias("key")) for n, key in enumerate(keys)]
    return F.filter(F.array(*every), lambda one: one["key"].isNotNull())


def _field(name: str) -> Column:
    """A field of a rule as text, null where it is empty."""
    digest = F.col("digest")
    derived = {
        "second": F.unix_seconds("timestamp"),
        "refers_to_second": F.unix_seconds("refers_to_time"),
        "digest_of_something": F.when(~digest.isin(sorted(EMPTY_DIGESTS)), digest),
    }
    text = derived.get(name, F.col(name)).cast("string")
    return F.when(text != "", text)


def _resolution() -> Column:
    """The rule that found the best original, or why none did."""
    rules = F.array(*(F.lit(rule.resolution.value) for rule in RULES))
    none = F.when(F.size("keys") > 0, Resolution.NOT_HERE.value).otherwise(
        Resolution.NOTHING_TO_GO_BY.value
    )
    return F.coalesce(F.get(rules, F.col("best.rule")), none)


def unchanged(found: DataFrame, sketches: DataFrame) -> DataFrame:
    """The revisits that repeat a capture with a sketch, with its texts.

    Args:
        found: what `resolved` makes of revisits.
        sketches: rows of the index with a sketch, one a record id.
    """
    texts = sketches.select(F.col("record_id").alias("repeated"), *TEXTS)
    repeats = found.where("NOT original.is_dropped").drop(*TEXTS)
    return repeats.join(texts, F.col("original.record_id") == F.col("repeated")).drop("repeated")
