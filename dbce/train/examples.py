"""Labelled pages: features of all lines, and what share of each line the gold has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce import html
from dbce.archive import expand, read, site
from dbce.classify.features import page_features
from dbce.errors import UsageError
from dbce.evaluate.align import gold_share
from dbce.evaluate.gold import GoldText, read_gold
from dbce.evaluate.words import words
from dbce.model import Capture
from dbce.pipeline import compare, sketch_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.classify.features import Features
    from dbce.config import Config

MOST_WORDS = 80
"""A line's weight is the root of its number of words, of so many at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page.

    `share` is the part of each line's words that the gold has, `weight` what the line counts in
    training; `alone` says that the page was compared with no other.
    """

    source: str
    site: str
    record_id: str
    url: str
    gold: str
    features: Features
    share: NDArray[np.float64]
    weight: NDArray[np.float64]
    alone: bool


def read_examples(
    archive: str, gold: str, config: Config, weight: float, progress: Callable[[str], None]
) -> list[Example]:
    """The labelled pages of an archive; unlabelled ones are neighbours. A page counts `weight`.

    Gold that names a page by its URL holds for the first snapshot, as in dbce.evaluate.

    Raises:
        UsageError: no page of the archive has text gold.
    """
    texts = {one.page: one for one in read_gold(gold) if isinstance(one, GoldText)}
    captures = [c for source in expand([archive]) for c in read(source, config.limits)]
    sketches, _ = sketch_all(captures, config)
    found = {a.record_id: a for a in compare(sketches, config)}
    examples = []
    for capture in captures:
        if not isinstance(capture, Capture) or capture.record_id not in sketches:
            continue
        truth = texts.pop(capture.record_id, None) or texts.pop(capture.url, None)
        if truth is None or not words(truth.text):
            continue
        page = html.load(capture.payload, capture.content_type, config.limits).page
        features = page_features(page, found.get(capture.record_id))
        lengths = [len(words(text)) for text in features.lines.texts]
        examples.append(
            Example(
                source=archive.rpartition("/")[2].partition(".")[0],
                # Data sets differ in how they name a site; folds must not.
                site=(truth.group or site(capture.url, config.site_by)).removeprefix("www."),
                record_id=capture.record_id,
                url=capture.url,
                gold=truth.text,
                features=features,
                share=np.nan_to_num(gold_share(features.lines.texts, truth.text)),
                weight=weight * np.sqrt(np.minimum(lengths, MOST_WORDS)),
                alone=capture.record_id not in found,
            )
        )
    if not examples:
        raise UsageError(f"{gold} has text for no page of {archive}")
    if texts:
        progress(f"{gold} has {len(texts)} pages that {archive} does not have with text")
    return examples
