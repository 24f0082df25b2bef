"""A whole run in one process, without Spark: files in, a folder out."""

from __future__ import annotations

from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING

from dbce.archive import read
from dbce.output.manifest import Done
from dbce.output.unit import write_unit
from dbce.pipeline import compare, judge_all, sketch_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dbce.archive import Source
    from dbce.config import Config
    from dbce.model import Capture, Dropped
    from dbce.output.folder import Folder


def run(
    sources: Sequence[Source], folder: Folder, config: Config, progress: Callable[[str], None]
) -> Done:
    """Runs the three stages and writes the outputs of every source."""
    seconds = {}
    captures = _Captures(sources, config)
    start = perf_counter()
    progress("stage 1 of 3: reading captures")
    sketches, dropped = sketch_all(captures, config)
    seconds["read"] = perf_counter() - start

    start = perf_counter()
    progress(f"stage 2 of 3: comparing {len(sketches)} pages")
    annotations = {a.record_id: a for a in compare(sketches, config)}
    seconds["compare"] = perf_counter() - start

    start = perf_counter()
    progress("stage 3 of 3: judging and writing")
    results = judge_all(captures, dropped, annotations, config)
    missing = {source.name for source in sources}
    for name, of_source in groupby(results, key=lambda result: result.origin.filename):
        write_unit(folder, name, of_source, config)
        missing.remove(name)
    for name in sorted(missing):
        write_unit(folder, name, (), config)
    seconds["judge"] = perf_counter() - start
    return Done(len(sketches) + len(dropped), seconds)


class _Captures:
    """The captures of all sources, as often as they are asked for."""

    def __init__(self, sources: Sequence[Source], config: Config) -> None:
        self._sources = sources
        self._limits = config.limits

    def __iter__(self) -> Iterator[Capture | Dropped]:
        for source in self._sources:
            yield from read(source, self._limits)
