"""Stage 2 of a run in one process: who is compared, read from its index and from those of before.

What the run has itself is read file by file; of what is known from before only the sites that this touches.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from dbce.boilerplate import compared, neighbourhood, sites_of
from dbce.output.index import (
    known_revisits,
    known_sketches,
    originals,
    unit_revisits,
    unit_sketches,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from dbce.boilerplate import Neighbourhood, Place, Revisit
    from dbce.model import Annotation, Config, Repeat, Sketch
    from dbce.run.stores import Stores
    from dbce.storage import Folder

    Captures = Iterator[tuple[Place, Sketch | Revisit]]
    Results = dict[str, list[tuple[int, Annotation | Repeat]]]


def compare_units(
    units: Sequence[str], stores: Stores, config: Config, reached: Callable[[float], None]
) -> Results:
    """Return the stage 2 results for the captures of some files that a run has in its index.

    By file, in the order of their numbers: the annotation of a page, what a duplicate or a revisit
    repeats, or why a page cannot be compared; a page without neighbours is not there. `reached` is
    told the share of pages that are done.
    """
    near = neighbourhood_of(units, stores, config)
    results: Results = {unit: [] for unit in units}
    for (unit, number), repeat in near.repeats.items():
        results[unit].append((number, repeat))
    for count, ((unit, number), result) in enumerate(compared(near, config), 1):
        reached(count / len(near.asked))
        results[unit].append((number, result))
    return {unit: sorted(of_unit, key=itemgetter(0)) for unit, of_unit in results.items()}


def neighbourhood_of(units: Sequence[str], stores: Stores, config: Config) -> Neighbourhood[Sketch]:
    """The captures of some files that a run has in its index, and all that they are compared with."""
    new = list(new_captures(units, stores.index, config))
    sites = sites_of(one for _, one in new)
    known = known_captures(sites, stores.known, config)
    return neighbourhood(new, originals(stores.known, sites, stores.index, units, config), known)


def new_captures(units: Iterable[str], index: Folder, config: Config) -> Captures:
    """The pages and revisits of some files, each with its place."""
    for unit in units:
        yield from unit_sketches(index, unit, config)
        yield from unit_revisits(index, unit, config)


def known_captures(sites: Collection[str], indexes: Sequence[Folder], config: Config) -> Captures:
    """The pages and revisits that some indexes have of some sites, each with its place."""
    yield from known_sketches(indexes, sites, config)
    yield from known_revisits(indexes, sites, config)
