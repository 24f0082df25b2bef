"""`dbce check`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import nullcontext

from dbce import archive, run
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import selection_of, settings_of
from dbce.commands.table import Exit
from dbce.engine import Local
from dbce.model import UsageError, end_line, raise_pending
from dbce.output import NIGHTS, no_run
from dbce.run import repair_archive, repair_run
from dbce.storage import Folder, archive_root, folder_lock


def check_command(options: Namespace) -> int:
    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    outputs = [uri for uri in options.input if run.is_output_folder(uri)]
    damaged = False
    for uri in outputs:
        outcome = run.check_outputs(uri)
        print((run.outputs_as_json if options.json else run.outputs_as_text)(outcome), flush=True)
        damaged |= bool(outcome.damages)
    options.input = [uri for uri in options.input if uri not in outputs]
    if outputs and not options.input:
        return Exit.TOO_MANY_REJECTS if damaged else 0
    settings = settings_of(options)
    selection = selection_of(options)
    sources = archive.expand(
        *(options.input, options.warc_base, selection), texts=True, url=options.url
    )
    sources = archive.split(sources, settings.split_bytes)
    told = run.account_as_json if options.json else run.account_as_text
    total = run.ArchiveAccount()
    alone = len({source.name for source in sources}) == 1
    surveys = run.survey_archives(sources, settings.limits, jobs)
    for name, account in _require_selected(surveys, selection):
        raise_pending()
        if alone:
            account = run.with_resolutions(account, sources)  # noqa: PLW2901 - the same, told in full
        print(told(name, account), flush=True)
        total += account
    if not alone:
        total = run.with_resolutions(total, sources)
    if options.json or total.files > 1:
        print(told(None, total))
    return Exit.TOO_MANY_REJECTS if damaged or (options.strict and total.damaged) else 0


def repair_command(options: Namespace) -> int:
    root = Folder(archive_root(options.directory))
    if not run.is_output_folder(root.uri):
        raise UsageError(no_run(root))
    repair = repair_archive if root.exists(NIGHTS) else repair_run
    with clear_sentences(root.uri), folder_lock(root):
        done = repair(root, lambda: nullcontext(Local(options.jobs or os.cpu_count() or 1)))
    end_line()
    for path in done.rebuilt:
        print(f"rebuilt: {path}")
    for path in done.lost:
        print(f"lost: {path}")
    if not done.rebuilt and not done.lost:
        print(f"{root.uri}: nothing to repair")
    return Exit.TOO_MANY_REJECTS if done.lost else 0


def _require_selected(
    accounts: Iterator[tuple[str, run.ArchiveAccount]], selection: archive.Selection
) -> Iterator[tuple[str, run.ArchiveAccount]]:
    """The accounts of files; those with nothing selected wait for one that has something, else UsageError."""
    waiting: list[tuple[str, run.ArchiveAccount]] = []
    for of_file in accounts:
        waiting.append(of_file)
        records = of_file[1].records
        if selection.takes_all or records.total() > records["warcinfo"]:  # which is of no page
            yield from waiting
            waiting.clear()
            selection = archive.select()
    archive.check_taken(selection, 0, sum(account.damaged for _, account in waiting))
