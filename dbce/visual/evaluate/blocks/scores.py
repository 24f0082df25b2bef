"""All measures of one segmentation of one page against its gold, and those of partitions among them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, kron, vstack
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score

from dbce.visual.measure import (
    ND,
    Atoms,
    BCubed,
    BlockCounts,
    Contents,
    Convention,
    Flat,
    Floats,
    NormalBlock,
    area,
    bcubed,
    corners,
    harmonic,
    members,
    shares,
)

Labels = npt.NDArray[np.int64]


def partition(pieces: Atoms, blocks: Sequence[NormalBlock]) -> Labels:
    """Return the block of each atom: the smallest that has its centre. One in none is a cluster of its own."""
    left, top, right, bottom = corners(blocks).T
    areas = np.where(members(pieces, blocks), (right - left) * (bottom - top), np.inf)
    alone = np.arange(len(blocks), len(blocks) + len(pieces.x))
    if not blocks:
        return alone
    return np.where(np.isfinite(areas).any(axis=1), areas.argmin(axis=1), alone)


def dunn(points: Floats, labels: Labels) -> float:
    """Least distance of two centroids by the largest distance of two points of one cluster (C.4).

    NaN with one cluster, infinite where each is one point.
    """
    clusters = [points[labels == label] for label in np.unique(labels)]
    if len(clusters) < 2:
        return float("nan")
    apart = pdist([cluster.mean(axis=0) for cluster in clusters]).min()
    widest = max((pdist(cluster).max() for cluster in clusters if len(cluster) > 1), default=0.0)
    return float(apart / widest) if widest else float("inf")


def earth_movers(supply: Floats, demand: Floats, distances: Floats) -> float:
    """Return the least work that moves the lesser of two masses onto the other, by that mass (C.4).

    `distances` has a row for each supply and a column for each demand. NaN where one side has no mass,
    or where the solver gives up.
    Rubner and others, The earth mover's distance as a metric for image retrieval, IJCV 40, 2000.
    """
    moved = min(supply.sum(), demand.sum())
    if not moved:
        return float("nan")
    leaving = kron(eye_array(len(supply)), np.ones((1, len(demand))))
    arriving = kron(np.ones((1, len(supply))), eye_array(len(demand)))
    found = linprog(
        distances.ravel(),
        A_ub=vstack([leaving, arriving]),
        b_ub=np.concatenate([supply, demand]),
        A_eq=np.ones((1, distances.size)),
        b_eq=[moved],
    )
    return float(found.fun / moved) if found.success else float("nan")


def nested_earth_movers(gold: Sequence[NormalBlock], computed: Sequence[NormalBlock]) -> float:
    """Return the earth mover's distance of two segmentations; 0 is equal, NaN where one has no area.

    A block's mass is its area's share in that of its segmentation. The distance of two blocks is
    again that of moving earth: of one's extent across the page and down it, each spread evenly, to the
    other's; in page widths and heights, summed. T says no more of what is nested than that it is.
    """
    g, p = corners(gold) / ND, corners(computed) / ND
    across, down = (_spread_distances(g[:, [n, n + 2]], p[:, [n, n + 2]]) for n in (0, 1))
    return earth_movers(_masses(g), _masses(p), across + down)


def _masses(blocks: Floats) -> Floats:
    left, top, right, bottom = blocks.T
    return np.array(shares(((right - left) * (bottom - top)).clip(0).tolist()))


def _spread_distances(some: Floats, others: Floats) -> Floats:
    """Return the distance of earth spread evenly over intervals (start, end), each to each.

    In one dimension it is the mean distance of equal quantiles. That is linear in the quantile: its
    mean is half the sum of both ends, less what it loses where it changes sign in between.
    """
    start, end = ((some[:, None, n] - others[None, :, n]) for n in (0, 1))
    size = np.abs(start) + np.abs(end)
    crossed = (start**2 + end**2) / np.where(size > 0, 2 * size, 1)
    return np.where(start * end >= 0, size / 2, crossed)


def found_exactly(
    gold: Sequence[NormalBlock], computed: Sequence[NormalBlock], tolerance: float
) -> BCubed:
    """Precision, recall and F1 of blocks whose four edges are found within the tolerance (C.5).

    A block is found once. The thesis' formula of F1 (C.7) lacks its factor 2; this has it.
    """
    if not gold or not computed:
        return BCubed(float("nan") if not computed else 0.0, float("nan") if not gold else 0.0, 0.0)
    far = cdist(corners(gold), corners(computed), "chebyshev")
    pairs = csr_array(far <= tolerance)
    found = int((maximum_bipartite_matching(pairs, perm_type="column") >= 0).sum())
    precision, recall = found / len(computed), found / len(gold)
    return BCubed(precision, recall, harmonic(precision, recall))


NO_EDGES: Mapping[str, Atoms] = {}
PARTITIONS = ("rand", "adjusted_rand", "nmi", "dunn")


def score(
    gold: Flat,
    computed: Flat,
    convention: Convention,
    found: Contents | None = None,
    edges: Mapping[str, Atoms] = NO_EDGES,
) -> dict[str, Any]:
    """Return all measures by their columns (docs/segmentation-measures.md).

    Without `found` they are those of area alone, and text coverage as the thesis sums it. `edges` are those in the
    picture of the page, by kind, if they are asked for.
    """
    kinds = {"area": area(), **edges}
    if found is not None:
        kinds = {
            "characters": found.texts,
            "texts": replace(found.texts, weights=np.ones_like(found.texts.weights)),
            "elements": found.elements,
        } | kinds
    all_blocks, important = convention.correspond(gold, computed, convention.tolerances)
    covered, words = coverage_once(computed, found) if found else coverage_summed(computed)
    exact = found_exactly(gold.blocks, computed.blocks, convention.tolerances.geometric)
    return {
        **_counts("c", "gtb", "ptb", all_blocks),
        **_counts("ic", "igtb", "iptb", important),
        "words_covered": covered,
        "words": words,
        "tc": covered / words if words else float("nan"),
        **{
            f"bcubed_{kind}_{letter}": value
            for kind, pieces in kinds.items()
            for letter, value in zip("prf", _atom_scores(gold, computed, pieces), strict=True)
        },
        **dict(zip(PARTITIONS, _partitions(gold, computed, found), strict=True)),
        "emd": nested_earth_movers(gold.blocks, computed.blocks),
        **{f"exact_{letter}": value for letter, value in zip("prf", exact, strict=True)},
    }


def _counts(prefix: str, gold: str, computed: str, counts: BlockCounts) -> dict[str, int]:
    return {
        **{f"{prefix}{letter}": n for letter, n in zip("coumf", counts[:5], strict=True)},
        f"{prefix}q": counts.quality,
        gold: counts.gold,
        computed: counts.computed,
    }


def coverage_summed(flat: Flat) -> tuple[int, int]:
    """Text coverage (T 3.3.1), words in blocks and of the page: those of overlapping blocks count twice."""
    return sum(block.words for block in flat.blocks), flat.words


def coverage_once(flat: Flat, found: Contents) -> tuple[int, int]:
    """Text coverage by words of texts that have their centre in any block, each once."""
    inside = members(found.texts, flat.blocks).any(axis=1)
    return int(found.words[inside].sum()), int(found.words.sum())


def _atom_scores(gold: Flat, computed: Flat, pieces: Atoms) -> BCubed:
    return bcubed(members(pieces, gold.blocks), members(pieces, computed.blocks), pieces.weights)


def _partitions(gold: Flat, computed: Flat, found: Contents | None) -> tuple[float, ...]:
    """Return measures of the blocks as clusters of texts, NaN where texts are not known.

    They are the Rand index (C.1), also corrected for chance (C.2), mutual information normalised by the geometric
    mean of both entropies (C.3), and Dunn's index (C.4).
    """
    if found is None or len(found.texts.x) < 2:
        return (float("nan"),) * len(PARTITIONS)
    texts = found.texts
    x, y = (partition(texts, flat.blocks) for flat in (gold, computed))
    inside = y < len(computed.blocks)
    points = np.column_stack([texts.x, texts.y])[inside] * np.array(computed.size) / ND
    return (
        float(rand_score(x, y)),
        float(adjusted_rand_score(x, y)),
        float(normalized_mutual_info_score(x, y, average_method="geometric")),
        dunn(points, y[inside]),
    )
