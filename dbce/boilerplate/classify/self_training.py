"""The self-trained method: the lines that bit patterns decide teach a classifier the others.

No labels of people are needed. What the classifier learns must hold where the patterns say nothing, so it
sees what a page says of its lines and never what other pages say: the labels come from there, and it
would learn the pattern table by heart. It is a regularised logistic regression. Boosted trees and forests
were no better on whole sites and cost two to forty times as much; names around a line, and its place in
the template, added nothing to a regression per bucket. All of that was measured on the training sets
alone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify.features import Features, batch_features, without_evidence
from dbce.boilerplate.classify.lines import Doubles
from dbce.boilerplate.classify.signs import SIGN_FEATURES
from dbce.boilerplate.classify.thesis import element_bits, pattern_labels
from dbce.model import BOILERPLATE, CONTENT, INVALID, Annotation, Mask, Page

STRENGTH = 0.002
"""Inverse strength of the regularisation: strong, since a pattern's label is often wrong."""

MOST_WORDS = 80  # a line's weight is the root of its number of words, of so many at most
FEWEST = 5  # lines of either class to learn from, as the thesis asks for five neighbours


def learned_chances(page: Features, labels: NDArray[np.uint8]) -> Doubles:
    """Probability of content of every line, learned from those that are not labelled INVALID; both classes weigh the same."""
    from sklearn.linear_model import LogisticRegression

    rows = _page_features(page)
    spread = rows.std(axis=0)
    rows = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    decided = labels != INVALID
    content = labels[decided] == CONTENT
    # A tight tolerance, so that the last bits of sums do not show in four decimals.
    regression = LogisticRegression(C=STRENGTH, tol=1e-6, max_iter=1000)
    regression.fit(rows[decided], content, _weights(page.lines.words[decided], content))
    return np.asarray(regression.predict_proba(rows)[:, 1])


def _page_features(page: Features) -> Doubles:
    """Features by what the page itself says of its lines; counts and lengths by orders of magnitude.

    Signs are left out: of the few lines of a bucket they say too much (cleanportaleval .922, with them .917).
    """
    kept = [n for n, name in enumerate(page.names) if name not in SIGN_FEATURES]
    rows = without_evidence(page.matrix, page.names)[:, kept]
    rows = np.nan_to_num(rows.astype(np.float64))
    return np.asarray(np.sign(rows) * np.log1p(np.abs(rows)))


def _weights(words: NDArray[np.float32], content: Mask) -> Doubles:
    weight = np.sqrt(np.minimum(words, MOST_WORDS)).astype(np.float64)
    of_class = np.bincount(content, weights=weight)
    return weight * len(weight) / 2 / of_class[content.astype(np.int64)]


# A bucket here is what stage 3 can see of one: the pages judged together (a stretch of one file, since no
# HTML leaves the machine that reads it) that crosses connect, be it through a page that is not among them.
# So what a page is taught by depends on which pages lie near it in the file, and on nothing else.


def judge_by_bucket(pages: Sequence[tuple[Page, Annotation | None]]) -> list[Doubles]:
    """Probability of content of every word of each page, where the classifier decides.

    It is NaN where the patterns decide: all words of a page without *up*, and of a bucket that has fewer than
    `FEWEST` decided lines of either class.
    """
    chances = [np.full(sum(len(n.text.split()) for n in page.nodes), np.nan) for page, _ in pages]
    compared = {
        n: (page, annotation)
        for n, (page, annotation) in enumerate(pages)
        if annotation is not None and annotation.knows_other_pages
    }
    for bucket in _buckets({n: annotation for n, (_, annotation) in compared.items()}):
        for n, its_chances in zip(bucket, _judge([compared[n] for n in bucket]), strict=False):
            chances[n] = its_chances
    return chances


def _judge(pages: Sequence[tuple[Page, Annotation]]) -> list[Doubles]:
    """Doubles of the words of one bucket's pages; nothing if there is too little to learn from."""
    # Without their annotations: what other pages say is what the classifier must not see.
    features = batch_features([(page, None) for page, _ in pages])
    lines = features.lines
    of_word = np.repeat(lines.of_node, lines.node_words)
    ends = np.cumsum(lines.node_words)[lines.node_starts[1:] - 1]
    sizes = np.diff(ends, prepend=0).tolist()
    by_pattern = []
    for (_, annotation), size in zip(pages, sizes, strict=True):
        cross = annotation.crosses[0]
        by_pattern.append(pattern_labels(cross.bits, element_bits(annotation, cross, size)))
    labels = _line_labels(np.concatenate(by_pattern), of_word)
    if min((labels == CONTENT).sum(), (labels == BOILERPLATE).sum()) < FEWEST:
        return []
    chance = learned_chances(features, labels).round(4)
    # The classifier decides lines that the pattern of the strongest cross does not, as a whole. It also
    # takes back "content" that it finds less likely than not, since to be found nowhere else speaks for
    # content only weakly; "boilerplate" stands, since to be found elsewhere is evidence. Both rules were
    # chosen on the training sets.
    its_own = (labels == INVALID) | ((labels == CONTENT) & (chance < 0.5))
    return np.split(np.where(its_own, chance, np.nan)[of_word], ends[:-1])


def _buckets(annotations: Mapping[int, Annotation]) -> list[list[int]]:
    from scipy.cluster.hierarchy import DisjointSet

    connected: DisjointSet = DisjointSet()
    for annotation in annotations.values():
        for member in (m for cross in annotation.crosses for m in cross.members if m is not None):
            connected.add(annotation.record_id)
            connected.add(member)
            connected.merge(annotation.record_id, member)
    buckets: dict[str, list[int]] = defaultdict(list)
    for key in sorted(annotations, key=lambda key: annotations[key].record_id):
        buckets[connected[annotations[key].record_id]].append(key)
    return list(buckets.values())


def _line_labels(labels: NDArray[np.uint8], line: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Label of each line on which all words agree, else INVALID."""
    words = np.bincount(line)
    agreed = [np.bincount(line, labels == kind) == words for kind in (CONTENT, BOILERPLATE)]
    return np.select(agreed, [np.uint8(CONTENT), np.uint8(BOILERPLATE)], np.uint8(INVALID))
