"""Rendering in this process, or in several of this machine: files in, tables out."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, get_context
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import read, size
from dbce.model import Capture, Dropped, StoreError
from dbce.progress import files, held_back
from dbce.storage import WORK, Folder, is_done, open_parquet, stem
from dbce.visual.render.answers import Answers
from dbce.visual.render.places import Places, places_of
from dbce.visual.render.renderer import Renderer
from dbce.visual.render.unit import write_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.archive import Source
    from dbce.model import Rendering
    from dbce.progress import Progress
    from dbce.visual.render.renderer import Rendered

    Render = Callable[[Capture], Rendered | Dropped]
    Results = Callable[[Iterable[Capture | Dropped]], Iterator[Rendered | Dropped]]

AHEAD = 2
"""Captures that wait for each browser."""


def find_places(folder: Folder, source: Source) -> None:
    """Notes where the records of a file are, if that is not noted yet."""
    name = _noted(source.unit)
    if not folder.exists(name):
        with folder.create(name) as stream:
            pq.write_table(places_of(source), stream, compression="zstd")


def _noted(unit: str) -> str:
    return f"{WORK}/places/{stem(unit)}.parquet"


def known_places(folder: Folder) -> Places:
    """All that was noted."""
    return Places(_tables(folder))


def _tables(folder: Folder) -> Iterator[pa.Table]:
    for name in folder.names(f"{WORK}/places/*.parquet"):
        with open_parquet(folder, name) as table:
            yield table.read()


def render_file(folder: Folder, source: Source, config: Rendering, results: Results) -> None:
    """Writes the outputs of a file."""
    write_unit(folder, source.unit, results(read(source, config.limits)), config)


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be rendered, whereto, and how; requests are answered from all that is `held`."""

    folder: Folder
    sources: Sequence[Source]
    held: Sequence[Source]
    config: Rendering
    progress: Progress

    def reading(self) -> None:
        """Says that the headers of all records are read now."""
        self.progress.stage(1, "read", len(self.held), f"reading {files(len(self.held))}")

    def rendering(self) -> list[Source]:
        """The files that are not done yet; says that they are rendered now."""
        todo = [source for source in self.sources if not is_done(self.folder, source.unit)]
        self.progress.stage(2, "render", len(todo), f"rendering {files(len(todo))}")
        return todo


def render_locally(work: Work, path: str, jobs: int) -> None:
    """Renders the captures of all sources, in `jobs` browsers at a time.

    Files that are done already stay as they are.
    """
    folder, config, progress = work.folder, work.config, work.progress
    work.reading()
    for source in work.held:
        find_places(folder, source)
        progress.done(source.unit, 0)
    todo = work.rendering()
    with browsers(folder, path, config, jobs) as results:
        for source in todo:
            render_file(folder, source, config, _told(source, results, progress))
            progress.done(source.unit, 0)


def _told(source: Source, results: Results, progress: Progress) -> Results:
    """The results, each of which is told as it comes."""
    length = 0
    with suppress(OSError, StoreError):  # who reads it says so
        length = size(source.uri)

    def telling(captures: Iterable[Capture | Dropped]) -> Iterator[Rendered | Dropped]:
        for result in results(captures):
            origin = result.origin if isinstance(result, Dropped) else result.capture.origin
            progress.within(origin.offset / max(length, 1), source.unit)
            yield result

    return telling


@contextmanager
def browsers(folder: Folder, path: str, config: Rendering, jobs: int) -> Iterator[Results]:
    """What makes of captures rendered pages, in their order."""
    if jobs == 1:
        with Renderer(path, Answers(known_places(folder), config.limits), config) as renderer:
            yield partial(_one_by_one, renderer.render)
        return
    # A process that is forked would inherit the locks of threads that it has not.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (folder.uri, path, config))
    try:
        yield partial(_in_order, pool, jobs * AHEAD)
    except KeyboardInterrupt:  # nobody wants the rest
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _one_by_one(
    render: Render, captures: Iterable[Capture | Dropped]
) -> Iterator[Rendered | Dropped]:
    for capture in captures:
        yield capture if isinstance(capture, Dropped) else render(capture)


def _in_order(
    pool: ProcessPoolExecutor, ahead: int, captures: Iterable[Capture | Dropped]
) -> Iterator[Rendered | Dropped]:
    """The results in the order of the captures, of which no more than `ahead` are under way."""
    waiting: deque[Future[Rendered | Dropped] | Dropped] = deque()
    for capture in captures:
        if isinstance(capture, Dropped):
            waiting.append(capture)
        else:
            with held_back():  # Ctrl-C is for us: the processes would all tell of it
                waiting.append(pool.submit(_render, capture))
        if len(waiting) > ahead:
            yield _result(waiting.popleft())
    while waiting:
        yield _result(waiting.popleft())


def _result(one: Future[Rendered | Dropped] | Dropped) -> Rendered | Dropped:
    return one.result() if isinstance(one, Future) else one


_RENDERERS: list[Renderer] = []
"""The one of this process, if it is one of those that render."""


def _begin(folder: str, path: str, config: Rendering) -> None:
    renderer = Renderer(path, Answers(known_places(Folder(folder)), config.limits), config)
    _RENDERERS.append(renderer)
    Finalize(None, renderer.close, exitpriority=10)


def _render(capture: Capture) -> Rendered | Dropped:
    return _RENDERERS[0].render(capture)
