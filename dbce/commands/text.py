"""`dbce text`: the main content of pages, from finished runs or in one step from archives."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dbce
from dbce import archive, formats, model, wing
from dbce.commands.settings import chunking_of, jobs_of, open_selected, selection_of, settings_of
from dbce.commands.table import Exit
from dbce.engine import collect_rarely
from dbce.pipeline import ArchivedPages, extracts
from dbce.storage import Folder

if TYPE_CHECKING:
    from dbce.output import Manifest

TEXTLESS = (model.Reason.NO_TEXT, model.Reason.TEXT_IN_SCRIPT)
"""Reasons of pages that nothing is printed of."""

NAMED_REJECTS = 5
"""Rejected captures that are named on stderr, the first ones; the rest are only counted."""

Outcomes = Counter[tuple[model.Status, model.Reason | None]]


def text_command(options: Namespace) -> int:
    model.log_to_stderr("text", quiet=options.quiet)
    runs = [uri for uri in options.input if _is_run(uri)]
    if runs:
        return _print_runs(options, runs)
    for flag, values in (("--status", options.status), ("--kind", options.kind)):
        if values:
            raise model.UsageError(f"{flag} is for finished runs, not for archives; leave it out")
    return _print_archives(options)


def _print_runs(options: Namespace, runs: Sequence[str]) -> int:
    from dbce.output import (
        extracts as stored_extracts,  # a slow start, which archives need not wait for
    )
    from dbce.storage import spare_pandas

    spare_pandas()
    if len(runs) < len(options.input):
        raise model.UsageError(f"{runs[0]} is a finished run; give archives by themselves")
    if options.at:
        raise model.UsageError("--at is for pages, not for runs; give --from and --to")
    if options.jobs:
        raise model.UsageError("--jobs is for archives, not for finished runs; leave it out")
    urls = [options.url] if options.url else []
    opened = [open_selected(run, options, urls) for run in runs]
    wanted = _extraction_arguments(options)
    pages = chain.from_iterable(
        stored_extracts(folder, manifest, **wanted, dial=_dial(options, manifest))
        for folder, manifest in opened
    )
    _, manifest = opened[0]
    version = manifest["versions"]["dbce"]
    first = list(islice(pages, 2))
    if not first:
        model.LOG.warning("no page with a verdict in %s", ", ".join(runs))
    _write(first, pages, options, manifest["config_digest"], version)
    return 0


def _dial(options: Namespace, manifest: Manifest) -> model.Config | None:
    """Return the configuration of a run with the dial that is asked for; None if none is."""
    if options.min_probability is None and options.prefer is None:
        return None
    from dbce.output import config_of

    plain = replace(config_of(manifest), min_probability=0.0, prefer="balance")
    return model.override(plain, vars(options))


def _is_run(uri: str) -> bool:
    if uri == archive.STANDARD_INPUT or uri.startswith("@") or archive.is_web_page(uri):
        return False
    if archive.is_archive(uri) or Path(uri).is_file():
        return False
    from dbce.output import is_readable  # a slow start, and no file is a run

    return is_readable(uri)


def _extraction_arguments(options: Namespace) -> dict[str, Any]:
    form = _form(options)
    markup = form is not None and form.markup
    if options.headings and not markup:
        raise model.UsageError(f"--format {options.format} has no headings; leave --headings out")
    find: formats.Headings | None = None
    if options.headings == "dbce":
        find = wing.require("heading_levels", "--headings dbce")
    added = [*options.including, *(["images"] if options.images else [])]
    return {
        "markup": markup,
        "parts": formats.main_parts(added, options.left_out),
        "headings": find,
        "sources": form is not None and form.sources,
    }


def _form(options: Namespace, *, front_matter: bool = False) -> formats.Format | None:
    """Return the format of pages, None for WET; UsageError if it lacks what the options ask of it."""
    front_matter = front_matter or options.front_matter
    if options.guard_formulas and options.format != "csv":
        raise model.UsageError("--guard-formulas is for --format csv; leave it out")
    if options.format != "chunks" and chunking_of(options):
        raise model.UsageError("--size and --tokenizer are for --format chunks; leave them out")
    if options.format == "jsonl" and options.headings:
        return formats.JSON_WITH_HEADINGS
    if options.format == "wet":
        if options.links != "keep":
            raise model.UsageError("--format wet has no links; leave --links out")
        if front_matter:
            raise model.UsageError("wet has no front matter; markdown has")
        return None
    return formats.format_of(
        *(options.format, options.links),
        guarded=options.guard_formulas,
        front_matter=front_matter,
        chunking=chunking_of(options),
    )


def _shows_metadata(options: Namespace) -> bool:
    """Return whether anything that may be printed shows the metadata of a page, which takes a tenth of the time."""
    may_stand_alone = options.format == "markdown" and sys.stdout.isatty()
    form = _form(options, front_matter=may_stand_alone)
    return form is not None and form.metadata


def _print_archives(options: Namespace) -> int:
    collect_rarely()
    settings = settings_of(options)
    outcomes: Outcomes = Counter()
    with ArchivedPages(_sources(options), settings) as captures:
        results = extracts(
            captures,
            settings,
            **_extraction_arguments(options),
            metadata=_shows_metadata(options),
            texts=captures,
            processes=jobs_of(options, 1),
        )
        pages = _count_outcomes(results, outcomes)
        first = list(islice(pages, 2))
        if not first:
            damaged = outcomes[model.Status.REJECTED, model.Reason.DAMAGED]
            archive.check_taken(selection_of(options), outcomes.total() - damaged, damaged)
        _write(first, pages, options, settings.digest(), dbce.__version__)
    return _exit_code(outcomes, settings)


def _sources(options: Namespace) -> Sequence[archive.Source]:
    """The files of the inputs; says of a folder without any that it is no run either."""
    most = settings_of(options).limits.payload_bytes
    fetch = partial(archive.fetch, most=most, private=options.private)
    try:
        return archive.expand(
            [fetch(uri) if archive.is_web_page(uri) else uri for uri in options.input],
            options.warc_base,
            selection_of(options),
            url=options.url,
            at=options.at,
        )
    except model.UsageError as e:
        folders = [uri for uri in options.input if Path(uri).is_dir()]
        if folders:
            from dbce.output import no_run  # a slow start

            raise model.UsageError(f"{e}; {no_run(Folder(folders[0]))}") from e
        raise


def _count_outcomes(
    results: Iterable[formats.Extract | model.Reject], outcomes: Outcomes
) -> Iterator[formats.Extract]:
    """The pages that were judged; counts all captures by status and reason, and names the first that are rejected."""
    to_name = NAMED_REJECTS
    for result in results:
        outcomes[result.status, result.reason if isinstance(result, model.Reject) else None] += 1
        if not isinstance(result, model.Reject):
            yield result
        elif result.status is model.Status.REJECTED and to_name:
            to_name -= 1
            record = f", {result.record_id}" if result.record_id else ""
            place = f"{result.origin.filename} at {result.origin.offset}{record}"
            model.LOG.warning("warning: %s: %s", place, result.detail or result.reason.meaning)


def _write(
    first: Sequence[formats.Extract],
    rest: Iterable[formats.Extract],
    options: Namespace,
    digest: str,
    version: str,
) -> None:
    """Print the first two pages, if there are as many, and the rest."""
    out = sys.stdout.buffer
    is_shown_alone = sys.stdout.isatty() and len(first) == 1 and options.format == "markdown"
    pages = chain(first, rest)
    form = _form(options, front_matter=is_shown_alone)
    if form is None:
        archive.write_wet(out, map(_plain_text, pages), digest, version)
    else:
        for piece in formats.write_pages(pages, form):
            out.write(piece.encode("utf-8", "replace"))
    out.flush()


def _plain_text(page: formats.Extract) -> archive.PlainText:
    if page.timestamp is None:
        raise AssertionError("a capture without a time")
    identity = page.record_id, page.url, page.surt, page.timestamp
    made = page.origin, page.digest, page.model
    return archive.PlainText(*identity, page.text, *made, page.text_record or None)


def _exit_code(outcomes: Outcomes, settings: model.Config) -> int:
    total = outcomes.total()
    captures = model.count_of(total, "capture")
    has_texts = any(reason is None for _, reason in outcomes)
    for reason in TEXTLESS if has_texts else model.Reason:
        if number := outcomes[model.Status.SKIPPED, reason]:
            model.LOG.warning("%s of %s without text: %s", f"{number:,}", captures, reason.meaning)
    if not total:
        model.LOG.warning("no capture of a page in the inputs; dbce check says what they hold")
    numbers = {reason: outcomes[model.Status.REJECTED, reason] for reason in model.Reason}
    reasons = ", ".join(f"{number} {reason}" for reason, number in numbers.items() if number)
    rejected = sum(numbers.values())
    if not rejected:
        return 0
    hint = "; dbce check names all" if rejected > NAMED_REJECTS else ""
    model.LOG.warning("warning: rejected %d of %s (%s)%s", rejected, captures, reasons, hint)
    return Exit.TOO_MANY_REJECTS if rejected > settings.max_reject_ratio * total else 0
