"""Rendering in this process, or in several of this machine: files in, tables out."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import read
from dbce.model import Capture, Dropped
from dbce.output import WORK, is_done, open_parquet, stem
from dbce.progress import held_back
from dbce.visual.render.answers import Answers
from dbce.visual.render.places import Places, places_of
from dbce.visual.render.renderer import Renderer
from dbce.visual.render.unit import write_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.archive import Source
    from dbce.config import Rendering
    from dbce.output import Folder
    from dbce.visual.render.renderer import Rendered

    Render = Callable[[Capture], "Rendered | Dropped"]

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


def render_file(
    folder: Folder,
    source: Source,
    config: Rendering,
    results: Callable[[Iterable[Capture | Dropped]], Iterator[Rendered | Dropped]],
) -> None:
    """Writes the outputs of a file, if they are not there yet."""
    if not is_done(folder, source.unit):
        captures = read(source, config.limits)
        write_unit(folder, source.unit, results(captures), config)


def render_locally(
    folder: Folder, sources: Sequence[Source], path: str, config: Rendering, jobs: int
) -> None:
    """Renders the captures of all sources, in `jobs` browsers at a time."""
    with browsers(folder, path, config, jobs) as results:
        for source in sources:
            render_file(folder, source, config, results)


@contextmanager
def browsers(
    folder: Folder, path: str, config: Rendering, jobs: int
) -> Iterator[Callable[[Iterable[Capture | Dropped]], Iterator[Rendered | Dropped]]]:
    """What makes of captures rendered pages, in their order."""
    if jobs == 1:
        with Renderer(path, Answers(known_places(folder), config.limits), config) as renderer:
            yield partial(_one_by_one, renderer.render)
        return
    with ExitStack() as stack:
        context = get_context("spawn")
        pool = ProcessPoolExecutor(jobs, context, _begin, (folder.uri, path, config))
        stack.callback(pool.shutdown, cancel_futures=True)
        yield partial(_in_order, pool, jobs * AHEAD)


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
    from dbce.output import Folder

    renderer = Renderer(path, Answers(known_places(Folder(folder)), config.limits), config)
    _RENDERERS.append(renderer)
    Finalize(None, renderer.close, exitpriority=10)


def _render(capture: Capture) -> Rendered | Dropped:
    return _RENDERERS[0].render(capture)
