"""A Spark session that works as it is, on a laptop or a cluster, and a check of what the driver and the executors have."""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from dbce.engine.spark.java import java_home
from dbce.model import MissingExtra, UsageError, announce, raise_pending

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Answer: TypeAlias = dict[str, Any]


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


def session(master: str | None) -> SparkSession:
    """The running session, or a new one; `master` None leaves the choice to spark-submit.

    Raises:
        UsageError: the master is none or out of reach, pyspark or a suitable Java is missing, or
            an executor cannot run dbce.
    """
    spark = open_session(master)
    if not is_local(spark):
        try:
            check(spark)
        except UsageError:
            spark.stop()
            raise
    return spark


@contextmanager
def running(master: str | None) -> Iterator[SparkSession]:
    """A session as long as the block lasts, as `session` gives it. After Ctrl-C no Java is left, however far it was."""
    try:
        spark = session(master)
        try:
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
    """As `session`, without asking the executors."""
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
    given = spark.sparkContext.getConf()
    for key, value in SETTINGS.items():
        if not given.contains(key):
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
            f"Java cannot open {beyond} in the C locale that it was started in; let LC_ALL be C.UTF-8 "
            "for spark-submit"
        )


def _settings(master: str | None) -> dict[str, str]:
    own = {"spark.app.name": "dbce"} | ({} if master is None else {"spark.master": master})
    return own | (LOCAL_SETTINGS if (master or "").startswith("local") else {})


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


# Versions that the driver and the executors have, and how they differ.

DRIVER = "driver"  # Spark's own name for it

SAME_PYTHON = (
    "let PYSPARK_PYTHON name on every machine a Python of the driver's minor version, or ship one: "
    "make dist-env, then --archives dist/dbce-env.tar.gz#env and PYSPARK_PYTHON=./env/bin/python"
)


@dataclass(frozen=True, slots=True)
class Place:
    """The driver or an executor, by Spark's name; a version is None where the thing is missing."""

    name: str
    host: str
    executable: str
    python: str
    java: str
    spark: str
    dbce: str | None
    packages: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference, as a sentence; `fatal` if dbce will not run, or not give the same everywhere."""

    sentence: str
    fatal: bool


def findings(places: Sequence[Place]) -> list[Finding]:
    """Return what is missing or differs from the driver, the first place; most important first."""
    found = [one for place in places for one in _differences(place, places[0])]
    return [Finding(text, rank < VERSIONS) for rank, text in sorted(found, key=itemgetter(0))]


VERSIONS = 4
"""Rank of a difference that dbce runs with: of the version of a package, of Java or of Spark."""


def _differences(place: Place, driver: Place) -> Iterator[tuple[int, str]]:
    """Yield what is missing at a place, or differs from the driver, each with its rank."""
    name = place_name(place.name, place.host)
    if place.python.split(".")[:2] != driver.python.split(".")[:2]:
        runs = f"runs Python {place.python} and the driver {driver.python}"
        yield 0, f"{name} {runs}; {SAME_PYTHON}"
    if place.dbce is None:
        remedy = (
            f"install its wheel (make dist) in {place.executable}, or submit with --archives "
            "dist/dbce-env.tar.gz#env (make dist-env) and PYSPARK_PYTHON=./env/bin/python"
        )
        yield 1, f"{name} has no dbce; {remedy}"
    elif place.dbce != driver.dbce:
        has = f"has dbce {place.dbce} and the driver {driver.dbce}"
        yield 2, f"{name} {has}; install one version everywhere"
    if missing := [name for name, version in place.packages.items() if version is None]:
        remedy = f"install them in {place.executable}, or ship an environment"
        yield 3, f"{name} lacks {', '.join(missing)}; {remedy} (make dist-env, --archives)"
    here, there = _versions(place), _versions(driver)
    differing = [
        f"{of} {here[of]} (driver: {version})"
        for of, version in there.items()
        if version and here[of] and version != here[of]
    ]
    if differing:
        yield VERSIONS, f"{name} has {', '.join(differing)}"


def _versions(place: Place) -> dict[str, str | None]:
    return {"Python": place.python, "Java": place.java, "Spark": place.spark, **place.packages}


def place_name(name: str, host: str) -> str:
    return "the driver" if name == DRIVER else f"executor {name} on {host}"


# The question what an executor has reaches it as code, not as the name of a module, so that one
# without dbce can answer too.

JAVA = "java_method('java.lang.System', 'getProperty', 'java.version') AS java"
"""Asked of the Java that runs the task; Spark's function version() is answered by the driver."""

LINGER = 0.5  # seconds that a task lasts at least, so that no executor takes the tasks of another


def check(spark: SparkSession) -> None:
    """Check the executors that are there, before work begins.

    Raises:
        UsageError: one of them cannot run dbce; the message says why and what to type.
    """
    found = findings([driver(spark), *executors(spark)])
    fatal = [finding.sentence for finding in found if finding.fatal]
    if fatal:
        more = f" (and {len(fatal) - 1} more such: see jobs/doctor.py)" if fatal[1:] else ""
        raise UsageError(f"{fatal[0]}{more}")


def driver(spark: SparkSession) -> Place:
    jvm: Any = spark._jvm  # noqa: SLF001 - Python has no other way to ask
    java = jvm.System.getProperty("java.version")
    (answer,) = _probe(requirements())([{"java": java}])
    return _place(answer, DRIVER, spark.sparkContext.getConf().get("spark.driver.host") or "")


