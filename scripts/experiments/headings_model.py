"""Teaches the weights of `dbce headings --method dbce` from heading gold.

    python -m scripts.experiments.headings_model GOLD DIR...

DIR are folders of a run and of its rendered pages; those in the development half of the gold are learned
from, each with its rendered styles and with those of its own sheets. A hundred pages are few for fifty
weights: they begin with what was set by hand, looking at pages of this half, and a Gaussian prior around
that keeps those that the pages say little of. How narrow it is tells a cross-validation with whole sites
held out; then all of the half writes `weights.json`.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize

from dbce.archive import site
from dbce.model import UsageError
from dbce.visual.evaluate.headings.evaluation import Counts, gold_items, means
from dbce.visual.evaluate.results import Half, half
from dbce.visual.headings import element_at, pages_of, path_without_tbody, read_heading_gold
from dbce.visual.headings.lines import WEIGHTS, LineGroups, Plain, count_lines, features, weights
from dbce.visual.headings.text_lines import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

NAMES = tuple(weights()[0])
"""The features; a new one is first written into the file of the weights, with any number."""

PRIOR = {
    "h1": 4.0,
    "h2": 4.0,
    "h3": 4.0,
    "h4": 3.5,
    "h5_6": 2.5,
    "role": 3.0,
    "dt": -1.0,
    "th": -1.0,
    "caption": -2.0,
    "larger": 4.0,
    "smaller": -1.3,
    "bold": 0.5,
    "bolder": 3.0,
    "italic": 0.2,
    "underlined": 1.8,
    "color": 0.7,
    "capitals": 0.8,
    "plain": -3.0,
    "length": -2.0,
    "long": -1.5,
    "period": -2.0,
    "comma": -2.0,
    "colon": -1.0,
    "question": 0.3,
    "lower": -1.0,
    "wordless": -4.0,
    "numbered": 0.6,
    "dated": -1.2,
    "by": -1.5,
    "linked": -0.5,
    "all_link": -0.3,
    "repeated": -1.5,
    "item": -1.2,
    "cell": -0.3,
    "beside": -1.5,
    "pre": -3.0,
    "quote": -0.5,
    "alone": 0.5,
    "content": 1.0,
    "next_longer": 1.0,
    "next_plain": 1.0,
    "next_none": -3.0,
    "next_same": -1.5,
    "before_same": -0.8,
    "first": 0.8,
    "largest": 1.6,
    "group_same": -1.0,
    "group_period": -1.0,
    "group_long": -1.0,
    "group_plain": 0.8,
    "group_content": 1.0,
}
"""Weights set by hand; of all others it is 0."""

INTERCEPT = -4.0
"""Log-odds, set by hand, that a line without any of these features is a heading: 1.8 %."""

STRENGTHS = (0.3, 1.0, 3.0, 10.0, 30.0)
"""How narrow the prior may be: 1 / its variance."""

FOLDS = 10
"""Parts of the sites; pages of each are judged by weights learned from the others."""


class Sample(NamedTuple):
    """A page: its site, the features of its lines with a last column of 1, and which are headings.

    `annotated` counts the headings that it has, those that are no line among them.
    """

    site: str
    known: NDArray[np.float64]
    is_heading: NDArray[np.bool_]
    annotated: int


def samples(gold_file: str, folder: str, styles: str) -> Iterator[Sample]:
    """The pages of a folder that are in the development half; optional headings are left out."""
    gold = {one.record_id: one for one in read_heading_gold(gold_file)}
    wanted = {name for name, one in gold.items() if half(one.url) == Half.DEVELOPMENT}
    pages = pages_of(folder, styles)
    held = []
    groups: dict[str, LineGroups] = {}
    for page, content in pages.read():
        if page.record_id in wanted:
            try:
                marked = gold_items(page, gold[page.record_id])
                body = element_at(page, gold[page.record_id].body)
            except UsageError as e:  # a browser and our parser do not always see one tree
                print(f"{page.url} with styles of {styles} is left out: {e}")
                continue
            group = groups.setdefault(pages.templates[page.record_id], LineGroups())
            count_lines(page, body, content, group)
            held.append((page, marked, lines_of(page, body, content), group))
    for page, marked, lines, group in held:
        known = features(lines, group, Plain(lines))
        required = {item.heading for item in marked if not item.optional}
        optional = {item.heading for item in marked if item.optional}
        kept, labels = [], []
        for line, values in zip(lines, known, strict=True):
            nodes: frozenset[int | str] = frozenset(page.texts[t].node for t in line.texts)
            images = (page.elements[image].xpath for image in line.images)
            key = nodes or frozenset(map(path_without_tbody, images))
            if key not in optional:
                kept.append([*(values[name] for name in NAMES), 1.0])
                labels.append(key in required)
        table = np.array(kept).reshape(-1, len(NAMES) + 1)
        domain = site(page.url, "domain")
        yield Sample(domain, table, np.array(labels, bool), len(required))


def fit(
    pages: Sequence[Sample], prior: NDArray[np.float64], strength: float
) -> NDArray[np.float64]:
    """The weights of a logistic regression with a Gaussian prior; a page weighs as the root of its length."""
    known = np.concatenate([page.known for page in pages])
    labels = np.concatenate([page.is_heading for page in pages])
    lengths = np.concatenate([np.full(len(page.known), len(page.known)) for page in pages])
    weights = lengths**-0.5

    def loss(coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = known @ coefficients
        missed = 1 / (1 + np.exp(-logits)) - labels
        value = (weights * (np.logaddexp(0, logits) - labels * logits)).sum()
        apart = coefficients - prior
        return value + strength / 2 * apart @ apart, known.T @ (weights * missed) + strength * apart

    found: NDArray[np.float64] = minimize(loss, prior, jac=True, method="L-BFGS-B").x
    return found


def held_out_f(pages: Sequence[Sample], prior: NDArray[np.float64], strength: float) -> float:
    """F of headings (H 5.3), where the sites of each page taught nothing."""
    sites = sorted({page.site for page in pages})
    fold = {name: number % FOLDS for number, name in enumerate(sites)}
    counts = []
    for number in range(FOLDS):
        weights = fit([page for page in pages if fold[page.site] != number], prior, strength)
        for page in pages:
            if fold[page.site] == number:
                found = page.known @ weights > 0
                counts.append(Counts((found & page.is_heading).sum(), found.sum(), page.annotated))
    return means(counts).f


def main(gold_file: str, *folders: str) -> None:
    """Prints what held-out sites say, and writes the weights."""
    pages = [
        page
        for folder in folders
        for styles in ("rendered", "sheets")
        for page in samples(gold_file, folder, styles)
    ]
    prior = np.array([*(PRIOR.get(name, 0.0) for name in NAMES), INTERCEPT])
    print(f"{len(pages)} pages, {sum(len(page.known) for page in pages)} lines")
    scores = {strength: held_out_f(pages, prior, strength) for strength in STRENGTHS}
    for strength, score in scores.items():
        print(f"strength {strength}: F_H {score:.3f} on sites held out")
    *weights, intercept = fit(pages, prior, max(scores, key=lambda one: scores[one])).tolist()
    kept = {name: round(value, 3) for name, value in zip(NAMES, weights, strict=True)}
    text = json.dumps({"intercept": round(intercept, 3), "weights": kept}, indent=1)
    Path(str(files("dbce.visual.headings") / WEIGHTS)).write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
