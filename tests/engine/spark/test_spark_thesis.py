"""The method of the thesis on Spark: two shuffles, and the bytes of a run without Spark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pyspark.sql.pandas.types import from_arrow_schema

from dbce.cli import main
from dbce.engine.spark.thesis import _distinct_buckets, annotated_entries
from dbce.model import Config, Stage
from dbce.thesis import ENTRY
from tests.runs import finished_run, outputs, same
from tests.site import write_years

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_entries_are_shuffled_by_bucket_and_by_record(spark: SparkSession):
    entries = spark.createDataFrame([], from_arrow_schema(ENTRY))
    plan = annotated_entries(entries, Config(method="thesis"), 4)
    told = plan._jdf.queryExecution().executedPlan().toString()
    keys = re.findall(r"Exchange hashpartitioning\((\w+)#\d+, 4\), REPARTITION_BY_NUM", told)
    assert keys == ["record_id", "bucket"]  # a plan is written from its end
    assert told.count("REPARTITION") == 2


def test_of_buckets_with_the_same_entries_one_is_worked_on(spark: SparkSession):
    sizes = [("a", 2, 7), ("b", 2, 7), ("c", 2, 8), ("d", 3, 7), ("alone", 1, 9)]
    table = spark.createDataFrame(sizes, "bucket string, entries long, members long")
    distinct = {row["distinct"] for row in _distinct_buckets(table).collect()}
    hashes = table.selectExpr("bucket", "xxhash64(bucket) AS distinct").collect()
    assert {row["bucket"] for row in hashes if row["distinct"] in distinct} == {"a", "c", "d"}


def test_a_run_and_three_jobs_leave_the_bytes_of_a_run_without_spark(tmp_path, capsys):
    write_years(tmp_path / "in", 2015, 2016)
    for master in ("none", "local[2]"):
        finished_run(tmp_path / "in", tmp_path / master, master=master, method="thesis")
        told = capsys.readouterr().err
    assert re.search(r"shuffled [\d.]+ \w*B by bucket, [\d.]+ \w*B by record", told)
    same(tmp_path / "none", tmp_path / "local[2]")
    jobs = ["run", str(tmp_path / "in"), "--out", str(tmp_path / "jobs"), "--method", "thesis"]
    for stage in (Stage.READ, Stage.COMPARE, Stage.JUDGE):
        assert main(jobs, master="local[2]", stage=stage) == 0
    assert outputs(tmp_path / "jobs") == outputs(tmp_path / "none")
