"""A run as a job of the engine: archive files in, three stages, the folder of a run out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from dbce import engine
from dbce.archive import RUN, Selection, Source, check_taken
from dbce.model import OPTIONAL_OUTPUTS, Config, Progress, Stage, UsageError, files
from dbce.output import INDEX, METRICS, OUTPUTS, Manifest, RunTotals, finish, open_run
from dbce.output.index import counts, has_unit
from dbce.run.night import DAMAGED, is_archive_of_nights
from dbce.run.one_file import (
    Result,
    Stores,
    compare_units,
    index_file,
    judge_file,
    separate_captures,
)
from dbce.storage import FIXITY, WORK, Folder, Shelf, filesystem_of, is_done


def run_stages(
    sources: Sequence[Source],
    stores: Stores,
    config: Config,
    workers: engine.Workers,
    progress: Progress,
    *,
    last: Stage = Stage.JUDGE,
    when_read: Callable[[], None] = lambda: None,
) -> RunTotals:
    """Run the three stages, up to the `last`, on every source; what is done already stays as it is.

    `when_read` is called after the first stage, and may stop the run.
    """
    seconds = {}
    start = perf_counter()
    todo = {s.unit: s for s in sources if not has_unit(stores.index, s.unit)}
    sketch = partial(index_file, stores=stores, config=config)
    reading = f"reading {files(len(todo))}"
    workers.do(engine.Stage(1, "read", reading, todo, partial(engine.ready_work, sketch)), progress)
    units = [source.unit for source in sources]
    captures = workers.count(stores.index, units)
    seconds["read"] = perf_counter() - start
    when_read()
    separate_captures(units, stores, config)
    if last is Stage.READ:
        return RunTotals(captures, seconds)

    start = perf_counter()
    with Shelf[Result]() as results:
        here = partial(compare_units, units, stores, config, progress.set_share, results)
        comparison = engine.Comparison(
            *(stores.index, stores.known, stores.out, config, here), is_kept=last is Stage.COMPARE
        )
        annotations = workers.compare(comparison, captures, progress)
        seconds["compare"] = perf_counter() - start
        if last is Stage.COMPARE:
            return RunTotals(captures, seconds)

        start = perf_counter()
        todo = {s.unit: s for s in sources if not is_done(stores.out, s.unit)}
        judge = partial(judge_file, stores=stores, config=config)
        judging = f"judging and writing {files(len(todo))}"
        last_stage = engine.Stage(3, "judge", judging, todo, partial(engine.ready_work, judge))
        workers.do(last_stage, progress, annotations)
    seconds["judge"] = perf_counter() - start
    return RunTotals(captures, seconds)


BESIDE = ("rendered", "blocks", "headings", "changes", "migrated")
"""Parts of a folder that other commands look after."""


@dataclass(frozen=True, slots=True)
class RunJob(engine.Job):
    """A run on sources to the folder `out`, up to a stage."""

    out: str
    settings: Config
    sources: tuple[Source, ...]
    last: Stage = Stage.JUDGE

    kind = "run"
    # First the mark of a finished run; the report is of the run that is replaced.
    outputs = (RUN, FIXITY, METRICS, "report", "report.html", INDEX, *OUTPUTS)

    @property
    def folder(self) -> Folder:
        return Folder(self.out)

    def check_free(self, mode: engine.StartMode) -> None:
        """Raise UsageError if the folder holds what no command left there."""
        engine.refuse_others(self, mode, BESIDE)

    def check_place(self) -> None:
        """Raise UsageError if the folder can be none of a run, is a nightly archive, or holds the inputs."""
        try:
            possible = self.folder.is_possible()
        except OSError as e:
            raise UsageError(f"{self.out} cannot be reached: {e}") from e
        if not possible:
            raise UsageError(f"{self.out} is not a folder and cannot be made one; name another")
        if is_archive_of_nights(self.folder):
            raise UsageError(
                f"{self.out} is a nightly archive, whose index a run would replace; name another folder, "
                f"or take a night: dbce nightly INPUT --archive {self.out}"
            )
        removed = tuple(
            f"{self.folder.full_path(name)}/" for name in (*self.outputs, WORK, engine.NEXT)
        )
        for source in self.sources:
            if filesystem_of(source.uri)[1].startswith(removed):
                raise UsageError(f"the input {source.uri} would be removed; name another --out")

    def check_account(self) -> None:
        """Raise UsageError if the account of a finished run is damaged: whoever is told does not replace what could be repaired."""
        if self.is_finished():
            open_run(self.out)

    def check_finished(self) -> None:
        """Raise UsageError if the run that is there is another than is asked for."""
        _, manifest = open_run(self.out)
        also = tuple(name for name in OPTIONAL_OUTPUTS if manifest["config"].get(name))
        other = ""
        wanted = self.settings.digest(), self.settings.optional_outputs()
        if (manifest["config_digest"], also) != wanted:
            other = "configuration"
        elif manifest["selection"] != self.sources[0].selection.options():
            other = "selection"
        if other:
            raise UsageError(
                f"{self.out} holds a finished run with another {other}; name another folder, or replace it with --overwrite"
            )

    def work(
        self, folder: Folder, sources: tuple[Source, ...], workers: engine.Workers
    ) -> RunTotals:
        """Do the stages that are not done; UsageError if a selection leaves nothing of the sources."""
        stores = Stores(folder.subfolder(INDEX), folder)
        return run_stages(
            *(sources, stores, self.settings, workers, Progress(self.settings.digest())),
            last=self.last,
            when_read=partial(_check_taken, stores.index, sources[0].selection),
        )

    def finish(
        self, folder: Folder, sources: tuple[Source, ...], done: RunTotals
    ) -> Manifest | RunTotals:
        """Write the account of the run; if stages are left, return what was done."""
        if self.last is not Stage.JUDGE:
            return done
        inputs = [source.name for source in sources]
        return finish(folder, inputs, self.settings, done, [INDEX])


def _check_taken(index: Folder, selection: Selection) -> None:
    if not selection.takes_all:
        taken = counts(index, "status", "reason")
        damaged = taken.pop(DAMAGED, 0)
        check_taken(selection, taken.total(), damaged)
