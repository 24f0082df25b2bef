"""`dbce migrate`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands.engines import again_of, engine_of
from dbce.commands.stores import clear_sentences
from dbce.engine import drive
from dbce.progress import end_line, log_to_stderr
from dbce.visual.migrate import MigrationJob, summary
from dbce.visual.render import chromium, open_rendered

if TYPE_CHECKING:
    from argparse import Namespace


def migrate_command(options: Namespace) -> int:
    """`dbce migrate`: rendered pages in, the same as HTML5 out."""
    log_to_stderr(options.log_format, quiet=options.quiet)
    open_rendered(options.directory)
    if options.master == "none":
        chromium(options.chromium)  # that there is one shows before anything is done
    held = archive.expand(options.archive)
    job = MigrationJob(options.directory, options.out, held, options.nu or "", options.chromium)
    with clear_sentences(options.out):
        ended = drive(job, partial(engine_of, options), again_of(options))
    end_line()
    if ended is not None:
        print(summary(ended.manifest, options.out))
    return 0
