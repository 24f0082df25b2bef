"""Short texts that recur on the web, as hashed tokens: "Share", "Leave a reply", "Add to cart".

What stands on many sites is boilerplate more often than not, as what stands on many pages of one site
is. None is listed here: a model learns a weight for each hash that occurs on several sites
(dbce.train), and what it has not met weighs nothing, whatever the language.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from dbce.boilerplate.classify.tokens import Tokens, distinct
from dbce.kernel import kernel

if TYPE_CHECKING:
    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.lines import Lines

PHRASE_SLOTS = 1 << 20
"""Number of hashes: so many that a phrase hardly ever has the weight of another."""

SHORT = 120
"""Characters up to which all words of a line count; of a longer one the first two."""

MOST = 12
"""Words up to which all of them count."""

HEAD = 40
"""Characters in which the first two words are looked for."""

_WORD = re.compile(r"[^\W\d_]+")


def phrase_tokens(lines: Lines) -> Tokens:
    """The hashes of each line's words, of its beginning and of the whole of it, sorted."""
    count = len(lines.holder)
    if (compiled := kernel()) is None or lines.folded is None:
        edges = pairwise(lines.bounds.tolist())
        return distinct(_of_line(lines.text[start:end]) for start, end in edges)
    token, sizes = np.empty((MOST + 2) * count, np.int64), np.empty(count, np.int64)
    limits = SHORT, MOST, HEAD, PHRASE_SLOTS
    number = compiled.hash_phrases(lines.folded, lines.bounds, limits, token, sizes)
    line = np.arange(count)
    return Tokens(line, token[:number].copy(), np.repeat(line, sizes), count)


def _of_line(text: str) -> tuple[int, ...]:
    if len(text) > SHORT:  # few lines are; the white space of the others need not be collapsed
        text = " ".join(text.split())
        if len(text) > SHORT:
            return _tokens(text[:HEAD], whole=False)
    return _tokens(text, whole=True)


@lru_cache(maxsize=10_000)  # a larger one knew hardly more of what a run meets again
def _tokens(text: str, *, whole: bool) -> tuple[int, ...]:
    words = _WORD.findall(text.lower())
    hashes = set()
    if len(words) > 1:
        hashes.add(_hash("^" + " ".join(words[:2])))
    if words and whole and len(words) <= MOST:
        hashes |= {_hash("=" + " ".join(words)), *map(_hash, words)}
    return tuple(sorted(hashes))


def _hash(phrase: str) -> int:
    return crc32(phrase.encode("utf-8", "replace")) % PHRASE_SLOTS


def phrase_scores(tokens: Tokens, weights: Floats) -> Floats:
    """Scores of the phrases of each line, higher for content: sums of weights, shape (lines,)."""
    return tokens.sums(weights[tokens.token]).astype(np.float32)
