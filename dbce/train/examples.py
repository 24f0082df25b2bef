"""Labelled pages: features of all lines, and what share of each line the gold has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce import html
from dbce.archive import expand, read, site
from dbce.boilerplate.classify import page_features
from dbce.evaluate import read_gold
from dbce.evaluate.text.scores import words
from dbce.metadata import declared_opening, names_page, title_keys, told
from dbce.model import Capture, UsageError
from dbce.pipeline import compare_all, sketch_all
from dbce.progress import count_of
from dbce.train.truth import teachers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Features
    from dbce.evaluate.text.gold import Segments
    from dbce.model import Annotation, Config
    from dbce.train.truth import Truth

    Known = Callable[[Annotation], Annotation]

MOST_WORDS = 80
"""A line's weight is the root of its number of words, of so many at most."""

COVERED = 0.5
"""Part of the gold's words that a page must have to teach anything; the others are other pages, or were decoded wrongly."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page with its gold text, and its comments of users where the gold tells them.

    `site` is the registered domain, so that folds keep all of it together; `share` is the part of each
    line that the gold has as content, `comments` the part that it has as
    comments of users, NaN where it does not tell. `weight` is what the line counts in training,
    `trust` what its page does. Of gold that knows of parts alone `gold` is "", and `segments` has them.
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
    segments: Segments | None = None

    @property
    def known(self) -> NDArray[np.bool_]:
        """Return, for each line, whether the gold says anything about it."""
        return ~np.isnan(self.share)


def source_of(archive: str) -> str:
    """Return the name of a data set: that of its archive, without folder and ending."""
    return archive.rpartition("/")[2].partition(".")[0]


def read_examples(
    archive: str,
    gold: str,
    config: Config,
    weight: float,
    progress: Callable[[str], None],
    *,
    known: Known = lambda found: found,
    wordless: bool = False,
) -> list[Example]:
    """The labelled pages of an archive; unlabelled ones are neighbours. A page counts `weight`.

    Gold that names a page by its URL holds for the first snapshot, as in dbce.evaluate. `known`
    says how much of what the comparison found the features are to know. Pages without words in the
    gold are left out, unless `wordless`: nothing is to be learned from them, but they can be scored.

    Raises:
        UsageError: no page of the archive has gold.
    """
    gold_of = teachers(read_gold(gold))
    captures = [
        c for source in expand([archive]) for c in read(source, config.limits, verify=config.verify)
    ]
    annotations, dropped = compare_all(captures, sketch_all(captures, config), config)
    examples = []
    for number, capture in enumerate(captures):
        if not isinstance(capture, Capture) or number in dropped:
            continue
        teacher = gold_of.pop(capture.record_id, None) or gold_of.pop(capture.url, None)
        if teacher is None:
            continue
        document = html.load(capture.payload, capture.content_type, config.limits)
        page = document.page
        annotation = annotations.get(capture.record_id)
        features = page_features(page, annotation and known(annotation), told(document.declared))
        truth = teacher.truth(page, features.lines)
        if truth is None or not (wordless or truth.segments or words(truth.text)):
            continue
        titles = (*declared_opening(document.declared).titles, page.title)
        examples.append(
            Example(
                source=source_of(archive),
                site=domain_of(truth.group or site(capture.url, config.site_by)),
                record_id=capture.record_id,
                url=capture.url,
                gold=truth.text,
                gold_comments=truth.comments,
                features=features,
                share=truth.share,
                comments=truth.comment_share,
                weight=weight * _weights(features, truth, titles),
                trust=weight,
                segments=truth.segments,
            )
        )
    if not examples:
        raise UsageError(f"{gold} has text for no page of {archive}")
    if gold_of:
        progress(
            f"{gold}: {count_of(len(gold_of), 'page')} not in {archive}, or without text there"
        )
    return examples


def _weights(page: Features, truth: Truth, titles: Sequence[str]) -> NDArray[np.float64]:
    """Weight of each line of a page in training; 0 for those that teach nothing."""
    sizes = np.array([len(words(text)) for text in page.lines.texts])
    known = ~np.isnan(truth.share)
    if not truth.segments and (truth.share * sizes)[known].sum() < COVERED * len(words(truth.text)):
        return np.zeros(len(sizes))
    weights = np.sqrt(np.minimum(sizes, MOST_WORDS))
    weights[_headline(page, titles)] = 0
    return np.asarray(weights)


def _headline(page: Features, titles: Sequence[str]) -> list[int]:
    """The line of the page's headline, which sets of gold do not agree on: nobody is taught by it."""
    keys, texts = title_keys(titles), page.lines.texts
    of_headings = np.flatnonzero(page.heading == np.arange(len(texts)))
    return [line for line in of_headings.tolist() if names_page(texts[line], keys)][:1]


def domain_of(name: str) -> str:
    """The registered domain of a site as gold names it; other names as they are.

    Data sets differ in how they name a site; what is held out must be so from all of them.
    """
    host = name.partition("/")[0]
    return site(f"http://{host}/", "domain") if "." in host else name
