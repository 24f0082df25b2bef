"""A Spark session that works as it is, on a laptop or a cluster, and a check of what the driver and the executors have."""

from __future__ import annotations

import argparse
import os
import re
import socket
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from dbce.engine.spark.java import java_home
from dbce.engine.spark.places import (
    DRIVER,
    Place,
    as_json,
    as_text,
    check,
    driver,
    executors,
    findings,
)
from dbce.model import MissingExtra, UsageError, announce, raise_pending

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The forms that Spark knows (SparkContext.createTaskScheduler).
MASTER = re.compile(
    r"local(\[(\*|[1-9]\d*)(, *[1-9]\d*)?\])?|local-cluster\[\d+, *\d+, *\d+\]"
    r"|spark://.+|k8s://.+|yarn"
)

PATIENCE = 5  # seconds that a master may take to answer

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


@contextmanager
def running(master: str | None) -> Iterator[SparkSession]:
    """A session as long as the block lasts. After Ctrl-C no Java is left, however far it was.

    Raises UsageError: as `open_session`, or an executor cannot run dbce.
    """
    try:
        spark = open_session(master)
        try:
            if not is_local(spark):
                check(spark)
            yield spark
        except Exception:
            raise_pending()  # what fails after Ctrl-C fails because of it
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
    """The running session, or a new one; `master` None leaves the choice to spark-submit.

    Raises UsageError: the master is none or out of reach, or pyspark or a suitable Java is missing.
    """
    if remote := os.environ.get("SPARK_REMOTE"):
        raise UsageError(
            f"SPARK_REMOTE is {remote}: Spark Connect is not supported; unset it, and give --master"
        )
    if master is not None and not MASTER.fullmatch(master):
        raise UsageError(
            f"--master {master} is not a Spark master; give local[*], spark://HOST:PORT, yarn, "
            "k8s://HOST:PORT, or none to run without Spark"
        )
    # That it does not know pandas 3 yet, which is not in what dbce does with it.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
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
        _leave_c_locale()
    _reach(master or "")
    announce("starting Spark")
    if not has_java:
        jvm.start(settings)
    if master is None:
        _reach(_submitted_master())
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    with jvm.ctrl_c_is_ours():
        spark = builder.getOrCreate()
    jvm.end_startup()
    conf = spark.sparkContext.getConf()
    for key, value in SETTINGS.items():
        if not conf.contains(key):
            spark.conf.set(key, value)
    return spark


def _leave_c_locale() -> None:
    """Let Java and what it starts have UTF-8 where no locale is set, as under cron; it can name no other files."""
    locales = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if next(filter(None, locales), "C") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"


def check_names(spark: SparkSession, names: Iterable[str]) -> None:
    """Raise UsageError if a name is beyond ASCII and Java, which spark-submit has started, knows nothing else."""
    java: Any = spark.sparkContext._jvm  # noqa: SLF001 - no other way leads there
    beyond = next((name for name in names if not name.isascii()), None)
    if beyond and java.System.getProperty("sun.jnu.encoding") == "ANSI_X3.4-1968":
        raise UsageError(
            f"Java cannot open {beyond} in the C locale that it was started in; let LC_ALL be C.UTF-8 for spark-submit"
        )


def _settings(master: str | None) -> dict[str, str]:
    settings = {"spark.app.name": "dbce"} | ({} if master is None else {"spark.master": master})
    return settings | (LOCAL_SETTINGS if (master or "").startswith("local") else {})


def _submitted_master() -> str:
    """The master that spark-submit was told; "" if none."""
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()  # noqa: SLF001 - only Java knows, and the session is too late
    return SparkConf().get("spark.master", "") or ""


def _reach(master: str) -> None:
    """Connect to a standalone master, for which Spark itself would wait a minute; UsageError if nobody listens."""
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


EXECUTORS_PATIENCE = 60  # seconds that the first executor may take to come

QUIET = 3  # when no executor has come for so many seconds, those that are there are all
ROUNDS = 5  # number of times that tasks go out to reach an executor that has not answered


def main(arguments: Sequence[str] | None = None, master: str | None = None) -> int:
    """Print the versions of every place, and the differences.

    The exit code is 0 if dbce can run, 1 if something that matters differs, 2 if not even that
    can be asked. `master` None leaves the choice to spark-submit.
    """
    parser = argparse.ArgumentParser(prog="doctor.py", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        with open_session(master) as spark:
            places = examine(spark)
    except UsageError as e:
        sys.stderr.write(f"dbce: {e}\n")
        return 2
    differing = findings(places)
    sys.stdout.write(as_json(places, differing) if options.json else as_text(places, differing))
    return int(any(finding.fatal for finding in differing))


def examine(spark: SparkSession) -> list[Place]:
    """The driver, then every executor.

    Raises UsageError: there is no executor, or one cannot start a Python like the driver's.
    """
    expected = _executors(spark)
    places: dict[str, Place] = {}
    for _ in range(ROUNDS):
        places |= {place.name: place for place in executors(spark)}
        if expected <= places.keys():
            break
    return [driver(spark), *(places[name] for name in sorted(places))]


def _executors(spark: SparkSession) -> set[str]:
    """The names of the executors, as soon as no more are coming."""
    if is_local(spark):
        return set()
    store = spark.sparkContext._jsc.sc().statusStore()  # noqa: SLF001 - what Spark's own page shows
    known: set[str] = set()
    since = time.monotonic()
    while not known or time.monotonic() - since < QUIET:
        active = store.executorList(True)
        names = {active.apply(n).id() for n in range(active.size())} - {DRIVER}
        if names != known:
            known, since = names, time.monotonic()
        if not known and time.monotonic() - since > EXECUTORS_PATIENCE:
            raise UsageError(
                f"no executor came within {EXECUTORS_PATIENCE} seconds; see on the page of the cluster whether "
                "workers are there and have the cores and memory that are asked for (--executor-cores, --executor-memory)"
            )
        time.sleep(0.2)
    return known
