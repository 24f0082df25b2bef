"""A run in which things go wrong: `fault_job.py NOTES FAULTS run ARGUMENTS...`.

FAULTS is STEP=FAULT,... for the steps index_file, compare_what_can_be (with the method thesis annotate_cross) and
judge_file. `hold` lets one task
stand still in the middle of its work, for ever; in NOTES/STEP.held is the process that it is in. `fail`
lets every task fail twice. The arguments are those of dbce; faults reach the executors as code.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbce import cli
from dbce.engine.spark import compare, thesis
from dbce.run import job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dbce.archive import Source

    Step = Callable[..., Any]

COMPARE, ANNOTATE = "compare_what_can_be", "annotate_cross"

HOMES = {
    "index_file": (job, "index_file"),
    COMPARE: (compare, "_annotations"),
    ANNOTATE: (thesis, "_annotate_buckets"),
    "judge_file": (job, "judge_file"),
}
"""Where the functions are that do the steps, as what is sent to the executors names them."""


def claim(path: str) -> bool:
    """Return whether this call is the first with this path, on all machines that share it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def stand_still(note: str) -> None:
    """Tells who stands still, and does so."""
    draft = Path(f"{note}.draft")
    draft.write_text(str(os.getpid()))
    draft.rename(f"{note}.held")
    while True:
        time.sleep(0.1)


def hold(step: Step, note: str) -> Step:
    """The step; the first task to take it never ends it."""

    def held(*arguments: Any, **options: Any) -> Any:
        if claim(f"{note}.claimed"):
            if note.endswith((COMPARE, ANNOTATE)):
                stand_still(note)
            from dbce import boilerplate
            from dbce.run import one_file

            is_sketched = note.endswith("index_file")
            home = vars(one_file if is_sketched else boilerplate)
            name = "read" if is_sketched else "judge_in_batches"
            begin = home[name]

            def in_the_middle(*arguments: Any, **options: Any) -> Iterator[Any]:
                yield next(begin(*arguments, **options))
                stand_still(note)

            # For this process, which does nothing else any more.
            home[name] = in_the_middle
        return step(*arguments, **options)

    return held


def fail(step: Step, note: str) -> Step:
    """The step, which succeeds at the third attempt."""

    def failing(*arguments: Any, **options: Any) -> Any:
        source = source_in(arguments)
        for attempt in (1, 2):
            if claim(f"{note}.{source.name.replace('/', '_')}.{attempt}"):
                message = f"attempt {attempt} on {source.name} was made to fail"
                raise RuntimeError(message)
        return step(*arguments, **options)

    return failing


def source_in(arguments: tuple[Any, ...]) -> Source:
    """The archive file among the arguments of a step, which in stage 3 comes with what is found of it."""
    unit = arguments[0]
    source: Source = unit[0] if isinstance(unit, tuple) else unit
    return source


def main(notes: str, faults: str, *arguments: str) -> int:
    """Runs dbce with the faults built in; its exit code."""
    for word in filter(None, faults.split(",")):
        name, _, fault = word.partition("=")
        make = {"hold": hold, "fail": fail}[fault]
        home, function = HOMES[name]
        setattr(home, function, make(getattr(home, function), f"{notes}/{name}"))
    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
