"""Blocks of pages against gold and against each other: `dbce evaluate-blocks`, `dbce agree`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dbce.visual.evaluate.blocks import Asked, Half, Wanted, convention, main_report

if TYPE_CHECKING:
    from argparse import Namespace


def evaluate_blocks_command(options: Namespace) -> None:
    """`dbce evaluate-blocks`: scores of segmentations."""
    asked = Asked(
        gold=options.gold,
        computed=tuple(options.input),
        convention=convention(options.convention, options.t_r, options.t_t, options.t_i),
        level=options.level,
        group=options.group,
        half=Half(options.half) if options.half else None,
    )
    wanted = Wanted(options.csv, options.summary, options.html)
    print(main_report(asked, options.rendered, wanted, edges=options.edges))


def agree_command(options: Namespace) -> None:
    """`dbce agree`: how far people agree on blocks."""
    from dbce.storage import write_file
    from dbce.visual.annotate.blocks.agree import agreements_in, by_page, in_words

    found = agreements_in(options.directory, [Path(gold) for gold in options.blocks])
    if options.csv:
        write_file(options.csv, by_page(found).to_csv(index=False))
    print(in_words(found))
