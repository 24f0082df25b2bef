"""The choice of captures to compare: the crosses of the buckets of a block.

Thesis, section 2.2, "Cross construction". Work per capture is bounded: neighbours are chosen among
a fixed number of candidates, in an order that does not depend on how a bucket was put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.model import ROLES, Cross, Hashes, Sketch, digest64, first_numbers

Numbers = NDArray[np.int64]


# Documents of URLs: addresses that differ in nothing but a language are translations of one.
#
# A translation shares what is not translated yet, names and code with its original, and not the
# menus around them: the opposite of what a neighbour tells.

LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch cn co cr cs cu cv cy da de dv dz ee el
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jp jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my
    na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
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


@dataclass(frozen=True, slots=True, eq=False)
class Variants:
    """Pairs of URLs that are variants of one document, each both ways, sorted, the one URL in the upper 32 bits.

    `shared` are the words of prose that the pair shares.
    """

    pairs: Numbers
    shared: Numbers

    def are_variants(self, cur: Numbers, others: Numbers) -> NDArray[np.bool_]:
        """True of the URLs in each row of `others` that are variants of that in the row's place in `cur`."""
        are = np.zeros(others.shape, dtype=np.bool_)
        rows = np.flatnonzero(np.isin(cur, self.pairs >> 32))  # the others are not looked up
        if len(rows):
            wanted = (cur[rows, None] << 32) | others[rows]
            place = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
            are[rows] = self.pairs[place] == wanted
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
        place = np.minimum(np.searchsorted(self.pairs, pairs), len(self.pairs) - 1)
        return np.where(self.pairs[place] == pairs, self.shared[place], 0)

    def share(self, pairs: Numbers, *, of_both: bool = False) -> NDArray[np.float64]:
        """Share of the words of the URL with fewer that the other has, or of the one with more."""
        a, b = self.own[pairs >> 32], self.own[pairs & LOWER]
        size = np.maximum(a, b) if of_both else np.minimum(a, b)
        shares: NDArray[np.float64] = self.shared_words(pairs) / np.maximum(size, 1)
        return shares


class _Having(NamedTuple):
    """Which URL has which text, each once, the URLs of a text in a row; words of the text, and how many URLs have it."""

    url: Numbers
    size: Numbers
    urls_of: Numbers


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
    every = _words(_having(urls, texts, sizes), count)
    same = (
        (of_prose.share(pairs, of_both=True) >= SAME)
        & (every.share(pairs) >= AROUND)
        & (2 * of_prose.shared_words(pairs) >= every.shared_words(pairs))
    )
    pairs = pairs[same | (mostly & (rare.shared_words(pairs) >= ENOUGH))]
    shared = of_prose.shared_words(pairs)
    both = np.concatenate((pairs, ((pairs & LOWER) << 32) | (pairs >> 32)))
    in_order = np.argsort(both, kind="stable")
    return Variants(both[in_order], np.concatenate((shared, shared))[in_order])


def _having(urls: Numbers, texts: Numbers, sizes: Numbers) -> _Having:
    having, first = np.unique((texts << 32) | urls, return_index=True)
    begins = np.flatnonzero(np.diff(having >> 32, prepend=-1))
    urls_of = np.diff(begins, append=len(having))
    return _Having(having & LOWER, sizes[first], np.repeat(urls_of, urls_of))


