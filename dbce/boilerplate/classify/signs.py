"""Features of signs around a line that are no text of it, and of what the page tells of itself.

Pictures, fields, links and headings in the elements around a line tell a shelf of goods from a paragraph; what a page
has many times is a label or a notice.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify.formulas import Axis, Formulas
from dbce.boilerplate.classify.lines import (
    BEGIN_WITHIN,
    SAME_BEGIN,
    SAME_TEXT,
    Doubles,
    Floats,
    Lines,
    count_of,
    tag_table,
)
from dbce.html import HEADINGS
from dbce.kernel import compiled
from dbce.metadata import DESCRIPTION_SIGNS, DESCRIPTION_SUBJECTS, SelfDescription

COUNTED = {
    "images": frozenset({"img", "picture", "svg", "video"}),
    "inputs": frozenset({"button", "input", "select", "textarea"}),
    "links": frozenset({"a"}),
    "headings": frozenset(HEADINGS),
}
"""Elements that are counted around a line, by the feature's name."""

IS_COUNTED = {name: tag_table(tags.__contains__) for name, tags in COUNTED.items()}
IS_HEADLINE = tag_table(lambda tag: tag == "h1")
IS_MAIN = tag_table(lambda tag: tag == "main")
IS_ARTICLE = tag_table(lambda tag: tag == "article")

SAYINGS = ("said_times", "begins_alike")
TOLD_SIGNS = tuple(f"told_{name}" for name in DESCRIPTION_SIGNS)
TOLD_TEXTS = tuple(f"told_{name}" for name in (*DESCRIPTION_SUBJECTS, "article_share"))

LEVELS = (1, 2, 3, 5)  # elements up from that of a line in which signs are counted
PRICED = 30  # words from which on a line that names a sum is no price
NUMBERED = 8  # words up to which a line with digits is a date, a number or an amount
FAR = 11  # elements up, beyond which a headline is far
FIRST = 4  # words by which a line is found in a text
LEAST = 5  # words from which on a line is looked for in a text


def sign_features() -> Formulas:
    """Features of signs, by name, of the arrays that `sign_arrays` has."""
    columns = _ancestor_signs() | _headline() | _main()
    for name, same in zip(SAYINGS, (SAME_TEXT, SAME_BEGIN), strict=True):
        columns[name] = f.ONES.total(same, Axis.LINES).take(same)
    names = {"told_signs": TOLD_SIGNS, "told_texts": TOLD_TEXTS}
    return columns | {
        name: f.load(array, Axis.LINES, row)
        for array, of_rows in names.items()
        for row, name in enumerate(of_rows)
    }


def sign_arrays(lines: Lines, told: Sequence[SelfDescription | None]) -> dict[str, NDArray[Any]]:
    """Arrays that features of signs load, by name; `told` is what each page tells of itself, None where nobody asked."""
    return {
        "main_roles": np.array(
            [role != "" and "main" in role.split() for role in lines.forest.paths.roles]
        ),
        "told_signs": _told_signs(lines, told),
        "told_texts": _told_texts(lines, told),
    }


def _ancestor_signs() -> Formulas:
    currency, digits = (count_of(name) for name in ("currency", "digits"))
    short = {
        "prices": (currency > 0) & (f.WORDS < PRICED),
        "numbers": (digits > 0) & (f.WORDS <= NUMBERED),
    }
    of_lines = f.sum_below(f.ONES)
    signs = {name: f.sum_below(of) for name, of in short.items()}
    signs |= {name: f.sum_below(f.by_tag(of)) for name, of in IS_COUNTED.items()}
    columns = {"priced": short["prices"]}
    columns |= {f"page_{name}": signs[name].take(f.ROOT) / of_lines.take(f.ROOT) for name in short}
    for level, element in f.ancestors(LEVELS):
        columns |= {
            f"up{level}_{name}": sums.take(element) / of_lines.take(element)
            for name, sums in signs.items()
        }
    return columns


def _headline() -> Formulas:
    """Elements up to one that holds the page's `<h1>`, and elements behind the first, as a share; NaN without one."""
    is_headline = f.by_tag(IS_HEADLINE)
    holds = f.sum_below(is_headline)
    around = f.nearest(holds > 0)
    first = f.first_on_page(is_headline).take(f.PAGE)
    columns = {
        "h1_up": f.minimum(f.DEPTH.take(f.HOLDER) - f.DEPTH.take(around), FAR),
        "h1_behind": (f.HOLDER - first) / f.ELEMENTS_OF_PAGE.take(f.PAGE),
    }
    count = holds.take(f.ROOT)
    known = {name: f.where(count > 0, values) for name, values in columns.items()}
    return {"h1_count": count, **known}


def _main() -> Formulas:
    """Part of the page's words in what it marks as its main part, and in articles; NaN where it has none."""
    is_main = f.pick(IS_MAIN, f.TAG) | f.load("main_roles", Axis.PATHS)
    columns: Formulas = {}
    for name, marked in (("main", is_main), ("article", f.pick(IS_ARTICLE, f.TAG))):
        within = f.flags_above(marked)
        share = f.page_total(f.WORDS * within) / f.page_total(f.WORDS)
        columns[f"{name}_share"] = f.where(share > 0, share)
        columns[f"{name}_within"] = f.where(share > 0, within)
    return columns


def _told_signs(lines: Lines, told: Sequence[SelfDescription | None]) -> Floats:
    unknown = (np.nan,) * len(DESCRIPTION_SIGNS)
    signs = np.array([unknown if of is None else of.signs for of in told], dtype=np.float32)
    return np.ascontiguousarray(signs.T[:, lines.page])


def _told_texts(lines: Lines, told: Sequence[SelfDescription | None]) -> Doubles:
    """1 if the beginning of a line is in the texts that its page tells, else 0; NaN where there is none, or of short lines.

    Of texts of the article also the share of the page's prose that begins in them.
    """
    shares = np.full((len(TOLD_TEXTS), len(lines.words)), np.nan)
    columns = dict(zip(TOLD_TEXTS, shares, strict=True))
    long_enough = lines.words >= LEAST
    for of, (start, end) in zip(told, pairwise(lines.starts.tolist()), strict=True):
        if of is None or not of.texts:
            continue
        long_lines = start + np.flatnonzero(long_enough[start:end])
        # As `as_words` has those of a text.
        begins = compiled.first_words(lines.folded, lines.bounds, long_lines, FIRST, BEGIN_WITHIN)
        for what, text in of.texts.items():
            columns[f"told_{what}"][long_lines] = [begin in text for begin in begins]
        if "article" in of.texts and len(long_lines):
            words = lines.words[long_lines]
            columns["told_article_share"][start:end] = (
                columns["told_article"][long_lines] * words
            ).sum() / words.sum()
    return shares
