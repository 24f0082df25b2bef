"""The whole method on plain values: captures in, annotated captures out.

    from dbce.archive import capture
    from dbce.pipeline import annotate

    pages = [capture(url, html, at="20160101000000") for url, html in my_pages]
    for page in annotate(pages):
        print(page.capture.url, page.status)
        print(page.text)

Spark runs the same functions (dbce.spark): `sketch` is stage 1, `compare` stage 2, `judge` stage 3.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce import html
from dbce.archive import site
from dbce.classify import density_labels, element_bits, pattern_labels
from dbce.config import Config
from dbce.cross import Entry, crosses, strongest
from dbce.diff import align, match
from dbce.errors import InputError
from dbce.hashing import digest64, hash_strings
from dbce.merge import DENSITY, Pooled, pool, text_runs, without_invalid
from dbce.model import (
    CONTENT,
    Annotation,
    Capture,
    Cross,
    Dropped,
    Page,
    Reason,
    Sketch,
    Stage,
    Status,
    TextRun,
)
from dbce.signature import bands, signature
from dbce.text import main_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dbce.model import Hashes, Mask, Origin


SEEN_BEFORE = "its record id was seen before"

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A capture with its verdicts.

    `cross` is the strongest one it was compared in, None if `status` is single; `html` is the
    annotated page (UTF-8); `text` its main content, one line a block.
    """

    capture: Capture
    status: Status
    charset: str
    page: Page
    cross: Cross | None
    runs: tuple[TextRun, ...]
    html: bytes
    text: str

    @property
    def origin(self) -> Origin:
        """Where the capture stands."""
        return self.capture.origin


def annotate(
    captures: Iterable[Capture | Dropped], config: Config | None = None
) -> Iterator[Annotated | Dropped]:
    """Every capture with its verdicts, in the order given; what cannot be judged as Dropped.

    The captures are read twice: sketches are made first, since a page is compared with pages that
    come after it. An iterator that cannot be read twice is kept in memory.
    """
    config = config or Config()
    if iter(captures) is captures:
        captures = list(captures)
    sketches, dropped = sketch_all(captures, config)
    annotations = {a.record_id: a for a in compare(sketches, config)}
    yield from judge_all(captures, dropped, annotations, config)


# Stage 1: a capture becomes a sketch.


def sketch_all(
    captures: Iterable[Capture | Dropped], config: Config
) -> tuple[dict[str, Sketch], dict[int, Dropped]]:
    """(sketches by record id, what has none by its place in the input)."""
    sketches: dict[str, Sketch] = {}
    dropped: dict[int, Dropped] = {}
    for number, capture in enumerate(captures):
        result = capture if isinstance(capture, Dropped) else sketch(capture, config)
        if isinstance(result, Dropped):
            dropped[number] = result
        elif isinstance(capture, Capture) and result.record_id in sketches:
            dropped[number] = drop(capture, Reason.DUPLICATE_RECORD, SEEN_BEFORE)
        else:
            sketches[result.record_id] = result
    return sketches, dropped


def sketch(capture: Capture, config: Config) -> Sketch | Dropped:
    """What stage 2 needs to know of a capture, or why it cannot be judged."""
    try:
        page = html.load(capture.payload, capture.content_type, config.limits).page
    except InputError as e:
        return drop(capture, e.reason, e.detail)
    words, ends = word_hashes(page)
    if not len(words):
        return drop(capture, Reason.NO_TEXT, "the page holds no text")
    return Sketch(
        record_id=capture.record_id,
        site=site(capture.url, config.site_by),
        surt=capture.surt,
        timestamp=capture.timestamp,
        signature=signature(page, config.signature, config.num_perm, config.seed),
        words=words,
        ends=ends,
    )


def word_hashes(page: Page) -> tuple[Hashes, Hashes]:
    """(hash of every word of all text nodes, end of each node among them).

    A word is what white space separates, as in lxml.html.diff.
    """
    words: list[str] = []
    ends = []
    for node in page.nodes:
        words += node.text.split()
        ends.append(len(words))
    return hash_strings(words), np.array(ends, dtype=np.uint32)


def drop(capture: Capture, reason: Reason, detail: str) -> Dropped:
    """The capture, skipped or rejected for a reason found after it was read."""
    skipped = reason in (Reason.NO_TEXT, Reason.DUPLICATE_RECORD)
    return Dropped(
        status=Status.SKIPPED if skipped else Status.REJECTED,
        reason=reason,
        stage=Stage.DECODE if reason is Reason.UNDECODABLE else Stage.PARSE,
        detail=detail,
        origin=capture.origin,
        record_id=capture.record_id,
        url=capture.url,
        surt=capture.surt,
        timestamp=capture.timestamp,
        digest=capture.digest,
        is_html=True,
    )


