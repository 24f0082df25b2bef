"""Explanation of a line's probability, and the features in words: what each adds to the log-odds.

Along the way of a line through a tree every step leads to a node whose lines were more often
content, or less often; the difference belongs to the feature that the step asked (A. Saabas,
Interpreting random forests, 2014). Summed over all steps of all trees, what the features add and
what every line begins with give the log-odds exactly.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from dbce.boilerplate.classify.context import CONTEXT, context_rows
from dbce.boilerplate.classify.features import Features
from dbce.boilerplate.classify.joint import cuts
from dbce.boilerplate.classify.lines import Floats
from dbce.boilerplate.classify.model import (
    LEARNED,
    Chances,
    Model,
    ScoredLines,
    Second,
    calibrate,
    score_lines,
    second_stage_chances,
    votes,
)
from dbce.boilerplate.classify.trees import Trees, log_expit

COMMENT = "comment"
"""Feature that stands for the answer of the trees that know comments of users."""

OWN_ANSWER = ("odds", "margin")
"""Features of the second stage that are the first one's answer on the line itself."""

CLEAR = 1.0
"""Log-odds from which on an answer has a direction that can be shared out."""

RATE = 0.1
"""Learning rate where a model's card does not name it: scikit-learn's default. What the pushes add up
to does not depend on it, how they share it does."""


@dataclass(frozen=True, slots=True)
class Push:
    """Share of a feature in the log-odds of content; `value` is its own, NaN where it is unknown."""

    feature: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True)
class Pushes:
    """Explanation of a line's probability: the log-odds are `start` and all pushes.

    The pushes are sorted, the strongest first. From `cut` on the line is content, from `usual_cut`
    on most lines of the page are.
    """

    probability: float
    cut: float
    usual_cut: float
    comment: float
    start: float
    pushes: tuple[Push, ...]


def pushes(model: Model, page: Features, line: int) -> Pushes:
    """Explanation of the probability of a line; `page` is one page alone."""
    of_page = score_lines(page, model.weights)
    log_odds = votes(model, of_page)
    chance = calibrate(model, log_odds)
    start, own = _first_stage_pushes(model, of_page, line, float(log_odds[line, 1]), chance)
    if model.second is not None:
        rows = context_rows(page, *chance)
        chance = second_stage_chances(model.second, chance, rows)
        start, own = _second_stage_pushes(model, model.second, rows[line], start, own)
    least = cuts(page, *chance)
    return Pushes(
        probability=float(chance.content[line]),
        cut=float(least[line]),
        usual_cut=float(least.min()),
        comment=float(chance.comment[line]),
        start=start,
        pushes=tuple(sorted(own, key=lambda push: (-abs(push.weight), push.feature))),
    )


def _first_stage_pushes(
    model: Model, page: ScoredLines, line: int, comment_odds: float, chance: Chances
) -> tuple[float, list[Push]]:
    """Log-odds that every line begins with in the first stage, and the pushes on a line there."""
    of_vote, of_no_comment, start = model.blend
    added: dict[int, float] = defaultdict(float)
    row, share = page.rows(slice(line, line + 1))[0], float(page.known[line]) / 2
    plain = row[: -len(LEARNED)]
    rate = _rate(model, "trees")
    for trees, values, part in ((model.named, row, share), (model.plain, plain, 1 - share)):
        start += of_vote * part * float(trees.baseline[0])
        for feature, weight in _path_weights(trees, values, rate).items():
            added[feature] += of_vote * part * weight
    slope, shift = model.comment_scale
    no_comment = float(of_no_comment * log_expit(np.array([-(slope * comment_odds + shift)]))[0])
    own = [Push(model.names[f], float(row[f]), float(w)) for f, w in added.items()]
    return start, [*own, Push(COMMENT, float(chance.comment[line]), no_comment)]


