"""Commands on rendered pages, their blocks and headings; each imports the parts of the wing that it needs."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from dbce import archive
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import engine_of, existing_outputs, jobs_of, sources_of
from dbce.commands.table import Exit
from dbce.engine import Job, drive
from dbce.model import Rendering, UsageError, count_of, end_line, override
from dbce.storage import write_file
from dbce.visual.render import RenderJob, chromium, open_rendered, summary


def render_command(options: Namespace) -> int:
    settings = override(Rendering(), vars(options))
    browsers = jobs_of(options, os.cpu_count() or 1)
    here = options.master == "none"
    if here:
        chromium(options.chromium)  # that there is one shows before anything is done
    sources = sources_of(options, url=options.url)
    inputs = [*options.input, *options.resources]
    held = archive.expand(inputs, options.warc_base, url=options.url)
    job = RenderJob(
        *(options.out, settings, archive.split(sources, settings.split_bytes)),
        held=archive.split(held, settings.split_bytes),
        chromium=options.chromium,
        browsers=browsers if here else 1,  # a task of Spark is one core's
    )
    manifest = _drive(job, options, jobs=1)
    if manifest is None:
        return 0
    print(summary(manifest, options.out))
    captures = manifest["captures"]
    too_many = captures["rejected"] > captures["total"] / 2
    return Exit.TOO_MANY_REJECTS if too_many else 0


def migrate_command(options: Namespace) -> int:
    from dbce.visual.migrate import MigrationJob  # knows a parser that is an extra
    from dbce.visual.migrate import summary as migration_summary

    open_rendered(options.directory)
    if options.master == "none":
        chromium(options.chromium)  # that there is one shows before anything is done
    held = archive.expand(options.archive)
    job = MigrationJob(options.directory, options.out, held, options.nu or "", options.chromium)
    account = _drive(job, options)
    if account is not None:
        print(migration_summary(account, options.out))
    return 0


def segment_command(options: Namespace) -> int:
    from dbce.visual.block_verdicts import SegmentationJob
    from dbce.visual.segment import TABLES, SegmentSettings, options_of

    given = given_options(options.set) | granularity_option(options.algorithm, options.granularity)
    chosen = options_of(options.algorithm, given)
    asked = (options.directory, options.algorithm, chosen, options.overlays, options.xml)
    settings = SegmentSettings(*asked)
    account = _drive(SegmentationJob(settings), options, lambda: open_rendered(options.directory))
    if account is None:
        return 0
    pages, rejected, blocks, joined = account
    table = f"{options.directory}/{TABLES}/{TABLES}/{settings.table}"
    print(f"{count_of(pages, 'page')}, {count_of(blocks, 'block')}: {table}")
    if joined:
        print(
            f"with verdicts: {count_of(joined.pages, 'page')} (blocks/verdicts/); {count_of(joined.blocks, 'block')} of "
            f"{count_of(joined.templates, 'template')} (blocks/map/)"
        )
    if rejected:
        print(f"{count_of(rejected, 'page')} could not be cut: see blocks/rejects/")
    return Exit.TOO_MANY_REJECTS if rejected > pages else 0


DIALS = {
    "dbce": "least",
    "bom-paper": "granularity",
    "bom-published": "granularity",
    "vips": "pdoc",
    "blockfusion": "threshold",
}
"""The option by which an algorithm cuts more or less finely."""


def granularity_option(algorithm: str, granularity: float | None) -> dict[str, str]:
    """Return the option that `--granularity` stands for, with its value; UsageError if the algorithm has none."""
    if granularity is None:
        return {}
    if algorithm not in DIALS:
        known = ", ".join(DIALS)
        raise UsageError(f"--granularity: {algorithm} cuts in one way; it is for {known}")
    return {DIALS[algorithm]: f"{granularity:g}"}


def given_options(pairs: Iterable[str]) -> dict[str, str]:
    """Options by name; UsageError if one has no value."""
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair}: say --set NAME=VALUE")
        given[name.replace("-", "_")] = value
    return given


def evaluate_blocks_command(options: Namespace) -> None:
    from dbce.visual.evaluate.blocks import BlockEvaluationSettings, convention, main_report
    from dbce.visual.evaluate.results import Half, OutputFiles

    tolerances = {"relative": options.t_r, "geometric": options.t_t, "importance": options.t_i}
    asked = BlockEvaluationSettings(
        gold=options.gold,
        computed=tuple(options.input),
        convention=convention(options.convention, **tolerances),
        level=options.level,
        group=options.group,
        half=Half(options.half) if options.half else None,
    )
    wanted = OutputFiles(options.csv, options.summary, options.html)
    print(main_report(asked, options.rendered, wanted, edges=options.edges))


def agree_command(options: Namespace) -> None:
    from dbce.visual.annotate.blocks.agreement import agreement_table, agreements_in, by_page

    found = agreements_in(options.directory, [Path(gold) for gold in options.blocks])
    if options.csv:
        write_file(options.csv, by_page(found).to_csv(index=False))
    print(agreement_table(found))


def headings_command(options: Namespace) -> int:
    from dbce.visual.headings import TABLES, HeadingSettings, HeadingsJob, options_of, read_bodies

    settings = HeadingSettings(
        method=options.method,
        options=options_of(options.method, given_options(options.set)),
        body=options.body,
        bodies=read_bodies(options.bodies) if options.bodies else None,
        styles=options.styles,
    )
    job = HeadingsJob(options.directory, settings)
    done = _drive(job, options, job.pages)
    if done is None:
        return 0
    table = f"{options.directory}/{TABLES}/{TABLES}/{settings.label}.parquet"
    print(f"{count_of(done.pages, 'page')}, {count_of(done.headings, 'heading')}: {table}")
    if done.rejected:
        print(f"{count_of(done.rejected, 'page')} could not be searched: see headings/rejects/")
    return Exit.TOO_MANY_REJECTS if done.rejected > done.pages else 0


def evaluate_headings_command(options: Namespace) -> None:
    from dbce.visual.evaluate.headings.evaluation import HeadingEvaluationSettings, main_report
    from dbce.visual.evaluate.results import Half, OutputFiles

    asked = HeadingEvaluationSettings(
        folders=tuple(options.directory),
        gold=options.gold,
        by=options.by,
        half=Half(options.half) if options.half else None,
        group=options.group,
    )
    print(main_report(asked, OutputFiles(options.csv, options.summary, options.html)))


def _drive(
    job: Job, options: Namespace, check: Callable[[], object] | None = None, jobs: int | None = None
) -> Any:
    """Do a job and return its account, None if nothing was left to do; `check` that its input is there."""
    with clear_sentences(job.out):
        if check:
            check()
        account = drive(job, partial(engine_of, options, jobs=jobs), existing_outputs(options))
    end_line()
    return account
