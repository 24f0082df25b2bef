"""Settings, selection and workers from the options that several commands share."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dbce import archive
from dbce.commands.options import AUTO
from dbce.commands.table import Exit
from dbce.formats import Chunking
from dbce.model import LOG, Config, Status, StoreError, UsageError, load_config, override
from dbce.storage import open_stored

if TYPE_CHECKING:
    from dbce.engine import StartMode, Workers
    from dbce.output import Manifest, RowSelection
    from dbce.storage import Folder


def settings_of(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    return override(config_at(options.config), vars(options))


def config_at(place: str | None) -> Config:
    """Configuration in a file, by its path or URI, else the defaults; UsageError if there is no such configuration."""
    if not place or "://" not in place:
        return load_config(place) if place else Config()
    try:
        with open_stored(place) as stream:
            return load_config(place, stream.read())
    except OSError as e:
        raise UsageError(f"cannot read the configuration {place}: there is no such file") from e


def selection_of(options: Namespace) -> archive.Selection:
    return archive.select(
        hosts=options.host,
        url_prefixes=options.url_prefix,
        since=options.since,
        until=options.until,
        mimes=options.mime,
        sample=options.sample,
    )


def sources_of(options: Namespace, **more: Any) -> tuple[archive.Source, ...]:
    """The files of the inputs, of which what is selected counts; `more` goes to `archive.expand`."""
    return archive.expand(options.input, options.warc_base, selection_of(options), **more)


def chunking_of(options: Namespace) -> Chunking | None:
    """The size of chunks that is asked for; None if none is."""
    if options.size is None and options.tokenizer is None:
        return None
    return override(Chunking(), vars(options))


def _check_known(flag: str, values: Sequence[str], known: Sequence[str], advice: str) -> None:
    for value in values:
        if value not in known:
            near = get_close_matches(value, known, n=1)
            raise UsageError(
                f"{flag} {value} is not known; {f'did you mean {near[0]}?' if near else advice}"
            )


def row_selection(uri: str, options: Namespace, urls: Sequence[str] = ()) -> RowSelection:
    """The selection among the captures of a finished run; UsageError if one of `urls` is not in it, or a value makes no sense."""
    from dbce import output  # a slow start, and archives have no tables

    statuses = [status for status in options.status if not re.fullmatch("[1-9][0-9]{2}", status)]
    advice = f"give {', '.join(Status)}, a reason, or an HTTP status such as 404"
    _check_known("--status", statuses, output.STATUSES, advice)
    _check_known("--kind", options.kind, output.KINDS, f"give {', '.join(output.KINDS)}")
    selection = output.RowSelection(
        selection_of(options),
        tuple(sorted({archive.surt(url) for url in urls})),
        tuple(sorted({*options.status})),
        tuple(sorted({*options.kind})),
    )
    if urls:
        whole, _ = output.open_whole(uri)
        for url in urls:
            output.snapshots_of(whole, url)
    return selection


def open_selected(
    uri: str, options: Namespace, urls: Sequence[str] = ()
) -> tuple[Folder, Manifest]:
    """The folder of a finished run, of which only what the options select counts, and its manifest."""
    from dbce.output import open_whole

    if options.verify_files:
        from dbce.run import check_outputs, outputs_as_text

        account = check_outputs(uri)
        # A loss was accepted by repair.
        if any(damage.what != "lost" for damage in account.damages):
            raise UsageError(outputs_as_text(account))
    return open_whole(uri, row_selection(uri, options, urls))


def exit_code(manifest: Manifest, settings: Config, out: str) -> int:
    captures = manifest["captures"]
    rejected = captures[Status.REJECTED]
    if not rejected:
        return 0
    LOG.warning(
        "warning: rejected %d of %d captures; %s/rejects lists each with file, offset, record and reason",
        *(rejected, captures["total"], out),
    )
    from dbce.run import DAMAGED  # a slow start, and `dbce text` has no run

    unknown = captures["reasons"].get("/".join(DAMAGED), 0) if manifest["selection"] else 0
    allowed = settings.max_reject_ratio * (captures["total"] - unknown)
    return Exit.TOO_MANY_REJECTS if rejected - unknown > allowed else 0


SMALL = 200_000_000
"""Bytes of inputs below which a run is over before Spark would have begun, or not long after."""

OF_A_RECORD = 20_000
"""Bytes that a record takes of an archive, compressed, where only some of a file are read."""


def existing_outputs(options: Namespace) -> StartMode:
    from dbce.engine import StartMode  # a slow start, and `dbce text` needs no job

    if options.overwrite:
        return StartMode.OVERWRITE
    return StartMode.RESUME if options.resume else StartMode.REFUSE


def check_positive(flag: str, number: int) -> None:
    if number < 1:
        raise UsageError(f"{flag} must be at least 1 (got {number})")


def jobs_of(options: Namespace, default: int) -> int:
    jobs = default if options.jobs is None else int(options.jobs)
    check_positive("--jobs", jobs)
    return jobs


@contextmanager
def engine_of(
    options: Namespace, sources: Sequence[archive.Source] = (), jobs: int | None = None
) -> Iterator[Workers]:
    """The workers, by default `--jobs` of them; a missing Spark or Java shows here, before anything is done."""
    jobs = jobs_of(options, 1) if jobs is None else jobs
    master = options.master
    if master == AUTO:
        master = "none" if options.jobs else _choose_master(sources)
    if master == "none":
        from dbce.engine import Local

        yield Local(jobs)
        return
    from dbce.engine.spark import check_names, running

    with running(master) as spark:
        from dbce.engine.spark import OnSpark

        check_names(spark, [getattr(options, "out", ""), *(source.uri for source in sources)])
        yield OnSpark(spark, getattr(options, "partitions", None))


def _choose_master(sources: Sequence[archive.Source]) -> str:
    """The master where the user leaves it open, which is told: a small run need not wait for Java."""
    if find_spec("pyspark") is None:
        LOG.info("running in this one process; Spark needs more: pip install 'dbce[spark]'")
        return "none"
    if (stored := _bytes_to_read(sources)) < SMALL:
        megabytes = round(stored / 1_000_000)
        LOG.info(
            "running in this one process, as the inputs have %d MB; --master local[*]: Spark",
            megabytes,
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
