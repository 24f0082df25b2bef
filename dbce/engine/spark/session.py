"""A Spark session that works as it is: on a laptop, and under spark-submit on a cluster."""

from __future__ import annotations

import os
import re
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from dbce.engine.spark.java import java_home
from dbce.model import MissingExtra, UsageError
from dbce.progress import doing, go_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

# The forms that Spark knows (SparkContext.createTaskScheduler).
MASTER = re.compile(
    r"local(\[(\*|[1-9]\d*)(, *[1-9]\d*)?\])?|local-cluster\[\d+, *\d+, *\d+\]"
    r"|spark://.+|k8s://.+|yarn"
)

PATIENCE = 5
"""Seconds that a master may take to answer."""

SETTINGS = {
    # Set where neither spark-submit nor spark-defaults.conf says otherwise.
    # Stages in Python cost by rows, not by bytes; coalescing by bytes starves them of tasks.
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    # What was stored is read with the checksums that it was written with.
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
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
    # A third or more of the CPU of a start is Java's second compiler, for code that runs a minute; the work of a
    # run is in Python. One collector thread is enough for such a heap.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "8",
    "spark.log.level": "ERROR",
}


def session(master: str | None) -> SparkSession:
    """The running session, or a new one; `master` None leaves the choice to spark-submit.

    Raises:
        UsageError: the master is none or out of reach, pyspark or a suitable Java is missing, or
            an executor cannot run dbce.
    """
    spark = open_session(master)
    if not is_local(spark):
        from dbce.engine.spark.probe import check

        try:
            check(spark)
        except UsageError:
            spark.stop()
            raise
    return spark


@contextmanager
def running(master: str | None) -> Iterator[SparkSession]:
    """A session as long as the block lasts. After Ctrl-C no Java is left, however far it was.

    Raises:
        UsageError: as `session`.
    """
    try:
        spark = session(master)
        try:
            yield spark
        except Exception:
            go_on()  # what fails after Ctrl-C fails because of it
            spark.stop()
            raise
        spark.stop()
    except KeyboardInterrupt:
        from dbce.engine.spark import jvm

        jvm.end()
        raise


def is_local(spark: SparkSession) -> bool:
    """Return whether all processes of the session are on this machine, with its Python."""
    return (spark.sparkContext.master or "").startswith("local")


def open_session(master: str | None) -> SparkSession:
    """As `session`, with the executors not asked.

    Raises:
        UsageError: the master is none or out of reach, or pyspark or a suitable Java is missing.
    """
    if master is not None and not MASTER.fullmatch(master):
        raise UsageError(
            f"--master {master} is not a Spark master; give local[*], spark://HOST:PORT, yarn, "
            "k8s://HOST:PORT, or none to run without Spark"
        )
    try:
        from pyspark.sql import SparkSession

        from dbce.engine.spark import jvm
    except ModuleNotFoundError as e:
        raise MissingExtra("Spark", "spark", ", or run with --master none") from e
    # Workers must run the Python that has dbce, not the first one on the PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = _settings(master)
    has_java = jvm.is_there()
    if not has_java:
        os.environ["JAVA_HOME"] = str(java_home())
    _reach(master or "")
    doing("starting Spark")
    if not has_java:
        jvm.start(settings)
    if master is None:
        _reach(_submitted())
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    with jvm.ctrl_c_is_ours():
        spark = builder.getOrCreate()
    jvm.started()
    given = spark.sparkContext.getConf()
    for key, value in SETTINGS.items():
        if not given.contains(key):
            spark.conf.set(key, value)
    return spark


def _settings(master: str | None) -> dict[str, str]:
    """Return the settings that a session is made with."""
    own = {"spark.app.name": "dbce"} | ({} if master is None else {"spark.master": master})
    return own | (LOCAL_SETTINGS if (master or "").startswith("local") else {})


def _submitted() -> str:
    """The master that spark-submit was told; "" if none."""
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()  # noqa: SLF001 - only Java knows, and the session is too late
    return SparkConf().get("spark.master", "") or ""


def _reach(master: str) -> None:
    """Knocks at a standalone master, on which Spark itself would wait for a minute.

    Raises:
        UsageError: nobody listens there.
    """
    if not master.startswith("spark://"):
        return
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        with suppress(OSError, ValueError, OverflowError):
            socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
            return
    raise UsageError(
        f"no Spark master answers at {master}; its own page and its log show the URL "
        "(scripts/setup/cluster.sh status: of one on this machine)"
    )
