"""By how many tasks rows are grouped before they are compared."""

from pathlib import Path
from typing import Any

import pytest

from dbce.cli import main
from dbce.engine.spark import tasks
from dbce.engine.spark.session import LOCAL_SETTINGS
from dbce.engine.spark.tasks import GROUPED, GROUPED_BY_DEFAULT
from tests.site import snapshots, stored


@pytest.mark.spark
@pytest.mark.parametrize(("set_to", "by"), [(GROUPED_BY_DEFAULT, "5"), ("3", "3")])
@pytest.mark.nightly
def test_spark_groups_rows_by_as_many_tasks_as_compare_where_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark, set_to: str, by: str
) -> None:
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    monkeypatch.setitem(LOCAL_SETTINGS, GROUPED, set_to)
    compare, seen = tasks.compare, []

    def asked(*given: Any) -> Any:
        seen.append(spark.conf.get(GROUPED))
        return compare(*given)

    monkeypatch.setattr(tasks, "compare", asked)
    words = ["run", tmp_path / "a.warc.gz", "--out", tmp_path / "out", "--partitions", "5"]
    assert main([*map(str, words), "--master", "local[2]", "--method", "T002"]) == 0
    assert seen == [by]
    assert spark.conf.get(GROUPED) == set_to
