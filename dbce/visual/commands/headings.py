"""Commands `dbce headings` and `dbce evaluate-headings`."""

from __future__ import annotations

from argparse import Namespace
from functools import partial

from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import engine_of, existing_outputs
from dbce.engine import drive
from dbce.evaluate.results import OutputFiles
from dbce.model import count_of, end_line, log_to_stderr
from dbce.visual.commands.blocks import given_options
from dbce.visual.evaluate.halves import Half
from dbce.visual.evaluate.headings import HeadingEvaluationSettings, main_report
from dbce.visual.headings import TABLES, HeadingSettings, HeadingsJob, options_of, read_bodies


def headings_command(options: Namespace) -> int:
    """`dbce headings`: pages in, tables of headings and their blocks out."""
    log_to_stderr(options.log_format, quiet=options.quiet)
    settings = HeadingSettings(
        method=options.method,
        options=options_of(options.method, given_options(options.set)),
        body=options.body,
        bodies=read_bodies(options.bodies) if options.bodies else None,
        styles=options.styles,
    )
    job = HeadingsJob(options.directory, settings)
    with clear_sentences(options.directory):
        job.pages()  # that they are there shows before anything is done
        ended = drive(job, partial(engine_of, options), existing_outputs(options))
    end_line()
    if ended is None:
        return 0
    done = ended.manifest
    table = f"{options.directory}/{TABLES}/{TABLES}/{settings.label}.parquet"
    print(f"{count_of(done.pages, 'page')}, {count_of(done.headings, 'heading')}: {table}")
    if done.rejected:
        print(f"{count_of(done.rejected, 'page')} could not be searched: see headings/rejects/")
    return TOO_MANY_REJECTS if done.rejected > done.pages else 0


def evaluate_headings_command(options: Namespace) -> None:
    """`dbce evaluate-headings`: scores of headings and their blocks."""
    asked = HeadingEvaluationSettings(
        folders=tuple(options.directory),
        gold=options.gold,
        by=options.by,
        half=Half(options.half) if options.half else None,
        group=options.group,
    )
    print(main_report(asked, OutputFiles(options.csv, options.summary, options.html)))
