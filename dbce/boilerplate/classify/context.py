"""Features of a line for the second stage: what the first stage says of the lines around it.

The first stage judges each line by what is known of it before anything is judged. The second sees its answers: on
the lines before and behind, on what else is in the elements around, on things alike, in the section, and
on the page as a whole. So a line between two paragraphs of an article that is unsure by itself is told from
one of a menu, as in stacked sequential learning (Cohen and Carvalho, Stacked sequential learning, 2005).
"""

from typing import NamedTuple

import numpy as np

from dbce.boilerplate.classify.features import Features, matrix, running_means, window
from dbce.boilerplate.classify.lines import Columns, Doubles, Floats, Ints

SUREST = 1e-4  # probability that is as good as none: beyond it, odds tell nothing more
LONG, LONGEST = 10, 200  # words from which on a line is long, and beyond which it counts no more
DECAY = 0.95  # share of a line's weight that is left one line on, in running means
HIGHEST = 9  # elements up from a line's own in which the best text is sought
STEPS = 1 << 20  # parts of a word that running sums count by

ODDS = "odds"

CONTEXT = (
    *(ODDS, "said_comment", "margin", "rank", "content_before", "heading_odds", "section_chance"),
    *("odds@-1", "odds@+1", "odds@mean-", "odds@mean+"),
    *("page_expected", "page_surest", "page_unsure", "page_likely", "page_long"),
    *("page_f1", "page_cut", "page_prior"),
    *("top_share", "top_chance", "top_f1", "top_off", "best_f1", "best_chance"),
    *("up1_odds", "up4_odds", "up7_odds", "up0_part", "up3_part", "up7_part"),
    *("alike0_odds", "alike3_odds", "alike5_odds", "alike0_part", "alike2_part"),
    *("alike0_chance", "alike2_chance"),
)
"""Names of the features, in order.

They are what is left of 86 after those were dropped that trees asked least, which cost nothing on held-out sites.
"""


def context_rows(page: Features, content: Doubles, comment: Doubles) -> Floats:
    """Features CONTEXT of the lines of one or more pages, by the first stage's chances of all; float32."""
    of_page = page.lines.page
    words = np.minimum(page.lines.words.astype(np.float64), LONGEST)
    sure = np.clip(content, SUREST, 1 - SUREST)
    all_words, expected = _sums(of_page, words), _sums(of_page, words * sure)
    prior, odds = (expected / all_words)[of_page], log_odds(content, SUREST)
    told = _Answers(page, sure, odds, words, words * sure, all_words, expected, prior, of_page)
    columns: Columns = {"odds": told.odds, "said_comment": comment}
    columns |= _in_order(told) | _page(told) | _ancestor_answers(told) | _section(told)
    return matrix(columns, CONTEXT)


def log_odds(chance: Doubles, least: float) -> Doubles:
    """Log-odds of chances, taken for `least` or its opposite if they are surer."""
    sure = np.clip(chance, least, 1 - least)
    return np.asarray(np.log(sure / (1 - sure)))


class _Answers(NamedTuple):
    """Answers of the first stage on each line, its length in words, and both summed over each page.

    `content` is the words of each line that are expected to be content, `all_words` and `expected` the words and the
    expected ones of each page, `prior` their ratio for each line.
    """

    page: Features
    chance: Doubles
    odds: Doubles
    words: Doubles
    content: Doubles
    all_words: Doubles
    expected: Doubles
    prior: Doubles
    of_page: Ints


def _sums(group: Ints, values: Doubles) -> Doubles:
    return np.bincount(group, values).astype(np.float64)


def _in_order(told: _Answers) -> Columns:
    lines, of_page = told.page.lines, told.of_page
    odds = {ODDS: told.odds}
    around = window(odds, (ODDS,), lines) | running_means(odds, lines, DECAY)
    up_to_here = _from_begin(told.content, lines.starts[:-1], of_page)
    return around | {"content_before": (up_to_here - told.content) / told.expected[of_page]}


