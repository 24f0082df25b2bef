"""The method of the thesis on Spark: two shuffles, and the bytes of a run without Spark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pyspark.sql.pandas.types import from_arrow_schema

from dbce.cli import main
from dbce.engine.spark.thesis import annotated_entries
from dbce.model import Config
from dbce.thesis import ENTRY
from tests.runs import same
from tests.site import snapshots, stored

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_entries_are_shuffled_by_bucket_and_by_record(spark: SparkSession):
    entries = spark.createDataFrame([], from_arrow_schema(ENTRY))
    plan = annotated_entries(entries, Config(method="thesis"), 4)
    told = plan._jdf.queryExecution().executedPlan().toString()
    keys = re.findall(r"Exchange hashpartitioning\((\w+)#", told)
    assert keys == ["record_id", "bucket"]  # a plan is written from its end
    assert told.count("Exchange") == 2


def test_a_run_leaves_the_bytes_of_one_without_spark(tmp_path: Path):
    for year in (2015, 2016):
        (tmp_path / f"{year}.warc.gz").write_bytes(stored(*snapshots(year)))
    inputs = [str(tmp_path / f"{year}.warc.gz") for year in (2015, 2016)]
    for master in ("none", "local[2]"):
        command = ["run", *inputs, "--out", str(tmp_path / master), "--master", master]
        assert main([*command, "--method", "thesis"]) == 0
    same(tmp_path / "none", tmp_path / "local[2]")
