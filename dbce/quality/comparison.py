"""Damage of a capture beside others of its URL or template: content that is gone, and a page that breaks off.

Where the content has gone, something of the template may pass for it. So a capture is held against others by counts of
words first, and then by the words themselves: what is left has to be the template's.
"""

from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np

from dbce.model import Hashes, shingles
from dbce.quality.damage import ENOUGH_WORDS, Damage, DamageKind

COLLAPSED_WORDS = 100  # words that a collapsed page has fewer than
KEPT = 0.1  # share of the old words that it has at most
FELL = 0.4  # share of content, or content itself, below which it fell, of that of other captures
LEFT = 0.2  # share of usual content left at most where its share fell; also of words beyond the template's

# Share of a main text, in rows of three words, from which on it is that of another capture, though there is less of it:
# pages grow and shrink by their authors' hands. Of eleven in `timelines` that were short once .62 or more is.
SHARED = 0.3

CUT = 0.2  # share of the words that must be missing at the end of a page for it to be cut
_SAME = 0.7  # share of the words of a cut page that are words of the older one (docs/changes.md).
_NEARLY_ALL = 0.95  # share of these that stand before the cut: one behind it may be chance


def damage_by_counts(
    content: int, words: int, others: Sequence[tuple[int, int]]
) -> tuple[Damage | None, bool]:
    """Return the damage of a capture by its words of content and its words, and those of others of its URL or template.

    Words of content are those that may be expected: where the content has gone, something of the template passes for
    it, but with little probability. A page of hardly any words beside one with a text collapsed. Content fell where two
    others at least show what is usual: a single page may have lost its text by its author's hand.

    True behind it: that is no more than suspected, and holds if the main text is none of the others' (`is_text_of`). Such
    a page has as many words as the template, whatever passes for content among them.
    """
    usual = [other for other in others if other[0] >= ENOUGH_WORDS]
    if not usual:
        return None, False
    expected = median(c for c, _ in usual)
    evidence = f"{content} words of content, where {expected:.0f} are usual"
    if has_collapsed(words, content, expected):
        return Damage(DamageKind.COLLAPSED, evidence), False
    if len(usual) < 2:
        return None, False
    fell = Damage(DamageKind.CONTENT_FELL, evidence)
    share = median(c / max(1, w) for c, w in usual)
    if content <= LEFT * expected and content / max(1, words) < FELL * share:
        return fell, False
    template = median(w - c for c, w in usual)
    is_suspected = content <= FELL * expected and words <= template + LEFT * expected
    return fell if is_suspected else None, is_suspected


def has_collapsed(words: int, kept: int, before: float) -> bool:
    """Return whether a page with so many words collapsed, which kept so many of those that were there before."""
    return before >= ENOUGH_WORDS and words < COLLAPSED_WORDS and kept <= KEPT * before


def is_beginning(before: Hashes, after: Hashes) -> bool:
    """Return whether the words of a page are, but for few, the beginning of those that it had before: it breaks off.

    Of its words _SAME are in the older one in the same order (longest common subsequence), and nearly all of these
    before the last CUT of that. A few that the server wrote anew, such as a date, stand between.
    """
    if not len(after) or len(after) > (1 - CUT) * len(before):
        return False
    from rapidfuzz.distance import LCSseq  # a slow start, and many pages stand alone

    same = [s for s in LCSseq.opcodes(before.tolist(), after.tolist()) if s.tag == "equal"]
    places = np.concatenate([[-1], *(np.arange(s.src_start, s.src_end) for s in same)])
    last = float(np.quantile(places, _NEARLY_ALL, method="lower"))
    return len(places) - 1 >= _SAME * len(after) and last < (1 - CUT) * len(before)


def is_text_of(text: str, others: Iterable[str]) -> bool:
    """Return whether a main text is part of another one, as far as authors leave it when they shorten it or add to it."""
    rows = shingles(text)
    least = max(1, SHARED * len(rows))
    return any(np.isin(rows, shingles(other)).sum() >= least for other in others)
