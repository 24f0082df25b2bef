"""A whole run in one process, without Spark: files in, a folder out."""

from __future__ import annotations

from contextlib import suppress
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING

from dbce.archive import size
from dbce.boilerplate import (
    DUPLICATE,
    Failed,
    compare_all,
    failure,
    repeat_of,
    resolve,
    sites_of,
    snapshots,
)
from dbce.model import StoreError
from dbce.output import Done, is_done
from dbce.output.index import (
    has_unit,
    known_revisits,
    known_sketches,
    originals,
    unit_revisits,
    unit_size,
    unit_sketches,
)
from dbce.progress import files
from dbce.run.one_file import collect_rarely, index_file, judge_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from dbce.archive import Source
    from dbce.boilerplate import Revisit
    from dbce.model import Annotation, Config, Repeat, Sketch
    from dbce.progress import Progress
    from dbce.run.stores import Stores

    Found = dict[str, dict[int, Annotation | Repeat]]


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
    found = _found(sources, stores, config, progress)
    seconds["compare"] = perf_counter() - start

    start = perf_counter()
    progress.stage(3, "judge", len(sources), f"judging and writing {files(len(sources))}")
    total = 0
    for source in sources:
        captures = unit_size(stores.index, source.unit)
        total += captures
        if not is_done(stores.out, source.unit):
            of_file = sorted(found[source.unit].items(), key=itemgetter(0))
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


def _found(sources: Sequence[Source], stores: Stores, config: Config, progress: Progress) -> Found:
    """What is known of captures by file and number: annotations, and what repeats another capture."""
    units = [source.unit for source in sources]
    new = [(u, n, one) for u in units for n, one in unit_sketches(stores.index, u, config)]
    revisits = [(u, n, one) for u in units for n, one in unit_revisits(stores.index, u, config)]
    sites = {one.site for *_, one in new}.union(sites_of(one for *_, one in revisits))
    sketches = known_sketches(stores.known, sites, config)
    known = known_revisits(stores.known, sites, config)
    found: Found = {unit: {} for unit in units}

    place = _placed(new, sketches, found)
    sketches |= {one.record_id: one for unit, n, one in new if n not in found[unit]}
    asked = _placed(revisits, sketches.keys() | known.keys(), found)
    again = {r: one for r, one in known.items() if r not in sketches}
    again |= {one.record_id: one for unit, n, one in revisits if n not in found[unit]}

    captures = originals(stores.known, sites, stores.index, units, config)
    resolved = resolve(again.values(), captures)
    for record_id, (unit, number) in asked.items():
        found[unit][number] = repeat_of(resolved[record_id])
    unchanged = snapshots(again.values(), resolved, sketches)
    neighbours = stores.known or unchanged
    of = place.keys() if neighbours else None
    for count, one in enumerate(compare_all(sketches | unchanged, config, of), 1):
        progress.within(count / len(place))
        unit, number = place[one.record_id]
        found[unit][number] = failure(one.detail) if isinstance(one, Failed) else one
    return found


def _placed(
    new: Iterable[tuple[str, int, Sketch | Revisit]], seen: Collection[str], found: Found
) -> dict[str, tuple[str, int]]:
    """Where each record id stands first; in what is found, the others are duplicates."""
    place: dict[str, tuple[str, int]] = {}
    for unit, number, one in new:
        if one.record_id in seen or one.record_id in place:
            found[unit][number] = DUPLICATE
        else:
            place[one.record_id] = (unit, number)
    return place
