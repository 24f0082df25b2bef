"""Measures of a segmentation against another: normalised blocks with their importance, B-cubed, and correspondence.

T is Sanoja, Web Page Segmentation, Evaluation and Applications, 2015. T 3.2.2 stretches every page to
ND x ND, so that segmentations by several browsers can be compared; its printed formula has the page's x for the
block's. Importance is the part of the middle of the first screen that a block covers (T 3.2.3).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.visual import Rect

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

ND = 100.0  # width and height of a normalised page (T 3.2.2)
NP = 10  # cells of the grid, across and down (T 3.2.3)
_EDGE = 1e-9  # tolerance, in cells, of edges on lines of the grid


class NormalBlock(NamedTuple):
    """A block: its edges in units of a page of ND x ND, and its numbers of elements and words."""

    left: float
    top: float
    right: float
    bottom: float
    elements: int
    words: int


Blocks = Sequence[NormalBlock]


def normalise(
    rect: Rect, size: tuple[float, float], elements: int = 0, words: int = 0
) -> NormalBlock:
    """Return a block of a page of some size (width, height); lengths of both in the same unit.

    On a page without width or height, no block has any.
    """
    across, down = (ND / length if length > 0 else 0.0 for length in size)
    return NormalBlock(
        rect.x * across,
        rect.y * down,
        (rect.x + rect.w) * across,
        (rect.y + rect.h) * down,
        elements,
        words,
    )


def corners(blocks: Iterable[NormalBlock]) -> Floats:
    """Return left, top, right and bottom of blocks, a row each; 0 x 4 without any."""
    return np.array([block[:4] for block in blocks], np.float64).reshape(-1, 4)


@dataclass(frozen=True, slots=True)
class Flat:
    """A flat segmentation, gold or computed.

    `algorithm` names what made it. `importance` has each block's share in the sum over all. `words`
    are those of the page as its maker counted them. `size` is (width, height) of the page in CSS pixels.
    `copied`: it is stored as an algorithm's, and seems to be the gold itself.
    """

    algorithm: str
    size: tuple[float, float]
    words: int
    blocks: tuple[NormalBlock, ...]
    importance: tuple[float, ...]
    copied: bool = False

    def important(self, tolerance: float) -> Booleans:
        """Flag of each block: True if its importance is larger than `tolerance`."""
        return np.array([share > tolerance for share in self.importance], np.bool_)


def grid(visible: float) -> Floats:
    """Return the values of the cells, row by row.

    Over the rows of the visible part, which is `visible` of the page's height (0 to 1), they are 1
    at the edge, 2, 3 and so on inwards; elsewhere 1. The thesis gives no values; rings are what its
    authors' program has.
    """
    rows = min(NP, max(1, math.ceil(visible * NP - _EDGE)))
    values = np.ones((NP, NP))
    row, column = np.indices((rows, NP))
    values[:rows] += np.minimum.reduce([row, rows - 1 - row, column, NP - 1 - column])
    return values


def importances(blocks: Blocks, visible: float) -> tuple[float, ...]:
    """Return the share of each block in the sum over all; 0 for all where none meets a cell."""
    values = grid(visible)

    def met(start: float, end: float) -> slice:
        first = math.floor(start * NP / ND + _EDGE)
        return slice(max(0, first), max(0, math.ceil(end * NP / ND - _EDGE)))

    return shares([float(values[met(b.top, b.bottom), met(b.left, b.right)].sum()) for b in blocks])


def shares(values: Sequence[float]) -> tuple[float, ...]:
    """Return each value's share of their sum; 0 for all if that is 0."""
    total = sum(values)
    return tuple(value / total if total else 0.0 for value in values)


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Pieces of a page: their centres in units of a normalised page, and their weights."""

    x: Floats
    y: Floats
    weights: Floats


def atoms(places: Sequence[tuple[float, float, float]]) -> Atoms:
    """Return atoms at places, each (x, y, weight)."""
    return Atoms(*np.array(places, np.float64).reshape(-1, 3).T)


def area() -> Atoms:
    """Return the cells of a grid of ND x ND over the page, each counted once."""
    centres = np.arange(ND) + 0.5
    x, y = np.meshgrid(centres, centres)
    return Atoms(x.ravel(), y.ravel(), np.ones(x.size))


def members(pieces: Atoms, blocks: Blocks) -> Booleans:
    """Return for each atom (row) and block (column) whether the atom's centre is in it, edges included."""
    left, top, right, bottom = corners(blocks).T
    x, y = pieces.x[:, None], pieces.y[:, None]
    return np.asarray((left <= x) & (x <= right) & (top <= y) & (y <= bottom))