# Stage 2: sketches become annotations.


def compare(sketches: Mapping[str, Sketch], config: Config) -> Iterator[Annotation]:
    """The annotation of every sketch that has a partner; sketches by record id."""
    buckets: dict[tuple[str, int, bytes], list[Entry]] = defaultdict(list)
    for one in sketches.values():
        member = entry(one)
        for key in bucket_keys(one, config):
            buckets[key].append(member)
    found: dict[str, list[Cross]] = defaultdict(list)
    for bucket in buckets.values():
        for cross in crosses(bucket, config.candidates):
            found[cross.cur].append(cross)
    for cur, its_crosses in found.items():
        yield annotation(sketches[cur], strongest(its_crosses, config.crosses), sketches, config)


def entry(one: Sketch) -> Entry:
    """What a bucket needs to know of a sketch."""
    return Entry(
        record_id=one.record_id,
        surt=one.surt,
        time=int(one.timestamp.timestamp()),
        text=digest64(one.words.tobytes()),
        signature=one.signature,
    )


def bucket_keys(one: Sketch, config: Config) -> Iterator[tuple[str, int, bytes]]:
    """The buckets of a sketch: (site, band, key); the site is "" when sites may mix."""
    place = "" if config.across_sites else one.site
    for band, key in bands(one.signature, config.threshold):
        yield place, band, key


def annotation(
    cur: Sketch, its_crosses: tuple[Cross, ...], sketches: Mapping[str, Sketch], config: Config
) -> Annotation:
    """Which words of a capture each member of its crosses shares; each pair is diffed once."""
    others = {m for cross in its_crosses for m in cross.members[1:] if m is not None}
    shared = {other: _shared(cur, sketches[other], config) for other in sorted(others)}
    return Annotation(cur.record_id, its_crosses, shared)


def _shared(cur: Sketch, other: Sketch, config: Config) -> Mask:
    if config.diff_engine == "lxml":
        return match(cur.words, other.words)
    return align(cur.words, cur.ends, other.words, other.ends, config.alignment_cells)


# Stage 3: annotations become verdicts.


def judge_all(
    captures: Iterable[Capture | Dropped],
    dropped: Mapping[int, Dropped],
    annotations: Mapping[str, Annotation],
    config: Config,
) -> Iterator[Annotated | Dropped]:
    """Every capture with its verdicts, or why it has none, in the order of the input."""
    for number, capture in enumerate(captures):
        if number in dropped or isinstance(capture, Dropped):
            yield dropped[number]
        else:
            yield judge(capture, annotations.get(capture.record_id), config)


def judge(capture: Capture, found: Annotation | None, config: Config) -> Annotated:
    """The capture with its verdicts, its page marked; a page without annotation is judged alone."""
    document = html.load(capture.payload, capture.content_type, config.limits)
    runs = verdicts(document.page, found, config)
    return Annotated(
        capture=capture,
        status=Status.SINGLE if found is None else Status.ANNOTATED,
        charset=document.charset,
        page=document.page,
        cross=found.crosses[0] if found else None,
        runs=runs,
        html=html.annotate(document.root, document.page, document.handles, runs),
        text=main_text(document.page, runs),
    )


def verdicts(page: Page, found: Annotation | None, config: Config) -> tuple[TextRun, ...]:
    """The runs of a page with their verdicts: by its crosses, or without any by its densities."""
    ends = np.cumsum([len(node.text.split()) for node in page.nodes], dtype=np.uint32)
    words = int(ends[-1])
    if found is None:
        only_here = np.full(words, 16, dtype=np.uint8)
        return text_runs(page.nodes, ends, only_here, _alone(page, ends), comparisons=0)
    bits = [element_bits(found, cross, words) for cross in found.crosses]
    votes = [pattern_labels(c.bits, b) for c, b in zip(found.crosses, bits, strict=True)]
    pooled = pool(np.stack(votes))
    if config.method == "T002":
        pooled = without_invalid(pooled)
    return text_runs(page.nodes, ends, bits[0], pooled, len(votes))


def _alone(page: Page, ends: Hashes) -> Pooled:
    labels = np.repeat(density_labels(page), np.diff(ends, prepend=0))
    return Pooled(
        labels=labels,
        probabilities=np.where(labels == CONTENT, DENSITY_TRUST, 1 - DENSITY_TRUST),
        rules=np.full(len(labels), DENSITY, dtype=np.uint8),
    )
