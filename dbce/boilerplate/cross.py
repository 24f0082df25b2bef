"""The choice of captures to compare: the crosses of the buckets of a block.

Thesis, section 2.2, "Cross construction". Work per capture is bounded: neighbours are chosen among
a fixed number of candidates, in an order that does not depend on how a bucket was put together.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.variants import NONE, Numbers, Variants, document
from dbce.model import ROLES, Cross, Hashes, Sketch, digest64, first_numbers

# The captures of a block side by side: all that choosing neighbours among them needs.

NOBODY = -1  # stands where the number of a capture is expected and there is none

ROWS = 128
"""Signatures that are compared with all others in one go; more do not fit a processor's cache."""

WIDTH = 63  # bits of a key that is never negative


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Captures as columns, in the order of URL, time and record id; a capture is its place there.

    `times` are seconds since 1970, `texts` digests of all words; `urls` numbers the URLs, `ranks` the record ids, both in their order; URLs of translations have one number in
    `documents`. `alike[i, j]` is how many of the `permutations` values of two signatures are equal; `variants` are
    those among the URLs by their texts.
    """

    record_ids: tuple[str, ...]
    urls: Numbers
    documents: Numbers
    times: Numbers
    texts: Numbers
    ranks: Numbers
    alike: NDArray[np.unsignedinteger]
    permutations: int
    variants: Variants = NONE

    def __len__(self) -> int:
        return len(self.record_ids)

    def similar(self, cur: Numbers, other: Numbers) -> Numbers:
        """Number of equal values of their signatures; 0 where one is NOBODY."""
        equal = self.alike[cur, other].astype(np.int64)
        equal[(cur == NOBODY) | (other == NOBODY)] = 0
        return equal

    def same_document(self, cur: Numbers, others: Numbers) -> NDArray[np.bool_]:
        """True of those in each row of `others` that have the words of `cur` there, or are variants."""
        same_words: NDArray[np.bool_] = self.texts[others] == self.texts[cur][:, None]
        same_words |= self.documents[others] == self.documents[cur][:, None]
        return same_words | self.variants.are_variants(self.urls[cur], self.urls[others])

    def variant_of(self) -> Numbers:
        """Capture of another URL that is the same document as each capture; NOBODY if none is.

        The very same words go before the URL that shares most, that before a translation; of several the nearest in time.
        """
        nearest = np.full(len(self), NOBODY)
        number = np.arange(len(self))
        _, text = np.unique(self.texts, return_inverse=True)
        with_variant = np.isin(self.urls, self.variants.pairs >> 32)
        is_one = (self._urls_of(text) > 1) | (self._urls_of(self.documents) > 1) | with_variant
        for cur in np.flatnonzero(is_one).tolist():
            of_others = self.urls != self.urls[cur]
            others = number[(text == text[cur]) & of_others]
            if not len(others) and with_variant[cur]:
                others = number[self.urls == self.variants.variants_of(int(self.urls[cur]))[0]]
            elif not len(others):
                others = number[(self.documents == self.documents[cur]) & of_others]
            nearest[cur] = others[
                np.argmin(self.seconds_between(np.full(len(others), cur), others))
            ]
        return nearest

    def _urls_of(self, group: Numbers) -> Numbers:
        """URLs of each capture's group."""
        return np.bincount(np.unique((group << 32) | self.urls) >> 32)[group]

    def seconds_between(self, cur: Numbers, other: Numbers) -> Numbers:
        seconds: Numbers = np.abs(self.times[cur] - self.times[other])
        return seconds


def members_of(sketches: Iterable[Sketch]) -> Members:
    timed = ((s.surt, int(s.timestamp.timestamp()), s.record_id, s) for s in sketches)
    urls, times, record_ids, ordered = zip(*sorted(timed, key=itemgetter(0, 1, 2)), strict=True)
    by_rank = sorted(range(len(ordered)), key=record_ids.__getitem__)
    ranks = np.empty(len(ordered), dtype=np.int64)
    ranks[by_rank] = np.arange(len(ordered))
    number = {surt: n for n, surt in enumerate(dict.fromkeys(urls))}
    document_of = {surt: document(surt) for surt in number}
    documents = {name: n for n, name in enumerate(dict.fromkeys(document_of.values()))}
    signatures = np.stack([sketch.signature for sketch in ordered])
    return Members(
        record_ids=record_ids,
        urls=np.array([number[surt] for surt in urls], dtype=np.int64),
        documents=np.array([documents[document_of[surt]] for surt in urls], dtype=np.int64),
        times=np.array(times, dtype=np.int64),
        texts=np.array([digest64(sketch.words.tobytes()) for sketch in ordered], dtype=np.int64),
        ranks=ranks,
        alike=_equal_values(signatures),
        permutations=signatures.shape[1],
    )


