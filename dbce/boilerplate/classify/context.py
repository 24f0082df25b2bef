"""Features of a line for the second stage: what the first stage says of the lines around it.

The first stage judges each line by what is known of it before anything is judged. The second sees its answers: on
the lines before and behind, on what else is in the elements around, on things alike, in the section, and
on the page as a whole. So a line between two paragraphs of an article that is unsure by itself is told from
one of a menu, as in stacked sequential learning (Cohen and Carvalho, Stacked sequential learning, 2005).
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify.features import REACH, Features
from dbce.boilerplate.classify.formulas import Axis, Formula, Formulas, Program
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
    lines, sure = page.lines, content.clip(SUREST, 1 - SUREST)
    arrays: dict[str, Any] = {"sure": sure, "odds": log_odds(content, SUREST), "comment": comment}
    arrays |= {"heading": page.heading, "falling": np.lexsort((-sure, lines.page))}
    return _program().rows(lines, arrays).T


def log_odds(chance: Doubles, least: float) -> Doubles:
    """Log-odds of chances, taken for `least` or its opposite if they are surer."""
    sure = chance.clip(least, 1 - least)
    return np.asarray(np.log(sure / (1 - sure)))


# The answers of the first stage, the length of each line in words, and both together.

_CHANCE, _ODDS = f.load("sure", Axis.LINES), f.load(ODDS, Axis.LINES)
_WORDS = f.minimum(f.WORDS, LONGEST)
_CONTENT = _WORDS * _CHANCE  # words that are expected to be content
_ALL_WORDS, _EXPECTED = (of.total(f.PAGE, Axis.PAGES) for of in (_WORDS, _CONTENT))
_PRIOR = (_EXPECTED / _ALL_WORDS).take(f.PAGE)


@cache
def _program() -> Program:
    return f.program(context_formulas())


def context_formulas() -> Formulas:
    columns = {ODDS: _ODDS, "said_comment": f.load("comment", Axis.LINES)}
    columns |= _in_order() | _page() | _ancestor_answers() | _section()
    return {name: columns[name] for name in CONTEXT}


def _in_order() -> Formulas:
    odds = {ODDS: _ODDS}
    around = f.window(odds, (ODDS,), REACH) | f.running_means(odds, DECAY)
    before = _from_begin(_CONTENT) - _CONTENT
    return around | {"content_before": before / _EXPECTED.take(f.PAGE)}


def _page() -> Formulas:
    falling = f.load("falling", Axis.LINES)  # lines of each page, the most likely first
    above = _from_begin(_WORDS.take(falling))
    f1 = 2 * _from_begin(_CONTENT.take(falling)) / (above + _EXPECTED.take(f.PAGE))
    best = f1.highest(f.PAGE)
    at_best = falling.take(f.first_on_page(f1.equals(best.take(f.PAGE))))
    is_long = _WORDS >= LONG
    long_words = f.maximum((_WORDS * is_long).total(f.PAGE, Axis.PAGES), 1)
    of_pages = {
        "page_prior": _EXPECTED / _ALL_WORDS,
        "page_expected": _EXPECTED,
        "page_f1": best,
        "page_cut": _CHANCE.take(at_best),
        "page_unsure": (_CONTENT * (1 - _CHANCE)).total(f.PAGE, Axis.PAGES) / _ALL_WORDS,
        "page_surest": _ODDS.highest(f.PAGE),
        "page_likely": (_CHANCE > 0.5).total(f.PAGE, Axis.PAGES) / f.LINES_OF_PAGE,
        "page_long": (_CONTENT * is_long).total(f.PAGE, Axis.PAGES) / long_words,
    }
    columns = {name: values.take(f.PAGE) for name, values in of_pages.items()}
    columns["margin"] = _ODDS - _ODDS.take(at_best).take(f.PAGE)
    columns["rank"] = f.PLACE.total(falling, Axis.LINES) / f.LINES_OF_PAGE.take(f.PAGE)
    return columns


def _from_begin(values: Formula) -> Formula:
    """Running sums of values, anew from the first of each page."""
    return f.running_sum((values * STEPS).integer) / STEPS


class _Sums(NamedTuple):
    """Words, expected content, log-odds and lines of groups of lines, summed over each group."""

    words: Formula
    content: Formula
    odds: Formula
    lines: Formula

    def odds_of(self, of: Formula) -> Formula:
        """Mean of the other lines."""
        return (self.odds.take(of) - _ODDS) / f.maximum(self.lines.take(of) - 1, 1)

    def part_of(self, of: Formula) -> Formula:
        """Part of the page's content."""
        return self.content.take(of) / _EXPECTED.take(f.PAGE)

    def chance_of(self, of: Formula) -> Formula:
        """Share of content in the other lines, by words."""
        content = self.content.take(of) - _CONTENT + _PRIOR
        return content / (self.words.take(of) - _WORDS + 1)


def _ancestor_answers() -> Formulas:
    sums = _Sums(*map(f.sum_below, (_WORDS, _CONTENT, _ODDS, f.ONES)))
    alike = _Sums(*(of.total(f.KIND, Axis.ELEMENTS) for of in sums))
    f1 = 2 * sums.content / (sums.words + _EXPECTED.take(f.OF_ELEMENT))
    columns: Formulas = {}
    best = f.HOLDER
    for level, element in f.ancestors(range(HIGHEST + 1)):
        for family, of, group in (("up", sums, element), ("alike", alike, f.KIND.take(element))):
            columns[f"{family}{level}_odds"] = of.odds_of(group)
            columns[f"{family}{level}_part"] = of.part_of(group)
            columns[f"{family}{level}_chance"] = of.chance_of(group)
        best = f.where(f1.take(element) > f1.take(best), element, best)
    columns |= {"best_f1": f1.take(best), "best_chance": (sums.content / sums.words).take(best)}
    return columns | _top_element_answers(sums, f1)


def _top_element_answers(sums: _Sums, f1: Formula) -> Formulas:
    """Answers on the element with the best text of the page, of equal ones the deepest, and steps out of it."""
    near = (f1 * 1e6).integer / 1e6
    is_best = near.equals(near.highest(f.OF_ELEMENT).take(f.OF_ELEMENT))
    depth = f.where(is_best, f.DEPTH, -1)
    deepest = depth.highest(f.OF_ELEMENT)
    top = f.first_on_page(depth.equals(deepest.take(f.OF_ELEMENT)))
    of_pages = {
        "top_f1": f1.take(top),
        "top_share": sums.words.take(top) / _ALL_WORDS,
        "top_chance": sums.content.take(top) / sums.words.take(top),
    }
    columns = {name: values.take(f.PAGE) for name, values in of_pages.items()}
    columns["top_off"] = deepest.take(f.PAGE) - f.DEPTH.take(f.nearest(f.with_all_above(top)))
    return columns


def _section() -> Formulas:
    heading = f.load("heading", Axis.LINES)
    has = heading >= 0
    # Lines before all headings are together those of the first, which is none.
    section = f.where(has, heading, f.FIRST_LINES.take(f.PAGE))
    words, content = (of.total(section, Axis.LINES).take(section) for of in (_WORDS, _CONTENT))
    return {
        "heading_odds": f.where(has, _ODDS.take(f.maximum(heading, 0))),
        "section_chance": (content - _CONTENT + _PRIOR) / (words - _WORDS + 1),
    }
