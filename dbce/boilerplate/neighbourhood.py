"""Stage 2 put together: who is compared with whom among all that was read, and what is said of the rest.

The rules, in their order:

1. Of captures with one record id the one with the least `Claim` counts; the others are duplicates.
2. What each revisit that counts repeats is looked up (`dbce.boilerplate.revisits.RULES`).
3. A revisit that repeats a page joins as its snapshot, with the page's texts at its own place and time.
4. Pages that are new are asked about; those known from before and snapshots are neighbours only.

Where all captures are in memory, `neighbourhood` and `compared` are all of stage 2. On Spark captures
meet by joins (dbce.engine.spark.compare), made of the same `Claim`, `RULES` and `TEXTS`; each block is
compared as here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from dbce.boilerplate.blocks import Sited
from dbce.boilerplate.compare import Failed, compare
from dbce.boilerplate.cross import strongest
from dbce.boilerplate.revisits import DUPLICATE, Revisit, failure, repeat_of, resolve, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from dbce.boilerplate.compare import Choice
    from dbce.boilerplate.revisits import Original
    from dbce.model import Annotation, Config, Repeat, Sketch

OfPage = TypeVar("OfPage", bound=Sited)

Place = tuple[str, int]
"""Where a capture stands: the name of its file, and its number there."""


class Claim(NamedTuple):
    """Claim of a capture to its record id; the least of several counts.

    A page goes before a revisit, since it has a text of its own, and what is known from before goes
    before what is new, since it has been judged. Files then come by their names.
    """

    is_revisit: bool
    is_new: bool
    name: str
    number: int

    @property
    def place(self) -> Place:
        """Place of the capture."""
        return self.name, self.number


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood(Generic[OfPage]):
    """Captures that are compared with each other, and what is said of new ones that are not.

    Pages have their sketches, or less where less is asked; each snapshot is a revisit with the page
    that it repeats. `pages`, `snapshots` and `asked`, the places of new pages, are by record id;
    `repeats`, what duplicates and revisits repeat, by place.
    """

    pages: Mapping[str, OfPage]
    snapshots: Mapping[str, tuple[Revisit, OfPage]]
    asked: Mapping[str, Place]
    repeats: Mapping[Place, Repeat]


def neighbourhood(
    new: Iterable[tuple[Place, OfPage | Revisit]],
    originals: Iterable[Original],
    known: Iterable[tuple[Place, OfPage | Revisit]] = (),
) -> Neighbourhood[OfPage]:
    """The neighbourhood of new pages and revisits, and those that are known from before.

    `originals` are the captures that revisits may repeat, the new and the known ones; they are asked for
    once, and only if there are revisits.
    """
    claimed = chain(_claimed(known, is_new=False), _claimed(new, is_new=True))
    first, duplicates = _firsts(claimed)
    pages = {r: one for r, (_, one) in first.items() if not isinstance(one, Revisit)}
    revisits = [one for _, one in first.values() if isinstance(one, Revisit)]
    resolved = resolve(revisits, originals)
    asked, repeats = {}, {claim.place: DUPLICATE for claim in duplicates if claim.is_new}
    for record_id, (claim, _) in first.items():
        if claim.is_new and claim.is_revisit:
            repeats[claim.place] = repeat_of(resolved[record_id])
        elif claim.is_new:
            asked[record_id] = claim.place
    snapshots = {
        one.record_id: (one, pages[original.record_id])
        for one in revisits
        if (original := resolved[one.record_id][1]) and not original.is_dropped
    }
    return Neighbourhood(pages, snapshots, asked, repeats)


def _claimed(
    captures: Iterable[tuple[Place, OfPage | Revisit]], *, is_new: bool
) -> Iterator[tuple[Claim, OfPage | Revisit]]:
    """The captures with their claims."""
    for (name, number), one in captures:
        yield Claim(isinstance(one, Revisit), is_new, name, number), one


def _firsts(
    claimed: Iterable[tuple[Claim, OfPage | Revisit]],
) -> tuple[dict[str, tuple[Claim, OfPage | Revisit]], list[Claim]]:
    """Return the captures that count, by record id and with their claims, and the other claims."""
    first: dict[str, tuple[Claim, OfPage | Revisit]] = {}
    duplicates: list[Claim] = []
    for claim, one in claimed:
        least, _ = first.setdefault(one.record_id, (claim, one))
        if claim < least:
            first[one.record_id] = claim, one
        if claim != least:
            duplicates.append(max(claim, least))
    return first, duplicates


def members(near: Neighbourhood[OfPage]) -> dict[str, OfPage]:
    """Pages and snapshots that are compared with each other, by record id."""
    joining = {r: snapshot(revisit, page) for r, (revisit, page) in near.snapshots.items()}
    return {**near.pages, **joining}


def compared(
    near: Neighbourhood[OfPage],
    config: Config,
    choose: Choice = strongest,
    sketch_of: Callable[[OfPage], Sketch] | None = None,
) -> Iterator[tuple[Place, Annotation | Repeat]]:
    """The annotations of new pages that have a partner or a snapshot, by place, and why others have none.

    `choose` and `sketch_of` are those of `compare`.
    """
    of = near.asked.keys()
    for result in compare(members(near).values(), config, choose, of=of, sketch_of=sketch_of):
        of_page = failure(result.detail) if isinstance(result, Failed) else result
        yield near.asked[result.record_id], of_page