def _words(having: _Having, count: int) -> _Words:
    """Words of URLs and of their pairs in texts that not too many have."""
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
    timed = ((one.surt, int(one.timestamp.timestamp()), one.record_id, one) for one in sketches)
    urls, times, record_ids, ordered = zip(*sorted(timed, key=itemgetter(0, 1, 2)), strict=True)
    by_rank = sorted(range(len(ordered)), key=record_ids.__getitem__)
    ranks = np.empty(len(ordered), dtype=np.int64)
    ranks[by_rank] = np.arange(len(ordered))
    number = {surt: n for n, surt in enumerate(dict.fromkeys(urls))}
    document_of = {surt: document(surt) for surt in number}
    documents = {name: n for n, name in enumerate(dict.fromkeys(document_of.values()))}
    signatures = np.stack([one.signature for one in ordered])
    return Members(
        record_ids=record_ids,
        urls=np.array([number[surt] for surt in urls], dtype=np.int64),
        documents=np.array([documents[document_of[surt]] for surt in urls], dtype=np.int64),
        times=np.array(times, dtype=np.int64),
        texts=np.array([digest64(one.words.tobytes()) for one in ordered], dtype=np.int64),
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
    """Row of each URL nearest to a time, the earlier of two."""
    lowest, highest = buckets.begins[url], buckets.ends[url] - 1
    after = np.clip(np.searchsorted(axis, time + url * STRETCH), lowest, highest)
    before = np.clip(after - 1, lowest, highest)
    to_before = np.abs(buckets.times[before] - time)
    to_after = np.abs(buckets.times[after] - time)
    return np.where(to_before <= to_after, before, after)


@dataclass(frozen=True, slots=True, eq=False)
class Crosses:
    """Crosses as rows of captures by ROLES, NOBODY where there is none; `further` are the next most similar after *down*."""

    roles: Numbers
    further: Numbers

    def __len__(self) -> int:
        return len(self.roles)

    def take(self, rows: Numbers) -> Crosses:
        return Crosses(self.roles[rows], self.further[rows])


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
    roles = np.column_stack((rows.captures, near[:, :2], *_snapshots(rows)))
    return Crosses(roles, near[:, 2:]).take(np.flatnonzero(near[:, 0] != NOBODY))


def with_lone_captures(members: Members, known: Crosses) -> Crosses:
    """The crosses, and behind them one without *up* and *down* for each capture that has none, but snapshots or a variant.

    *prev* and *next* are the snapshots of the same URL just before and after in the block, of whatever template:
    it is the URL that makes a snapshot, and without *up* the bits decide nothing that a redesign could spoil.
    """
    block = side_by_side(members, [range(len(members))])
    before, after = _snapshots(block)
    without = np.isin(block.captures, known.roles[:, 0], invert=True)
    has_others = (before != NOBODY) | (after != NOBODY) | (members.variant_of() != NOBODY)
    cur = np.flatnonzero(without & has_others)
    nobody = np.full(len(cur), NOBODY)
    roles = np.column_stack((cur, nobody, nobody, before[cur], after[cur]))
    further = np.full((len(cur), known.further.shape[1]), NOBODY)
    return Crosses(np.concatenate((known.roles, roles)), np.concatenate((known.further, further)))


def _rank_candidates(members: Members, cur: Numbers, theirs: Numbers) -> Numbers:
    """Candidates of each row, best first, then NOBODY.

    A variant of the same document under another URL (a print view, a mirror, a translation that is half
    done) tells nothing about what is boilerplate, so it is no neighbour.
    """
    own = cur[:, None]
    unlike = members.permutations - members.similar(own, theirs)
    key = (unlike << (PLACE_BITS + TIME_BITS)) | (
        members.seconds_between(own, theirs) << PLACE_BITS
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
        np.where(number > rows.begins[rows.url], before, NOBODY),
        np.where(number < rows.ends[rows.url] - 1, after, NOBODY),
    )


def strongest(members: Members, all_crosses: Crosses, limit: int) -> Crosses:
    """Crosses of each capture from all its buckets: equal ones once, the strongest first.

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
    all_crosses = all_crosses.take(rows)
    another = (np.diff(all_crosses.roles, axis=0, prepend=-2) != 0).any(axis=1)
    all_crosses = all_crosses.take(np.flatnonzero(another))
    cur = all_crosses.roles[:, 0]
    return all_crosses.take(np.flatnonzero(np.arange(len(cur)) - np.searchsorted(cur, cur) < limit))


def as_values(members: Members, chosen: Crosses) -> Iterator[Cross]:
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
