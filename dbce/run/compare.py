"""Stage 2 of a run in one process: who is compared, read from its index and from those of before.

What the run has itself is read file by file; of what is known from before only the sites that this touches.
Of a capture no more stays in memory than says where it belongs: its sketch is on a shelf until its block is
compared, and so is what was found of it until its file is judged.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from dbce.boilerplate import compared, neighbourhood, sites_of, snapshot
from dbce.model import Annotation, Repeat, Sketch
from dbce.output.index import (
    known_revisits,
    known_sketches,
    originals,
    unit_revisits,
    unit_sketches,
)
from dbce.storage import Shelf, Shelved

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from dbce.boilerplate import Neighbourhood, Place, Revisit
    from dbce.model import Config
    from dbce.run.stores import Stores
    from dbce.storage import Folder

Sketches: TypeAlias = Shelf[Sketch]
Result: TypeAlias = tuple[int, Annotation | Repeat]
"""The number of a capture in its file, and what stage 2 found of it."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page whose sketch is on a shelf, at `at`: what tells with whom it is compared."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime
    at: int


def compare_units(
    units: Sequence[str],
    stores: Stores,
    config: Config,
    reached: Callable[[float], None],
    results: Shelf[Result],
) -> dict[str, Shelved[Result]]:
    """Return the stage 2 results for the captures of some files that a run has in its index.

    By file, in the order of their numbers: the annotation of a page, what a duplicate or a revisit
    repeats, or why a page cannot be compared; a page without neighbours is not there. `reached` is
    told the share of pages that are done; `results` is where what is found waits.
    """
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    with Shelf[Sketch]() as sketches:
        near = _neighbourhood_of(units, stores, config, sketches)
        for (unit, number), repeat in near.repeats.items():
            found[unit].append((number, results.put((number, repeat))))
        each = compared(near, config, sketch_of=sketch_on(sketches))
        for count, ((unit, number), result) in enumerate(each, 1):
            reached(count / len(near.asked))
            found[unit].append((number, results.put((number, result))))
    return {unit: Shelved(results, [at for _, at in sorted(found[unit])]) for unit in units}


def _neighbourhood_of(
    units: Sequence[str], stores: Stores, config: Config, shelf: Sketches
) -> Neighbourhood[Waiting]:
    """The captures of some files that a run has in its index, and all that they are compared with."""
    new = list(new_captures(units, stores.index, config, shelf))
    sites = sites_of(one for _, one in new)
    known = known_captures(sites, stores.known, config, shelf)
    return neighbourhood(new, originals(stores.known, sites, stores.index, units, config), known)


def new_captures(
    units: Iterable[str], index: Folder, config: Config, shelf: Sketches
) -> Iterator[tuple[Place, Waiting | Revisit]]:
    """The pages and revisits of some files, each with its place; sketches are put on the shelf."""
    for unit in units:
        yield from _waiting(unit_sketches(index, unit, config), shelf)
        yield from unit_revisits(index, unit, config)


def known_captures(
    sites: Collection[str], indexes: Sequence[Folder], config: Config, shelf: Sketches
) -> Iterator[tuple[Place, Waiting | Revisit]]:
    """The pages and revisits that some indexes have of some sites, each with its place; as `new_captures`."""
    yield from _waiting(known_sketches(indexes, sites, config), shelf)
    yield from known_revisits(indexes, sites, config)


def _waiting(
    captures: Iterable[tuple[Place, Sketch]], shelf: Sketches
) -> Iterator[tuple[Place, Waiting]]:
    for (name, number), one in captures:
        at = shelf.put(one)
        # Of names and sites there are few, of captures many.
        waiting = Waiting(one.record_id, intern(one.site), one.surt, one.timestamp, at)
        yield (intern(name), number), waiting


def sketch_on(shelf: Sketches) -> Callable[[Waiting], Sketch]:
    """Return the function that takes the sketch of a page from a shelf; that of a snapshot is of its own time."""
    return lambda one: snapshot(one, shelf.take(one.at))
