"""A whole run in one process, without Spark: files in, a folder out."""

from __future__ import annotations

from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING

from dbce.compare import compare
from dbce.files import collect_rarely, index_file, judge_file
from dbce.index import has_unit, known_sketches, unit_size, unit_sketches
from dbce.output.manifest import Done
from dbce.output.unit import is_done
from dbce.progress import files

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.archive import Source
    from dbce.config import Config
    from dbce.model import Annotation
    from dbce.progress import Progress
    from dbce.stores import Stores

    Found = dict[str, dict[int, Annotation | None]]


def run(
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
        if not has_unit(stores.index, source.name):
            captures = index_file(source, stores.index, config)
        progress.done(source.name, captures)
    seconds["read"] = perf_counter() - start
    when_read()

    start = perf_counter()
    progress.stage(2, "compare", 1, "comparing pages")
    found = _found(sources, stores, config)
    seconds["compare"] = perf_counter() - start

    start = perf_counter()
    progress.stage(3, "judge", len(sources), f"judging and writing {files(len(sources))}")
    total = 0
    for source in sources:
        captures = unit_size(stores.index, source.name)
        total += captures
        if not is_done(stores.out, source.name):
            of_file = sorted(found[source.name].items(), key=itemgetter(0))
            judge_file(source, stores, of_file, config)
        progress.done(source.name, captures)
    seconds["judge"] = perf_counter() - start
    return Done(total, seconds)


def _found(sources: Sequence[Source], stores: Stores, config: Config) -> Found:
    """What is known of captures by file and number: annotations, None of one that repeats a record."""
    new = [
        (s.name, number, one)
        for s in sources
        for number, one in unit_sketches(stores.index, s.name, config)
    ]
    sites = {one.site for _, _, one in new}
    sketches = known_sketches(stores.known, sites, config)
    place: dict[str, tuple[str, int]] = {}
    found: Found = {source.name: {} for source in sources}
    for name, number, one in new:
        if one.record_id in sketches:
            found[name][number] = None
        else:
            sketches[one.record_id] = one
            place[one.record_id] = (name, number)
    for annotation in compare(sketches, config, of=place.keys() if stores.known else None):
        name, number = place[annotation.record_id]
        found[name][number] = annotation
    return found
