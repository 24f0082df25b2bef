"""What the options of several commands come to: settings, what is selected, what runs the stages."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.options import AUTO
from dbce.model import Config, Stage, Status, StoreError, load_config, override
from dbce.progress import LOG
from dbce.run import DAMAGED, run_locally

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from dbce.output import Done, Manifest

SMALL = 200_000_000
"""Bytes of inputs below which a run is over before Spark would have begun, or not long after."""

OF_A_RECORD = 20_000
"""Bytes that a record takes of an archive, compressed, where only some of a file are read."""


def settings_of(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    base = load_config(Path(options.config)) if options.config else Config()
    return override(base, vars(options))


def warn_of_players(settings: Config) -> None:
    if settings.wacz and settings.record_type == "conversion":
        LOG.warning(
            "warning: players of WACZ pass over conversion records; with --record-type response the "
            "packages can be played"
        )


def selection_of(options: Namespace) -> archive.Selection:
    return archive.select(
        hosts=options.host,
        url_prefixes=options.url_prefix,
        since=options.since,
        until=options.until,
        mimes=options.mime,
        sample=options.sample,
    )


@contextmanager
def engine_of(
    options: Namespace, sources: Sequence[archive.Source]
) -> Iterator[Callable[..., Done]]:
    """What runs the stages; a missing Spark or Java shows here, before anything is done."""
    master = _chosen(sources) if options.master == AUTO else options.master
    if master == "none":
        yield run_locally
        return
    from dbce.run.spark import running

    with running(master) as spark:
        from dbce.run.spark import run

        yield partial(run, spark, partitions=options.partitions, last=options.stage or Stage.JUDGE)


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


def exit_code(manifest: Manifest, settings: Config, out: str) -> int:
    captures = manifest["captures"]
    rejected = captures[Status.REJECTED]
    if not rejected:
        return 0
    LOG.warning(
        "warning: %d of %d captures were rejected; %s/rejects names file, offset, record and reason "
        "of each",
        *(rejected, captures["total"], out),
    )
    unknown = captures["reasons"].get(DAMAGED, 0) if manifest["selection"] else 0
    allowed = settings.max_reject_ratio * (captures["total"] - unknown)
    return TOO_MANY_REJECTS if rejected - unknown > allowed else 0
