"""A Spark session that works as it is: on a laptop, and under spark-submit on a cluster."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from dbce.errors import UsageError
from dbce.spark.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The forms that Spark knows (SparkContext.createTaskScheduler).
MASTER = re.compile(
    r"local(\[(\*|[1-9]\d*)(, *[1-9]\d*)?\])?|local-cluster\[\d+, *\d+, *\d+\]"
    r"|spark://.+|k8s://.+|yarn"
)

SETTINGS = {
    # Set where neither spark-submit nor spark-defaults.conf says otherwise.
    # Stages in Python cost by rows, not by bytes; coalescing by bytes starves them of tasks.
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    # A batch of sketches is some ten megabytes at this number of rows.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}

LOCAL_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "8",
    "spark.log.level": "ERROR",
}


def session(master: str | None) -> SparkSession:
    """The running session, or a new one; `master` None leaves the choice to spark-submit.

    Raises:
        UsageError: the master is none, or pyspark or a suitable Java is missing.
    """
    if master is not None and not MASTER.fullmatch(master):
        raise UsageError(
            f"--master {master} is no Spark master; give local[*], spark://HOST:PORT, yarn, "
            "k8s://HOST:PORT, or none to run without Spark"
        )
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as e:
        raise UsageError(
            "pyspark is not installed: pip install 'dbce[spark]', or run with --master none"
        ) from e
    # Workers must run the Python that has dbce, not the first one on the PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("dbce")
    if master is not None:
        os.environ["JAVA_HOME"] = str(java_home())
        builder = builder.master(master)
        if master.startswith("local"):
            for key, value in LOCAL_SETTINGS.items():
                builder = builder.config(key, value)
    spark = builder.getOrCreate()
    given = spark.sparkContext.getConf()
    for key, value in SETTINGS.items():
        if not given.contains(key):
            spark.conf.set(key, value)
    return spark
