"""Damage of a capture beside others of its URL or template: content that is gone, and a page that breaks off.

Where the content has gone, something of the template may pass for it. So a capture is held against others by counts of
words first, and then by the words themselves: what is left has to be the template's.
"""

from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np
from rapidfuzz.distance import LCSseq

from dbce.model import Hashes, shingles
from dbce.quality.damage import ENOUGH_WORDS, Damage, DamageKind, PageSigns, damage_of

COLLAPSED_WORDS = 100  # words that a collapsed page has fewer than
KEPT = 0.1  # share of the old words that it has at most
FELL = 0.4  # share of content, or content itself, below which it fell, of that of other captures
LEFT = 0.2  # share of usual content left at most where its share fell; also of words beyond the template's

# Share of a main text, in rows of three words, from which on it is that of another capture, though there is less of it:
# pages grow and shrink by their authors' hands. Of eleven in `timelines` that were short once .62 or more is.
SHARED = 0.3
# Words of main text that no other page of its template shows, from which on a page has a text of its own, however short.
# Chosen on half of the sites (docs/quality.md).
OWN_WORDS = 40

CUT = 0.2  # share of the words that must be missing at the end of a page for it to be cut
_SAME = 0.7  # share of the words of a cut page that are words of the older one (docs/changes.md).
_NEARLY_ALL = 0.95  # share of these that stand before the cut: one behind it may be chance


def damage_among(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    """Return the damage of a capture beside others of its URL or template that are sound, None where there is none."""
    if own := damage_of(page):
        return own
    of_url = [other for other in others if _place(other) == _place(page)]
    elsewhere = [other for other in others if _place(other) != _place(page)]
    if told := _damage_in_comparison(page, of_url):
        return told
    told = _damage_in_comparison(page, elsewhere)
    if told is None:
        return None
    # Texts of other pages are of other lengths: words count that none of them shows, each with its probability.
    rows = shingles(page.text)
    for other in elsewhere:
        rows = np.setdiff1d(rows, shingles(other.visible_text), assume_unique=True)
    return told if page.certainty * len(rows) < OWN_WORDS else None


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
    told = f"{content} words of content, where {expected:.0f} are usual"
    if has_collapsed(words, content, expected):
        return Damage(DamageKind.COLLAPSED, told), False
    if len(usual) < 2:
        return None, False
    fell = Damage(DamageKind.CONTENT_FELL, told)
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
    same = [s for s in LCSseq.opcodes(before.tolist(), after.tolist()) if s.tag == "equal"]
    places = np.concatenate([[-1], *(np.arange(s.src_start, s.src_end) for s in same)])
    last = float(np.quantile(places, _NEARLY_ALL, method="lower"))
    return len(places) - 1 >= _SAME * len(after) and last < (1 - CUT) * len(before)


def is_text_of(text: str, others: Iterable[str]) -> bool:
    """Return whether a main text is part of another one, as far as authors leave it when they shorten it or add to it."""
    rows = shingles(text)
    least = max(1, SHARED * len(rows))
    return any(np.isin(rows, shingles(other)).sum() >= least for other in others)


def _damage_in_comparison(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    for other in others:
        kept = (page.counts & other.counts).total()
        if has_collapsed(page.words, kept, other.content_words):
            return Damage(DamageKind.COLLAPSED, f"{kept} of {other.content_words} words left")
    counts = page.expected_words, page.words, [(one.expected_words, one.words) for one in others]
    told, is_suspected = damage_by_counts(*counts)
    is_theirs = is_suspected and is_text_of(page.text, (one.text for one in others))
    return None if is_theirs else told


def _place(page: PageSigns) -> str:
    """Return the address of a page without its scheme, which sites change."""
    return page.url.partition("://")[2]
