"""Extended B-cubed: do pieces of a page that share a segment on one side share as many on the other?

The pieces are atoms, the smallest in which two segmentations are compared: texts, elements, area, edges. Amigo and
others, A comparison of extrinsic clustering evaluation metrics based on formal constraints, Information Retrieval 12,
2009, section 5: for segments that may overlap. Low precision: too much was merged; low recall: too much was cut.

Edges are those in the picture of the page, fine and coarse (Kiesel, Kneist, Meyer, Komlossy, Stein and Potthast, Web
Page Segmentation Revisited: Evaluation Framework and Dataset, CIKM 2020). What people see as one has edges around and
in it; an empty background, which is most of the area, has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.visual.measure.flat import ND, Booleans, Floats, NormalBlock, corners


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Pieces of a page: their centres in units of a normalised page, and what each counts."""

    x: Floats
    y: Floats
    weights: Floats

    def evenly(self) -> Atoms:
        """Return these atoms with a weight of 1 each."""
        return Atoms(self.x, self.y, np.ones_like(self.weights))


def atoms(places: Sequence[tuple[float, float, float]]) -> Atoms:
    """Atoms at places, each (x, y, weight)."""
    return Atoms(*np.array(places, np.float64).reshape(-1, 3).T)


def area() -> Atoms:
    """The cells of a grid of ND x ND over the page, each counted once."""
    centres = np.arange(ND) + 0.5
    x, y = np.meshgrid(centres, centres)
    return Atoms(x.ravel(), y.ravel(), np.ones(x.size))


def members(pieces: Atoms, blocks: Sequence[NormalBlock]) -> Booleans:
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
    """Scores of atoms (rows) in segments (columns) of both sides, each atom counted by its weight.

    An atom in no segment of a side is left out of what is asked of that side.
    """
    gold, computed, weights = _classes(gold, computed, weights)
    shared_gold, shared_computed = _shared_segments(gold), _shared_segments(computed)
    precision = _agreement(shared_computed, shared_gold, weights)
    recall = _agreement(shared_gold, shared_computed, weights)
    return BCubed(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    """2PR / (P + R), 0 where both are."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _classes(
    gold: Booleans, computed: Booleans, weights: Floats
) -> tuple[Booleans, Booleans, Floats]:
    """Atoms that are in the same segments on both sides taken together: the scores are the same."""
    both = np.packbits(np.hstack([gold, computed]), axis=1)  # an eighth as much to sort
    _, first, place = np.unique(both, axis=0, return_index=True, return_inverse=True)
    total = np.bincount(place.ravel(), weights, len(first)).astype(np.float64)
    return gold[first], computed[first], total


def _shared_segments(segments: Booleans) -> Floats:
    """Number of segments that each two atoms share."""
    counted = segments.astype(np.float64)
    return counted @ counted.T


def _agreement(asked: Floats, other: Floats, weights: Floats) -> float:
    """Mean over atoms of the mean over those they share a segment with (on the side asked)."""
    together = (asked > 0) * weights
    agreed = np.minimum(asked, other) / np.where(asked > 0, asked, 1)
    of_atom = (agreed * together).sum(axis=1)
    partners = together.sum(axis=1)
    inside = partners > 0
    total = weights[inside].sum()
    if not total:
        return float("nan")
    return float((weights[inside] * of_atom[inside] / partners[inside]).sum() / total)


class Canny(NamedTuple):
    """Parameters of Canny's detector: the Gaussian's `sigma` in pixels, and both thresholds of an edge.

    The thresholds are shares of the steepest gradient of the picture, as ImageMagick takes them.
    """

    sigma: float
    low: float
    high: float


KINDS = {"edges_fine": Canny(1, 0.01, 0.02), "edges_coarse": Canny(5, 0.01, 0.16)}
"""The kinds of edges that the authors published (README of their code): fine ones are outlines of letters,
coarse ones those of lines of text, pictures and backgrounds."""


def edges(png: bytes) -> dict[str, Atoms]:
    """The pixels of edges in a picture of a page, by kind, each counted once.

    Raises:
        OSError: it is no picture.
    """
    from PIL import Image

    with Image.open(BytesIO(png)) as picture:
        grey = np.asarray(picture.convert("L"), np.float32) / np.float32(255)
    return {name: _edges(grey, kind) for name, kind in KINDS.items()}


def _edges(grey: NDArray[np.float32], kind: Canny) -> Atoms:
    from scipy.ndimage import sobel
    from skimage.feature import canny
    from skimage.filters import gaussian

    smooth = gaussian(grey, kind.sigma, mode="nearest")  # type: ignore[no-untyped-call]
    steepest = float(np.hypot(sobel(smooth, 0), sobel(smooth, 1)).max(initial=0))
    low, high = kind.low * steepest, kind.high * steepest
    found = canny(grey, kind.sigma, low, high, mode="nearest")  # type: ignore[no-untyped-call]
    down, across = np.nonzero(found if steepest else np.zeros_like(grey))
    height, width = grey.shape
    x, y = (across + 0.5) * (ND / width), (down + 0.5) * (ND / height)
    return Atoms(x, y, np.ones(len(x)))
