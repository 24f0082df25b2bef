"""Features of a line for the second stage: what the first stage says of the lines around it.

The first stage judges each line by what is known of it before anything is judged. The second sees its answers: on
the lines before and behind, on what else is in the elements around, on things alike, in the section, and
on the page as a whole. So a line between two paragraphs of an article that is unsure by itself is told from
one of a menu, as in stacked sequential learning (Cohen and Carvalho, Stacked sequential learning, 2005).
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dbce.boilerplate.classify.features import REACH, Features
from dbce.boilerplate.classify.formulas import (
    DEPTH,
    FIRST_LINES,
    HOLDER,
    KIND,
    LINES_OF_PAGE,
    OF_ELEMENT,
    ONES,
    PAGE,
    PLACE,
    WORDS,
    Axis,
    Formula,
    Formulas,
    Program,
    ancestors,
    choose,
    first_on_page,
    highest_of,
    load,
    lowest_of,
    nearest,
    program,
    running,
    running_means,
    sum_below,
    window,
    with_all_above,
)
from dbce.boilerplate.classify.lines import Doubles, Floats

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
    lines, sure = page.lines, np.clip(content, SUREST, 1 - SUREST)
    arrays: dict[str, Any] = {"sure": sure, "odds": log_odds(content, SUREST), "comment": comment}
    arrays |= {"heading": page.heading, "falling": np.lexsort((-sure, lines.page))}
    return _program().rows(lines, arrays).T


def log_odds(chance: Doubles, least: float) -> Doubles:
    """Log-odds of chances, taken for `least` or its opposite if they are surer."""
    sure = np.clip(chance, least, 1 - least)
    return np.asarray(np.log(sure / (1 - sure)))


# The answers of the first stage, the length of each line in words, and both together.

_CHANCE, _ODDS = load("sure", Axis.LINES), load(ODDS, Axis.LINES)
_WORDS = lowest_of(WORDS, LONGEST)
_CONTENT = _WORDS * _CHANCE  # words that are expected to be content
_ALL_WORDS, _EXPECTED = (of.total(PAGE, Axis.PAGES) for of in (_WORDS, _CONTENT))
_PRIOR = (_EXPECTED / _ALL_WORDS).take(PAGE)


@cache
def _program() -> Program:
    return program(context_formulas())


def context_formulas() -> Formulas:
    columns = {ODDS: _ODDS, "said_comment": load("comment", Axis.LINES)}
    columns |= _in_order() | _page() | _ancestor_answers() | _section()
    return {name: columns[name] for name in CONTEXT}


def _in_order() -> Formulas:
    odds = {ODDS: _ODDS}
    around = window(odds, (ODDS,), REACH) | running_means(odds, DECAY)
    before = _from_begin(_CONTENT) - _CONTENT
    return around | {"content_before": before / _EXPECTED.take(PAGE)}


def _page() -> Formulas:
    falling = load("falling", Axis.LINES)  # lines of each page, the most likely first
    above = _from_begin(_WORDS.take(falling))
    f1 = 2 * _from_begin(_CONTENT.take(falling)) / (above + _EXPECTED.take(PAGE))
    best = f1.highest(PAGE, Axis.PAGES)
    at_best = falling.take(first_on_page(f1.equals(best.take(PAGE))))
    is_long = _WORDS >= LONG
    long_words = highest_of((_WORDS * is_long).total(PAGE, Axis.PAGES), 1)
    of_pages = {
        "page_prior": _EXPECTED / _ALL_WORDS,
        "page_expected": _EXPECTED,
        "page_f1": best,
        "page_cut": _CHANCE.take(at_best),
        "page_unsure": (_CONTENT * (1 - _CHANCE)).total(PAGE, Axis.PAGES) / _ALL_WORDS,
        "page_surest": _ODDS.highest(PAGE, Axis.PAGES),
        "page_likely": (_CHANCE > 0.5).total(PAGE, Axis.PAGES) / LINES_OF_PAGE,
        "page_long": (_CONTENT * is_long).total(PAGE, Axis.PAGES) / long_words,
    }
    columns = {name: values.take(PAGE) for name, values in of_pages.items()}
    columns["margin"] = _ODDS - _ODDS.take(at_best).take(PAGE)
    columns["rank"] = PLACE.total(falling, Axis.LINES) / LINES_OF_PAGE.take(PAGE)
    return columns


def _from_begin(values: Formula) -> Formula:
    """Running sums of values, anew from the first of each page."""
    return running((values * STEPS).integer) / STEPS


class _Sums(NamedTuple):
    """Words, expected content, log-odds and lines of groups of lines, summed over each group."""

    words: Formula
    content: Formula
    odds: Formula
    lines: Formula

    def odds_of(self, of: Formula) -> Formula:
        """Mean of the other lines."""
        return (self.odds.take(of) - _ODDS) / highest_of(self.lines.take(of) - 1, 1)

    def part_of(self, of: Formula) -> Formula:
        """Part of the page's content."""
        return self.content.take(of) / _EXPECTED.take(PAGE)

    def chance_of(self, of: Formula) -> Formula:
        """Share of content in the other lines, by words."""
        content = self.content.take(of) - _CONTENT + _PRIOR
        return content / (self.words.take(of) - _WORDS + 1)


