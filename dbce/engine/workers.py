"""The workers of this machine: this process, or several. Those of a cluster are in `engine.spark`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeAlias

from dbce.engine.pool import Pool, lost_unit
from dbce.engine.stage import Open, Stage, Unit, collect_rarely, no_progress
from dbce.model import Annotation, Config, Progress, Repeat
from dbce.output.index import unit_size
from dbce.storage import Folder

Found: TypeAlias = "Iterable[tuple[int, Annotation | Repeat]]"
"""Numbers of captures in their file, in order, and what stage 2 found of them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Stage 2 of a run: the sketches of `index` are compared with each other, and with those `known`.

    `here` does it in this process, and gives what is found by unit. What a cluster finds is kept in
    `out` until the run ends.
    """

    index: Folder
    known: tuple[Folder, ...]
    out: Folder
    config: Config
    here: Callable[[], Mapping[str, Found]]


class Workers(Protocol):
    """The workers of a job; when one of these functions returns, all of its work is done.

    Each raises StoreError where a store fails, or the processes of a unit die.
    """

    def do(self, stage: Stage[Unit], progress: Progress) -> None:
        """Do all units of a stage."""

    def count(self, index: Folder, units: Sequence[str]) -> int:
        """Number of captures that an index has of some units."""

    def compare(self, comparison: Comparison, captures: int, progress: Progress) -> Any:
        """Do stage 2 of a run; what is found, for `do_with`."""

    def do_with(self, stage: Stage[Any], found: Any, progress: Progress) -> None:
        """Do all units of a stage, whose work takes each with what is found of it."""


@dataclass(frozen=True, slots=True)
class Local:
    """This process, or with more `jobs` than one so many others of this machine."""

    jobs: int = 1

    def do(self, stage: Stage[Unit], progress: Progress) -> None:
        """Do all units of a stage; of processes one that dies is replaced, and its unit tried once more."""
        progress.stage(stage.number, stage.name, len(stage.units), stage.doing, stage.part)
        if self.jobs == 1 or len(stage.units) < 2:
            _in_turn(stage, progress)
            return
        jobs = min(self.jobs, len(stage.units))
        with Pool(jobs, partial(_in_process, stage.open_work), lost_unit) as pool:
            for (name, _), captures in pool.as_made(stage.units.items()):
                progress.finish_part(name, captures)

    def count(self, index: Folder, units: Sequence[str]) -> int:
        """Number of captures that an index has of some units."""
        return sum(unit_size(index, unit) for unit in units)

    def compare(self, comparison: Comparison, _captures: int, progress: Progress) -> Any:
        """Do stage 2 of a run in this process; what is found, by unit."""
        progress.stage(2, "compare", 1, "comparing pages", "step")
        return comparison.here()

    def do_with(self, stage: Stage[Any], found: Mapping[str, Found], progress: Progress) -> None:
        """Do all units of a stage, each with what is found of it."""
        units = {name: (unit, found[name]) for name, unit in stage.units.items()}
        self.do(replace(stage, units=units), progress)


def _in_turn(stage: Stage[Unit], progress: Progress) -> None:
    if not stage.units:  # nothing is opened for nothing
        return
    collect_rarely()
    with stage.open_work() as do:
        for name, unit in stage.units.items():
            captures = do(unit, partial(progress.set_share, file=name))
            progress.finish_part(name, captures)


@contextmanager
def _in_process(open_work: Open[Any]) -> Iterator[Callable[[tuple[str, Any]], int]]:
    collect_rarely()
    with open_work() as do:
        yield partial(_do_unit, do)


def _do_unit(do: Callable[[Any, Callable[[float], None]], int], unit: tuple[str, Any]) -> int:
    return do(unit[1], no_progress)
