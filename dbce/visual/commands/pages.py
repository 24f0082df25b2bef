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
    is_local = options.master == "none"
    if is_local:
        chromium(options.chromium)  # raises before any work if there is none
    sources = sources_of(options, url=options.url)
    inputs = [*options.input, *options.resources]
    resources = archive.expand(inputs, options.warc_base, url=options.url)
    job = RenderJob(
        *(options.out, settings, archive.split(sources, settings.split_bytes)),
        held=archive.split(resources, settings.split_bytes),
        chromium=options.chromium,
        browsers=browsers if is_local else 1,  # a Spark task has one core
    )
    manifest = _drive(job, options, jobs=1)
    if manifest is None:
        return 0
    print(summary(manifest, options.out))
    captures = manifest["captures"]
    too_many = captures["rejected"] > captures["total"] / 2
    return Exit.TOO_MANY_REJECTS if too_many else 0


def migrate_command(options: Namespace) -> int:
    from dbce.visual.migrate import MigrationJob  # imports a parser that is an extra
    from dbce.visual.migrate import summary as migration_summary

    open_rendered(options.directory)
    if options.master == "none":
        chromium(options.chromium)  # raises before any work if there is none
    held = archive.expand(options.archive)
    job = MigrationJob(options.directory, options.out, held, options.nu or "", options.chromium)
    account = _drive(job, options)
    if account is not None:
        print(migration_summary(account, options.out))
    return 0


def segment_command(options: Namespace) -> int:
    from dbce.visual.block_verdicts import SegmentationJob
    from dbce.visual.segment import TABLES, SegmentSettings, options_of

    words = parse_options(options.set) | granularity_option(options.algorithm, options.granularity)
    chosen = options_of(options.algorithm, words)
    parts = (options.directory, options.algorithm, chosen, options.overlays, options.xml)
    settings = SegmentSettings(*parts)
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
"""Option of each algorithm that controls its granularity."""


def granularity_option(algorithm: str, granularity: float | None) -> dict[str, str]:
    """Return the algorithm's option for `--granularity`, with its value; UsageError if it has none."""
    if granularity is None:
        return {}
    if algorithm not in DIALS:
        known = ", ".join(DIALS)
        raise UsageError(f"--granularity: {algorithm} cuts in one way; it is for {known}")
    return {DIALS[algorithm]: f"{granularity:g}"}


def parse_options(pairs: Iterable[str]) -> dict[str, str]:
    """Return options by name; UsageError if one has no value."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair}: say --set NAME=VALUE")
        values[name.replace("-", "_")] = value
    return values


def evaluate_blocks_command(options: Namespace) -> None:
    from dbce.visual.evaluate.blocks import BlockEvaluationSettings, convention, main_report
    from dbce.visual.evaluate.results import Half, OutputFiles

    tolerances = {"relative": options.t_r, "geometric": options.t_t, "importance": options.t_i}
    settings = BlockEvaluationSettings(
        gold=options.gold,
        computed=tuple(options.input),
        convention=convention(options.convention, **tolerances),
        level=options.level,
        group=options.group,
        half=Half(options.half) if options.half else None,
    )
    files = OutputFiles(options.csv, options.summary, options.html)
    print(main_report(settings, options.rendered, files, edges=options.edges))


def agree_command(options: Namespace) -> None:
    from dbce.visual.annotate.blocks.agreement import agreement_table, agreements_in, by_page

    agreements = agreements_in(options.directory, [Path(gold) for gold in options.blocks])
    if options.csv:
        write_file(options.csv, by_page(agreements).to_csv(index=False))
    print(agreement_table(agreements))


def headings_command(options: Namespace) -> int:
    from dbce.visual.headings import TABLES, HeadingSettings, HeadingsJob, options_of, read_bodies

    settings = HeadingSettings(
        method=options.method,
        options=options_of(options.method, parse_options(options.set)),
        body=options.body,
        bodies=read_bodies(options.bodies) if options.bodies else None,
        styles=options.styles,
    )
    job = HeadingsJob(options.directory, settings)
    account = _drive(job, options, job.pages)
    if account is None:
        return 0
    table = f"{options.directory}/{TABLES}/{TABLES}/{settings.label}.parquet"
    print(f"{count_of(account.pages, 'page')}, {count_of(account.headings, 'heading')}: {table}")
    if account.rejected:
        print(f"{count_of(account.rejected, 'page')} could not be searched: see headings/rejects/")
    return Exit.TOO_MANY_REJECTS if account.rejected > account.pages else 0


def evaluate_headings_command(options: Namespace) -> None:
    from dbce.visual.evaluate.headings.evaluation import HeadingEvaluationSettings, main_report
    from dbce.visual.evaluate.results import Half, OutputFiles

    settings = HeadingEvaluationSettings(
        folders=tuple(options.directory),
        gold=options.gold,
        by=options.by,
        half=Half(options.half) if options.half else None,
        group=options.group,
    )
    print(main_report(settings, OutputFiles(options.csv, options.summary, options.html)))


def _drive(
    job: Job, options: Namespace, check: Callable[[], object] | None = None, jobs: int | None = None
) -> Any:
    """Run a job, after `check` of its input; return its account, None if nothing was left to do."""
    with clear_sentences(job.out):
        if check:
            check()
        account = drive(job, partial(engine_of, options, jobs=jobs), existing_outputs(options))
    end_line()
    return account
