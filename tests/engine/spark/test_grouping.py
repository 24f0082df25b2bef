"""By how many tasks rows are grouped before they are compared."""

from __future__ import annotations

import pytest

from dbce.engine.spark.tasks import GROUPED, GROUPED_BY_DEFAULT, grouping


@pytest.mark.spark
@pytest.mark.parametrize(("set_to", "by"), [(GROUPED_BY_DEFAULT, 6), ("3", 3)])
def test_spark_groups_rows_by_as_many_tasks_as_compare_where_nobody_says_otherwise(
    spark, set_to: str, by: int
) -> None:
    numbers = spark.range(1000).selectExpr("id % 100 AS rest").groupBy("rest")
    before = spark.conf.get(GROUPED)
    spark.conf.set(GROUPED, set_to)
    try:
        with grouping(spark, 6):
            assert numbers.count().rdd.getNumPartitions() == by
        assert spark.conf.get(GROUPED) == set_to
    finally:
        spark.conf.set(GROUPED, before)
