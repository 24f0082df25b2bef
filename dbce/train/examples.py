"""Labelled pages: features of all lines, and what share of each line the gold has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce import html
from dbce.archive import expand, read, site
from dbce.classify.features import page_features
from dbce.compare import compare
from dbce.errors import UsageError
from dbce.evaluate.align import gold_share
from dbce.evaluate.gold import GoldText, read_gold
from dbce.evaluate.words import words
from dbce.model import Capture
from dbce.pipeline import sketch_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dbce.classify.features import Features
    from dbce.config import Config
    from dbce.model import Annotation

    Known = Callable[[Annotation], Annotation]

MOST_WORDS = 80
"""A line's weight is the root of its number of words, of so many at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page with its gold text, and its comments of users where the gold tells them.

    `share` is the part of each line's words that the gold has, `comments` the part that it has as
    comments of users, NaN where it does not tell. `weight` is what the line counts in training,
    `trust` what its page does.
    """

    source: str
    site: str
    record_id: str
    url: str
    gold: str
    gold_comments: str | None
    features: Features
    share: NDArray[np.float64]
    comments: NDArray[np.float64]
    weight: NDArray[np.float64]
    trust: float


def read_examples(
    archive: str,
    gold: str,
    config: Config,
    weight: float,
    progress: Callable[[str], None],
    *,
    known: Known = lambda found: found,
) -> list[Example]:
    """The labelled pages of an archive; unlabelled ones are neighbours. A page counts `weight`.

    Gold that names a page by its URL holds for the first snapshot, as in dbce.evaluate. `known`
    says how much of what the comparison found the features are to know.

    Raises:
        UsageError: no page of the archive has text gold.
    """
    gold_of = {one.page: one for one in read_gold(gold) if isinstance(one, GoldText)}
    captures = [
        c for source in expand([archive]) for c in read(source, config.limits, verify=config.verify)
    ]
    sketches, _ = sketch_all(captures, config)
    found = {a.record_id: known(a) for a in compare(sketches, config)}
    examples = []
    for capture in captures:
        if not isinstance(capture, Capture) or capture.record_id not in sketches:
            continue
        truth = gold_of.pop(capture.record_id, None) or gold_of.pop(capture.url, None)
        if truth is None or not words(truth.text):
            continue
        page = html.load(capture.payload, capture.content_type, config.limits).page
        features = page_features(page, found.get(capture.record_id))
        texts = features.lines.texts
        share = np.nan_to_num(gold_share(texts, truth.text))
        examples.append(
            Example(
                source=archive.rpartition("/")[2].partition(".")[0],
                # Data sets differ in how they name a site; folds must not.
                site=(truth.group or site(capture.url, config.site_by)).removeprefix("www."),
                record_id=capture.record_id,
                url=capture.url,
                gold=truth.text,
                gold_comments=truth.comments,
                features=features,
                share=share,
                comments=comment_share(texts, share, truth.comments, weight),
                weight=weight * np.sqrt(np.minimum([len(words(t)) for t in texts], MOST_WORDS)),
                trust=weight,
            )
        )
    if not examples:
        raise UsageError(f"{gold} has text for no page of {archive}")
    if gold_of:
        progress(f"{gold} has {len(gold_of)} pages that {archive} does not have with text")
    return examples


def comment_share(
    texts: Sequence[str], share: NDArray[np.float64], comments: str | None, trust: float
) -> NDArray[np.float64]:
    """The part of each line's words that the gold has as comments of users; NaN where unknown.

    A line that the gold has as content is none, whatever words it shares with comments; unless the
    gold is one that is trusted less, since that may count comments as content.
    """
    is_content = share > 0.5
    if comments is None:
        return np.where(is_content & (trust >= 1), 0.0, np.nan)
    others = ["" if known else text for text, known in zip(texts, is_content, strict=True)]
    return np.nan_to_num(gold_share(others, comments))
