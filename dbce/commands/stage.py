"""One stage of a run by itself: what the stages before it must have left, and what comes next.

A stage goes on with the run that is in the folder, as `--resume` does, and does what is not done yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.engine import begun, place_of
from dbce.model import Stage, UsageError
from dbce.output import INDEX, is_compared
from dbce.output.index import has_unit
from dbce.storage import has_begun

if TYPE_CHECKING:
    from argparse import Namespace

    from dbce.run import RunJob

NEXT_JOB = {
    Stage.READ: "the sketches of {} captures are in {}; next, with the same arguments: jobs/compare.py",
    Stage.COMPARE: "{} captures are compared in {}; next, with the same arguments: jobs/judge.py",
}
"""What is said after a stage with another one behind it."""


def prepare(job: RunJob, options: Namespace) -> None:
    """Make a later stage go on with its run, if the stage before it is done.

    Raises:
        UsageError: it is not, or the stages are to run without Spark.
    """
    if options.master == "none":
        raise UsageError("a stage by itself needs Spark; leave out --master none, or use dbce run")
    if options.stage is Stage.READ:
        return
    if options.overwrite:
        raise UsageError("--overwrite is for jobs/sketch.py, which begins a run; leave it out here")
    options.resume = True
    folder = place_of(job)
    if not has_begun(folder):
        if job.is_finished():
            return  # nothing is left to do
        raise UsageError(f"{options.out} holds no run to continue; begin with jobs/sketch.py")
    index = folder.within(INDEX)
    if missing := [one.name for one in begun(folder) if not has_unit(index, one.unit)]:
        raise UsageError(
            f"{options.out} has no sketches of {missing[0]}; continue with jobs/sketch.py --resume first"
        )
    if options.stage is Stage.JUDGE and not is_compared(folder):
        raise UsageError(f"{options.out} holds no comparison; run jobs/compare.py first")