def executors(spark: SparkSession) -> list[Place]:
    """Return the places, by name, of the executors that one round of tasks reaches.

    Raises:
        UsageError: an executor cannot start its Python, or that is of another minor version.
    """
    tasks = max(spark.sparkContext.defaultParallelism, 2)
    rows = spark.range(0, tasks, 1, tasks).selectExpr(JAVA).rdd
    try:
        answers = rows.mapPartitions(_probe(requirements())).collect()
    except Exception as e:
        failed = sorted(place for place, state in _tasks(spark).values() if state == "FAILED")
        raise explain_error(str(e), *failed[:1]) or e from e
    ran = _tasks(spark)
    by_place = {ran[answer["task"]][0]: answer for answer in answers}
    return [_place(by_place[place], *place) for place in sorted(by_place)]


def requirements() -> list[str]:
    """Names of the packages that dbce needs; none if this dbce is a bare folder that tells none."""
    try:
        required = metadata.requires("dbce") or []
    except metadata.PackageNotFoundError:
        return []
    names = (re.match(r"[\w.-]+", line) for line in required if "extra ==" not in line)
    return sorted(name[0] for name in names if name)


def _probe(packages: Sequence[str]) -> Callable[[Iterable[Any]], Iterator[Answer]]:
    """A function that says, for every row with a version of Java, what the process it is in has."""
    linger = LINGER

    # A function inside a function travels as code; it uses nothing of this module.
    def answers(rows: Iterable[Any]) -> Iterator[Answer]:
        import platform
        import sys
        import time
        from importlib import metadata

        import pyspark

        def version(name: str) -> str | None:
            try:
                return metadata.version(name)
            except metadata.PackageNotFoundError:
                return None

        own: str | None
        try:
            from dbce import __version__ as own
        except ImportError:
            own = None
        task = pyspark.TaskContext.get()
        for row in rows:
            yield {
                "task": (task.stageId(), task.partitionId()) if task else None,
                "executable": sys.executable,
                "python": platform.python_version(),
                "java": row["java"],
                "spark": pyspark.__version__,
                "dbce": own,
                "packages": {name: version(name) for name in packages},
            }
        if task:
            time.sleep(linger)

    return answers


def _place(answer: Mapping[str, Any], name: str, host: str) -> Place:
    return Place(name, host, **{key: value for key, value in answer.items() if key != "task"})


def _tasks(spark: SparkSession) -> dict[tuple[int, int], tuple[tuple[str, str], str]]:
    """Executor and host of every task and how it ended, by stage and partition, as Spark's own page shows it."""
    context = spark.sparkContext._jsc.sc()  # noqa: SLF001 - Python has no other way to ask
    context.listenerBus().waitUntilEmpty()
    tracker = spark.sparkContext.statusTracker()
    jobs = map(tracker.getJobInfo, tracker.getJobIdsForGroup())
    found = {}
    for stage in sorted({stage for job in jobs if job for stage in job.stageIds}):
        tasks = context.statusStore().taskList(stage, 0, 2**31 - 1)
        for task in map(tasks.apply, range(tasks.size())):
            place = (task.executorId(), task.host())
            found[stage, task.partitionId()] = (place, str(task.status()))
    return found


def explain_error(error: str, place: tuple[str, str] | None = None) -> UsageError | None:
    """Return an error with a remedy if Spark's error is about an executor's Python, else None."""
    subject = place_name(*place) if place else "an executor"
    if other := re.search(r"different version: ([\d.]+) than that in driver: (\d+\.\d+)", error):
        return UsageError(
            f"{subject} runs Python {other[1]} and the driver {other[2]}; {SAME_PYTHON}"
        )
    if absent := re.search(r'Cannot run program "([^"]+)"', error):
        return UsageError(
            f"{subject} cannot start {absent[1]}; let PYSPARK_PYTHON name a Python that every "
            "machine has, or ship one (make dist-env, --archives)"
        )
    return None


# Says whether the driver and every executor have what dbce needs, and all the same.

EXECUTORS_PATIENCE = 60  # seconds that the first executor may take to come

FACTS = ("host", "executable", "python", "java", "spark", "dbce")

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
        spark = open_session(master)
        try:
            places = examine(spark)
        finally:
            spark.stop()
    except UsageError as e:
        sys.stderr.write(f"dbce: {e}\n")
        return 2
    found = findings(places)
    sys.stdout.write(as_json(places, found) if options.json else as_text(places, found))
    return int(any(finding.fatal for finding in found))


def examine(spark: SparkSession) -> list[Place]:
    """The driver, then every executor.

    Raises:
        UsageError: there is no executor, or one cannot start a Python like the driver's.
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
                "workers are there and have the cores and memory that are asked for "
                "(--executor-cores, --executor-memory)"
            )
        time.sleep(0.2)
    return known


def as_json(places: Sequence[Place], found: Sequence[Finding]) -> str:
    told = {"places": list(map(asdict, places)), "findings": list(map(asdict, found))}
    return json.dumps(told, indent=1) + "\n"


def as_text(places: Sequence[Place], found: Sequence[Finding]) -> str:
    """A table with a column for every place, then the sentences; those that matter marked."""
    heads = [p.name if p.name == DRIVER else f"executor {p.name}" for p in places]
    facts = [
        *((name, [getattr(place, name) for place in places]) for name in FACTS),
        *((name, [place.packages[name] for place in places]) for name in places[0].packages),
    ]
    rows = [["", *heads], *([name, *(one or "missing" for one in each)] for name, each in facts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    sentences = [f"{'!' if finding.fatal else '-'} {finding.sentence}" for finding in found]
    return "\n".join([*lines, "", *(sentences or ["Nothing differs."]), ""])
