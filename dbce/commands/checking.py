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


def check_command(options: Namespace) -> int:
    """`dbce check`: what is in archives, and what is damaged where."""
    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    settings = settings_of(options)
    sources = archive.expand(
        *(options.input, options.warc_base, selection_of(options)), texts=True, url=options.url
    )
    sources = archive.split(sources, settings.split_bytes)
    told = check.as_json if options.json else check.as_text
    total = check.Account()
    alone = len({source.name for source in sources}) == 1
    for name, account in check.surveys(sources, settings.limits, jobs):
        if alone:
            account = check.with_resolutions(account, sources)  # noqa: PLW2901 - the same, told in full
        print(told(name, account), flush=True)
        total += account
    if not alone:
        total = check.with_resolutions(total, sources)
    if options.json or total.files > 1:
        print(told(None, total))
    return TOO_MANY_REJECTS if options.strict and total.damaged else 0
