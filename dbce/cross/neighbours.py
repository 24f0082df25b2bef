"""Who is compared with whom: the crosses of one bucket.

Thesis, section 2.2, "Cross construction". Work per capture is bounded: neighbours are chosen among
a fixed number of candidates, in an order that does not depend on how the bucket was put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from dbce.model import Cross

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from dbce.model import Hashes


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What a bucket knows of a capture: no text.

    `time` is in seconds since 1970; `text` is a digest of all the capture's words.
    """

    record_id: str
    surt: str
    time: int
    text: int
    signature: Hashes


def crosses(bucket: Iterable[Entry], candidates: int, circle: int) -> Iterator[Cross]:
    """The cross of every entry of a bucket that has an *up*.

    *up* and *down* are the two most similar among the candidates, other URLs both; equally similar
    ones are taken by distance in time, then by URL. *prev* and *next* are the snapshots of the same
    URL just before and after. `circle` most similar ones of other URLs are named, at least two.
    """
    entries = sorted(bucket, key=lambda e: (e.surt, e.time, e.record_id))
    urls = [list(snapshots) for _, snapshots in groupby(entries, key=lambda e: e.surt)]
    if len(urls) < 2:
        return
    signatures = np.stack([e.signature for e in entries])
    times = np.array([e.time for e in entries], dtype=np.int64)
    others = _Candidates([len(snapshots) for snapshots in urls], times, candidates)
    for number, snapshots in enumerate(urls):
        for place, entry in enumerate(snapshots):
            near = others.of(number, entry)
            # Sorted by similarity, then by distance in time, then by URL.
            similarity = (signatures[near] == entry.signature).mean(axis=1)
            order = np.lexsort((near, np.abs(times[near] - entry.time), -similarity))
            ranked = ((float(similarity[i]), entries[near[i]]) for i in order)
            if nearest := _nearest(entry, ranked, circle):
                before = snapshots[place - 1] if place else None
                after = snapshots[place + 1] if place + 1 < len(snapshots) else None
                yield _cross(entry, nearest, before, after)


class _Candidates:
    """The entries that may become *up* or *down*, one a URL: its snapshot nearest in time.

    URLs are taken from around the entry's own in sort-key order, which puts pages of one section
    side by side.
    """

    def __init__(self, snapshots: Sequence[int], times: NDArray[np.int64], limit: int) -> None:
        self._limit = limit
        self._sizes = np.array(snapshots)
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)[:-1]))
        self._times = times
        # One sorted axis for all URLs: each has a stretch of its own, longer than all of time.
        self._stretch = np.int64(1) << np.int64(40)
        self._axis = times + np.repeat(np.arange(len(snapshots)), self._sizes) * self._stretch

    def of(self, url: int, entry: Entry) -> NDArray[np.int64]:
        """Indices of the candidates for an entry of a URL, all URLs in order."""
        first = max(0, min(url - self._limit // 2, len(self._sizes) - self._limit - 1))
        numbers = np.arange(first, min(first + self._limit + 1, len(self._sizes)))
        numbers = numbers[numbers != url]
        lowest = self._starts[numbers]
        highest = lowest + self._sizes[numbers] - 1
        after = np.searchsorted(self._axis, entry.time + numbers * self._stretch)
        after = np.clip(after, lowest, highest)
        before = np.clip(after - 1, lowest, highest)
        to_before = np.abs(self._times[before] - entry.time)
        to_after = np.abs(self._times[after] - entry.time)
        chosen: NDArray[np.int64] = np.where(to_before <= to_after, before, after)
        return chosen


def _nearest(
    entry: Entry, ranked: Iterable[tuple[float, Entry]], circle: int
) -> list[tuple[float, Entry]]:
    """The first candidates that can teach something.

    A page with the very same text under another URL (a print view, a mirror) tells nothing about
    what is boilerplate, so it is no neighbour.
    """
    return list(islice((pair for pair in ranked if pair[1].text != entry.text), max(2, circle)))


def _cross(
    cur: Entry, nearest: list[tuple[float, Entry]], prev: Entry | None, after: Entry | None
) -> Cross:
    (similarity_up, up), *rest = nearest
    similarity_down, down = rest[0] if rest else (0.0, None)
    return Cross(
        cur=cur.record_id,
        up=up.record_id,
        down=down.record_id if down else None,
        prev=prev.record_id if prev else None,
        next=after.record_id if after else None,
        similarity_up=similarity_up,
        similarity_down=similarity_down,
        further=tuple(other.record_id for _, other in rest[1:]),
    )


def strongest(found: Iterable[Cross], limit: int) -> tuple[Cross, ...]:
    """The crosses of one capture from all its buckets: equal ones once, the strongest first.

    Strong is a cross with a similar *up*, then a similar *down*, then many members: a neighbour of
    another template does more harm than a missing one. At most `limit` are kept.
    """
    distinct: dict[tuple[str | None, ...], Cross] = {}
    for cross in sorted(found, key=lambda c: c.further):  # else the order of buckets would show
        distinct.setdefault(cross.members, cross)
    ordered = sorted(
        distinct.values(),
        key=lambda c: (
            -c.similarity_up,
            -c.similarity_down,
            -c.bits.count("1"),
            [member or "" for member in c.members],
        ),
    )
    return tuple(ordered[:limit])
