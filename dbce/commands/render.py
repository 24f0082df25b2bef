"""`dbce render`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.settings import selection_of
from dbce.commands.stores import clear_sentences
from dbce.engine import begin
from dbce.engine.begun import resumed
from dbce.model import Rendering, UsageError, override

from dbce.progress import LOG, Progress, end_line, log_to_stderr
from dbce.storage import Folder, has_begun, locked
from dbce.visual.render import (
    MANIFEST,
    OUTPUTS,
    RENDERED,
    Work,
    chromium,
    finish,
    render_locally,
    render_on_spark,
    summary,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


MAX_REJECT_RATIO = 0.5
"""Share of rejected captures above which the exit code says that the input is bad."""


def render_command(options: Namespace) -> int:
    """`dbce render`: archives in, pages as they were laid out."""
    log_to_stderr(options.log_format)
    settings = override(Rendering(), vars(options))
    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    path = chromium(options.chromium) if options.master == "none" else ""
    sources = archive.expand(
        *(options.input, options.warc_base, selection_of(options)), url=options.url
    )
    inputs = [*options.input, *options.resources]
    held = archive.expand(inputs, options.warc_base, url=options.url)
    folder = Folder(options.out).within(RENDERED)
    with clear_sentences(options.out):
        if options.resume and folder.exists(MANIFEST) and not has_begun(folder):
            LOG.info("%s holds all that was to be rendered; nothing is left to do", options.out)
            return 0
        _check_content(folder, options)
        with locked(folder):
            sources = _begun(folder, options, settings, sources)
            held = archive.split(held, settings.split_bytes)
            progress = Progress(settings.digest(), stages=2)
            work = Work(folder, sources, held, settings, progress)
            if options.master == "none":
                render_locally(work, path, jobs)
            else:
                from dbce.engine.spark import running

                with running(options.master) as spark:
                    render_on_spark(spark, work, options.chromium)
            manifest = finish(folder, [source.name for source in sources], settings)
    end_line()
    print(summary(manifest, options.out))
    captures = manifest["captures"]
    too_many = captures["rejected"] > MAX_REJECT_RATIO * captures["total"]
    return TOO_MANY_REJECTS if too_many else 0


def _check_content(folder: Folder, options: Namespace) -> None:
    """Whether what is in the folder may be gone on with, or replaced.

    Raises:
        UsageError: it may not.
    """
    if options.overwrite or is_free(folder):
        return
    if not has_begun(folder):
        raise UsageError(
            f"{options.out} holds rendered pages; name another folder or add --overwrite"
        )
    if not options.resume:
        raise UsageError(
            f"{options.out} holds a rendering that did not end; --resume goes on with it, "
            "--overwrite starts anew"
        )


def _begun(
    folder: Folder, options: Namespace, settings: Rendering, sources: Sequence[archive.Source]
) -> tuple[archive.Source, ...]:
    """The files to render: those of a rendering that has begun, or all, noted before anything is done."""
    if options.resume and has_begun(folder):
        return resumed(folder, sources, settings)
    for name in OUTPUTS:
        folder.remove(name)
    pieces = archive.split(sources, settings.split_bytes)
    begin(folder, pieces, settings)
    return pieces