class BCubed(NamedTuple):
    """Precision, recall and their harmonic mean; NaN where no atom is in a segment of that side."""

    precision: float
    recall: float
    f1: float


def bcubed(gold: Booleans, computed: Booleans, weights: Floats) -> BCubed:
    """Return the extended B-cubed of atoms (rows) in segments (columns) of both sides, by the atoms' weights.

    Do pieces of a page that share a segment on one side share as many on the other? The pieces are atoms, the
    smallest unit of comparison: texts, elements, area, edges. Low precision: too much was merged; low recall:
    too much was split. An atom in no segment of a side is left out of the measure of that side.

    Source: Amigo and others, A comparison of extrinsic clustering evaluation metrics based on formal constraints,
    Information Retrieval 12, 2009, section 5: for segments that may overlap.
    """
    gold, computed, weights = _classes(gold, computed, weights)
    sides = (side.astype(np.float64) for side in (gold, computed))
    shared_gold, shared_computed = (side @ side.T for side in sides)  # segments of each two atoms
    precision = _agreement(shared_computed, shared_gold, weights)
    recall = _agreement(shared_gold, shared_computed, weights)
    return BCubed(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    """Return 2PR / (P + R), 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _classes(
    gold: Booleans, computed: Booleans, weights: Floats
) -> tuple[Booleans, Booleans, Floats]:
    """Return atoms merged by equal segments on both sides, which keeps the scores."""
    combined = np.packbits(np.hstack([gold, computed]), axis=1)  # an eighth as much to sort
    _, first, place = np.unique(combined, axis=0, return_index=True, return_inverse=True)
    total = np.bincount(place.ravel(), weights, len(first)).astype(np.float64)
    return gold[first], computed[first], total


def _agreement(shared: Floats, other_shared: Floats, weights: Floats) -> float:
    """Return the mean over atoms of the mean over those they share a segment with (by `shared`)."""
    partner_weights = (shared > 0) * weights
    agreed = np.minimum(shared, other_shared) / np.where(shared > 0, shared, 1)
    agreement = (agreed * partner_weights).sum(axis=1)
    partners = partner_weights.sum(axis=1)
    known = partners > 0
    total = weights[known].sum()
    if not total:
        return float("nan")
    return float((weights[known] * agreement[known] / partners[known]).sum() / total)


KINDS = {"edges_fine": (1, 0.01, 0.02), "edges_coarse": (5, 0.01, 0.16)}
"""The kinds of edges that the authors published (README of their code): fine ones are outlines of letters,
coarse ones those of lines of text, pictures and backgrounds.

Each by parameters of Canny's detector: the Gaussian's sigma in pixels, and both thresholds of an edge, as shares of
the steepest gradient of the picture, as ImageMagick takes them."""


def edges(png: bytes) -> dict[str, Atoms]:
    """Return the edge pixels of a screenshot of a page, by kind, each with weight 1.

    Visual units have edges around and inside them; empty background, most of the area, has none.
    Source: Kiesel, Kneist, Meyer, Komlossy, Stein and Potthast, Web Page Segmentation Revisited: Evaluation
    Framework and Dataset, CIKM 2020.
    Raises OSError: it is no picture.
    """
    from PIL import Image

    with Image.open(BytesIO(png)) as picture:
        grey = np.asarray(picture.convert("L"), np.float32) / np.float32(255)
    return {name: _edges(grey, *parameters) for name, parameters in KINDS.items()}


def _edges(grey: NDArray[np.float32], sigma: float, low: float, high: float) -> Atoms:
    from scipy.ndimage import sobel
    from skimage.feature import canny
    from skimage.filters import gaussian

    smooth = gaussian(grey, sigma, mode="nearest")  # type: ignore[no-untyped-call]
    steepest = float(np.hypot(sobel(smooth, 0), sobel(smooth, 1)).max(initial=0))
    edge_pixels = canny(grey, sigma, low * steepest, high * steepest, mode="nearest")  # type: ignore[no-untyped-call]
    down, across = np.nonzero(edge_pixels if steepest else np.zeros_like(grey))
    height, width = grey.shape
    x, y = (across + 0.5) * (ND / width), (down + 0.5) * (ND / height)
    return Atoms(x, y, np.ones(len(x)))


def thesis_edges(
    gold: Blocks, computed: Blocks, relative: float, geometric: float
) -> tuple[Booleans, Booleans]:
    """Return the edges as the authors' program drew them (asanoja/segmentations), block by block from the top.

    They are directed: first those from gold blocks to computed ones, then the other way. Edges need a weight above `relative`. A gold block with an equal block has no further
    edges; corners are compared truncated, after the gold block was enlarged by `geometric`.
    """
    to_computed, to_gold = np.zeros((2, len(gold), len(computed)), np.bool_)
    in_order = sorted(range(len(computed)), key=lambda n: computed[n].top)
    for row, g in enumerate(gold):
        for column in in_order:
            p = computed[column]
            smaller, larger = sorted((g.elements + g.words, p.elements + p.words))
            if not larger or smaller / larger <= relative:
                continue
            if _corners_match(g, p, geometric):
                to_computed[row, column] = True
                break
            if _holds(g, p, geometric):
                to_computed[row, column] = True
            elif _holds(p, g, geometric):
                to_gold[row, column] = True
    return to_computed, to_gold


def _integer_corners(block: NormalBlock, by: float = 0.0) -> tuple[int, int, int, int]:
    left, top, right, bottom, *_ = block
    return int(left - by), int(top - by), int(right + by), int(bottom + by)


def _corners_match(gold: NormalBlock, computed: NormalBlock, tolerance: float) -> bool:
    """Return whether the corners of two blocks are equal, or close with the gold block enlarged."""
    g, p = _integer_corners(gold, tolerance), _integer_corners(computed)
    if p == _integer_corners(gold):
        return True
    return math.dist(g[:2], p[:2]) <= tolerance and math.dist(g[2:], p[2:]) <= tolerance


def _holds(outer: NormalBlock, inner: NormalBlock, tolerance: float) -> bool:
    return (
        outer.left - tolerance < inner.left
        and outer.top - tolerance < inner.top
        and outer.right + tolerance > inner.right
        and outer.bottom + tolerance > inner.bottom
    )


def dbce_edges(gold: Blocks, computed: Blocks, relative: float, geometric: float) -> Booleans:
    """Return the significant edges of the convention `dbce`, undirected.

    There is an edge where one block contains the other, within `geometric`; its weight is the number of
    elements and words of the inner block as a share of those of the outer one, at most 1. It is
    significant if above 0 and at least `relative`. If each contains the other, the one with fewer elements
    and words is the inner one.
    """
    g, p = corners(gold)[:, None], corners(computed)[None, :]
    is_inside, is_around = _lies_inside(g, p, geometric), _lies_inside(p, g, geometric)
    n, m = _contents(gold)[:, None], _contents(computed)[None, :]
    of_gold, of_computed = _share(n, m), _share(m, n)
    weights = np.select(
        [is_inside & is_around, is_inside, is_around],
        [np.minimum(of_gold, of_computed), of_gold, of_computed],
        0.0,
    )
    return np.asarray((weights >= relative) & (weights > 0))


def _lies_inside(inner: Floats, outer: Floats, tolerance: float) -> Booleans:
    starts = inner[..., :2] >= outer[..., :2] - tolerance
    ends = inner[..., 2:] <= outer[..., 2:] + tolerance
    return np.asarray((starts & ends).all(axis=-1))


def _contents(blocks: Blocks) -> Floats:
    return np.array([block.elements + block.words for block in blocks], np.float64)


def _share(inner: Floats, outer: Floats) -> Floats:
    """Return the inner as shares of the outer, at most 1; for an empty outer 1, or 0 if both are."""
    shares: Floats = np.minimum(inner, outer) / np.where(outer > 0, outer, 1)
    return np.where(outer > 0, shares, (inner > 0).astype(np.float64))


class Tolerances(NamedTuple):
    """t_r, the weight of an edge; t_t, in units of a normalised page; t_i, the importance of important blocks."""

    relative: float
    geometric: float
    importance: float


class BlockCounts(NamedTuple):
    """Edges and blocks of a block correspondence graph.

    Correct are pairs that correspond only to each other; over-segmented are gold blocks with several
    edges, under-segmented computed ones; missed are gold blocks without edge, false alarms computed
    ones. `gold` and `computed` are the numbers of blocks: GTB and PTB.
    """

    correct: int
    oversegmented: int
    undersegmented: int
    missed: int
    false_alarms: int
    gold: int
    computed: int

    @property
    def quality(self) -> int:
        """Cq: all acceptable blocks. It rewards over-segmentation: read it beside Cf and PTB."""
        return self.correct + self.oversegmented + self.undersegmented


class Correspondence(NamedTuple):
    """Counts over all blocks (Cc, Co, Cu, Cm, Cf), and over important ones (ICc ...) (T 3.3.2).

    They are counted in the block correspondence graph (BCG) between a gold and a computed segmentation (algorithm 4).
    Paper and program of its authors differ, so there are two conventions. Both take normalised blocks, and give
    matrices with a row for each gold block and a column for each computed one.
    """

    blocks: BlockCounts
    important: BlockCounts


def in_thesis(gold: Flat, computed: Flat, tolerances: Tolerances) -> Correspondence:
    """Return counts as by the authors' program, edges directed; unimportant blocks keep their edges."""
    edges = thesis_edges(gold.blocks, computed.blocks, tolerances.relative, tolerances.geometric)
    important = (flat.important(tolerances.importance) for flat in (gold, computed))
    return Correspondence(_counts(*edges), _counts(*edges, *important))


def in_dbce(gold: Flat, computed: Flat, tolerances: Tolerances) -> Correspondence:
    """Return counts of significant undirected edges; unimportant blocks leave the graph with their edges."""
    edges = dbce_edges(gold.blocks, computed.blocks, tolerances.relative, tolerances.geometric)
    rows, columns = (flat.important(tolerances.importance) for flat in (gold, computed))
    inner = edges[np.ix_(rows, columns)]
    return Correspondence(_counts(edges, edges), _counts(inner, inner))


def corresponding(gold: Flat, computed: Flat) -> list[tuple[int, int]]:
    """Return the places of blocks that correspond only to each other: the pairs of Cc, by convention `dbce`."""
    relative, geometric, _ = CONVENTIONS["dbce"].tolerances
    edges = dbce_edges(gold.blocks, computed.blocks, relative, geometric)
    return [(int(g), int(p)) for g, p in np.argwhere(_unique_edges(edges))]


def _unique_edges(edges: Booleans) -> Booleans:
    """Return the edges that are the only one of both their blocks."""
    of_gold, of_computed = edges.sum(axis=1), edges.sum(axis=0)
    return np.asarray(edges & (of_gold == 1)[:, None] & (of_computed == 1))


WHOLE = slice(None)


def _counts(
    to_computed: Booleans,
    to_gold: Booleans,
    rows: Booleans | slice = WHOLE,
    columns: Booleans | slice = WHOLE,
) -> BlockCounts:
    """Return counts of edges of both directions, undirected ones as both, perhaps only of some gold and computed blocks."""
    correct = _unique_edges(to_computed) | _unique_edges(to_gold)
    edges = to_computed | to_gold
    of_gold, of_computed = edges.sum(axis=1)[rows], edges.sum(axis=0)[columns]
    return BlockCounts(
        int(correct[rows].sum()),  # by its gold block alone
        int((to_computed.sum(axis=1)[rows] > 1).sum()),
        int((to_gold.sum(axis=0)[columns] > 1).sum()),
        int((of_gold == 0).sum()),
        int((of_computed == 0).sum()),
        len(of_gold),
        len(of_computed),
    )


class Convention(NamedTuple):
    """A way to draw and count edges, with its tolerances."""

    correspond: Callable[[Flat, Flat, Tolerances], Correspondence]
    tolerances: Tolerances


CONVENTIONS: Mapping[str, Convention] = {
    "dbce": Convention(in_dbce, Tolerances(relative=0.1, geometric=1.0, importance=0.1)),
    # The captions of the thesis' tables say t_r = .1; its numbers come out with 0.
    "thesis": Convention(in_thesis, Tolerances(relative=0.0, geometric=1.0, importance=0.1)),
}
