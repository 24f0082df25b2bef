"""Asks the driver and the executors what they have, in which versions, and how they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

import dbce
from dbce.model import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    Answer = dict[str, Any]


# Versions that the driver and the executors have, and how they differ.

DRIVER = "driver"
"""Spark's own name for it."""

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
    driver = places[0]
    return [
        Finding(sentence, fatal)
        for compare, fatal in (
            (_python_difference, True),
            (_missing_dbce, True),
            (_dbce_difference, True),
            (_missing_packages, True),
            (_version_differences, False),
        )
        for place in places
        for sentence in compare(place, driver)
    ]


def _python_difference(place: Place, driver: Place) -> Iterator[str]:
    if place.python.split(".")[:2] != driver.python.split(".")[:2]:
        yield (
            f"{place_name(place.name, place.host)} runs Python {place.python} and the driver "
            f"{driver.python}; {SAME_PYTHON}"
        )


def _missing_dbce(place: Place, _driver: Place) -> Iterator[str]:
    if place.dbce is None:
        yield (
            f"{place_name(place.name, place.host)} has no dbce; add --py-files "
            f"dist/dbce-{dbce.__version__}.zip (make dist), or install dbce in {place.executable}"
        )


def _dbce_difference(place: Place, driver: Place) -> Iterator[str]:
    if place.dbce not in (None, driver.dbce):
        yield (
            f"{place_name(place.name, place.host)} has dbce {place.dbce} and the driver {driver.dbce}; "
            "install one version everywhere"
        )


def _missing_packages(place: Place, _driver: Place) -> Iterator[str]:
    missing = [name for name, version in place.packages.items() if version is None]
    if missing:
        yield (
            f"{place_name(place.name, place.host)} lacks {', '.join(missing)}; "
            f"install them in {place.executable}, or ship an environment (make dist-env, --archives)"
        )


def _version_differences(place: Place, driver: Place) -> Iterator[str]:
    here, there = _versions(place), _versions(driver)
    differing = [
        f"{name} {here[name]} (driver: {version})"
        for name, version in there.items()
        if version and here[name] and version != here[name]
    ]
    if differing:
        yield f"{place_name(place.name, place.host)} has {', '.join(differing)}"


def _versions(place: Place) -> dict[str, str | None]:
    return {"Python": place.python, "Java": place.java, "Spark": place.spark, **place.packages}


def place_name(name: str, host: str) -> str:
    """A place, as a sentence names it."""
    return "the driver" if name == DRIVER else f"executor {name} on {host}"


# Asks the driver and the executors what they have.
#
# The question reaches an executor as code, not as the name of a module, so that one without dbce
# can answer too.

JAVA = "java_method('java.lang.System', 'getProperty', 'java.version') AS java"
"""Asked of the Java that runs the task; Spark's function version() is answered by the driver."""

LINGER = 0.5
"""Seconds that a task lasts at least, so that no executor takes the tasks of another."""


def check(spark: SparkSession) -> None:
    """Asks those executors that are there, before work begins.

    Raises:
        UsageError: one of them cannot run dbce; the message says why and what to type.
    """
    found = findings([driver(spark), *executors(spark)])
    fatal = [finding.sentence for finding in found if finding.fatal]
    if fatal:
        more = f" (and {len(fatal) - 1} more such: see jobs/doctor.py)" if fatal[1:] else ""
        raise UsageError(f"{fatal[0]}{more}")


def driver(spark: SparkSession) -> Place:
    """Return the place of the driver."""
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
    """Executor and host of every task and how it ended, by stage and partition.

    A task does not know its executor: Spark's own page does, and this is what it shows.
    """
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
