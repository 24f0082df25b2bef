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
from dbce.model import Capture, UsageError
from dbce.pipeline import compare_all, sketch_all
from dbce.train.truth import teachers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Features
    from dbce.model import Annotation, Config

    Known = Callable[[Annotation], Annotation]

MOST_WORDS = 80
"""A line's weight is the root of its number of words, of so many at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page with its gold text, and its comments of users where the gold tells them.

    `site` is the registered domain, so that folds keep all of it together; `share` is the part of each
    line that the gold has as content, `comments` the part that it has as
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
        page = html.load(capture.payload, capture.content_type, config.limits).page
        annotation = annotations.get(capture.record_id)
        features = page_features(page, annotation and known(annotation))
        truth = teacher.truth(page, features.lines)
        if truth is None or not (wordless or words(truth.text)):
            continue
        sizes = [len(words(text)) for text in features.lines.texts]
        examples.append(
            Example(
                source=source_of(archive),
                site=_domain(truth.group or site(capture.url, config.site_by)),
                record_id=capture.record_id,
                url=capture.url,
                gold=truth.text,
                gold_comments=truth.comments,
                features=features,
                share=truth.share,
                comments=truth.comment_share,
                weight=weight * np.sqrt(np.minimum(sizes, MOST_WORDS)),
                trust=weight,
            )
        )
    if not examples:
        raise UsageError(f"{gold} has text for no page of {archive}")
    if gold_of:
        progress(f"{gold} has {len(gold_of)} pages that {archive} does not have with text")
    return examples


def _domain(name: str) -> str:
    """The registered domain of a site as gold names it; other names as they are.

    Data sets differ in how they name a site; what is held out must be so from all of them.
    """
    host = name.partition("/")[0]
    return site(f"http://{host}/", "domain") if "." in host else name
