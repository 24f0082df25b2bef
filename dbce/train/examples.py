"""Labelled pages: features of all lines, and the share of each line that is content, by gold of whole pages or of text runs."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from dbce import html
from dbce.archive import expand, read, site
from dbce.boilerplate.classify import Features, Lines, page_features
from dbce.evaluate import GoldText, LabelledRun, gold_share, read_gold
from dbce.evaluate.gold import Gold, Segments, by_kind
from dbce.evaluate.nodes import characters
from dbce.evaluate.scores import words
from dbce.html import xpaths
from dbce.metadata import declared_opening, names_page, self_description, title_keys
from dbce.model import Annotation, Capture, Config, Label, Page, UsageError, count_of
from dbce.pipeline import compare_all, sketch_all

Shares = NDArray[np.float64]

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The truth about the lines of a page; text, comments, group and segments are as in `GoldText`.

    `share` is the part of each line that is content, `comment_share` the part that is a comment of a user; NaN where that
    is unknown.
    """

    text: str
    comments: str | None
    share: Shares
    comment_share: Shares
    group: str
    segments: Segments | None = None


Teacher = Callable[[Page, Lines], Truth | None]
"""Gold of one page: labels of its lines; None if it has none for any of them."""


def teachers(gold: Gold) -> dict[str, Teacher]:
    """Gold by page: by record id or, where text gold has none, URL."""
    texts, runs = by_kind(gold)
    of_page: dict[str, list[LabelledRun]] = {}
    for run in runs:
        of_page.setdefault(run.record_id, []).append(run)
    has_comments = any(run.comment for run in runs)
    by_page: dict[str, Teacher] = {
        text.page: partial(_by_segments if text.segments else _by_text, text) for text in texts
    }
    return by_page | {page: partial(_by_runs, runs, has_comments) for page, runs in of_page.items()}


def _by_text(gold: GoldText, _: Page, lines: Lines) -> Truth:
    texts = lines.texts
    share = np.nan_to_num(gold_share([*map(space_out, texts)], space_out(gold.text)))
    comments = comment_share(texts, share, gold.comments)
    return Truth(gold.text, gold.comments, share, comments, gold.group)


def _by_segments(gold: GoldText, _: Page, lines: Lines) -> Truth | None:
    """Return labels of the lines that contain a segment, or lie in one; None without any.

    A segment of the main text labels lines if the page has it once: of several places it is unknown which is the main
    text. A segment that is not main text is boilerplate wherever it stands.
    """
    line_words = [words(space_out(text)) for text in lines.texts]
    page = [word for line in line_words for word in line]
    line_of_word = np.repeat(np.arange(len(line_words)), [len(line) for line in line_words])
    is_labelled = np.zeros((2, len(line_words)), np.bool_)  # content, boilerplate
    for row, segments in enumerate(gold.segments or ()):
        for segment in segments:
            segment_words = words(space_out(segment))
            places = list(_places(page, segment_words))
            if row or len(places) == 1:
                for place in places:
                    is_labelled[row, line_of_word[place : place + len(segment_words)]] = True
    share = np.where(is_labelled[0] ^ is_labelled[1], is_labelled[0].astype(np.float64), np.nan)
    if np.isnan(share).all():
        return None
    unknown = np.full(len(share), np.nan)
    return Truth("", None, share, unknown, gold.group, gold.segments)


def _places(page: Sequence[str], segment: Sequence[str]) -> Iterator[int]:
    if segment:
        size, first = len(segment), segment[0]
        for place, word in enumerate(page):
            if word == first and page[place : place + size] == segment:
                yield place


def space_out(text: str) -> str:
    """Return a text with a space around every character of unspaced scripts, whose copies break lines in sentences."""
    return _UNSPACED.sub(r" \g<0> ", text)


