"""The workers that the options of a command ask for, and what they say about outputs that are there."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands.options import AUTO
from dbce.engine import Again, Local
from dbce.model import StoreError, UsageError
from dbce.progress import LOG

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from dbce.engine import Workers

SMALL = 200_000_000
"""Bytes of inputs below which a run is over before Spark would have begun, or not long after."""

OF_A_RECORD = 20_000
"""Bytes that a record takes of an archive, compressed, where only some of a file are read."""


def again_of(options: Namespace) -> Again:
    """Return how to treat outputs that are there, by the options."""
    if options.overwrite:
        return Again.OVERWRITE
    return Again.RESUME if options.resume else Again.REFUSE


@contextmanager
def engine_of(
    options: Namespace, sources: Sequence[archive.Source] = (), jobs: int | None = None
) -> Iterator[Workers]:
    """The workers of a command; a missing Spark or Java shows here, before anything is done.

    `jobs` are processes without Spark; by default those that the options name, else this one.

    Raises:
        UsageError: there are none such.
    """
    jobs = (1 if options.jobs is None else options.jobs) if jobs is None else jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    master = options.master
    if master == AUTO:
        master = "none" if options.jobs else _chosen(sources)
    if master == "none":
        yield Local(jobs)
        return
    from dbce.engine.spark import running

    with running(master) as spark:
        from dbce.engine.spark import OnSpark

        yield OnSpark(spark, getattr(options, "partitions", None))


def _chosen(sources: Sequence[archive.Source]) -> str:
    """The master where the user leaves it open, which is told: a small run need not wait for Java."""
    if find_spec("pyspark") is None:
        LOG.info("running in this one process; Spark needs more: pip install 'dbce[spark]'")
        return "none"
    if (stored := _bytes_to_read(sources)) < SMALL:
        told = round(stored / 1_000_000)
        LOG.info(
            "running in this one process, as the inputs have %d MB; --master local[*]: Spark", told
        )
        return "none"
    LOG.info("running on Spark with all cores of this machine (--master local[*])")
    return "local[*]"


def _bytes_to_read(sources: Sequence[archive.Source]) -> int:
    """About how much is stored of what will be read; no file is asked when it is not small any more."""
    total = 0
    for uri, offsets in {source.uri: source.offsets for source in sources}.items():
        if total >= SMALL:
            break
        if offsets is not None:
            total += len(offsets) * OF_A_RECORD
            continue
        with suppress(OSError, StoreError):  # who reads it says so
            total += archive.size(uri)
    return total
