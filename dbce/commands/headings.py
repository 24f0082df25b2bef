"""`dbce headings` and `dbce evaluate-headings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.segment import given_options
from dbce.commands.stores import clear_sentences
from dbce.evaluate.blocks import Half, Wanted
from dbce.evaluate.headings import AskedScores, main_report
from dbce.visual.headings import Asked, headings_folder, options_of, read_bodies

if TYPE_CHECKING:
    from argparse import Namespace


def headings_command(options: Namespace) -> int:
    """`dbce headings`: pages in, tables of headings and their blocks out."""
    asked = Asked(
        method=options.method,
        options=options_of(options.method, given_options(options.set)),
        body=options.body,
        bodies=read_bodies(options.bodies) if options.bodies else None,
        styles=options.styles,
    )
    with clear_sentences(options.directory):
        done = headings_folder(options.directory, asked)
    print(f"{done.pages} pages, {done.headings} headings: {done.table}")
    if done.rejected:
        print(f"{done.rejected} pages could not be looked at: see headings/rejects/")
    return TOO_MANY_REJECTS if done.rejected > done.pages else 0


def evaluate_headings_command(options: Namespace) -> None:
    """`dbce evaluate-headings`: scores of headings and their blocks."""
    asked = AskedScores(
        folders=tuple(options.directory),
        gold=options.gold,
        by=options.by,
        half=Half(options.half) if options.half else None,
        group=options.group,
    )
    print(main_report(asked, Wanted(options.csv, options.summary, options.html)))
