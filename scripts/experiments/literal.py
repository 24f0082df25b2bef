"""The thesis' method to the letter, page by page, to know what it costs (`benchmark`).

BeautifulSoup reads the page, every token goes into its MinHash one by one, datasketch's index finds
the bucket, `html_annotate` compares the markup of cur with that of up, down, prev and next, and each
page trains a forest of its own (T006). `dbce run --method T006` gives the verdicts of this method; here
its work is done for the sake of its cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from bs4 import BeautifulSoup, Comment, Tag
from datasketch import MinHash, MinHashLSH
from lxml.html.diff import html_annotate

from dbce import html
from dbce.boilerplate.judge import verdicts
from dbce.boilerplate.sketch import word_hashes
from dbce.model import Annotation, Config, Cross

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.model import Capture, Mask, TextRun

CONFIG = Config(method="T006", signature="layers")


@dataclass(frozen=True)
class Entry:
    """A capture as the thesis keeps it: a soup without scripts, comments and frames."""

    capture: Capture

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The sanitised document."""
        soup = BeautifulSoup(self.capture.payload, "lxml")
        for unseen in soup(["script", "style", "noscript", "template", "iframe"]):
            unseen.decompose()
        for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
            comment.extract()
        return soup

    @cached_property
    def markup(self) -> str:
        """The body, as `html_annotate` takes it."""
        return str(self.soup.body or self.soup)

    @cached_property
    def minhash(self) -> MinHash:
        """The signature of its layers' tokens (thesis, listings 2.3 to 2.8)."""
        minhash = MinHash(num_perm=CONFIG.num_perm, seed=CONFIG.seed % 2**32)
        layer: list[Tag] = [self.soup]
        level = 0
        while layer:
            groups = [[c for c in parent.children if isinstance(c, Tag)] for parent in layer]
            for g, group in enumerate(filter(None, groups)):
                for n, tag in enumerate(group):
                    place = f"{n}_{g}_{level}_"
                    names = [tag.name, *(parent.name for parent in tag.parents)]
                    minhash.update("/".join(place + name for name in names).encode())
            layer = [tag for group in groups for tag in group]
            level += 1
        return minhash


def literally(captures: Sequence[Capture]) -> Iterator[tuple[TextRun, ...]]:
    """The runs of every capture that has a partner among them, with their verdicts."""
    entries = {capture.record_id: Entry(capture) for capture in captures}
    index = MinHashLSH(threshold=CONFIG.template_similarity, num_perm=CONFIG.num_perm)
    for record_id, entry in entries.items():
        index.insert(record_id, entry.minhash)
    for entry in entries.values():
        cross = _cross(entry, [entries[found] for found in index.query(entry.minhash)])
        if cross:
            yield _verdicts(entry, cross, entries)


def _cross(entry: Entry, bucket: Sequence[Entry]) -> Cross | None:
    cur = entry.capture

    def alike(other: Entry) -> float:
        return -float(entry.minhash.jaccard(other.minhash))

    others = sorted((o for o in bucket if o.capture.surt != cur.surt), key=alike)
    own = sorted(
        (o for o in bucket if o.capture.surt == cur.surt), key=lambda o: o.capture.timestamp
    )
    if not others:
        return None
    at = own.index(entry)
    up, down = [o.capture.record_id for o in others[:2]] + [None] * (2 - len(others[:2]))
    previous = own[at - 1].capture.record_id if at else None
    later = own[at + 1].capture.record_id if own[at + 1 :] else None
    return Cross(cur.record_id, up or "", down, previous, later, -alike(others[0]), 0.0)


def _verdicts(entry: Entry, cross: Cross, entries: dict[str, Entry]) -> tuple[TextRun, ...]:
    page = html.load(entry.markup.encode(), "text/html; charset=utf-8", CONFIG.limits).page
    words = len(word_hashes(page)[0])
    others = [member for member in cross.members[1:] if member]
    shared = {o: _shared_words(entries[o].markup, entry.markup, words) for o in others}
    nothing = np.empty((0, 0), np.float32)
    found = Annotation(entry.capture.record_id, (cross,), shared, circle=nothing, history=nothing)
    (runs,) = verdicts([(page, found)], CONFIG)
    return runs


def _shared_words(other: str, cur: str, words: int) -> Mask:
    """The words of cur that the other has; images, which lxml counts as words, may shift them."""
    mask: list[bool] = []

    def collect(text: str, version: str) -> str:
        mask.extend([version == "shared"] * len(text.split()))
        return text

    html_annotate([(other, "shared"), (cur, "own")], collect)
    return np.resize(np.array(mask or [False]), words)
