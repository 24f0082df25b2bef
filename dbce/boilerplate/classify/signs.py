"""Features of signs around a line that are no text of it, and of what the page tells of itself.

Pictures, fields, links and headings in the elements around a line tell a shelf of goods from a paragraph; what a page
has many times is a label or a notice.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dbce.boilerplate.classify.lines import Columns, Lines, tag_values
from dbce.boilerplate.classify.structure import HEADINGS
from dbce.metadata import DESCRIPTION_SIGNS, DESCRIPTION_SUBJECTS, SelfDescription
from dbce.model import WORD_RUN

COUNTED = {
    "images": frozenset({"img", "picture", "svg", "video"}),
    "inputs": frozenset({"button", "input", "select", "textarea"}),
    "links": frozenset({"a"}),
    "headings": frozenset(HEADINGS),
}
"""Elements that are counted around a line, by the feature's name."""

IS_COUNTED = [tag_values(tags.__contains__) for tags in COUNTED.values()]
IS_HEADLINE = tag_values(lambda tag: tag == "h1")
IS_MAIN = tag_values(lambda tag: tag == "main")
IS_ARTICLE = tag_values(lambda tag: tag == "article")

LEVELS = (1, 2, 3, 5)  # elements up from that of a line in which signs are counted
PRICED = 30  # words from which on a line that names a sum is no price
NUMBERED = 8  # words up to which a line with digits is a date, a number or an amount
FAR = 11  # elements up, beyond which a headline is far
BEGIN = 3  # words at the beginning of a line that others may begin with
FIRST = 4  # words at the beginning of a line by which it is found in a text
LEAST = 5  # words from which on a line is looked for in a text
HEAD = 120  # characters in which the first words of a line are looked for


def sign_features(lines: Lines, told: Sequence[SelfDescription | None]) -> Columns:
    """Features of signs, by name; `told` is what each page tells of itself, None where nobody asked."""
    columns = _ancestor_signs(lines) | _headline(lines) | _main(lines)
    return columns | _repetitions(lines) | _head_signs(lines, told) | _in_texts(lines, told)


def _ancestor_signs(lines: Lines) -> Columns:
    forest = lines.forest
    short = {
        "prices": (lines.counts.currency > 0) & (lines.words < PRICED),
        "numbers": (lines.counts.digits > 0) & (lines.words <= NUMBERED),
    }
    own = np.ones_like(lines.words), *short.values()
    of_lines, *signs = lines.sums_below(own, map(forest.by_tag, IS_COUNTED))
    names = (*short, *COUNTED)
    root = forest.starts[lines.page]
    columns: Columns = {"priced": short["prices"]}
    columns |= {
        f"page_{name}": sums[root] / of_lines[root]
        for name, sums in zip(short, signs, strict=False)
    }
    for level, element in forest.ancestors(lines.holder, LEVELS):
        columns |= {
            f"up{level}_{name}": sums[element] / of_lines[element]
            for name, sums in zip(names, signs, strict=True)
        }
    return columns


def _headline(lines: Lines) -> Columns:
    """Elements up to one that holds the page's `<h1>`, and elements behind the first, as a share; NaN without one."""
    forest = lines.forest
    is_headline = forest.by_tag(IS_HEADLINE)
    (below,) = lines.sums_below((), [is_headline])
    around = forest.nearest(lines.holder, below > 0)
    all_of = np.flatnonzero(is_headline)
    first = np.append(all_of, 0)[np.searchsorted(all_of, forest.starts[:-1])]
    size = np.diff(forest.starts)
    page = lines.page
    columns = {
        "h1_up": np.minimum(forest.depth[lines.holder] - forest.depth[around], FAR),
        "h1_behind": (lines.holder - first[page]) / size[page],
    }
    on_page = below[forest.starts[:-1]]
    has = on_page[page] > 0
    known = {name: np.where(has, values, np.nan) for name, values in columns.items()}
    return {"h1_count": on_page[page], **known}


def _main(lines: Lines) -> Columns:
    """Part of the page's words in what it marks as its main part, and in articles; NaN where it has none."""
    forest = lines.forest
    is_main = IS_MAIN[forest.tag]
    if mains := {role for role in set(forest.paths.roles) if "main" in role.split()}:
        is_main = is_main | [role in mains for role in forest.paths.roles]
    is_article = IS_ARTICLE[forest.tag]
    columns: Columns = {}
    page, pages = lines.page, len(lines.starts) - 1
    words = np.bincount(page, lines.words, pages)
    for name, marked in (("main", is_main), ("article", is_article)):
        within = forest.inherit(marked)[forest.path[lines.holder]] > 0
        share = np.bincount(page, lines.words * within, pages) / words
        share = np.where(share > 0, share, np.nan)
        columns[f"{name}_share"] = share[page]
        columns[f"{name}_within"] = np.where(np.isnan(share[page]), np.nan, within)
    return columns


def _repetitions(lines: Lines) -> Columns:
    times = np.empty((2, len(lines.words)), np.int64)
    texts = [lines.text[start:end].strip() for start, end in pairwise(lines.bounds.tolist())]
    begins = [" ".join(text[:HEAD].split(None, BEGIN)[:BEGIN]) for text in texts]
    for start, end in pairwise(lines.starts.tolist()):
        for row, keys in enumerate((texts[start:end], begins[start:end])):
            number = Counter(keys)
            times[row, start:end] = [number[key] for key in keys]
    return {"said_times": times[0], "begins_alike": times[1]}


def _head_signs(lines: Lines, told: Sequence[SelfDescription | None]) -> Columns:
    unknown = (np.nan,) * len(DESCRIPTION_SIGNS)
    signs = np.array([unknown if of is None else of.signs for of in told], dtype=np.float32)
    return {f"told_{name}": signs[lines.page, n] for n, name in enumerate(DESCRIPTION_SIGNS)}


def _in_texts(lines: Lines, told: Sequence[SelfDescription | None]) -> Columns:
    """1 if the beginning of a line is in the texts that its page tells, else 0; NaN where there is none, or of short lines.

    Of texts of the article also the share of the page's prose that begins in them.
    """
    columns = {
        name: np.full(len(lines.words), np.nan) for name in (*DESCRIPTION_SUBJECTS, "article_share")
    }
    bounds = lines.bounds.tolist()
    long_enough = lines.words >= LEAST
    for of, (start, end) in zip(told, pairwise(lines.starts.tolist()), strict=True):
        if of is None or not of.texts:
            continue
        asked = start + np.flatnonzero(long_enough[start:end])
        ends = [min(bounds[n + 1], bounds[n] + HEAD) for n in asked.tolist()]
        heads = [lines.text[bounds[n] : end] for n, end in zip(asked.tolist(), ends, strict=True)]
        words_of = (WORD_RUN.findall(head.lower())[:FIRST] for head in heads)
        begins = [f" {' '.join(words)} " for words in words_of]  # as `as_words` has those of a text
        for what, text in of.texts.items():
            columns[what][asked] = [begin in text for begin in begins]
        if "article" in of.texts and len(asked):
            words = lines.words[asked]
            columns["article_share"][start:end] = (
                columns["article"][asked] * words
            ).sum() / words.sum()
    return {f"told_{name}": values for name, values in columns.items()}
