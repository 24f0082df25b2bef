"""Peer support: how widely other pages have the texts of a page, and what stands at their places.

A cross knows two other pages. More of them tell an advertisement that one neighbour happens to
share from a menu that all have, and what kind of text stands at a place of the template: always
the same, one of a few, or another on every page.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.cross import NOBODY, Crosses, Members, order
from dbce.boilerplate.variants import LOWER, Numbers, find
from dbce.model import CIRCLE, HISTORY, Hashes, Mask, first_numbers


def circles(members: Members, chosen: Crosses, size: int) -> dict[int, list[int]]:
    """The `size` most similar captures of other URLs that each capture's crosses name, one a URL, if any.

    Equally similar ones are taken by distance in time, then by record id.
    """
    named = np.delete(chosen, (0, 3, 4), axis=1)  # *up*, *down* and further ones
    cur = np.repeat(chosen[:, 0], named.shape[1])[named.ravel() != NOBODY]
    other = named[named != NOBODY]
    apart = members.seconds_between(cur, other)
    nearest = order(
        [
            (cur, len(members)),
            (members.permutations - members.similar(cur, other), members.permutations + 1),
            (apart, int(apart.max(initial=0)) + 1),
            (members.ranks[other], len(members)),
        ]
    )
    cur, other = cur[nearest], other[nearest]
    _, first = np.unique((cur << 32) | members.urls[other], return_index=True)
    first.sort()  # the nearest capture of each URL, and still the nearest URL first
    cur, other = cur[first], other[first]
    begins = np.flatnonzero(np.diff(cur, prepend=NOBODY))
    return {
        who: its[:size].tolist()
        for who, its in zip(cur[begins].tolist(), np.split(other, begins)[1:], strict=True)
    }


class BlockNodes:
    """Text nodes of the pages of a block, compared by their texts and places.

    The snapshots of a URL stand in a row of `urls`; `starts` are the first node of each page, and the end of the
    last. Texts are numbered from 0; `places` are those in the template, `sizes` words.
    """

    def __init__(
        self, urls: Numbers, starts: Numbers, texts: Hashes, places: Hashes, sizes: Numbers
    ) -> None:
        count = len(starts) - 1
        page = np.repeat(np.arange(count) << 32, np.diff(starts))
        place, _ = first_numbers(places)
        numbers = texts.astype(np.int64)
        standing, pairs = first_numbers((place << 32) | numbers)
        self._starts, self._texts, self._places = starts, numbers, place
        self._urls = urls
        self._texts_of = _split(np.unique(page | numbers), count)
        self._ever_of: dict[int, Numbers] = {}
        # What stands where, once: the place and the text of each pair of theirs.
        self._standing_of = _split(first_numbers(page | standing)[1], count)
        self._place_of, self._text_of = pairs >> 32, pairs & LOWER
        # Of each place of each page: its nodes and their words.
        place_of_node, places_of = first_numbers(page | place)
        ends = np.searchsorted(places_of >> 32, np.arange(1, count))
        self._places_of = _split(places_of, count)
        self._nodes_at = np.split(np.bincount(place_of_node), ends)
        self._words_at = np.split(np.bincount(place_of_node, weights=sizes), ends)
        # Empty between two questions.
        self._having = np.zeros(int(numbers.max(initial=0)) + 1, dtype=np.int64)
        self._own = np.full(int(place.max(initial=0)) + 1, NOBODY)
        self._seen = np.zeros(len(pairs), dtype=np.int64)

    def peer_support(self, cur: int, others: Sequence[int]) -> NDArray[np.float32]:
        """Peer support of each text node of a page, of the given other pages: (nodes, len(CIRCLE)).

        The columns: share of the pages that have the same text; share that have its place; number
        of different texts there among all; mean words there; how widely those texts are shared; share of the pages that
        have the text in any snapshot. NaN where no page has the place, and everywhere if no page is asked.
        """
        nodes = slice(self._starts[cur], self._starts[cur + 1])
        if not others:
            return np.full((len(self._texts[nodes]), len(CIRCLE)), np.nan, dtype=np.float32)
        texts = np.concatenate([self._texts_of[other] for other in others])
        np.add.at(self._having, texts, 1)
        places = self._places_of[cur]
        self._own[places] = np.arange(len(places))
        at_places = self._at_places(len(places), others)[self._own[self._places[nodes]]]
        shared_by = self._having[self._texts[nodes]] / len(others)
        self._own[places] = NOBODY
        self._having[texts] = 0
        ever = np.concatenate([self._ever(int(self._urls[other])) for other in others])
        np.add.at(self._having, ever, 1)
        ever_shared_by = self._having[self._texts[nodes]] / len(others)
        self._having[ever] = 0
        return np.column_stack((shared_by, at_places, ever_shared_by)).astype(np.float32)

    def snapshot_support(self, cur: int, others: Numbers, redesigned: Mask) -> NDArray[np.float32]:
        """Shares of some other snapshots of a page that have each of its text nodes, shape (nodes, len(HISTORY)).

        The columns: share of the snapshots that have the text; of the redesigned ones; of those before; of those
        after. NaN where there is none of the kind.
        """
        own = self._texts[self._starts[cur] : self._starts[cur + 1]]
        shares = np.full((len(own), len(HISTORY)), np.nan, dtype=np.float32)
        if not len(others):
            return shares
        has = np.stack([find(self._texts_of[one], own)[1] for one in others.tolist()])
        for column, chosen in enumerate((others != cur, redesigned, others < cur, others > cur)):
            if chosen.any():
                shares[:, column] = has[chosen].mean(axis=0)
        return shares

    def _ever(self, url: int) -> Numbers:
        """Texts of all snapshots of a URL, each once: an advertisement that rotates is seen."""
        if url not in self._ever_of:
            first, end = np.searchsorted(self._urls, (url, url + 1)).tolist()
            self._ever_of[url] = np.unique(np.concatenate(self._texts_of[first:end]))
        return self._ever_of[url]

    def _at_places(self, count: int, others: Sequence[int]) -> NDArray[np.float64]:
        """The columns but the first, for each place of the page."""
        place = self._own[np.concatenate([self._places_of[other] for other in others])]
        shared = place != NOBODY
        place = place[shared]
        nodes = np.concatenate([self._nodes_at[other] for other in others])[shared]
        words = np.concatenate([self._words_at[other] for other in others])[shared]
        of_nodes = np.bincount(place, nodes, count)

        standing = np.concatenate([self._standing_of[other] for other in others])
        self._seen[standing] = np.arange(len(standing))
        standing = standing[self._seen[standing] == np.arange(len(standing))]  # each once
        there = self._own[self._place_of[standing]]
        standing, there = standing[there != NOBODY], there[there != NOBODY]
        texts = np.bincount(there, minlength=count)
        having = np.bincount(there, self._having[self._text_of[standing]], count)
        with np.errstate(invalid="ignore"):  # 0 / 0 where nobody has the place
            return np.column_stack(
                (
                    np.bincount(place, minlength=count) / len(others),
                    texts / of_nodes,
                    np.bincount(place, words, count) / of_nodes,
                    having / texts / len(others),
                )
            )


def _split(pairs: Numbers, count: int) -> list[Numbers]:
    """Lower halves of pairs, one array for each number that is an upper half; sorted by it."""
    return np.split(pairs & LOWER, np.searchsorted(pairs >> 32, np.arange(1, count)))


# Evidence of other snapshots of a page on its texts: since when they stand there, and what
# changed.
#
# Text that stays while the page around it changes is the page's own, and so is text that a
# redesign left; what was there only once rotates. Snapshots with the very same words say nothing.

SNAPSHOTS = 8
"""Snapshots that are asked at most, those nearest in time: as many as pages of a circle."""


def snapshots(members: Members, cur: int, threshold: float) -> tuple[Numbers, Mask]:
    """Snapshots of the capture's URL with other words: of the `SNAPSHOTS` just before and after, the nearest in time.

    Of two the earlier counts. True of those that are redesigned: less similar than the threshold.
    """
    start = max(0, cur - SNAPSHOTS)
    around = np.arange(start, min(len(members), cur + SNAPSHOTS + 1))
    own_url = members.urls[around] == members.urls[cur]
    around = around[own_url & (members.texts[around] != members.texts[cur])]
    own = np.full(len(around), cur)
    nearest = np.argsort(members.seconds_between(own, around), kind="stable")[:SNAPSHOTS]
    chosen = np.sort(around[nearest])
    similar = members.similar(np.full(len(chosen), cur), chosen) / members.permutations
    return chosen, similar < threshold
