"""The choice of captures to compare: the crosses of the buckets of a block.

Thesis, section 2.2, "Cross construction". Work per capture is bounded: neighbours are chosen among
a fixed number of candidates, in an order that does not depend on how a bucket was put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.cross.members import NOBODY, order
from dbce.model import ROLES, Cross

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.boilerplate.cross.members import Members, Numbers

# Candidates are sorted as one number each: unlike values of the signature, seconds between, place.
PLACE_BITS = 14  # there are at most 10,000, and the capture itself
TIME_BITS = 39  # 17,000 years
NEVER = np.iinfo(np.int64).max


CELLS = 1 << 15
"""Pairs of a capture and a candidate that are looked at in one go."""

STRETCH = 1 << 40
"""Seconds: longer than all of time."""


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Buckets one after the other, each in the order of its captures.

    `captures` and `times` are those of every row; `url` numbers its URL, counted through all
    buckets; its bucket has `urls` of them, the first of which is `first_url`. The rows of a URL are
    `begins[url]` to `ends[url]`.
    """

    captures: Numbers
    times: Numbers
    url: Numbers
    first_url: Numbers
    urls: Numbers
    begins: Numbers
    ends: Numbers


def side_by_side(members: Members, buckets: Sequence[Sequence[int]]) -> Buckets:
    """The buckets, given as captures in their order."""
    captures = np.array([capture for bucket in buckets for capture in bucket], dtype=np.int64)
    bucket = np.repeat(np.arange(len(buckets)), [len(captures) for captures in buckets])
    changes = np.diff(members.urls[captures], prepend=-1) | np.diff(bucket, prepend=-1)
    begins = np.flatnonzero(changes)
    bounds = np.searchsorted(bucket[begins], np.arange(len(buckets) + 1))
    return Buckets(
        captures=captures,
        times=members.times[captures],
        url=np.cumsum(changes != 0) - 1,
        first_url=bounds[:-1][bucket],
        urls=np.diff(bounds)[bucket],
        begins=begins,
        ends=np.append(begins[1:], len(captures)),
    )


