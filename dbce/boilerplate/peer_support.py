"""Peer support: how widely other pages have the texts of a page, and what stands at their places.

A cross knows two other pages. More of them tell an advertisement that one neighbour happens to
share from a menu that all have, and what kind of text stands at a place of the template: always
the same, one of a few, or another on every page.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.cross import NOBODY, Crosses, Members, order
from dbce.boilerplate.variants import Numbers
from dbce.kernel import compiled
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
        place, different = first_numbers(places)
        numbers = texts.astype(np.int64)
        standing, pairs = first_numbers((place << 32) | numbers)
        self._nodes = np.column_stack((numbers, place, standing, sizes)).astype(np.int64)
        self._starts, self._urls = starts.astype(np.int64), urls
        self._ever_of: dict[int, Numbers] = {}
        # Counts of texts, of places and of texts at places, all 0 between two questions.
        self._of_texts = np.zeros((int(numbers.max(initial=0)) + 1, 3), dtype=np.int64)
        self._of_places = np.zeros((len(different), 6), dtype=np.int64)
        self._of_pairs = np.zeros(len(pairs), dtype=np.int64)

    def peer_support(self, cur: int, others: Sequence[int]) -> NDArray[np.float32]:
        """Peer support of each text node of a page, of the given other pages: (nodes, len(CIRCLE)).

        The columns: share of the pages that have the same text; share that have its place; number
        of different texts there among all; mean words there; how widely those texts are shared; share of the pages that
        have the text in any snapshot. NaN where no page has the place, and everywhere if no page is asked.
        """
        support = self._empty(cur, len(CIRCLE))
        if others:
            ever = np.concatenate([self._ever(int(self._urls[other])) for other in others])
            pages = cur, np.array(others, dtype=np.int64), ever
            counts = self._of_texts, self._of_places, self._of_pairs
            compiled.peer_support(self._nodes, self._starts, *pages, *counts, support)
        return support

    def snapshot_support(self, cur: int, others: Numbers, redesigned: Mask) -> NDArray[np.float32]:
        """Shares of some other snapshots of a page that have each of its text nodes, shape (nodes, len(HISTORY)).

        The columns: share of the snapshots that have the text; of the redesigned ones; of those before; of those
        after. NaN where there is none of the kind.
        """
        support = self._empty(cur, len(HISTORY))
        pages = cur, others.astype(np.int64), redesigned.view(np.uint8)
        compiled.snapshot_support(self._nodes, self._starts, *pages, self._of_texts, support)
        return support

    def _empty(self, cur: int, columns: int) -> NDArray[np.float32]:
        nodes = int(self._starts[cur + 1] - self._starts[cur])
        return np.full((nodes, columns), np.nan, dtype=np.float32)

    def _ever(self, url: int) -> Numbers:
        """Texts of all snapshots of a URL, each once: an advertisement that rotates is seen."""
        if url not in self._ever_of:
            first, end = np.searchsorted(self._urls, (url, url + 1)).tolist()
            nodes = slice(self._starts[first], self._starts[end])
            self._ever_of[url] = np.unique(self._nodes[nodes, 0])
        return self._ever_of[url]


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
    capture = np.full(len(around), cur)
    nearest = np.argsort(members.seconds_between(capture, around), kind="stable")[:SNAPSHOTS]
    chosen = np.sort(around[nearest])
    similar = members.similar(np.full(len(chosen), cur), chosen) / members.permutations
    return chosen, similar < threshold