def _by_runs(
    runs: Sequence[LabelledRun], has_comments: bool, page: Page, lines: Lines
) -> Truth | None:
    """Return labels of the lines most of whose characters are labelled; white space does not count."""
    counts = np.zeros((3, len(lines.texts)))  # content, boilerplate, comment
    node_of_xpath = {xpath: n for n, xpath in enumerate(xpaths(page))}
    for run in runs:
        node = node_of_xpath.get(run.xpath)
        if node is None or characters(run.text) != characters(
            page.nodes[node].text[run.start : run.end]
        ):
            continue  # the gold of another page
        row = 2 if run.comment else int(run.label is not Label.CONTENT)
        counts[row, lines.of_node[node]] += len(characters(run.text))
    line_sizes = np.array([len(characters(text)) for text in lines.texts])
    labelled = counts.sum(axis=0)
    is_labelled = 2 * labelled > line_sizes
    if not is_labelled.any():
        return None
    content, _, comment = np.where(is_labelled, counts / np.maximum(labelled, 1), np.nan)
    comments = None
    if has_comments:
        comments = "\n".join(compress(lines.texts, comment > 0.5))
    else:
        comment = np.full(len(content), np.nan)
    text = "\n".join(compress(lines.texts, content > 0.5))
    return Truth(text, comments, content, comment, runs[0].group)


def comment_share(texts: Sequence[str], share: Shares, comments: str | None) -> Shares:
    """Return the share of each line's words that text gold has as comments of users; NaN where unknown.

    Gold without comments has posts of forums as content, which other gold has as comments. Where gold has both, a
    line of content is no comment, whatever words it shares with comments.
    """
    if comments is None:
        return np.full(len(share), np.nan)
    candidates = ["" if content > 0.5 else text for text, content in zip(texts, share, strict=True)]
    return np.nan_to_num(gold_share(candidates, comments))


MOST_WORDS = 80  # maximum words of a line that count for its weight, their root

COVERED = 0.5
"""Minimum share of the gold's words that a page must have to be learned from; others are another page, or wrongly decoded."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A labelled page; gold text, comments, shares of lines and segments are those of its `Truth`.

    `site` is the registered domain, so that folds keep all of it together. `weight` is the weight of each line in
    training, `trust` that of the page.
    """

    source: str
    site: str
    record_id: str
    url: str
    gold: str
    gold_comments: str | None
    features: Features
    share: Shares
    comments: Shares
    weight: NDArray[np.float64]
    trust: float
    segments: Segments | None = None

    @property
    def is_labelled(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.share)


def source_of(archive: str) -> str:
    return archive.rpartition("/")[2].partition(".")[0]


def read_examples(
    archive: str,
    gold: str,
    config: Config,
    weight: float,
    progress: Callable[[str], None],
    *,
    known: Callable[[Annotation], Annotation] = lambda annotation: annotation,
    wordless: bool = False,
) -> list[Example]:
    """Labelled pages of an archive; unlabelled ones are neighbours. A page counts `weight`.

    Gold that names a page by its URL holds for the first snapshot, as in dbce.evaluate. `known`
    reduces an annotation to what the features may know of it. Pages without words in the
    gold are left out, unless `wordless`: nothing is to be learned from them, but they can be scored.
    Raises UsageError: no page of the archive has gold.
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
        features = page_features(
            page, annotation and known(annotation), self_description(document.declared_metadata)
        )
        truth = teacher(page, features.lines)
        if truth is None or not (wordless or truth.segments or words(truth.text)):
            continue
        titles = (*declared_opening(document.declared_metadata).titles, page.title)
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
    sizes = np.array([len(words(text)) for text in page.lines.texts])
    known = ~np.isnan(truth.share)
    if not truth.segments and (truth.share * sizes)[known].sum() < COVERED * len(words(truth.text)):
        return np.zeros(len(sizes))
    weights = np.sqrt(np.minimum(sizes, MOST_WORDS))
    weights[_headline(page, titles)] = 0
    return np.asarray(weights)


def _headline(page: Features, titles: Sequence[str]) -> list[int]:
    """Return the line of the headline, if any: sets of gold disagree on it, so none is learned from."""
    keys, texts = title_keys(titles), page.lines.texts
    heading_lines = np.flatnonzero(page.heading == np.arange(len(texts)))
    return [line for line in heading_lines.tolist() if names_page(texts[line], keys)][:1]


def domain_of(name: str) -> str:
    """Registered domain of a site, which data sets name differently; other names as they are."""
    host = name.partition("/")[0]
    return site(f"http://{host}/", "domain") if "." in host else name
