"""`dbce migrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands.stores import clear_sentences
from dbce.model import UsageError
from dbce.progress import Progress, end_line, log_to_stderr
from dbce.storage import Folder, locked
from dbce.visual.migrate import DONE, Task, finish, migrate_locally, migrate_on_spark, summary
from dbce.visual.render import chromium, open_rendered

if TYPE_CHECKING:
    from argparse import Namespace

OUT = "migrated"
"""The folder of the outputs, in the one that is named."""


def migrate_command(options: Namespace) -> int:
    """`dbce migrate`: rendered pages in, the same as HTML5 out."""
    log_to_stderr(options.log_format)
    open_rendered(options.directory)
    path = chromium(options.chromium) if options.master == "none" else ""
    held = archive.expand(options.archive)
    folder = Folder(options.out).within(OUT)
    if folder.exists(DONE) and not options.overwrite:
        raise UsageError(
            f"{options.out} holds migrated pages; name another folder or add --overwrite"
        )
    with clear_sentences(options.out), locked(folder):
        for name in folder.entries():
            if not name.startswith("."):
                folder.remove(name)
        task = Task(
            options.directory, folder, held, Progress("migrate", stages=2), options.nu or ""
        )
        if options.master == "none":
            migrate_locally(task, path)
        else:
            from dbce.engine.spark import running

            with running(options.master) as spark:
                migrate_on_spark(spark, task, options.chromium)
        found = finish(folder)
    end_line()
    print(summary(found, options.out))
    return 0
