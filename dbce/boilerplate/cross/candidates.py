"""Whom a capture may be compared with: a bounded number of captures of each of its buckets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.cross.members import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.boilerplate.cross.members import Members, Numbers

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
    order = np.argsort(width, kind="stable")
    cuts = np.flatnonzero(np.diff(np.cumsum(width[order]) // CELLS)) + 1
    for rows in np.split(order, cuts) if len(order) else ():
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
