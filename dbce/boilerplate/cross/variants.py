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

    def are(self, cur: Numbers, other: Numbers) -> NDArray[np.bool_]:
        """True where two URLs are variants of one document."""
        wanted = (cur << 32) | other
        if not len(self.pairs):
            return np.zeros(wanted.shape, dtype=np.bool_)
        place = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        return np.asarray(self.pairs[place] == wanted)

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
        return self.between(pairs) / np.maximum(size, 1)


def variants(urls: Numbers, texts: Numbers, sizes: Numbers) -> Variants:
    """The variants among the URLs of a block, from its text nodes: their URLs, texts and words.

    All snapshots of a URL count as one page, so that a text which all pages had for a day is no
    document. URLs and texts are numbers from 0.
    """
    count = int(urls.max(initial=0)) + 1
    having, first = np.unique((texts << 32) | urls, return_index=True)
    size = sizes[first]
    text, url = having >> 32, having & LOWER
    begins = np.flatnonzero(np.diff(text, prepend=-1))
    having_it = np.diff(begins, append=len(text))
    urls_of = np.repeat(having_it, having_it)
    prose = size >= PROSE
    rare = prose & (urls_of <= max(2, count // RARE)) & ((urls_of < count) | (urls_of == 1))
    if not (prose & (urls_of > 1) & (urls_of <= URLS)).any():
        return NONE
    of_prose = _words(url, size * prose, urls_of, count)
    candidates = of_prose.pairs[of_prose.shared >= ENOUGH]
    if not len(candidates):
        return NONE
    of_rare = _words(url, size * rare, urls_of, count)
    of_all = _words(url, size, urls_of, count)
    mostly = (of_rare.between(candidates) >= ENOUGH) & (
        (of_rare.share(candidates, of_both=True) >= MOST) | (of_rare.share(candidates) >= WHOLE)
    )
    entirely = (
        (of_prose.share(candidates, of_both=True) >= SAME)
        & (of_all.share(candidates) >= AROUND)
        & (2 * of_prose.between(candidates) >= of_all.between(candidates))
    )
    pairs = candidates[mostly | entirely]
    shared = of_prose.between(pairs)
    both = np.concatenate((pairs, ((pairs & LOWER) << 32) | (pairs >> 32)))
    in_order = np.argsort(both, kind="stable")
    return Variants(both[in_order], np.concatenate((shared, shared))[in_order])


def _words(url: Numbers, size: Numbers, urls_of: Numbers, count: int) -> _Words:
    """The words of URLs and of their pairs in texts, the URLs of each in a row; those of size 0 are left out."""
    own = np.bincount(url, size, count).astype(np.int64)
    pairs, words = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for having_it in range(2, URLS + 1):
        rows = np.flatnonzero((urls_of == having_it) & (size > 0))
        of_text = url[rows].reshape(-1, having_it)
        a, b = np.triu_indices(having_it, 1)
        pairs.append(((of_text[:, a] << 32) | of_text[:, b]).ravel())
        words.append(np.repeat(size[rows[::having_it]], len(a)))
    every, number = np.unique(np.concatenate(pairs), return_inverse=True)
    shared = np.bincount(number, np.concatenate(words), len(every)).astype(np.int64)
    return _Words(own, every, shared)
