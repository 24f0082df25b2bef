"""`dbce segment`."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.stores import clear_sentences
from dbce.errors import UsageError
from dbce.output import Folder
from dbce.visual.joined import join_folder
from dbce.visual.segment import options_of, segment_folder

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable


def segment_command(options: Namespace) -> int:
    """`dbce segment`: rendered pages in, tables of blocks out."""
    algorithm = options.algorithm
    chosen = options_of(algorithm, given_options(options.set))
    with clear_sentences(options.directory):
        done = segment_folder(options.directory, algorithm, chosen, options.overlays)
        joined = None
        if Folder(options.directory).exists("run.json"):
            joined = join_folder(options.directory, posixpath.basename(done.table))
    print(f"{done.pages} pages, {done.blocks} blocks: {done.table}")
    if joined:
        print(
            f"{joined.pages} pages have verdicts: blocks/verdicts/; {joined.blocks} blocks of "
            f"{joined.templates} templates: blocks/map/"
        )
    if done.rejected:
        print(f"{done.rejected} pages could not be cut: see blocks/rejects/")
    return TOO_MANY_REJECTS if done.rejected > done.pages else 0


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
