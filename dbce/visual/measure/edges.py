"""Edges in the picture of a page, fine and coarse, as atoms of B-cubed.

Kiesel, Kneist, Meyer, Komlossy, Stein and Potthast, Web Page Segmentation Revisited: Evaluation Framework and
Dataset, CIKM 2020. What people see as one has edges around and in it; an empty background, which is most of
the area, has none.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.measure.bcubed import Atoms
from dbce.visual.measure.flat import ND

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