def candidates(buckets: Buckets, limit: int) -> Iterator[tuple[Numbers, Numbers]]:
    """(rows, the captures that may become *up* or *down* of each), all rows in parts.

    They are of other URLs, one a URL, in the order of the URLs, NOBODY where there are not so many.
    URLs are taken from around the row's own in sort-key order, which puts pages of one section side
    by side; of a URL, the snapshot nearest in time.
    """
    width = np.minimum(limit + 1, buckets.urls)  # with the row's own URL
    before = buckets.url - buckets.first_url - limit // 2
    first = np.clip(before, 0, np.maximum(0, buckets.urls - limit - 1)) + buckets.first_url
    # One sorted axis for all URLs: each has a stretch of its own.
    axis = buckets.times + buckets.url * STRETCH
    # Rows of about the same width are taken together, so that little of a rectangle is empty.
    by_width = np.argsort(width, kind="stable")
    cuts = np.flatnonzero(np.diff(np.cumsum(width[by_width]) // CELLS)) + 1
    for rows in np.split(by_width, cuts) if len(by_width) else ():
        column = np.arange(width[rows[-1]])
        url = first[rows, None] + column
        nobody = (column >= width[rows, None]) | (url == buckets.url[rows, None])
        url[nobody] = 0
        snapshot = _nearest(buckets, axis, url, buckets.times[rows, None])
        yield rows, np.where(nobody, NOBODY, buckets.captures[snapshot])


def _nearest(buckets: Buckets, axis: Numbers, url: Numbers, time: Numbers) -> Numbers:
    """The row of each URL that is nearest to a time, the earlier of two."""
    lowest, highest = buckets.begins[url], buckets.ends[url] - 1
    after = np.clip(np.searchsorted(axis, time + url * STRETCH), lowest, highest)
    before = np.clip(after - 1, lowest, highest)
    to_before = np.abs(buckets.times[before] - time)
    to_after = np.abs(buckets.times[after] - time)
    return np.where(to_before <= to_after, before, after)


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
    for part, theirs in candidates(rows, limit):
        ranked = _ranked(members, rows.captures[part], theirs)[:, : near.shape[1]]
        near[part, : ranked.shape[1]] = ranked
    roles = np.column_stack((rows.captures, near[:, :2], *_snapshots(rows)))
    return Crosses(roles, near[:, 2:]).of(np.flatnonzero(near[:, 0] != NOBODY))


def with_snapshots(members: Members, known: Crosses) -> Crosses:
    """The crosses, and behind them one of *prev* and *next* alone for each capture that has none.

    These are the snapshots of the same URL just before and after in the block, of whatever template:
    it is the URL that makes a snapshot, and without *up* the bits decide nothing that a redesign
    could spoil. A capture without snapshots still has no cross.
    """
    block = side_by_side(members, [range(len(members))])
    before, after = _snapshots(block)
    without = np.isin(block.captures, known.roles[:, 0], invert=True)
    cur = np.flatnonzero(without & ((before != NOBODY) | (after != NOBODY)))
    nobody = np.full(len(cur), NOBODY)
    roles = np.column_stack((cur, nobody, nobody, before[cur], after[cur]))
    further = np.full((len(cur), known.further.shape[1]), NOBODY)
    return Crosses(np.concatenate((known.roles, roles)), np.concatenate((known.further, further)))


def _ranked(members: Members, cur: Numbers, theirs: Numbers) -> Numbers:
    """The candidates of each row that can teach something, the best first, then NOBODY.

    A variant of the same document under another URL (a print view, a mirror, a translation that is half
    done) tells nothing about what is boilerplate, so it is no neighbour.
    """
    own = cur[:, None]
    unlike = members.permutations - members.similar(own, theirs)
    key = (unlike << (PLACE_BITS + TIME_BITS)) | (members.apart(own, theirs) << PLACE_BITS)
    key |= np.arange(theirs.shape[1])
    key[(theirs == NOBODY) | members.of_one_document(cur, theirs)] = NEVER
    key.sort(axis=1)
    nobody = key == NEVER
    place = np.where(nobody, 0, key & ((1 << PLACE_BITS) - 1))
    return np.where(nobody, NOBODY, np.take_along_axis(theirs, place, axis=1))


def with_variants(members: Members, known: Crosses) -> Crosses:
    """The crosses, and behind them one without members for each capture that has a variant alone.

    Such a capture is judged as if it had no neighbour; the cross says whose variant it is.
    """
    without = np.isin(np.arange(len(members)), known.roles[:, 0], invert=True)
    cur = np.flatnonzero(without & (members.variant_of() != NOBODY))
    roles = np.full((len(cur), len(ROLES)), NOBODY)
    roles[:, 0] = cur
    further = np.full((len(cur), known.further.shape[1]), NOBODY)
    return Crosses(np.concatenate((known.roles, roles)), np.concatenate((known.further, further)))


def _snapshots(rows: Buckets) -> tuple[Numbers, Numbers]:
    """The captures of the same URL just before and just after."""
    number = np.arange(len(rows.captures))
    before, after = np.roll(rows.captures, 1), np.roll(rows.captures, -1)
    return (
        np.where(number > rows.begins[rows.url], before, NOBODY),
        np.where(number < rows.ends[rows.url] - 1, after, NOBODY),
    )


def strongest(members: Members, all_crosses: Crosses, limit: int) -> Crosses:
    """The crosses of each capture from all its buckets: equal ones once, the strongest first.

    Strong is a cross with a similar *up*, then a similar *down*, then many members: a neighbour of
    another template does more harm than a missing one. At most `limit` are kept of a capture.
    """
    cur, up, down = all_crosses.roles.T[:3]
    named = np.concatenate((all_crosses.roles[:, 1:], all_crosses.further), axis=1)
    ranks = np.where(named == NOBODY, NOBODY, members.ranks[named])
    values = members.permutations + 1
    rows = order(
        [
            (cur, len(members)),
            (members.permutations - members.similar(cur, up), values),
            (members.permutations - members.similar(cur, down), values),
            ((all_crosses.roles == NOBODY).sum(axis=1), len(ROLES)),
            *((column, len(members)) for column in ranks.T),
        ]
    )
    all_crosses = all_crosses.of(rows)
    another = (np.diff(all_crosses.roles, axis=0, prepend=-2) != 0).any(axis=1)
    all_crosses = all_crosses.of(np.flatnonzero(another))
    cur = all_crosses.roles[:, 0]
    return all_crosses.of(np.flatnonzero(np.arange(len(cur)) - np.searchsorted(cur, cur) < limit))


def as_values(members: Members, chosen: Crosses) -> Iterator[Cross]:
    """The crosses by record ids, with their similarities."""
    ids = members.record_ids
    maybe = (*ids, None)  # NOBODY is the last
    own, *both = chosen.roles.T[:3]
    similar = [(members.similar(own, other) / members.permutations).tolist() for other in both]
    variant = members.variant_of()[own].tolist()
    rows = zip(chosen.roles.tolist(), chosen.further.tolist(), *similar, variant, strict=True)
    for (cur, up, down, before, after), further, to_up, to_down, another in rows:
        yield Cross(
            cur=ids[cur],
            up=maybe[up],
            down=maybe[down],
            prev=maybe[before],
            next=maybe[after],
            similarity_up=to_up,
            similarity_down=to_down,
            further=tuple(ids[number] for number in further if number != NOBODY),
            variant_of=maybe[another],
        )
