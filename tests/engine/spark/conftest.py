"""The session that commands of these tests run in, to look into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def spark() -> SparkSession:
    from dbce.engine.spark.session import session

    return session("local[2]")
