"""A whole run in one process, without Spark: files in, a folder out."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from dbce.archive import size
from dbce.model import StoreError
from dbce.output import Done, is_done
from dbce.output.index import has_unit, unit_size
from dbce.progress import files
from dbce.run.compare import compare_units
from dbce.run.one_file import collect_rarely, index_file, judge_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.archive import Source
    from dbce.model import Config
    from dbce.progress import Progress
    from dbce.run.stores import Stores


def run_locally(
    sources: Sequence[Source],
    stores: Stores,
    config: Config,
    progress: Progress,
    *,
    when_read: Callable[[], None] = lambda: None,
) -> Done:
    """Runs the three stages on every source; files that are done already stay as they are.

    `when_read` is called after the first stage, and may stop the run.
    """
    collect_rarely()
    seconds = {}
    start = perf_counter()
    progress.stage(1, "read", len(sources), f"reading {files(len(sources))}")
    for source in sources:
        captures = 0
        if not has_unit(stores.index, source.unit):
            captures = index_file(source, stores, config, _within(source, progress))
        progress.done(source.unit, captures)
    seconds["read"] = perf_counter() - start
    when_read()

    start = perf_counter()
    progress.stage(2, "compare", 1, "comparing pages", "step")
    units = [source.unit for source in sources]
    results = compare_units(units, stores, config, progress.within)
    seconds["compare"] = perf_counter() - start

    start = perf_counter()
    progress.stage(3, "judge", len(sources), f"judging and writing {files(len(sources))}")
    total = 0
    for source in sources:
        captures = unit_size(stores.index, source.unit)
        total += captures
        if not is_done(stores.out, source.unit):
            of_file = results[source.unit]
            judge_file(source, stores, of_file, config, _within(source, progress))
        progress.done(source.unit, captures)
    seconds["judge"] = perf_counter() - start
    return Done(total, seconds)


def _within(source: Source, progress: Progress) -> Callable[[int], None]:
    """Makes of the offset of a capture how much of its file is done."""
    if source.offsets is not None:
        number = {offset: n for n, offset in enumerate(source.offsets, 1)}
        return lambda offset: progress.within(number.get(offset, 0) / len(number), source.unit)
    with suppress(OSError, StoreError):  # who reads it says so
        start, stop = (source.piece.start, source.piece.stop) if source.piece else (0, None)
        length = max((stop or size(source.uri)) - start, 1)
        return lambda offset: progress.within((offset - start) / length, source.unit)
    return lambda _: progress.within(0)
