"""What the options of several commands come to: settings, what is selected, what runs the stages."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive, config, local
from dbce.model import Status
from dbce.night import DAMAGED
from dbce.progress import LOG

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    from dbce.config import Config
    from dbce.output.manifest import Done, Manifest

TOO_MANY_REJECTS = 3
"""Exit code of a run that rejected a larger share of captures than was allowed."""


def settings_of(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    base = config.load(Path(options.config)) if options.config else config.Config()
    return config.override(base, vars(options))


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
def engine_of(options: Namespace) -> Iterator[Callable[..., Done]]:
    """What runs the stages; a missing Spark or Java shows here, before anything is done."""
    if options.master == "none":
        yield local.run
        return
    from dbce.spark.session import session

    spark = session(options.master)
    from dbce.spark.run import run

    try:
        yield partial(run, spark, partitions=options.partitions)
    finally:
        spark.stop()


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
