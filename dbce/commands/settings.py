"""Settings, selection and engine from the options that several commands share."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.model import Config, Status, UsageError, load_config, override
from dbce.progress import LOG

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from dbce.output import Manifest, RowSelection
    from dbce.storage import Folder


def settings_of(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    base = load_config(Path(options.config)) if options.config else Config()
    return override(base, vars(options))


def warn_of_players(settings: Config) -> None:
    if settings.wacz and settings.record_type == "conversion":
        LOG.warning(
            "warning: players of WACZ ignore conversion records; with --record-type response the "
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


def _chosen_of(options: Namespace, urls: Sequence[str]) -> RowSelection:
    """The selection among the captures of a finished run; `urls` are those that are asked for.

    Raises:
        UsageError: a value makes no sense; the message says what to type instead.
    """
    from dbce.output import (
        KINDS,
        STATUSES,
        RowSelection,
    )  # a slow start, and archives have no tables

    statuses = [one for one in options.status if not re.fullmatch("[1-9][0-9]{2}", one)]
    advice = f"give {', '.join(Status)}, a reason, or an HTTP status such as 404"
    _check_known("--status", statuses, STATUSES, advice)
    _check_known("--kind", options.kind, KINDS, f"give {', '.join(KINDS)}")
    return RowSelection(
        selection_of(options),
        tuple(sorted({archive.surt(url) for url in urls})),
        tuple(sorted({*options.status})),
        tuple(sorted({*options.kind})),
    )


def _check_known(flag: str, values: Sequence[str], known: Sequence[str], advice: str) -> None:
    """Check that each value is known.

    Raises:
        UsageError: one is not; the message has the one that may be meant.
    """
    for value in values:
        if value not in known:
            near = get_close_matches(value, known, n=1)
            raise UsageError(
                f"{flag} {value} is not known; {f'did you mean {near[0]}?' if near else advice}"
            )


def chosen_in(uri: str, options: Namespace, urls: Sequence[str] = ()) -> RowSelection:
    """The selection among the captures of a finished run in a folder; `urls` are those that are asked for.

    Raises:
        UsageError: there is no finished run, it has no such URL, or a value makes no sense.
    """
    from dbce.output import open_whole, snapshots_of

    selection = _chosen_of(options, urls)
    if urls:
        whole, _ = open_whole(uri)
        for url in urls:
            snapshots_of(whole, url)
    return selection


def open_chosen(uri: str, options: Namespace, urls: Sequence[str] = ()) -> tuple[Folder, Manifest]:
    """The folder of a finished run, of which only what the options select counts, and its manifest.

    Raises:
        UsageError: there is no finished run, the selection leaves nothing of it, it has no such URL, or is damaged.
    """
    from dbce.output import open_whole

    if options.verify_files:
        _verify(uri)
    return open_whole(uri, chosen_in(uri, options, urls))


def _verify(uri: str) -> None:
    from dbce.check import check_outputs, outputs_as_text

    account = check_outputs(uri)
    if any(damage.what != "lost" for damage in account.damages):  # a loss was accepted by repair
        raise UsageError(outputs_as_text(account))


def exit_code(manifest: Manifest, settings: Config, out: str) -> int:
    captures = manifest["captures"]
    rejected = captures[Status.REJECTED]
    if not rejected:
        return 0
    LOG.warning(
        "warning: rejected %d of %d captures; %s/rejects names file, offset, record and reason "
        "of each",
        *(rejected, captures["total"], out),
    )
    from dbce.run import DAMAGED  # a slow start, and `dbce text` has no run

    unknown = captures["reasons"].get(DAMAGED, 0) if manifest["selection"] else 0
    allowed = settings.max_reject_ratio * (captures["total"] - unknown)
    return TOO_MANY_REJECTS if rejected - unknown > allowed else 0
