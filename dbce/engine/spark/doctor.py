"""Says whether the driver and every executor have what dbce needs, and all the same."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from dbce.engine.spark import probe
from dbce.engine.spark.places import DRIVER, findings
from dbce.engine.spark.session import is_local, open_session
from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from dbce.engine.spark.places import Finding, Place

PATIENCE = 60
"""Seconds that the first executor may take to come."""

FACTS = ("host", "executable", "python", "java", "spark", "dbce")

QUIET = 3
"""When no executor has come for so many seconds, those that are there are all."""

ROUNDS = 5
"""How often tasks go out to reach an executor that has not answered."""


def main(arguments: Sequence[str] | None = None, master: str | None = None) -> int:
    """Prints what every place has and what differs.

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
        places |= {place.name: place for place in probe.executors(spark)}
        if expected <= places.keys():
            break
    return [probe.driver(spark), *(places[name] for name in sorted(places))]


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
        if not known and time.monotonic() - since > PATIENCE:
            raise UsageError(
                f"no executor came within {PATIENCE} seconds; see on the page of the cluster whether "
                "workers are there and have the cores and memory that are asked for "
                "(--executor-cores, --executor-memory)"
            )
        time.sleep(0.2)
    return known


def as_json(places: Sequence[Place], found: Sequence[Finding]) -> str:
    """One JSON object."""
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
