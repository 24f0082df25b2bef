"""Documents that several URLs have: translations by their addresses, other variants by their texts."""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.model import Mask, stored_text

Numbers = NDArray[np.int64]

# Documents of URLs: addresses that differ in nothing but a language are translations of one.
#
# A translation shares what is not translated yet, names and code with its original, and not the
# menus around them: the opposite of what a neighbour tells.

LANGUAGES = frozenset(stored_text("dbce.boilerplate", "languages.txt").split())
"""Codes of languages in ISO 639-1, and `cn` and `jp`, which sites write for Chinese and Japanese."""

_TAG = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|hans|hant|[0-9]{3}))?")
_QUERY = re.compile(r"(?:lang|language|locale|hl)=([^&]*)")
_FILE = re.compile(r"\.([^.]+)(?=\.html?$)|(?<=\.html)\.([^.]+)$")


def document(surt: str) -> str:
    """Sort key of a URL without the language in it; the key itself where there is none.

    A language is a folder (`/pt-br/`), one of `lang=`, `language=`, `locale=` and `hl=` in the query, or stands before or behind
    the ending of a file (`guide.de.html`, `guide.html.de`). The first counts.
    """
    path, mark, query = surt.partition("?")
    host, *folders = path.split("/")
    for number, folder in enumerate(folders):
        if _is_language(folder):
            others = folders[:number] + folders[number + 1 :]
            return "/".join((host, *(others or [""]))) + mark + query
    parts = query.split("&")
    for number, part in enumerate(parts):
        if (match := _QUERY.fullmatch(part)) and _is_language(match[1]):
            rest = "&".join((*parts[:number], *parts[number + 1 :]))
            return f"{path}?{rest}" if rest else path
    if (match := _FILE.search(path)) and _is_language(match[1] or match[2]):
        return path[: match.start()] + path[match.end() :] + mark + query
    return surt


def _is_language(text: str) -> bool:
    match = _TAG.fullmatch(text)
    return match is not None and match[1] in LANGUAGES


# Variants of one document: URLs of a block whose pages share most of their prose, and few others
# have it.
#
# A print view, a translation that repeats what is not translated, an address with a session id,
# an article that a tag page has in full: what such pages share says what the document is, not
# what its template is. They are told by long texts, which menus have none of, and by how few have
# them: what many URLs of a block share is boilerplate, however long it is.

PROSE = 10  # words of a text node from which on it is prose: entries of menus and labels have fewer

ENOUGH = 50
"""Words of prose that two URLs share at least: a teaser, a license or a note is no document."""

MOST = 0.6
"""Share of the rare prose of the one URL from which on the other may have its document.

Translations on sympy.org that are half done and the news of a site under two URLs share .7 and more.
"""

OTHER = 0.4
"""Share of the rare prose of the other URL that this must be, too: two articles that both quote the terms of
their paper (wsj.com) share less of the longer one.
"""

WHOLE = 0.8
"""Share of the rare prose of the one URL from which on the other has all of its document, and more.

So a tag page has an article; pages that only share a part of either reach .7.
"""

RARE = 3  # a text is rare that at most one in so many URLs of the block has, or two

SAME = 0.98
"""Share of the prose of both URLs that is the same where what they share is too common to be rare.

That is where a site has hardly another URL. Pages with one legal notice have some text of their own, too.
"""

AROUND = 0.95
"""Share of all words of the one that the other has, there: of pages that are the same, what is around is."""

URLS = 16
"""URLs that have a text at most for it to be compared: the pairs of more cost too much, and say little."""

LOWER = (1 << 32) - 1  # lower half of a pair of numbers


def find(known: Numbers, wanted: Numbers) -> tuple[Numbers, Mask]:
    """Places of some numbers among known ones, sorted and at least one, and whether they are there."""
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return place, known[place] == wanted


