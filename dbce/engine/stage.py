"""A stage of a job: units of work that do not depend on each other, whatever does them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

Unit = TypeVar("Unit")

ReportProgress: TypeAlias = Callable[[float], None]
"""Takes the share of a unit that is done by now, after each of its captures."""

Do: TypeAlias = Callable[[Unit, ReportProgress], int]
"""Does a unit and leaves in its folder what comes of it; the number of its captures."""

Open: TypeAlias = Callable[[], AbstractContextManager[Do[Unit]]]
"""Opens what a worker needs for as long as it works, such as a browser, and gives what does a unit."""


@dataclass(frozen=True, slots=True)
class Stage(Generic[Unit]):
    """Work on units, in any order and any process.

    Units and `open_work` travel to other processes, so both can be pickled. Units that are done already
    are not among `units`, which are in order, by name. `doing` is told to the user ("reading 3 files"),
    `number` and `name` stand in the log, and `part` is what the user calls a unit.
    """

    number: int
    name: str
    doing: str
    units: Mapping[str, Unit]
    open_work: Open[Unit]
    part: str = "file"


@dataclass(frozen=True, slots=True)
class _Ready(Generic[Unit]):
    """The work of a stage whose workers keep nothing open."""

    do: Do[Unit]

    def __call__(self) -> AbstractContextManager[Do[Unit]]:
        return nullcontext(self.do)


def work_without_progress(do: Callable[[Unit], int | None]) -> Open[Unit]:
    """The work of a stage whose workers keep nothing open; `do` does one unit."""
    return _Ready(partial(_without_progress, do))


def work_with_progress(do: Do[Unit]) -> Open[Unit]:
    """Return `do` as a stage that tells its progress within a unit."""
    return _Ready(do)


def _without_progress(do: Callable[[Unit], int | None], unit: Unit, _report: ReportProgress) -> int:
    return do(unit) or 0


def no_progress(_share: float) -> None:
    """Ignore progress reports."""


def collect_rarely() -> None:
    """Make Python look for garbage less often; for processes that do nothing but a job's work.

    Trees, nodes and runs of many pages live at a time, and hardly any are in a cycle. Looking through
    all of them again and again took a quarter of the time of a run.
    """
    gc.set_threshold(50_000)
