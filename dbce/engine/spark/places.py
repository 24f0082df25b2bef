"""Versions that the driver and the executors have, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import dbce

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
            (_other_python, True),
            (_without_dbce, True),
            (_other_dbce, True),
            (_without_packages, True),
            (_other_versions, False),
        )
        for place in places
        for sentence in compare(place, driver)
    ]


def _other_python(place: Place, driver: Place) -> Iterator[str]:
    if place.python.split(".")[:2] != driver.python.split(".")[:2]:
        yield (
            f"{where(place.name, place.host)} runs Python {place.python} and the driver "
            f"{driver.python}; {SAME_PYTHON}"
        )


def _without_dbce(place: Place, _driver: Place) -> Iterator[str]:
    if place.dbce is None:
        yield (
            f"{where(place.name, place.host)} has no dbce; add --py-files "
            f"dist/dbce-{dbce.__version__}.zip (make dist), or install dbce in {place.executable}"
        )


def _other_dbce(place: Place, driver: Place) -> Iterator[str]:
    if place.dbce not in (None, driver.dbce):
        yield (
            f"{where(place.name, place.host)} has dbce {place.dbce} and the driver {driver.dbce}; "
            "install one version everywhere"
        )


def _without_packages(place: Place, _driver: Place) -> Iterator[str]:
    missing = [name for name, version in place.packages.items() if version is None]
    if missing:
        yield (
            f"{where(place.name, place.host)} lacks {', '.join(missing)}; "
            f"install them in {place.executable}, or ship an environment (make dist-env, --archives)"
        )


def _other_versions(place: Place, driver: Place) -> Iterator[str]:
    here, there = _versions(place), _versions(driver)
    differing = [
        f"{name} {here[name]} (driver: {version})"
        for name, version in there.items()
        if version and here[name] and version != here[name]
    ]
    if differing:
        yield f"{where(place.name, place.host)} has {', '.join(differing)}"


def _versions(place: Place) -> dict[str, str | None]:
    return {"Python": place.python, "Java": place.java, "Spark": place.spark, **place.packages}


def where(name: str, host: str) -> str:
    """A place, as a sentence names it."""
    return "the driver" if name == DRIVER else f"executor {name} on {host}"