@dataclass(frozen=True, slots=True, eq=False)
class Variants:
    """Pairs of URLs that are variants of one document, each both ways, sorted, the one URL in the upper 32 bits.

    `shared` are the words of prose that the pair shares.
    """

    pairs: Numbers
    shared: Numbers

    def are_variants(self, cur: Numbers, others: Numbers) -> Mask:
        """True of the URLs in each row of `others` that are variants of that in the row's place in `cur`."""
        are = np.zeros(others.shape, dtype=np.bool_)
        rows = np.flatnonzero(np.isin(cur, self.pairs >> 32))  # the others are not looked up
        if len(rows):
            _, are[rows] = find(self.pairs, (cur[rows, None] << 32) | others[rows])
        return are

    def variants_of(self, url: int) -> Numbers:
        """Variants of a URL, the one that shares most first, else in the order of URLs."""
        start, end = np.searchsorted(self.pairs, (url << 32, (url + 1) << 32)).tolist()
        most = np.argsort(-self.shared[start:end], kind="stable")
        return self.pairs[start:end][most] & LOWER


NONE = Variants(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))  # no variants


class _Words(NamedTuple):
    """Words that each URL has, and that pairs of URLs share; a pair is a place in `pairs`."""

    own: Numbers
    pairs: Numbers
    shared: Numbers

    def shared_words(self, pairs: Numbers) -> Numbers:
        if not len(self.pairs):
            return np.zeros(len(pairs), dtype=np.int64)
        place, is_there = find(self.pairs, pairs)
        return np.where(is_there, self.shared[place], 0)

    def share(self, pairs: Numbers, *, of_both: bool = False) -> NDArray[np.float64]:
        """Share of the words of the URL with fewer that the other has, or of the one with more."""
        a, b = self.own[pairs >> 32], self.own[pairs & LOWER]
        size = np.maximum(a, b) if of_both else np.minimum(a, b)
        shares: NDArray[np.float64] = self.shared_words(pairs) / np.maximum(size, 1)
        return shares


class _Having(NamedTuple):
    """Which URL has which text, each once, the URLs of a text in a row; words of the text, how many URLs have it, and how many of them are behind."""

    url: Numbers
    size: Numbers
    urls_of: Numbers
    behind: Numbers


def variants(urls: Numbers, texts: Numbers, sizes: Numbers) -> Variants:
    """The variants among the URLs of a block, from its text nodes: numbers of their URLs and texts, and words.

    All snapshots of a URL count as one page, so that a text which all pages had for a day is no document.
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
    of_one, of_both = rare.share(pairs), rare.share(pairs, of_both=True)
    mostly = (of_one >= WHOLE) | ((of_one >= MOST) & (of_both >= OTHER))
    same = of_prose.share(pairs, of_both=True) >= SAME
    if same.any():
        every = _words(_having(urls, texts, sizes), count)
        same &= every.share(pairs) >= AROUND
        same &= 2 * of_prose.shared_words(pairs) >= every.shared_words(pairs)
    pairs = pairs[same | (mostly & (rare.shared_words(pairs) >= ENOUGH))]
    shared = of_prose.shared_words(pairs)
    both = np.concatenate((pairs, ((pairs & LOWER) << 32) | (pairs >> 32)))
    in_order = np.argsort(both, kind="stable")
    return Variants(both[in_order], np.concatenate((shared, shared))[in_order])


def _having(urls: Numbers, texts: Numbers, sizes: Numbers) -> _Having:
    having, first = np.unique((texts << 32) | urls, return_index=True)
    begins = np.flatnonzero(np.diff(having >> 32, prepend=-1))
    urls_of = np.diff(begins, append=len(having))
    behind = (begins + urls_of - 1).repeat(urls_of) - np.arange(len(having))
    return _Having(having & LOWER, sizes[first], urls_of.repeat(urls_of), behind)


def _words(having: _Having, count: int) -> _Words:
    """Words of URLs and of their pairs in texts that not too many have."""
    sizes = np.bincount(having.url, having.size, count).astype(np.int64)
    behind = np.where(having.urls_of <= URLS, having.behind, 0)
    first = np.arange(len(behind)).repeat(behind)
    other = first + 1 + np.arange(len(first)) - (behind.cumsum() - behind).repeat(behind)
    every, number = np.unique((having.url[first] << 32) | having.url[other], return_inverse=True)
    shared = np.bincount(number, having.size[first], len(every)).astype(np.int64)
    return _Words(sizes, every, shared)
