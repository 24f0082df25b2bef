"""Damage of a capture beside others of its URL or template, all of which are at hand: what `dbce quality` finds, and more."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dbce import quality
from dbce.model import shingles, words_of
from dbce.quality import Damage, DamageKind, PageSigns

OWN_WORDS = 40
"""Words of main text that no other page of its template shows, from which on a page has a text of its own, however short.

Chosen on half of the sites (docs/quality.md).
"""


def damage_among(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    """Return the damage of a capture beside others of its URL or template that are sound, None where there is none."""
    if damage := quality.damage_of(page):
        return damage
    of_url = [other for other in others if _place(other) == _place(page)]
    elsewhere = [other for other in others if _place(other) != _place(page)]
    if compared := _damage_in_comparison(page, of_url):
        return compared
    compared = _damage_in_comparison(page, elsewhere)
    if compared is None:
        return None
    # Texts of other pages are of other lengths: words count that none of them shows, each with its probability.
    rows = shingles(page.text)
    for other in elsewhere:
        rows = np.setdiff1d(rows, shingles(other.visible_text), assume_unique=True)
    return compared if page.certainty * len(rows) < OWN_WORDS else None


def _damage_in_comparison(page: PageSigns, others: Sequence[PageSigns]) -> Damage | None:
    for other in others:
        kept = (_words(page) & _words(other)).total()
        if quality.has_collapsed(page.words, kept, other.content_words):
            return Damage(DamageKind.COLLAPSED, f"{kept} of {other.content_words} words left")
    counts = page.expected_words, page.words, [(one.expected_words, one.words) for one in others]
    damage, is_suspected = quality.damage_by_counts(*counts)
    is_theirs = is_suspected and quality.is_text_of(page.text, (one.text for one in others))
    return None if is_theirs else damage


def _place(page: PageSigns) -> str:
    """Return the address of a page without its scheme, which sites change."""
    return page.url.partition("://")[2]


def _words(page: PageSigns) -> Counter[str]:
    return Counter(words_of(page.text.lower()))
