"""`dbce changes`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dbce.commands.stores import clear_sentences
from dbce.visual.changes import Change, find_changes, work_on_spark

if TYPE_CHECKING:
    from argparse import Namespace

    from dbce.visual.changes import Found


def changes_command(options: Namespace) -> None:
    """`dbce changes`: the snapshots of a run in, a table of what changed out."""
    with clear_sentences(options.directory):
        if options.master == "none":
            found = find_changes(options.directory, options.mode)
        else:
            from dbce.run.spark import running

            with running(options.master) as spark:
                work = partial(work_on_spark, spark)
                found = find_changes(options.directory, options.mode, work)
    print(told(found, options.directory))


def told(found: Found, folder: str) -> str:
    """What was found, in few lines."""
    total = found.classes.total()
    if not total:
        return f"no URL has two snapshots: {found.singles} have one; nothing to compare in {folder}"
    kinds = ", ".join(f"{found.classes[kind]} {kind}" for kind in Change if found.classes[kind])
    lines = [
        f"{total} snapshots have one before them: {kinds}; {found.important} important changes"
    ]
    if found.classes[""]:
        lines.append(f"{found.classes['']} could not be compared: their rows have the reason")
    if found.singles:
        lines.append(f"{found.singles} URLs have one snapshot only")
    lines.append(f"table: {folder}/changes")
    return "\n".join(lines)
