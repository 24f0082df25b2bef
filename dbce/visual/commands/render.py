"""Commands `dbce render` and `dbce migrate`, which need a browser."""

from __future__ import annotations

import os
from argparse import Namespace
from functools import partial

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import engine_of, existing_outputs, selection_of
from dbce.engine import drive
from dbce.model import Rendering, UsageError, end_line, log_to_stderr, override
from dbce.visual.render import RenderJob, chromium, open_rendered, summary

MAX_REJECT_RATIO = 0.5
"""Share of rejected captures above which the exit code says that the input is bad."""


def render_command(options: Namespace) -> int:
    """`dbce render`: archives in, pages as they were laid out."""
    log_to_stderr(options.log_format, quiet=options.quiet)
    settings = override(Rendering(), vars(options))
    browsers = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if browsers < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    here = options.master == "none"
    if here:
        chromium(options.chromium)  # that there is one shows before anything is done
    sources = archive.expand(
        *(options.input, options.warc_base, selection_of(options)), url=options.url
    )
    inputs = [*options.input, *options.resources]
    held = archive.expand(inputs, options.warc_base, url=options.url)
    job = RenderJob(
        *(options.out, settings, archive.split(sources, settings.split_bytes)),
        held=archive.split(held, settings.split_bytes),
        chromium=options.chromium,
        browsers=browsers if here else 1,  # a task of Spark is one core's
    )
    with clear_sentences(options.out):
        ended = drive(job, partial(engine_of, options, jobs=1), existing_outputs(options))
    end_line()
    if ended is None or ended.manifest is None:
        return 0
    print(summary(ended.manifest, options.out))
    captures = ended.manifest["captures"]
    too_many = captures["rejected"] > MAX_REJECT_RATIO * captures["total"]
    return TOO_MANY_REJECTS if too_many else 0


def migrate_command(options: Namespace) -> int:
    """`dbce migrate`: rendered pages in, the same as HTML5 out."""
    from dbce.visual.migrate import MigrationJob  # knows a parser that is an extra
    from dbce.visual.migrate import summary as told

    log_to_stderr(options.log_format, quiet=options.quiet)
    open_rendered(options.directory)
    if options.master == "none":
        chromium(options.chromium)  # that there is one shows before anything is done
    held = archive.expand(options.archive)
    job = MigrationJob(options.directory, options.out, held, options.nu or "", options.chromium)
    with clear_sentences(options.out):
        ended = drive(job, partial(engine_of, options), existing_outputs(options))
    end_line()
    if ended is not None:
        print(told(ended.manifest, options.out))
    return 0
