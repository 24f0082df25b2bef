"""Versions that the driver and the executors have, and how they differ."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from dbce.model import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Answer: TypeAlias = dict[str, Any]

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
    ranked = [difference for place in places for difference in _differences(place, places[0])]
    return [Finding(text, rank < VERSIONS) for rank, text in sorted(ranked, key=itemgetter(0))]


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

    Raises UsageError: one of them cannot run dbce; the message says why and what to type.
    """
    differing = findings([driver(spark), *executors(spark)])
    fatal = [finding.sentence for finding in differing if finding.fatal]
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

    Raises UsageError: an executor cannot start its Python, or that is of another minor version.
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

        dbce_version: str | None
        try:
            from dbce import __version__ as dbce_version
        except ImportError:
            dbce_version = None
        task = pyspark.TaskContext.get()
        for row in rows:
            yield {
                "task": (task.stageId(), task.partitionId()) if task else None,
                "executable": sys.executable,
                "python": platform.python_version(),
                "java": row["java"],
                "spark": pyspark.__version__,
                "dbce": dbce_version,
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
    tasks_run = {}
    for stage in sorted({stage for job in jobs if job for stage in job.stageIds}):
        tasks = context.statusStore().taskList(stage, 0, 2**31 - 1)
        for task in map(tasks.apply, range(tasks.size())):
            place = (task.executorId(), task.host())
            tasks_run[stage, task.partitionId()] = (place, str(task.status()))
    return tasks_run


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


FACTS = ("host", "executable", "python", "java", "spark", "dbce")


def as_json(places: Sequence[Place], differing: Sequence[Finding]) -> str:
    document = {"places": list(map(asdict, places)), "findings": list(map(asdict, differing))}
    return json.dumps(document, indent=1) + "\n"


def as_text(places: Sequence[Place], differing: Sequence[Finding]) -> str:
    """A table with a column for every place, then the sentences; those that matter marked."""
    heads = [p.name if p.name == DRIVER else f"executor {p.name}" for p in places]
    facts = [
        *((name, [getattr(place, name) for place in places]) for name in FACTS),
        *((name, [place.packages[name] for place in places]) for name in places[0].packages),
    ]
    rows = [["", *heads], *([name, *(v or "missing" for v in each)] for name, each in facts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    sentences = [f"{'!' if finding.fatal else '-'} {finding.sentence}" for finding in differing]
    return "\n".join([*lines, "", *(sentences or ["Nothing differs."]), ""])
