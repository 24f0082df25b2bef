"""Rendering as a job of the engine: archives in, rendered pages out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import pyarrow as pa

from dbce import model
from dbce.archive import Source, check_taken, read, share_done
from dbce.engine import Job, Pool, ReportProgress, Stage, Workers, work_without_progress
from dbce.model import Capture, Limits, Reject, Rendering
from dbce.output import TIME, Row, rows_of, strings
from dbce.output.index import ids_of_their_own
from dbce.storage import Folder, accounts, create_table, is_done, outcomes_of, sweep_temporary
from dbce.visual.render.answers import Answers, find_places, known_places, note_path, share_ids
from dbce.visual.render.browser import chromium
from dbce.visual.render.outputs import OUTPUTS, Manifest, finish, write_unit
from dbce.visual.render.rendered_folder import RENDERED
from dbce.visual.render.renderer import RenderedCapture, Renderer

Render = Callable[[Capture | Reject], RenderedCapture | Reject]
Results = Callable[[Iterable[Capture | Reject]], Iterator[RenderedCapture | Reject]]


@dataclass(frozen=True, slots=True)
class RenderJob(Job):
    """The pages of sources rendered to the folder `out`; requests are answered from all archives `held`.

    `chromium` is the path of the browser, None for that of each machine, and `browsers` their number per
    worker.
    """

    kind: ClassVar = "rendering"
    part: ClassVar = RENDERED
    outputs: ClassVar = OUTPUTS

    out: str
    settings: Rendering
    sources: tuple[Source, ...]
    held: tuple[Source, ...]
    chromium: str | None = None
    browsers: int = 1

    def work(self, folder: Folder, sources: tuple[Source, ...], workers: Workers) -> None:
        """Index the places of records, then render the pages of every source that is not done yet."""
        progress = model.Progress(self.settings.digest(), stages=2)
        note_places(folder, self.held, workers, progress)
        files_of_input = {source.uri for source in sources}
        input_sources = [source for source in self.held if source.uri in files_of_input]
        own_ids = _own_ids(folder, input_sources, self.settings.limits, workers, progress)
        todo = {
            source.unit: (source, own_ids.get(source.uri, {}))
            for source in sources
            if not is_done(folder, source.unit)
        }
        open_work = partial(open_layout, folder.uri, self.settings, self.chromium, self.browsers)
        stage = Stage(2, "render", f"rendering {model.files(len(todo))}", todo, open_work)
        workers.do(stage, progress)
        outcomes = outcomes_of(accounts(folder))
        damaged = outcomes.pop((model.Status.REJECTED, model.Reason.DAMAGED), 0)
        check_taken(sources[0].selection, outcomes.total(), damaged)

    def finish(self, folder: Folder, sources: tuple[Source, ...], _done: None) -> Manifest:
        return finish(folder, [source.name for source in sources], self.settings)


def note_places(
    folder: Folder, sources: Sequence[Source], workers: Workers, progress: model.Progress
) -> None:
    """Run the stage that reads the headers of all records, so that requests can be answered."""
    todo = {s.unit: s for s in sources if not folder.exists(note_path("places", s))}
    work = work_without_progress(partial(find_places, folder))
    workers.do(Stage(1, "read", f"reading {model.files(len(todo))}", todo, work), progress)


IdsByPlace = Mapping[tuple[int, str], str]
"""Record ids of captures of a file that would otherwise be shared with others, by offset and URL."""

IDENTITY = pa.schema(
    [*strings("record_id", "url", "digest"), ("timestamp", TIME), ("offset", pa.int64())]
)


def _own_ids(
    folder: Folder,
    sources: Sequence[Source],
    limits: Limits,
    workers: Workers,
    progress: model.Progress,
) -> Mapping[str, IdsByPlace]:
    """Return by file the ids of captures that share theirs with others of these files, as a run on them would assign.

    They depend on digests of contents, so where ids are shared all files are read.
    """
    if not share_ids(folder, sources):
        return {}
    todo = {s.unit: s for s in sources if not folder.exists(note_path("ids", s))}
    work = work_without_progress(partial(_note_identities, folder, limits))
    description = f"reading {model.files(len(todo))}, in which captures share record ids"
    workers.do(Stage(1, "read", description, todo, work), progress)

    def captures(hashes: Collection[int]) -> Iterator[tuple[str, tuple[int, str], Row]]:
        for source in sorted(sources, key=lambda entry: entry.unit):
            for row in rows_of(folder, note_path("ids", source), IDENTITY.names):
                if hash(row["record_id"]) in hashes:
                    yield source.uri, (row["offset"], row["url"]), row

    occurrences = Counter[int]()
    for source in sources:
        rows = rows_of(folder, note_path("ids", source), ["record_id"])
        occurrences.update(hash(row["record_id"]) for row in rows if row["record_id"])
    return ids_of_their_own({entry for entry, count in occurrences.items() if count > 1}, captures)


def _note_identities(folder: Folder, limits: Limits, source: Source) -> None:
    path = note_path("ids", source)
    with create_table(folder, path, IDENTITY, pa.Table.from_pylist) as table:
        for c in read(source, limits):
            row = {name: getattr(c, name) for name in ("record_id", "url", "timestamp", "digest")}
            table.add(row | {"offset": c.origin.offset})


@contextmanager
def open_layout(
    uri: str, settings: Rendering, chromium: str | None, jobs: int
) -> Iterator[Callable[[tuple[Source, IdsByPlace], ReportProgress], int]]:
    """Open browsers, which stay open, and yield a function that renders the pages of a file in them."""
    with browsers(uri, path_here(chromium), settings, jobs) as results:
        yield partial(_render_file, Folder(uri), settings, results)


def path_here(path: str | None) -> str:
    """Return the path of Chromium on this machine, which may be another than that of the driver.

    Raises StoreError: there is none.
    """
    try:
        return chromium(path)
    except model.UsageError as e:  # reported by the driver in one sentence
        raise model.StoreError(f"an executor cannot render: {e}") from e


def _render_file(
    folder: Folder,
    settings: Rendering,
    results: Results,
    unit: tuple[Source, IdsByPlace],
    reached: ReportProgress,
) -> int:
    source, ids = unit
    captures = (
        replace(capture, record_id=ids.get((capture.origin.offset, capture.url), capture.record_id))
        for capture in read(source, settings.limits)
    )
    rendered = _telling(source, results(captures), reached)
    write_unit(folder, source.unit, rendered, settings)
    return 0


def _telling(
    source: Source, results: Iterator[RenderedCapture | Reject], reached: ReportProgress
) -> Iterator[RenderedCapture | Reject]:
    """Yield the results, reporting progress after each."""
    share = share_done(source)
    for result in results:
        origin = result.origin if isinstance(result, Reject) else result.capture.origin
        reached(share(origin.offset))
        yield result


@contextmanager
def browsers(uri: str, path: str, settings: Rendering, jobs: int) -> Iterator[Results]:
    """Open `jobs` browsers, and yield a function that renders captures, in their order."""
    open_work = partial(_renderer, uri, path, settings)
    if jobs == 1:
        with open_work() as render:
            yield partial(map, render)
        return
    try:
        with Pool(jobs, open_work, _lost) as pool:
            yield partial(pool.in_order, ready=lambda r: r if isinstance(r, Reject) else None)
    finally:
        sweep_temporary()  # left by killed processes


@contextmanager
def _renderer(uri: str, path: str, settings: Rendering) -> Iterator[Render]:
    answers = Answers(known_places(Folder(uri)), settings.limits)
    with closing(Renderer(path, answers, settings)) as renderer:
        yield lambda capture: capture if isinstance(capture, Reject) else renderer.render(capture)


def _lost(capture: Capture | Reject) -> RenderedCapture | Reject:
    """Return the rejection of a page on which two processes in a row died."""
    if isinstance(capture, Reject):
        return capture
    detail = "the process that laid it out was ended twice, as the system does where memory ends"
    return model.drop(capture, model.Reason.CRASHED, detail, model.Stage.RENDER)