def _page(told: _Answers) -> Columns:
    lines, of_page, words, chance = told.page.lines, told.of_page, told.words, told.chance
    first = lines.starts[:-1]
    count = np.diff(lines.starts)
    order = np.lexsort((-chance, of_page))
    above = _from_begin(words[order], first, of_page)
    f1 = 2 * _from_begin(told.content[order], first, of_page) / (above + told.expected[of_page])
    best = np.maximum.reduceat(f1, first)
    at_best = np.flatnonzero(f1 == best[of_page])[::-1]
    cut = np.empty(len(count))
    cut[of_page[at_best]] = chance[order][at_best]
    rank = np.empty(len(chance))
    rank[order] = np.arange(len(chance)) - first[of_page]
    is_long = words >= LONG
    long_words = np.maximum(np.bincount(of_page, words * is_long), 1)
    of_pages = {
        "page_prior": told.expected / told.all_words,
        "page_expected": told.expected,
        "page_f1": best,
        "page_cut": cut,
        "page_unsure": np.bincount(of_page, told.content * (1 - chance)) / told.all_words,
        "page_surest": np.maximum.reduceat(told.odds, first),
        "page_likely": np.bincount(of_page, chance > 0.5) / count,
        "page_long": np.bincount(of_page, told.content * is_long) / long_words,
    }
    columns = {name: values[of_page] for name, values in of_pages.items()}
    columns["margin"] = told.odds - log_odds(cut, SUREST)[of_page]
    columns["rank"] = rank / count[of_page]
    return columns


def _from_begin(values: Doubles, first: Ints, of_page: Ints) -> Doubles:
    """Running sums of values, anew from the first of each page; the same whatever pages stand before it.

    Sums of whole numbers are exact, those of others would be rounded as the pages before have it.
    """
    parts = np.rint(values * STEPS).astype(np.int64)
    sums = np.cumsum(parts)
    return np.asarray((sums - (sums - parts)[first][of_page]) / STEPS)


class _Sums(NamedTuple):
    """Words, expected content, log-odds and lines of groups of lines, summed over each group."""

    words: Doubles
    content: Doubles
    odds: Doubles
    lines: Doubles

    def odds_of(self, told: _Answers, of: Ints) -> Doubles:
        """Mean of the other lines."""
        return np.asarray((self.odds[of] - told.odds) / np.maximum(self.lines[of] - 1, 1))

    def part_of(self, told: _Answers, of: Ints) -> Doubles:
        """Part of the page's content."""
        return np.asarray(self.content[of] / told.expected[told.of_page])

    def chance_of(self, told: _Answers, of: Ints) -> Doubles:
        """Share of content in the other lines, by words."""
        content = self.content[of] - told.content + told.prior
        return np.asarray(content / (self.words[of] - told.words + 1))


_OF_LEVELS = [
    [
        (name, family, getattr(_Sums, f"{what}_of"))
        for family in ("up", "alike")
        for what in ("odds", "part", "chance")
        if (name := f"{family}{level}_{what}") in CONTEXT
    ]
    for level in range(HIGHEST + 1)
]
"""Features of the elements so many levels up and of those alike: name, family, and the function of their sums."""


def _ancestor_answers(told: _Answers) -> Columns:
    lines = told.page.lines
    forest, holder, kind = lines.forest, lines.holder, lines.forest.kind
    ones = np.ones_like(told.words)
    below = _Sums(*lines.sums_below([told.words, told.content, told.odds, ones]))
    alike = _Sums(*(_sums(kind, of) for of in below))
    f1 = 2 * below.content / (below.words + told.expected[forest.page])
    columns: Columns = {}
    best = holder
    for level, element in forest.ancestors(holder, range(HIGHEST + 1)):
        for name, family, of in _OF_LEVELS[level]:
            sums, group = (below, element) if family == "up" else (alike, kind[element])
            columns[name] = of(sums, told, group)
        best = np.where(f1[element] > f1[best], element, best)
    columns |= {"best_f1": f1[best], "best_chance": below.content[best] / below.words[best]}
    return columns | _top_element_answers(told, below, f1)


def _top_element_answers(told: _Answers, below: _Sums, f1: Doubles) -> Columns:
    """Answers on the element with the best text of the page, of equal ones the deepest, and steps out of it."""
    forest = told.page.lines.forest
    top = np.lexsort((-forest.depth, -f1.round(6), forest.page))[forest.starts[:-1]]
    shared = forest.nearest(told.page.lines.holder, forest.with_all_above(top))
    of_pages = {
        "top_f1": f1[top],
        "top_share": below.words[top] / told.all_words,
        "top_chance": below.content[top] / below.words[top],
        "top_off": forest.depth[top].astype(np.float64),
    }
    columns = {name: values[told.of_page] for name, values in of_pages.items()}
    columns["top_off"] -= forest.depth[shared]
    return columns


def _section(told: _Answers) -> Columns:
    heading = told.page.heading
    has = heading >= 0
    section = np.where(has, heading, len(heading) + told.of_page)
    sums = (np.bincount(section, of) for of in (told.words, told.content))
    words, content = (of[section] for of in sums)
    return {
        "heading_odds": np.where(has, told.odds[np.maximum(heading, 0)], np.nan),
        "section_chance": (content - told.content + told.prior) / (words - told.words + 1),
    }