def _equal_values(signatures: Hashes) -> NDArray[np.unsignedinteger]:
    """Number of values that each signature shares with each, in their places, shape (n, n).

    Captures meet in many buckets, nearly the same ones again and again: to compare all with all,
    column by column, costs less than to compare those that meet as often as they do.
    """
    count, permutations = signatures.shape
    # The values of each place numbered from 0 on: fewer bytes to compare than the values have.
    place = np.arange(permutations, dtype=np.uint64)[:, None] << np.uint64(32)
    numbers = first_numbers((place | signatures.T).ravel())[0].reshape(permutations, count)
    columns = (numbers - numbers[:, :1]).astype(np.min_scalar_type(count))
    alike = np.zeros((count, count), dtype=np.min_scalar_type(permutations))
    for start in range(0, count, ROWS):
        rows = slice(start, start + ROWS)
        part = np.zeros_like(alike[rows, start:])
        for column in columns:
            part += (column[rows, None] == column[start:]).view(np.uint8)
        alike[rows, start:] = part
        alike[start:, rows] = part.T
    return alike


def order(columns: Iterable[tuple[NDArray[np.int64], int]]) -> NDArray[np.int64]:
    """Rows in order of their columns, the first column first; equal rows stay as they are.

    A column is given with a bound: its values are at least -1 and below the bound. As many columns
    as fit go into one key, which costs less than a key each.
    """
    keys: list[NDArray[np.int64]] = []
    room = 0
    for values, bound in columns:
        bits = bound.bit_length()
        if bits > room:
            keys.append(values + 1)
            room = WIDTH - bits
        else:
            keys[-1] = (keys[-1] << bits) | (values + 1)
            room -= bits
    return np.lexsort(keys[::-1])


# The choice of neighbours: crosses of the buckets of a block.

# Candidates are sorted as one number each: unlike values of the signature, seconds between, place.
PLACE_BITS = 14  # there are at most 10,000, and the capture itself
TIME_BITS = 39  # 17,000 years
NEVER = np.iinfo(np.int64).max

