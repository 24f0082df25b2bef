"""Commands on blocks: `dbce segment`, `dbce evaluate-blocks` and `dbce agree`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import engine_of, existing_outputs
from dbce.engine import drive
from dbce.model import UsageError, count_of, end_line, log_to_stderr
from dbce.storage import write_file
from dbce.visual.block_verdicts import SegmentationJob
from dbce.visual.render import open_rendered
from dbce.visual.segment import TABLES, SegmentSettings, options_of


def segment_command(options: Namespace) -> int:
    """`dbce segment`: rendered pages in, tables of blocks out."""
    log_to_stderr(options.log_format, quiet=options.quiet)
    given = given_options(options.set) | granularity_option(options.algorithm, options.granularity)
    chosen = options_of(options.algorithm, given)
    settings = SegmentSettings(options.directory, options.algorithm, chosen, options.overlays)
    job = SegmentationJob(settings)
    with clear_sentences(options.directory):
        open_rendered(options.directory)
        ended = drive(job, partial(engine_of, options), existing_outputs(options))
    end_line()
    if ended is None:
        return 0
    segmented, joined = ended.manifest
    table = f"{options.directory}/{TABLES}/{TABLES}/{settings.table}"
    print(f"{count_of(segmented.pages, 'page')}, {count_of(segmented.blocks, 'block')}: {table}")
    if joined:
        print(
            f"with verdicts: {count_of(joined.pages, 'page')} (blocks/verdicts/); {count_of(joined.blocks, 'block')} of "
            f"{count_of(joined.templates, 'template')} (blocks/map/)"
        )
    if segmented.rejected:
        print(f"{count_of(segmented.rejected, 'page')} could not be cut: see blocks/rejects/")
    return TOO_MANY_REJECTS if segmented.rejected > segmented.pages else 0


DIALS = {
    "dbce": "least",
    "bom-paper": "granularity",
    "bom-published": "granularity",
    "vips": "pdoc",
    "blockfusion": "threshold",
}
"""The option by which an algorithm cuts more or less finely."""


def granularity_option(algorithm: str, granularity: float | None) -> dict[str, str]:
    """The option that `--granularity` stands for, with its value.

    Raises:
        UsageError: the algorithm has none.
    """
    if granularity is None:
        return {}
    if algorithm not in DIALS:
        known = ", ".join(DIALS)
        raise UsageError(f"--granularity: {algorithm} cuts in one way; it is for {known}")
    return {DIALS[algorithm]: f"{granularity:g}"}


def given_options(pairs: Iterable[str]) -> dict[str, str]:
    """Options by name.

    Raises:
        UsageError: one has no value.
    """
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--set {pair}: say --set NAME=VALUE")
        given[name.replace("-", "_")] = value
    return given


def evaluate_blocks_command(options: Namespace) -> None:
    """`dbce evaluate-blocks`: scores of segmentations."""
    from dbce.evaluate.results import OutputFiles
    from dbce.visual.evaluate.blocks import BlockEvaluationSettings, convention, main_report
    from dbce.visual.evaluate.halves import Half

    asked = BlockEvaluationSettings(
        gold=options.gold,
        computed=tuple(options.input),
        convention=convention(options.convention, options.t_r, options.t_t, options.t_i),
        level=options.level,
        group=options.group,
        half=Half(options.half) if options.half else None,
    )
    wanted = OutputFiles(options.csv, options.summary, options.html)
    print(main_report(asked, options.rendered, wanted, edges=options.edges))


def agree_command(options: Namespace) -> None:
    """`dbce agree`: how far people agree on blocks."""
    from dbce.visual.annotate.blocks.agreement import agreement_table, agreements_in, by_page

    found = agreements_in(options.directory, [Path(gold) for gold in options.blocks])
    if options.csv:
        write_file(options.csv, by_page(found).to_csv(index=False))
    print(agreement_table(found))