def _second_stage_pushes(
    model: Model, second: Second, row: Floats, start: float, first: Sequence[Push]
) -> tuple[float, list[Push]]:
    """Start and pushes by both stages: the first counts by its weight, the second adds the context.

    What the second makes of the line's own answer belongs to what gave that answer, if it goes the same way.
    """
    trees, (of_first, of_second, intercept) = second
    added = _path_weights(trees, row, _rate(model, "trees_of_second_stage"))
    around = {CONTEXT[f]: of_second * weight for f, weight in added.items()}
    answer = start + sum(push.weight for push in first)
    of_answer = sum(around.get(name, 0.0) for name in OWN_ANSWER)
    scale = of_first
    if abs(answer) >= CLEAR and of_answer / answer > 0:
        scale += of_answer / answer
        around = {name: weight for name, weight in around.items() if name not in OWN_ANSWER}
    values = dict(zip(CONTEXT, row.tolist(), strict=True))
    own = [replace(push, weight=scale * push.weight) for push in first]
    own += [Push(name, values[name], weight) for name, weight in around.items()]
    return scale * start + of_second * float(trees.baseline[0]) + intercept, own


def _rate(model: Model, trees: str) -> float:
    return float(model.card.get(trees, {}).get("learning_rate", RATE))


def _path_weights(trees: Trees, row: Floats, rate: float) -> dict[int, float]:
    """Share of each feature, by number, in the raw score of a row."""
    added: dict[int, float] = defaultdict(float)
    for start, _ in pairwise(trees.starts.tolist()):
        node, worth = start, 0.0
        while (feature := int(trees.feature[node])) >= 0:
            value = row[feature]
            left = trees.missing_left[node] if np.isnan(value) else value <= trees.threshold[node]
            node = start + int((trees.left if left else trees.right)[node])
            # scikit-learn shrinks the leaves by the learning rate and leaves the nodes above alone.
            shrunk = 1.0 if trees.feature[node] < 0 else rate
            after = shrunk * float(trees.value[node])
            added[feature] += after - worth
            worth = after
    return added


# The features of the model in words, for people who ask why.


