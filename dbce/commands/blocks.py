"""Blocks of pages against gold: `dbce evaluate-blocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.measure import Asked, Half, Wanted, convention, main_report

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
    print(main_report(asked, options.rendered, wanted))