CELLS = 1 << 15  # pairs of a capture and a candidate that are looked at in one go
STRETCH = 1 << 40  # seconds: longer than all of time


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Buckets one after the other, each in the order of its captures.

    `captures` and `times` are those of every row; `url` numbers its URL, counted through all
    buckets; its bucket has `urls` of them, the first of which is `first_url`. The rows of a URL are
    `bounds[url]` to `bounds[url + 1]`.
    """

    captures: Numbers
    times: Numbers
    url: Numbers
    first_url: Numbers
    urls: Numbers
    bounds: Numbers


def side_by_side(members: Members, buckets: Sequence[Sequence[int]]) -> Buckets:
    captures = np.array([capture for bucket in buckets for capture in bucket], dtype=np.int64)
    bucket = np.repeat(np.arange(len(buckets)), [len(captures) for captures in buckets])
    changes = np.diff(members.urls[captures], prepend=-1) | np.diff(bucket, prepend=-1)
    begins = np.flatnonzero(changes)
    first_urls = np.searchsorted(bucket[begins], np.arange(len(buckets) + 1))
    return Buckets(
        captures=captures,
        times=members.times[captures],
        url=np.cumsum(changes != 0) - 1,
        first_url=first_urls[:-1][bucket],
        urls=np.diff(first_urls)[bucket],
        bounds=np.append(begins, len(captures)),
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
    """Row of each URL nearest to a time, the earlier of two."""
    lowest, highest = buckets.bounds[url], buckets.bounds[url + 1] - 1
    after = np.clip(np.searchsorted(axis, time + url * STRETCH), lowest, highest)
    before = np.clip(after - 1, lowest, highest)
    to_before = np.abs(buckets.times[before] - time)
    to_after = np.abs(buckets.times[after] - time)
    return np.where(to_before <= to_after, before, after)


Crosses: TypeAlias = Numbers
"""Crosses as rows: captures by ROLES, then the next most similar after *down*; NOBODY where there is none."""

FURTHER = len(ROLES)  # the first column behind all roles


def crosses(members: Members, buckets: Sequence[Sequence[int]], limit: int, circle: int) -> Crosses:
    """Crosses with an *up*, of every capture of every bucket, given as captures in their order.

    *up* and *down* are the two most similar among at most `limit` candidates, other URLs both; equally similar
    ones are taken by distance in time, then by URL. *prev* and *next* are the snapshots of the same
    URL just before and after. A cross names `circle` captures of other URLs, at least two.
    """
    rows = side_by_side(members, buckets)
    near = np.full((len(rows.captures), max(2, circle)), NOBODY)
    for part, theirs in candidates(rows, limit):
        ranked = _rank_candidates(members, rows.captures[part], theirs)[:, : near.shape[1]]
        near[part, : ranked.shape[1]] = ranked
    every = np.column_stack((rows.captures, near[:, :2], *_snapshots(rows), near[:, 2:]))
    compared: Crosses = every[near[:, 0] != NOBODY]
    return compared


def with_lone_captures(members: Members, known: Crosses) -> Crosses:
    """The crosses, and behind them one without *up* and *down* for each capture that has none, but snapshots or a variant.

    *prev* and *next* are the snapshots of the same URL just before and after in the block, of whatever template:
    it is the URL that makes a snapshot, and without *up* the bits decide nothing that a redesign could spoil.
    """
    block = side_by_side(members, [range(len(members))])
    before, after = _snapshots(block)
    without = np.isin(block.captures, known[:, 0], invert=True)
    has_others = (before != NOBODY) | (after != NOBODY) | (members.variant_of() != NOBODY)
    cur = np.flatnonzero(without & has_others)
    lone = np.full((len(cur), known.shape[1]), NOBODY)
    lone[:, [0, 3, 4]] = np.column_stack((cur, before[cur], after[cur]))
    return np.concatenate((known, lone))


def _rank_candidates(members: Members, cur: Numbers, theirs: Numbers) -> Numbers:
    """Candidates of each row, best first, then NOBODY.

    A variant of the same document under another URL (a print view, a mirror, a translation that is half
    done) tells nothing about what is boilerplate, so it is no neighbour.
    """
    pages = cur[:, None]
    unlike = members.permutations - members.similar(pages, theirs)
    key = (unlike << (PLACE_BITS + TIME_BITS)) | (
        members.seconds_between(pages, theirs) << PLACE_BITS
    )
    key |= np.arange(theirs.shape[1])
    key[(theirs == NOBODY) | members.same_document(cur, theirs)] = NEVER
    key.sort(axis=1)
    nobody = key == NEVER
    place = np.where(nobody, 0, key & ((1 << PLACE_BITS) - 1))
    return np.where(nobody, NOBODY, np.take_along_axis(theirs, place, axis=1))


def _snapshots(rows: Buckets) -> tuple[Numbers, Numbers]:
    number = np.arange(len(rows.captures))
    before, after = np.roll(rows.captures, 1), np.roll(rows.captures, -1)
    return (
        np.where(number > rows.bounds[rows.url], before, NOBODY),
        np.where(number < rows.bounds[rows.url + 1] - 1, after, NOBODY),
    )


def strongest(members: Members, all_crosses: Crosses, limit: int) -> Crosses:
    """Crosses of each capture from all its buckets: equal ones once, the strongest first.

    Strong is a cross with a similar *up*, then a similar *down*, then many members: a neighbour of
    another template does more harm than a missing one. At most `limit` are kept of a capture.
    """
    cur, up, down = all_crosses.T[:3]
    named = all_crosses[:, 1:]
    ranks = np.where(named == NOBODY, NOBODY, members.ranks[named])
    values = members.permutations + 1
    rows = order(
        [
            (cur, len(members)),
            (members.permutations - members.similar(cur, up), values),
            (members.permutations - members.similar(cur, down), values),
            ((all_crosses[:, :FURTHER] == NOBODY).sum(axis=1), len(ROLES)),
            *((column, len(members)) for column in ranks.T),
        ]
    )
    ordered = all_crosses[rows]
    ordered = ordered[(np.diff(ordered[:, :FURTHER], axis=0, prepend=-2) != 0).any(axis=1)]
    cur = ordered[:, 0]
    chosen: Crosses = ordered[np.arange(len(cur)) - np.searchsorted(cur, cur) < limit]
    return chosen


def as_values(members: Members, chosen: Crosses) -> Iterator[Cross]:
    ids = members.record_ids
    maybe = (*ids, None)  # NOBODY is the last
    captures, *both = chosen.T[:3]
    similar = [(members.similar(captures, other) / members.permutations).tolist() for other in both]
    variant = members.variant_of()[captures].tolist()
    rows = zip(chosen.tolist(), *similar, variant, strict=True)
    for (cur, up, down, before, after, *further), to_up, to_down, another in rows:
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
