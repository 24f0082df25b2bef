"""`dbce check`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dbce import archive, check
from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.settings import selection_of, settings_of
from dbce.model import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator


def check_command(options: Namespace) -> int:
    """`dbce check`: what is in archives, and what is damaged where."""
    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    settings = settings_of(options)
    selection = selection_of(options)
    sources = archive.expand(
        *(options.input, options.warc_base, selection), texts=True, url=options.url
    )
    sources = archive.split(sources, settings.split_bytes)
    told = check.as_json if options.json else check.as_text
    total = check.Account()
    alone = len({source.name for source in sources}) == 1
    surveys = check.surveys(sources, settings.limits, jobs)
    for name, account in _some(surveys, selection):
        if alone:
            account = check.with_resolutions(account, sources)  # noqa: PLW2901 - the same, told in full
        print(told(name, account), flush=True)
        total += account
    if not alone:
        total = check.with_resolutions(total, sources)
    if options.json or total.files > 1:
        print(told(None, total))
    return TOO_MANY_REJECTS if options.strict and total.damaged else 0


def _some(
    accounts: Iterator[tuple[str, check.Account]], selection: archive.Selection
) -> Iterator[tuple[str, check.Account]]:
    """The accounts of files; those with nothing selected wait for one that has something.

    Raises:
        UsageError: a selection leaves nothing.
    """
    waiting: list[tuple[str, check.Account]] = []
    for of_file in accounts:
        waiting.append(of_file)
        records = of_file[1].records
        if selection.takes_all or records.total() > records["warcinfo"]:  # which is of no page
            yield from waiting
            waiting.clear()
            selection = archive.select()
    archive.check_taken(selection, 0, sum(account.damaged for _, account in waiting))
