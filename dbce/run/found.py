"""Stage 2 of a run in one process: what the stored indexes say, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from dbce.output.index import (
    known_revisits,
    known_sketches,
    originals,
    unit_revisits,
    unit_sketches,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from dbce.archive import Source
    from dbce.boilerplate import Revisit
    from dbce.model import Annotation, Config, Repeat, Sketch
    from dbce.progress import Progress
    from dbce.run.stores import Stores

    Found = dict[str, dict[int, Annotation | Repeat]]


def found(sources: Sequence[Source], stores: Stores, config: Config, progress: Progress) -> Found:
    """Annotations of captures, and what repeats another capture, by unit and number."""
    units = [source.unit for source in sources]
    new = [(u, n, one) for u in units for n, one in unit_sketches(stores.index, u, config)]
    revisits = [(u, n, one) for u in units for n, one in unit_revisits(stores.index, u, config)]
    sites = {one.site for *_, one in new}.union(sites_of(one for *_, one in revisits))
    sketches = known_sketches(stores.known, sites, config)
    known = known_revisits(stores.known, sites, config)
    by_unit: Found = {unit: {} for unit in units}

    place = _placed(new, sketches, by_unit)
    sketches |= {one.record_id: one for unit, n, one in new if n not in by_unit[unit]}
    asked = _placed(revisits, sketches.keys() | known.keys(), by_unit)
    again = {r: one for r, one in known.items() if r not in sketches}
    again |= {one.record_id: one for unit, n, one in revisits if n not in by_unit[unit]}

    captures = originals(stores.known, sites, stores.index, units, config)
    resolved = resolve(again.values(), captures)
    for record_id, (unit, number) in asked.items():
        by_unit[unit][number] = repeat_of(resolved[record_id])
    unchanged = snapshots(again.values(), resolved, sketches)
    neighbours = stores.known or unchanged
    of = place.keys() if neighbours else None
    for count, one in enumerate(compare_all(sketches | unchanged, config, of), 1):
        progress.within(count / len(place))
        unit, number = place[one.record_id]
        by_unit[unit][number] = failure(one.detail) if isinstance(one, Failed) else one
    return by_unit


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
