"""`dbce run`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dbce import archive
from dbce.boilerplate.classify import load_model
from dbce.commands.engines import again_of, engine_of
from dbce.commands.settings import exit_code, selection_of, settings_of, warn_of_players
from dbce.commands.stage import NEXT_JOB, prepare
from dbce.commands.stores import clear_sentences
from dbce.engine import drive
from dbce.model import Stage, UsageError
from dbce.output import open_run, summary
from dbce.progress import end_line, log_to_stderr
from dbce.run import RunJob
from dbce.storage import spare_pandas

if TYPE_CHECKING:
    from argparse import Namespace


def run_command(options: Namespace) -> int:
    """`dbce run`: archives in, annotated archives and tables out."""
    spare_pandas()
    log_to_stderr(options.log_format, quiet=options.quiet)
    settings = settings_of(options)
    warn_of_players(settings)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)  # a model that cannot be used shows before anything starts
    if options.partitions is not None and options.partitions < 1:
        raise UsageError(f"partitions is {options.partitions}; it must be at least 1")
    _check_standard_input(options)
    sources = archive.expand(
        *(options.input, options.warc_base, selection_of(options)), url=options.url
    )
    with clear_sentences(options.out):
        pieces = archive.split(sources, settings.split_bytes)
        job = RunJob(options.out, settings, pieces, options.stage or Stage.JUDGE)
        job.check_place()
        if not options.overwrite:
            job.check_account()
        if options.stage is not None:
            prepare(job, options)
        ended = drive(job, partial(engine_of, options, sources), again_of(options))
    end_line()
    if ended is not None and ended.manifest is None:
        print(NEXT_JOB[options.stage].format(ended.done.captures, options.out))
        return 0
    manifest = (ended and ended.manifest) or open_run(options.out)[1]
    print(summary(manifest, options.out))
    return exit_code(manifest, settings, options.out)


def _check_standard_input(options: Namespace) -> None:
    """Check that standard input can be read twice.

    It is kept on this machine, as long as this process lasts.
    """
    if archive.STANDARD_INPUT not in options.input:
        return
    if options.resume:
        raise UsageError(
            "a run on standard input cannot be resumed, because its input is gone; save it to a file, and "
            "give that with --overwrite"
        )
    if not (options.master or "").startswith(("none", "local")):
        raise UsageError(
            "other machines cannot read standard input; add --master none, or save it to a file "
            "that they see"
        )