OWN = {
    "words": "number of words",
    "word_length": "length of its words",
    "link_density": "share of its text that is links",
    "strong": "share of its text that is bold",
    "hidden": "share of its text that is hidden",
    "stops": "full stops",
    "stop_density": "full stops for each word",
    "commas": "commas",
    "digits": "share of digits",
    "capitals": "share of words with a capital",
    "ends": "ends like a sentence",
    "title_overlap": "share of its words that the title has",
    "title_cover": "share of the title that it has",
    "said_before": "the page said the same before",
    "said_after": "the page says the same again",
    "tag": "kind of element",
    "depth": "depth in the tree",
    "off_bulk": "steps out of the element with most of the prose",
    "below_bulk": "depth below the element with most of the prose",
    "after_first_long": "lines since the first line of prose",
    "before_last_long": "lines to the last line of prose",
    "to_next_long": "lines to the next line of prose",
    "to_last_long": "lines since the prose before",
    "line": "number of the line",
    "line_share": "how far down the page",
    "words_before": "share of the page's words before it",
    "prose_before": "share of the page's prose before it",
    "page_words": "words of the page",
    "page_prose": "how much of the page is prose",
    "place_lines": "lines at the same place of the template",
    "place_words": "words at the same place of the template",
    "place_length": "mean length of lines at its place",
    "place_links": "share of links at its place",
    "place_share": "share of the page that stands at its place",
    "up": "share of it that the most similar page has",
    "down": "share of it that the second most similar page has",
    "votes": "what the bit patterns say (0 boilerplate, 1 content)",
    "shared_most": "share of it that some neighbour has",
    "shared_mean": "share of it that neighbours have",
    "similarity": "similarity of the nearest template",
    "shared_by": "share of other pages that have the same text",
    "place_on": "share of other pages that have its place",
    "place_texts": "how much the texts at its place differ from page to page",
    "place_shared_by": "how widely texts at its place are shared",
    "ever_shared_by": "share of other pages that have the same text at any time",
    "kept": "share of other snapshots that have it",
    "kept_redesign": "share of snapshots of another design that have it",
    "kept_before": "share of earlier snapshots that have it",
    "kept_after": "share of later snapshots that have it",
    "page_kept": "share of the page that other snapshots have",
    "kept_more": "how much more other snapshots have it than the page",
    "names": "names of classes and ids around it",
    "names_near": "names of the nearest classes and ids",
    "names_beside_prose": "names around it, beside those around the prose",
    "comment_names": "names around it that comments have",
    "comment_names_near": "nearest names that comments have",
    "comment_names_beside_prose": "names that comments have, beside those around the prose",
    "phrases": "its words, as other sites use them",
    "phrases_heading": "the words of the heading before it, as other sites use them",
    "heading_level": "level of the heading before it",
    "heading_lines": "lines since the heading before it",
    "major_lines": "lines since the last heading of the first two levels",
    "from_title": "lines since the headline",
    "reply_share": "share of the page that stands with the box to write in",
    "reply_prose_share": "share of the prose that stands with the box to write in",
    "reply_up": "elements up to the one with a box to write in",
    "to_reply": "lines to the next box to write in",
    "from_reply": "lines since the last box to write in",
    "page_lines": "lines of the page",
    "page_links": "share of the page's text that is links",
    "page_length": "mean length of the page's lines",
    "page_longest": "longest line of prose of the page",
    "page_furniture": "share of the page in its nav, header, footer and aside elements",
    "page_elements": "elements of the page for each line",
    "page_images": "pictures of the page for each line",
    "page_inputs": "fields and buttons of the page for each line",
    "page_items": "list items of the page for each line",
    "page_cells": "table cells of the page for each line",
    "page_times": "dates marked on the page for each line",
    "page_articles": "articles of the page for each line",
    "page_headings": "headings of the page for each line",
    "place_shared": "how widely the page's texts at its place are shared",
    "page_shared": "how widely the page's texts are shared",
    "page_prose_shared": "how widely the page's prose is shared",
    "page_own": "share of the page that few other pages have",
    "page_prices": "share of the page's lines that name a price",
    "page_numbers": "share of the page's lines that are short and have a number",
    "priced": "names a price",
    "h1_count": "headlines of the page",
    "h1_up": "elements up to the one with the headline",
    "h1_behind": "elements since the headline, as a share of the page",
    "main_share": "share of the page in its main element",
    "main_within": "inside of the main element, if the page has one",
    "article_share": "share of the page in its articles",
    "article_within": "inside of an article, if the page has one",
    "said_times": "lines of the page that say the same",
    "begins_alike": "lines of the page that begin like it",
    "told_og_article": "the page calls itself an article",
    "told_og_product": "the page calls itself a product",
    "told_og_website": "the page calls itself a website",
    "told_og_price": "the page declares a price",
    "told_viewport": "the page is made for telephones, too",
    "told_ld_product": "the page declares a product",
    "told_ld_article": "the page declares an article",
    "told_ld_list": "the page declares a list",
    "told_ld_forum": "the page declares questions or posts",
    "told_ld_service": "the page declares a service",
    "told_ld_site": "the page declares its site",
    "told_article": "begins in the article that the page declares",
    "told_answers": "begins in an answer or post that the page declares",
    "told_product": "begins in what the page declares of a product",
    "told_about": "begins in what the page declares of others",
    "told_reviews": "begins in an opinion that the page declares",
    "told_description": "begins in the page's description",
    "told_article_share": "how much of the page is in the article that it declares",
    "prose": "prose",
    "comment": "it may be a reader's comment",
    "odds": "what it looks like by itself",
    "said_comment": "how much it looks like a reader's comment",
    "margin": "how much more it looks like content than the page's cut asks",
    "rank": "rank among the lines of the page by what they look like",
    "content_before": "share of the page's content before it",
    "heading_odds": "what the heading before it looks like",
    "section_chance": "how much of its section looks like content",
    "page_expected": "words of the page that look like content",
    "page_surest": "what the surest line of the page looks like",
    "page_unsure": "how unsure the page is",
    "page_likely": "share of the page's lines that look like content",
    "page_long": "how much of the page's long lines looks like content",
    "page_f1": "how well the page's content is told apart",
    "page_cut": "the page's cut",
    "page_prior": "how much of the page looks like content",
    "top_share": "share of the page in the element of the best text",
    "top_chance": "how much of the element of the best text looks like content",
    "top_f1": "how well the element of the best text fits the content",
    "top_off": "steps out of the element of the best text",
    "best_f1": "how well the best element around it fits the content",
    "best_chance": "how much of the best element around it looks like content",
}
"""Features of the line itself."""

