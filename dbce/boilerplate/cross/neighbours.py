"""Who is compared with whom: the crosses of the buckets of a block.

Thesis, section 2.2, "Cross construction". Work per capture is bounded: neighbours are chosen among
a fixed number of candidates, in an order that does not depend on how a bucket was put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.cross.candidates import candidates, side_by_side
from dbce.boilerplate.cross.members import NOBODY
from dbce.boilerplate.cross.order import order
from dbce.model import ROLES, Cross

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.boilerplate.cross.candidates import Buckets
    from dbce.boilerplate.cross.members import Members, Numbers

# Candidates are sorted as one number each: unlike values of the signature, seconds between, place.
PLACE_BITS = 14  # there are at most 10,000, and the capture itself
TIME_BITS = 39  # 17,000 years
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Crosses:
    """Crosses as rows of captures, NOBODY where there is none.

    `roles` has a column for each of ROLES; `further` holds the next most similar after *down*.
    """

    roles: Numbers
    further: Numbers

    def __len__(self) -> int:
        return len(self.roles)

    def of(self, rows: Numbers) -> Crosses:
        """Some of them."""
        return Crosses(self.roles[rows], self.further[rows])


def crosses(members: Members, buckets: Sequence[Sequence[int]], limit: int, circle: int) -> Crosses:
    """The cross of every capture of every bucket that has an *up* there, bucket by bucket.

    *up* and *down* are the two most similar among the candidates, other URLs both; equally similar
    ones are taken by distance in time, then by URL. *prev* and *next* are the snapshots of the same
    URL just before and after.

    Args:
        members: the captures of the block.
        buckets: the captures of each bucket, in their order.
        limit: how many candidates a capture has at most.
        circle: how many captures of other URLs a cross names, at least two.
    """
    rows = side_by_side(members, buckets)
    near = np.full((len(rows.captures), max(2, circle)), NOBODY)
    for some, theirs in candidates(rows, limit):
        ranked = _ranked(members, rows.captures[some], theirs)[:, : near.shape[1]]
        near[some, : ranked.shape[1]] = ranked
    roles = np.column_stack((rows.captures, near[:, :2], *_snapshots(rows)))
    return Crosses(roles, near[:, 2:]).of(np.flatnonzero(near[:, 0] != NOBODY))


def with_snapshots(members: Members, found: Crosses) -> Crosses:
    """The crosses, and behind them one of *prev* and *next* alone for each capture that has none.

    These are the snapshots of the same URL just before and after in the block, of whatever template:
    it is the URL that makes a snapshot, and without *up* the bits decide nothing that a redesign
    could spoil. A capture without snapshots still has no cross.
    """
    block = side_by_side(members, [range(len(members))])
    before, after = _snapshots(block)
    without = np.isin(block.captures, found.roles[:, 0], invert=True)
    cur = np.flatnonzero(without & ((before != NOBODY) | (after != NOBODY)))
    nobody = np.full(len(cur), NOBODY)
    roles = np.column_stack((cur, nobody, nobody, before[cur], after[cur]))
    further = np.full((len(cur), found.further.shape[1]), NOBODY)
    return Crosses(np.concatenate((found.roles, roles)), np.concatenate((found.further, further)))


def _ranked(members: Members, cur: Numbers, theirs: Numbers) -> Numbers:
    """The candidates of each row that can teach something, the best first, then NOBODY.

    A page with the very same text under another URL (a print view, a mirror) tells nothing about
    what is boilerplate, so it is no neighbour.
    """
    own = cur[:, None]
    unlike = members.permutations - members.similar(own, theirs)
    key = (unlike << (PLACE_BITS + TIME_BITS)) | (members.apart(own, theirs) << PLACE_BITS)
    key |= np.arange(theirs.shape[1])
    key[(theirs == NOBODY) | (members.texts[theirs] == members.texts[own])] = NEVER
    key.sort(axis=1)
    nobody = key == NEVER
    place = np.where(nobody, 0, key & ((1 << PLACE_BITS) - 1))
    return np.where(nobody, NOBODY, np.take_along_axis(theirs, place, axis=1))


def _snapshots(rows: Buckets) -> tuple[Numbers, Numbers]:
    """The captures of the same URL just before and just after."""
    number = np.arange(len(rows.captures))
    before, after = np.roll(rows.captures, 1), np.roll(rows.captures, -1)
    return (
        np.where(number > rows.begins[rows.url], before, NOBODY),
        np.where(number < rows.ends[rows.url] - 1, after, NOBODY),
    )


def strongest(members: Members, found: Crosses, limit: int) -> Crosses:
    """The crosses of each capture from all its buckets: equal ones once, the strongest first.

    Strong is a cross with a similar *up*, then a similar *down*, then many members: a neighbour of
    another template does more harm than a missing one. At most `limit` are kept of a capture.
    """
    cur, up, down = found.roles.T[:3]
    named = np.concatenate((found.roles[:, 1:], found.further), axis=1)
    ranks = np.where(named == NOBODY, NOBODY, members.ranks[named])
    values = members.permutations + 1
    rows = order(
        [
            (cur, len(members)),
            (members.permutations - members.similar(cur, up), values),
            (members.permutations - members.similar(cur, down), values),
            ((found.roles == NOBODY).sum(axis=1), len(ROLES)),
            *((column, len(members)) for column in ranks.T),
        ]
    )
    found = found.of(rows)
    another = (np.diff(found.roles, axis=0, prepend=-2) != 0).any(axis=1)
    found = found.of(np.flatnonzero(another))
    cur = found.roles[:, 0]
    return found.of(np.flatnonzero(np.arange(len(cur)) - np.searchsorted(cur, cur) < limit))


def as_values(members: Members, found: Crosses) -> Iterator[Cross]:
    """The crosses by record ids, with their similarities."""
    ids = members.record_ids
    maybe = (*ids, None)  # NOBODY is the last
    own, *both = found.roles.T[:3]
    similar = [(members.similar(own, other) / members.permutations).tolist() for other in both]
    rows = zip(found.roles.tolist(), found.further.tolist(), *similar, strict=True)
    for (cur, up, down, before, after), further, to_up, to_down in rows:
        yield Cross(
            cur=ids[cur],
            up=maybe[up],
            down=maybe[down],
            prev=maybe[before],
            next=maybe[after],
            similarity_up=to_up,
            similarity_down=to_down,
            further=tuple(ids[number] for number in further if number != NOBODY),
        )
