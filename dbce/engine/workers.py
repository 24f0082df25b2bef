"""Stages of units that do not depend on each other, and the workers of this machine that do them; `engine.spark` has those of a cluster."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from dbce.engine.garbage import collect_rarely
from dbce.engine.pool import Pool, lost_unit, ready_work
from dbce.model import Annotation, Config, Progress, Repeat
from dbce.output.index import unit_size
from dbce.storage import Folder

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


def work_without_progress(do: Callable[[Unit], int | None]) -> Open[Unit]:
    """The work of a stage whose workers keep nothing open; `do` does one unit."""
    return partial(ready_work, partial(_without_progress, do))


def _without_progress(do: Callable[[Unit], int | None], unit: Unit, _report: ReportProgress) -> int:
    return do(unit) or 0


def no_progress(_share: float) -> None:
    """Ignore progress reports."""


Found: TypeAlias = "Iterable[tuple[int, Annotation | Repeat]]"
"""Numbers of captures in their file, in order, and what stage 2 found of them."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Stage 2 of a run: the sketches of `index` are compared with each other, and with those `known`.

    `here` does it in this process, and gives what is found by unit. What a cluster finds is kept in
    `out` until the run ends; with `is_kept` it has to be, for another process judges.
    """

    index: Folder
    known: tuple[Folder, ...]
    out: Folder
    config: Config
    here: Callable[[], Mapping[str, Found]]
    is_kept: bool


class Workers(Protocol):
    """The workers of a job; when one of these functions returns, all of its work is done.

    Each raises StoreError where a store fails, or the processes of a unit die.
    """

    def do(self, stage: Stage[Any], progress: Progress, results: Any = None) -> None:
        """Do all units of a stage; with the results of `compare` its work takes each unit with its own."""

    def count(self, index: Folder, units: Sequence[str]) -> int:
        """Number of captures that an index has of some units."""

    def compare(self, comparison: Comparison, captures: int, progress: Progress) -> Any:
        """Do stage 2 of a run; its results, for `do`."""


@dataclass(frozen=True, slots=True)
class Local:
    """This process, or with more `jobs` than one so many others of this machine."""

    jobs: int = 1

    def do(
        self, stage: Stage[Any], progress: Progress, results: Mapping[str, Found] | None = None
    ) -> None:
        """Do all units of a stage; of processes one that dies is replaced, and its unit tried once more."""
        progress.stage(stage.number, stage.name, len(stage.units), stage.doing, stage.part)
        units = stage.units
        if results is not None:
            units = {name: (unit, results[name]) for name, unit in units.items()}
        jobs = min(self.jobs, len(units))
        if not units:  # nothing is opened for nothing
            return
        if jobs == 1:
            collect_rarely()
            with stage.open_work() as do:
                for name, unit in units.items():
                    captures = do(unit, partial(progress.set_share, file=name))
                    progress.finish_part(name, captures)
            return
        with Pool(jobs, partial(_in_process, stage.open_work), lost_unit) as pool:
            for (name, _), captures in pool.as_made(units.items()):
                progress.finish_part(name, captures)

    def count(self, index: Folder, units: Sequence[str]) -> int:
        return sum(unit_size(index, unit) for unit in units)

    def compare(self, comparison: Comparison, _captures: int, progress: Progress) -> Any:
        progress.stage(2, "compare", 1, "comparing pages", "step")
        return comparison.here()


@contextmanager
def _in_process(open_work: Open[Any]) -> Iterator[Callable[[tuple[str, Any]], int]]:
    collect_rarely()
    with open_work() as do:
        yield lambda unit: do(unit[1], no_progress)
