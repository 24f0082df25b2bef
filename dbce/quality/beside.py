"""Damage of a capture that only others show: captures of its URL, or pages of its template.

Pure functions of plain values. Where the content has gone, something of the template may pass for it. So a capture is held
against others by counts of words first, and then by the words themselves: what is left has to be the template's.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from dbce.model import shingles
from dbce.quality.damage import OLD, Damage, DamageKind, damage_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.quality.signs import PageSigns

COLLAPSED = 100
"""Words that a collapsed page has fewer than; and it has KEPT of the old words at most."""

KEPT = 0.1

FELL = 0.4
"""Share of content, as a part of that of other captures, below which it fell; also content itself, where the words say so."""

LEFT = 0.2
"""Content that is left at most of what is usual, where its share fell; also words beyond those of the template."""

SHARED = 0.3
"""Share of a main text, in rows of three words, from which on it is that of another capture, though there is less of it:
pages grow and shrink by their authors' hands. Of eleven in `timelines` that were short once .62 or more is."""

OWN = 40
"""Words of main text that no other page of its template shows, from which on a page has a text of its own, however short.
Chosen on half of the sites (docs/quality.md)."""


def damage_among(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    """Return the damage of a capture beside others of its URL or template that are sound, None where there is none."""
    if own := damage_of(page):
        return own
    of_url = [other for other in others if _place(other) == _place(page)]
    elsewhere = [other for other in others if _place(other) != _place(page)]
    if told := _beside(page, of_url):
        return told
    # Texts of other pages are of other lengths.
    told = _beside(page, elsewhere)
    return told if told and _own_words(page, elsewhere) < OWN else None


def damage_by_counts(content: int, words: int, others: Sequence[tuple[int, int]]) -> Damage | None:
    """Return the damage of a capture by its words of content and its words, and those of others of its URL or template.

    Words of content are those that may be expected: where the content has gone, something of the template passes for it,
    but with little probability.
    A page of hardly any words beside one with a text collapsed. Content fell where two others at least show what is
    usual: a single page may have lost its text by its author's hand.
    """
    usual = _with_content(others)
    if not usual:
        return None
    expected = median(c for c, _ in usual)
    if has_collapsed(words, content, expected):
        return Damage(DamageKind.COLLAPSED, _told(content, expected))
    share = median(c / max(1, w) for c, w in usual)
    is_lost = content <= LEFT * expected and content / max(1, words) < FELL * share
    if len(usual) > 1 and is_lost:
        return Damage(DamageKind.CONTENT_FELL, _told(content, expected))
    return None


def suspicion_by_counts(
    content: int, words: int, others: Sequence[tuple[int, int]]
) -> Damage | None:
    """Return the damage that a capture may have by its words, if its main text is none of the others' (`is_text_of`).

    It has as many words as the template of two others at least, whatever passes for content among them.
    """
    usual = _with_content(others)
    if len(usual) < 2:
        return None
    expected = median(c for c, _ in usual)
    template = median(w - c for c, w in usual)
    if content <= FELL * expected and words <= template + LEFT * expected:
        return Damage(DamageKind.CONTENT_FELL, _told(content, expected))
    return None


def has_collapsed(words: int, kept: int, before: float) -> bool:
    """Return whether a page with so many words collapsed, which kept so many of those that were there before."""
    return before >= OLD and words < COLLAPSED and kept <= KEPT * before


def is_text_of(text: str, others: Iterable[str]) -> bool:
    """Return whether a main text is part of another one, as far as authors leave it when they shorten it or add to it."""
    rows = shingles(text)
    least = max(1, SHARED * len(rows))
    return any(np.isin(rows, shingles(other)).sum() >= least for other in others)


def _beside(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    """Return the damage of a capture beside others, as captures of one URL show it."""
    counts = page.expected_words, page.words, [(one.expected_words, one.words) for one in others]
    if told := _collapsed_beside(page, others) or damage_by_counts(*counts):
        return told
    suspicion = suspicion_by_counts(*counts)
    is_theirs = suspicion and is_text_of(page.text, (one.text for one in others))
    return None if is_theirs else suspicion


def _collapsed_beside(page: PageSigns, others: Iterable[PageSigns]) -> Damage | None:
    """Return the damage of a page that has nearly nothing of what another capture of it has."""
    for other in others:
        kept = (page.counts & other.counts).total()
        if has_collapsed(page.words, kept, other.content_words):
            return Damage(DamageKind.COLLAPSED, f"{kept} of {other.content_words} words left")
    return None


def _own_words(page: PageSigns, others: Iterable[PageSigns]) -> float:
    """Return the number of words of main text that none of the others shows anywhere, each with its probability."""
    rows = shingles(page.text)
    for other in others:
        rows = np.setdiff1d(rows, shingles(other.shown), assume_unique=True)
    return page.certainty * len(rows)


def _with_content(others: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [other for other in others if other[0] >= OLD]


def _told(content: int, expected: float) -> str:
    return f"{content} words of content, where {expected:.0f} are usual"


def _place(page: PageSigns) -> str:
    """Return the address of a page without its scheme, which sites change."""
    return page.url.partition("://")[2]
