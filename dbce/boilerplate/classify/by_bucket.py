"""The self-trained method: the lines that bit patterns decide teach a classifier the others.

A bucket here is what stage 3 can see of one: the pages judged together (a stretch of one file, in
its order, since no HTML leaves the machine that reads it) that crosses connect, be it through a page
that is not among them. So what a page is taught by depends on which pages lie near it in the file,
and the files of an archive learn nothing from each other; it does not depend on the order within
the stretch, nor on how the work was spread over machines.

The strongest cross labels a line whose words its pattern finds all content or all boilerplate. The
classifier decides the others, as whole lines. It also takes back "content" that it finds less likely
than not, since to be found nowhere else speaks for content only weakly; "boilerplate" stands, since
to be found elsewhere is evidence. Both rules were chosen on the training sets.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.features import batch_features
from dbce.boilerplate.classify.patterns import element_bits, pattern_labels
from dbce.boilerplate.classify.selftrained import SelfTrained
from dbce.model import BOILERPLATE, CONTENT, INVALID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.model import Annotation, Page

    Chances = NDArray[np.float64]

FEWEST = 5
"""Lines of either class to learn from, as the thesis asks for five neighbours."""


def judge_by_bucket(pages: Sequence[tuple[Page, Annotation | None]]) -> list[Chances]:
    """For every word of each page the probability of content where the classifier decides.

    NaN where the patterns do: all words of a page without *up*, and of a bucket that has fewer than
    `FEWEST` decided lines of either class.
    """
    chances = [np.full(sum(len(n.text.split()) for n in page.nodes), np.nan) for page, _ in pages]
    compared = {
        n: (page, found)
        for n, (page, found) in enumerate(pages)
        if found is not None and found.knows_other_pages
    }
    for bucket in _buckets({n: found for n, (_, found) in compared.items()}):
        for n, its_chances in zip(bucket, _judge([compared[n] for n in bucket]), strict=False):
            chances[n] = its_chances
    return chances


def _judge(pages: Sequence[tuple[Page, Annotation]]) -> list[Chances]:
    """The same for the pages of one bucket; nothing if there is too little to learn from."""
    # Without their annotations: what other pages say is what the classifier must not see.
    features = batch_features([(page, None) for page, _ in pages])
    lines = features.lines
    of_word = np.repeat(lines.of_node, lines.node_words)
    ends = np.cumsum(lines.node_words)[lines.node_starts[1:] - 1]
    sizes = np.diff(ends, prepend=0).tolist()
    by_pattern = [_by_pattern(found, size) for (_, found), size in zip(pages, sizes, strict=True)]
    labels = _line_labels(np.concatenate(by_pattern), of_word)
    if min((labels == CONTENT).sum(), (labels == BOILERPLATE).sum()) < FEWEST:
        return []
    (chances,) = SelfTrained().fit([features], [labels]).predict_proba([features])
    return np.split(_taken(labels, chances.round(4))[of_word], ends[:-1])


def _buckets(annotations: Mapping[int, Annotation]) -> list[list[int]]:
    """The keys of annotations that crosses connect, each bucket in the order of record ids."""
    from scipy.cluster.hierarchy import DisjointSet

    connected: DisjointSet = DisjointSet()
    for found in annotations.values():
        for member in (m for cross in found.crosses for m in cross.members if m is not None):
            connected.add(found.record_id)
            connected.add(member)
            connected.merge(found.record_id, member)
    buckets: dict[str, list[int]] = defaultdict(list)
    for key in sorted(annotations, key=lambda key: annotations[key].record_id):
        buckets[connected[annotations[key].record_id]].append(key)
    return list(buckets.values())


def _by_pattern(found: Annotation, words: int) -> NDArray[np.uint8]:
    """The label of every word by the strongest cross."""
    cross = found.crosses[0]
    return pattern_labels(cross.bits, element_bits(found, cross, words))


def _line_labels(labels: NDArray[np.uint8], line: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The label of each line on which all words agree, else INVALID; `line` is that of each word."""
    words = np.bincount(line)
    agreed = [np.bincount(line, labels == kind) == words for kind in (CONTENT, BOILERPLATE)]
    return np.select(agreed, [np.uint8(CONTENT), np.uint8(BOILERPLATE)], np.uint8(INVALID))


def _taken(labels: NDArray[np.uint8], chance: Chances) -> Chances:
    """The probability of the lines that the classifier decides, NaN for those that it does not."""
    its_own = (labels == INVALID) | ((labels == CONTENT) & (chance < 0.5))
    return np.where(its_own, chance, np.nan)
