"""Settings, selection and engine from the options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.model import Config, Status, load_config, override
from dbce.progress import LOG

if TYPE_CHECKING:
    from argparse import Namespace

    from dbce.output import Manifest


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
    from dbce.run import DAMAGED  # a slow start, and `dbce text` has no run

    unknown = captures["reasons"].get(DAMAGED, 0) if manifest["selection"] else 0
    allowed = settings.max_reject_ratio * (captures["total"] - unknown)
    return TOO_MANY_REJECTS if rejected - unknown > allowed else 0
