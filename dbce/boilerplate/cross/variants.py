"""Variants of one document: URLs of a block whose pages share most of their prose, and few others have it.

A print view, a translation that repeats what is not translated, an address with a session id, an article
that a tag page has in full: what such pages share says what the document is, not what its template is.
They are told by long texts, which menus have none of, and by how few have them: what many URLs of a
block share is boilerplate, however long it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

PROSE = 10
"""Words of a text node from which on it is prose: entries of menus and labels have fewer."""

ENOUGH = 50
"""Words of prose that two URLs share at least: a teaser, a license or a note is no document."""

MOST = 0.6
"""Share of the rare prose of both URLs from which on they are one document.

Translations on sympy.org that are half done share .6 and more; articles of one paper, offers of one
shop and announcements of one project that repeat the same terms at most .5 of the longer one.
"""

WHOLE = 0.8
"""Share of the rare prose of the one URL from which on the other has all of its document, and more.

So a tag page has an article; pages that only share a part of either reach .7.
"""

RARE = 3
"""A text is rare that at most one in so many URLs of the block has, or two."""

SAME = 0.98
"""Share of the prose of both URLs that is the same where what they share is too common to be rare.

That is where a site has hardly another URL. Pages with one legal notice have some text of their own, too.
"""

AROUND = 0.95
"""Share of all words of the one that the other has, there: of pages that are the same, what is around is."""

URLS = 16
"""URLs that have a text at most for it to be compared: the pairs of more cost too much, and say little."""

LOWER = (1 << 32) - 1
"""The lower half of a pair of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Variants:
    """Pairs of URLs that are variants of one document.

    `pairs` has each pair both ways, sorted, the one URL in the upper 32 bits; `shared` the words of
    prose that the pair shares.
    """

    pairs: Numbers
    shared: Numbers

    def among(self, cur: Numbers, others: Numbers) -> NDArray[np.bool_]:
        """True of the URLs in each row of `others` that are variants of that in the row's place in `cur`."""
        are = np.zeros(others.shape, dtype=np.bool_)
        rows = np.flatnonzero(np.isin(cur, self.pairs >> 32))  # the others are not looked up
        if len(rows):
            wanted = (cur[rows, None] << 32) | others[rows]
            place = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
            are[rows] = self.pairs[place] == wanted
        return are

    def of(self, url: int) -> Numbers:
        """The variants of a URL, the one that shares most first, else in the order of URLs."""
        start, end = np.searchsorted(self.pairs, (url << 32, (url + 1) << 32)).tolist()
        most = np.argsort(-self.shared[start:end], kind="stable")
        return self.pairs[start:end][most] & LOWER


NONE = Variants(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
"""No variants."""


class _Words(NamedTuple):
    """Words that each URL has, and that pairs of URLs share; a pair is a place in `pairs`."""

    own: Numbers
    pairs: Numbers
    shared: Numbers

    def between(self, pairs: Numbers) -> Numbers:
        """The words that some pairs share."""
        if not len(self.pairs):
            return np.zeros(len(pairs), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.pairs, pairs), len(self.pairs) - 1)
        return np.where(self.pairs[place] == pairs, self.shared[place], 0)

    def share(self, pairs: Numbers, *, of_both: bool = False) -> NDArray[np.float64]:
        """Share of the words of the URL with fewer that the other has, or of the one with more."""
        a, b = self.own[pairs >> 32], self.own[pairs & LOWER]
        size = np.maximum(a, b) if of_both else np.minimum(a, b)
        shares: NDArray[np.float64] = self.between(pairs) / np.maximum(size, 1)
        return shares


class _Having(NamedTuple):
    """Which URL has which text, each once, the URLs of a text in a row.

    `size` are the words of the text, `urls_of` how many URLs have it.
    """

    url: Numbers
    size: Numbers
    urls_of: Numbers


def variants(urls: Numbers, texts: Numbers, sizes: Numbers) -> Variants:
    """The variants among the URLs of a block, from its text nodes: their URLs, texts and words.

    All snapshots of a URL count as one page, so that a text which all pages had for a day is no
    document. URLs and texts are numbers from 0.
    """
    count = int(urls.max(initial=0)) + 1
    is_prose = sizes >= PROSE
    prose = _having(urls[is_prose], texts[is_prose], sizes[is_prose])
    of_prose = _words(prose, count)
    pairs = of_prose.pairs[of_prose.shared >= ENOUGH]
    if not len(pairs):
        return NONE
    is_rare = (prose.urls_of <= max(2, count // RARE)) & (prose.urls_of < count)
    rare = _words(prose._replace(size=prose.size * is_rare), count)
    mostly = (rare.share(pairs, of_both=True) >= MOST) | (rare.share(pairs) >= WHOLE)
    every = _words(_having(urls, texts, sizes), count)
    same = (
        (of_prose.share(pairs, of_both=True) >= SAME)
        & (every.share(pairs) >= AROUND)
        & (2 * of_prose.between(pairs) >= every.between(pairs))
    )
    pairs = pairs[same | (mostly & (rare.between(pairs) >= ENOUGH))]
    shared = of_prose.between(pairs)
    both = np.concatenate((pairs, ((pairs & LOWER) << 32) | (pairs >> 32)))
    in_order = np.argsort(both, kind="stable")
    return Variants(both[in_order], np.concatenate((shared, shared))[in_order])


def _having(urls: Numbers, texts: Numbers, sizes: Numbers) -> _Having:
    having, first = np.unique((texts << 32) | urls, return_index=True)
    begins = np.flatnonzero(np.diff(having >> 32, prepend=-1))
    urls_of = np.diff(begins, append=len(having))
    return _Having(having & LOWER, sizes[first], np.repeat(urls_of, urls_of))


def _words(having: _Having, count: int) -> _Words:
    """The words of URLs and of their pairs in texts that not too many have."""
    own = np.bincount(having.url, having.size, count).astype(np.int64)
    pairs, words = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for urls_of in range(2, min(URLS, int(having.urls_of.max(initial=0))) + 1):
        rows = np.flatnonzero(having.urls_of == urls_of)
        of_text = having.url[rows].reshape(-1, urls_of)
        one, other = np.triu_indices(urls_of, 1)
        pairs.append(((of_text[:, one] << 32) | of_text[:, other]).ravel())
        words.append(np.repeat(having.size[rows[::urls_of]], len(one)))
    every, number = np.unique(np.concatenate(pairs), return_inverse=True)
    shared = np.bincount(number, np.concatenate(words), len(every)).astype(np.int64)
    return _Words(own, every, shared)