def _ancestor_answers() -> Formulas:
    sums = _Sums(*map(sum_below, (_WORDS, _CONTENT, _ODDS, ONES)))
    alike = _Sums(*(of.total(KIND, Axis.ELEMENTS) for of in sums))
    f1 = 2 * sums.content / (sums.words + _EXPECTED.take(OF_ELEMENT))
    columns: Formulas = {}
    best = HOLDER
    for level, element in ancestors(range(HIGHEST + 1)):
        for family, of, group in (("up", sums, element), ("alike", alike, KIND.take(element))):
            columns[f"{family}{level}_odds"] = of.odds_of(group)
            columns[f"{family}{level}_part"] = of.part_of(group)
            columns[f"{family}{level}_chance"] = of.chance_of(group)
        best = choose(f1.take(element) > f1.take(best), element, best)
    columns |= {"best_f1": f1.take(best), "best_chance": (sums.content / sums.words).take(best)}
    return columns | _top_element_answers(sums, f1)


def _top_element_answers(sums: _Sums, f1: Formula) -> Formulas:
    """Answers on the element with the best text of the page, of equal ones the deepest, and steps out of it."""
    near = (f1 * 1e6).integer / 1e6
    is_best = near.equals(near.highest(OF_ELEMENT, Axis.PAGES).take(OF_ELEMENT))
    depth = choose(is_best, DEPTH, -1)
    deepest = depth.highest(OF_ELEMENT, Axis.PAGES)
    top = first_on_page(depth.equals(deepest.take(OF_ELEMENT)))
    of_pages = {
        "top_f1": f1.take(top),
        "top_share": sums.words.take(top) / _ALL_WORDS,
        "top_chance": sums.content.take(top) / sums.words.take(top),
    }
    columns = {name: values.take(PAGE) for name, values in of_pages.items()}
    columns["top_off"] = deepest.take(PAGE) - DEPTH.take(nearest(with_all_above(top)))
    return columns


def _section() -> Formulas:
    heading = load("heading", Axis.LINES)
    has = heading >= 0
    # Lines before all headings are together those of the first, which is none.
    section = choose(has, heading, FIRST_LINES.take(PAGE))
    words, content = (of.total(section, Axis.LINES).take(section) for of in (_WORDS, _CONTENT))
    return {
        "heading_odds": choose(has, _ODDS.take(highest_of(heading, 0))),
        "section_chance": (content - _CONTENT + _PRIOR) / (words - _WORDS + 1),
    }