AROUND = {
    "words": "words",
    "link_density": "share of links",
    "prose": "share of prose",
    "share": "share of the page's text",
    "prose_share": "share of the page's prose",
    "line_length": "mean length of lines",
    "text_density": "words for each element",
    "alike": "number of things alike",
    "alike_share": "share of the page's text in things alike",
    "alike_words": "words of one of the things alike",
    "alike_before": "share of the things alike that come before",
    "shared": "how widely texts are shared",
    "images": "pictures for each line",
    "inputs": "fields and buttons for each line",
    "links": "links for each line",
    "headings": "headings for each line",
    "prices": "share of lines that name a price",
    "numbers": "share of short lines with a number",
    "odds": "what lines look like",
    "part": "share of the page's content",
    "chance": "how much looks like content",
}
"""Features of the elements around a line, and of those alike, by what follows `up0_` and `alike0_`."""

ELEMENTS = {
    "0": "in its element",
    "1": "one element up",
    "2": "two elements up",
    "3": "three elements up",
    "4": "four elements up",
    "5": "five elements up",
    "7": "seven elements up",
}

SHARES = frozenset(
    "link_density strong hidden digits capitals title_overlap title_cover line_share words_before "
    "prose_before page_prose place_links place_share up down shared_most shared_mean similarity "
    "shared_by place_on place_texts place_shared_by comment prose share prose_share page_links "
    "ever_shared_by kept kept_redesign kept_before kept_after page_kept "
    "page_furniture place_shared page_shared page_prose_shared page_own alike_share alike_before "
    "reply_share reply_prose_share shared said_comment rank content_before section_chance "
    "page_unsure page_likely page_long page_f1 page_cut page_prior top_share top_chance top_f1 "
    "best_f1 best_chance part chance page_prices page_numbers prices numbers main_share article_share "
    "told_article_share".split()
)
"""Features that are shares, 0 to 1."""

YES_OR_NO = frozenset(
    {*("ends", "said_before", "said_after", "priced", "main_within", "article_within")}
    | {name for name in OWN if name.startswith("told_")} - SHARES
)

NUMBERS = frozenset({"tag"})
"""Features whose numbers mean nothing to people."""


def in_words(feature: str) -> str:
    """A feature in words, e.g. "share of its text that is links"."""
    base, _, where = feature.partition("@")
    if base.startswith("in_"):
        return f"inside of <{base.removeprefix('in_')}>"
    for family, which in (("up", ""), ("alike", "things alike ")):
        if base.startswith(family) and "_" in base:
            level, _, of = base.removeprefix(family).partition("_")
            return f"{AROUND[of]}, {which}{ELEMENTS[level]}"
    if not where:
        return OWN[base]
    return f"{_position_in_words(where)}: {OWN[base]}"


def _position_in_words(where: str) -> str:
    if where == "mean-":
        return "the lines before"
    if where == "mean+":
        return "the lines after"
    lines = ("the line", "two lines")[abs(int(where)) - 1]
    return f"{lines} {'before' if where.startswith('-') else 'after'}"


def value_in_words(feature: str, value: float) -> str:
    """The value of a feature as people read it; "unknown" where there is none, "" where it says nothing."""
    base = feature.partition("@")[0]
    if base.startswith(("up", "alike")) and "_" in base:
        base = base.partition("_")[2]
    if base in NUMBERS:
        return ""
    if math.isnan(value):
        return "unknown"
    if base in YES_OR_NO or base.startswith("in_"):
        return "yes" if value else "no"
    if base in SHARES:
        return f"{value:.0%}"
    return f"{value:.0f}" if value == round(value) else f"{value:.2f}"
