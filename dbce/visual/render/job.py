"""Rendering as a job of the engine: archives in, pages as they were laid out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from dbce.archive import Source, check_taken, read, size
from dbce.engine import FolderJob, Pool, ReportProgress, Stage, Workers, work_without_progress
from dbce.model import (
    Capture,
    Progress,
    Reason,
    Reject,
    Rendering,
    Status,
    StoreError,
    UsageError,
    drop,
    files,
)
from dbce.model import Stage as Step
from dbce.storage import Folder, accounts, is_done, outcomes_of, sweep_temporary
from dbce.visual.render.answers import Answers, find_places, known_places, to_note
from dbce.visual.render.browser import chromium
from dbce.visual.render.outputs import OUTPUTS, Manifest, finish, write_unit
from dbce.visual.render.rendered_folder import RENDERED
from dbce.visual.render.renderer import RenderedCapture, Renderer

Render = Callable[[Capture | Reject], RenderedCapture | Reject]
Results = Callable[[Iterable[Capture | Reject]], Iterator[RenderedCapture | Reject]]


@dataclass(frozen=True, slots=True)
class RenderJob(FolderJob):
    """The pages of sources laid out to the folder `out`; requests are answered from all that is `held`.

    `chromium` is the browser that is named, None for the one of each machine, and `browsers` how many of
    it a worker has.
    """

    kind: ClassVar = "rendering"
    outputs: ClassVar = OUTPUTS

    out: str
    settings: Rendering
    sources: tuple[Source, ...]
    held: tuple[Source, ...]
    chromium: str | None = None
    browsers: int = 1

    @property
    def folder(self) -> Folder:
        """Part of the folder that rendering looks after."""
        return Folder(self.out).subfolder(RENDERED)

    def work(self, folder: Folder, sources: tuple[Source, ...], workers: Workers) -> None:
        """Note where records are, then lay the pages of every source out that is not done yet.

        Raises:
            UsageError: a selection leaves nothing of the sources.
        """
        progress = Progress(self.settings.digest(), stages=2)
        note_places(folder, self.held, workers, progress)
        todo = {source.unit: source for source in sources if not is_done(folder, source.unit)}
        open_work = Layout(folder.uri, self.settings, self.chromium, self.browsers)
        workers.do(Stage(2, "render", f"rendering {files(len(todo))}", todo, open_work), progress)
        outcomes = outcomes_of(accounts(folder))
        damaged = outcomes.pop((Status.REJECTED, Reason.DAMAGED), 0)
        check_taken(sources[0].selection, outcomes.total(), damaged)

    def finish(self, folder: Folder, sources: tuple[Source, ...], _done: None) -> Manifest:
        """Write the account of the rendering."""
        return finish(folder, [source.name for source in sources], self.settings)


def note_places(
    folder: Folder, held: Sequence[Source], workers: Workers, progress: Progress
) -> None:
    """Do the stage in which the headers of all records are read, that requests can be answered."""
    todo = {source.unit: source for source in held if to_note(folder, source)}
    work = work_without_progress(partial(find_places, folder))
    workers.do(Stage(1, "read", f"reading {files(len(todo))}", todo, work), progress)


@dataclass(frozen=True, slots=True)
class Layout:
    """The work of rendering: browsers that stay open, and what lays the pages of a file out in them."""

    uri: str
    settings: Rendering
    chromium: str | None
    browsers: int

    @contextmanager
    def __call__(self) -> Iterator[Callable[[Source, ReportProgress], int]]:
        """Open the browsers.

        Raises:
            StoreError: this machine has none.
        """
        with browsers(self.uri, path_here(self.chromium), self.settings, self.browsers) as results:
            yield partial(_render_file, Folder(self.uri), self.settings, results)


def path_here(named: str | None) -> str:
    """Return the path of Chromium on this machine, which may be another than that of the driver.

    Raises:
        StoreError: there is none.
    """
    try:
        return chromium(named)
    except UsageError as e:  # which the driver is to tell in one sentence
        raise StoreError(f"an executor cannot render: {e}") from e


def _render_file(
    folder: Folder, settings: Rendering, results: Results, source: Source, reached: ReportProgress
) -> int:
    rendered = _telling(source, results(read(source, settings.limits)), reached)
    write_unit(folder, source.unit, rendered, settings)
    return 0


def _telling(
    source: Source, results: Iterator[RenderedCapture | Reject], reached: ReportProgress
) -> Iterator[RenderedCapture | Reject]:
    """Yield the results, each of which is told as it comes."""
    length = 0
    with suppress(OSError, StoreError):  # who reads it says so
        length = size(source.uri)
    for result in results:
        origin = result.origin if isinstance(result, Reject) else result.capture.origin
        reached(origin.offset / max(length, 1))
        yield result


@contextmanager
def browsers(uri: str, path: str, settings: Rendering, jobs: int) -> Iterator[Results]:
    """Open `jobs` browsers; yields a function that turns captures into rendered pages, in their order."""
    open_work = partial(_renderer, uri, path, settings)
    if jobs == 1:
        with open_work() as render:
            yield partial(map, render)
        return
    try:
        with Pool(jobs, open_work, _lost) as pool:
            yield partial(pool.in_order, ready=_as_dropped)
    finally:
        sweep_temporary()  # what processes left that were ended


@contextmanager
def _renderer(uri: str, path: str, settings: Rendering) -> Iterator[Render]:
    with Renderer(path, Answers(known_places(Folder(uri)), settings.limits), settings) as renderer:
        yield lambda one: one if isinstance(one, Reject) else renderer.render(one)


def _as_dropped(one: Capture | Reject) -> Reject | None:
    return one if isinstance(one, Reject) else None


def _lost(one: Capture | Reject) -> RenderedCapture | Reject:
    """Return a page of which two processes died, one after the other."""
    if isinstance(one, Reject):
        return one
    detail = "the process that laid it out was ended twice, as the system does where memory ends"
    return drop(one, Reason.CRASHED, detail, Step.RENDER)
