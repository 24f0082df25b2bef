"""Visual comparison of two snapshots: their screenshots, and the blocks that they were cut into.

Rows of two screenshots are aligned first; then come structure, pixels and a hash of the whole.
"""

from collections.abc import Container, Iterator
from io import BytesIO
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rapidfuzz.distance import LCSseq
from skimage.metrics import structural_similarity

from dbce.model import as_numbers
from dbce.output import Row
from dbce.quality import DamageKind
from dbce.storage import SealedFolder
from dbce.visual import contents, tables_beside
from dbce.visual.changes.boxes import ChangedBlocks, boxes_of, changed_blocks
from dbce.visual.changes.pagelyzer import TOP, contents_of
from dbce.visual.changes.snapshot import LOOK_NUMBERS, BlockColumns, Look
from dbce.visual.render import open_rendered, pages_of_file, rendered_ids, screenshot_at

Pixels = NDArray[np.uint8]

SCALE = 4
"""Side in pixels of the cells whose means SSIM compares: a sixteenth of the cost, and letters do not matter to it."""

WHITE = 255
"""Grey level that pads a picture to the size of the other one: that of an empty page."""

WINDOW = 11  # side of the window of SSIM in pixels, at sigma 1.5 (Wang et al., 2004)


class Pictures(NamedTuple):
    """Difference of two screenshots.

    `rows_kept` is the share of rows of pixels that are in both, in order. `ssim` is the structural
    similarity of the aligned pictures, -1 to 1, `pixels` the share of their pixels that differ;
    with `top`, the same of the first TOP rows of each, not aligned. `difference_hash` counts the bits of
    64 that differ (Krawetz, 2013).
    """

    rows_kept: float
    ssim: float
    ssim_top: float
    pixels: float
    pixels_top: float
    difference_hash: int


def compare_pictures(old: bytes, new: bytes) -> Pictures:
    """Return the difference of two pictures (PNG), in grey. Raises OSError: one is no picture."""
    if old == new:
        return Pictures(1.0, 1.0, 1.0, 0.0, 0.0, 0)
    before, after = _pixels(old), _pixels(new)
    width = max(before.shape[1], after.shape[1])
    before, after = (_pad(side, len(side), width) for side in (before, after))
    rows_kept, aligned = _align_rows(before, after)
    # The top too, not aligned, as Pagelyzer compares it.
    top = tuple(_pad(side[:TOP], TOP, width) for side in (before, after))
    return Pictures(
        rows_kept,
        *(_ssim(*aligned), _ssim(*top), _share_of_pixels(*aligned), _share_of_pixels(*top)),
        int(np.count_nonzero(difference_hash(before) != difference_hash(after))),
    )


def _pixels(png: bytes) -> Pixels:
    with Image.open(BytesIO(png)) as picture:
        return np.asarray(picture.convert("L"))


def _pad(picture: Pixels, height: int, width: int) -> Pixels:
    """Return the picture padded with white."""
    missing = [(0, height - picture.shape[0]), (0, width - picture.shape[1])]
    return np.pad(picture, missing, constant_values=WHITE)


def _align_rows(before: Pixels, after: Pixels) -> tuple[float, tuple[Pixels, Pixels]]:
    """Return the share of rows kept, and both pictures with white rows where the other one has more.

    Otherwise a new line above would make all rows below differ. Rows between kept ones are compared with
    those in the same gap on the other side, from the top.
    """
    coded = as_numbers(*((row.tobytes() for row in side) for side in (before, after)))
    parts: tuple[list[Pixels], list[Pixels]] = ([], [])
    kept = 0
    for is_kept, steps in groupby(LCSseq.opcodes(*coded), lambda step: step.tag == "equal"):
        group = list(steps)
        first, last = group[0], group[-1]
        cut = before[first.src_start : last.src_end], after[first.dest_start : last.dest_end]
        height = max(map(len, cut))
        kept += height if is_kept else 0
        for side, part in zip(parts, cut, strict=True):
            side.append(_pad(part, height, before.shape[1]))
    both = len(before) + len(after)
    return 2 * kept / max(1, both), (np.concatenate(parts[0]), np.concatenate(parts[1]))


def _ssim(before: Pixels, after: Pixels) -> float:
    small = [_shrink(side) for side in (before, after)]
    as_published = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    return float(structural_similarity(*small, data_range=255, **as_published))  # type: ignore[no-untyped-call]


def _shrink(picture: Pixels) -> NDArray[np.float32]:
    """Return the means of SCALE x SCALE pixels, at least as many as the window of SSIM."""
    height, width = (max(WINDOW, -(-size // SCALE)) * SCALE for size in picture.shape)
    cells = _pad(picture, height, width).reshape(height // SCALE, SCALE, -1, SCALE)
    means: NDArray[np.float32] = cells.mean(axis=(1, 3), dtype=np.float32)
    return means


def _share_of_pixels(before: Pixels, after: Pixels) -> float:
    return float((before != after).mean()) if before.size else 0.0


def difference_hash(picture: Pixels) -> NDArray[np.bool_]:
    """Return 64 bits: whether each of 8 x 8 places, means of their pixels, is darker than the next."""
    places = _shrink(picture)
    for axis, count in ((0, 8), (1, 9)):
        edges = np.arange(count) * places.shape[axis] // count
        sizes = np.diff(edges, append=places.shape[axis])
        sums = np.add.reduceat(places, edges, axis=axis)
        places = sums / np.expand_dims(sizes, 1 - axis)
    darker: NDArray[np.bool_] = np.diff(places, axis=1) > 0
    return darker.ravel()


FEWER = 0.2
"""Minimum drop of a damaged page, both in the share of its requests that were found and, relatively, in their number."""

LACKING = {
    "style_sheets": DamageKind.NO_STYLE,
    "images": DamageKind.NO_PICTURES,
    "requests": DamageKind.NO_RESOURCES,
}
"""Kinds of resources that may be missing, the worst first: all of a kind can be missing, yet be few of all requests."""


class VisibleChanges(NamedTuple):
    """Visible differences of two rendered snapshots; `old` and `new` are their looks."""

    old: Look
    new: Look
    blocks: ChangedBlocks
    pictures: Pictures

    def features(self) -> dict[str, float]:
        """Return the features of the visible change, by name."""
        pictures, heights = self.pictures, (self.old.height, self.new.height)
        return {
            "rows changed": 1 - pictures.rows_kept,
            "rows changed, root": (1 - pictures.rows_kept) ** 0.5,
            "structural dissimilarity": 1 - pictures.ssim,
            "structural dissimilarity, top": 1 - pictures.ssim_top,
            "pixels changed, root": pictures.pixels**0.5,
            "pixels changed at the top, root": pictures.pixels_top**0.5,
            "difference hash": pictures.difference_hash / 64,
            "height changed": 1 - min(heights) / max(1, *heights),
        }


def damage_of_look(old: Look, new: Look) -> DamageKind | None:
    """Return the first damage of LACKING of which the newer one found much less, or None.

    Less as a share, and in number: a page that requests more, which no crawl fetched, has lost nothing.
    """
    return next((damage for kind, damage in LACKING.items() if _lacks(old, new, kind)), None)


def _lacks(old: Look, new: Look, kind: str) -> bool:
    before, after = (getattr(look, f"{kind}_found") for look in (old, new))
    is_less = old.share_found(kind) - new.share_found(kind) >= FEWER
    return is_less and bool(after <= (1 - FEWER) * before)


def visible_changes(folder: str, old: Look, new: Look) -> VisibleChanges:
    """Return the visible differences of two snapshots of the pages rendered in a run's folder."""
    pictures = compare_pictures(*screenshots(folder, old, new))
    return VisibleChanges(old, new, changed_blocks(old.blocks, new.blocks), pictures)


def screenshots(folder: str, *looks: Look) -> list[bytes]:
    rendered = open_rendered(folder)
    return [screenshot_at(rendered, look.file, look.offset) for look in looks]


def read_looks(
    uri: str, name: str, selected: Container[str], *, for_pagelyzer: bool
) -> Iterator[tuple[str, Look]]:
    """Yield (record id, look) of the selected rendered captures of an input file that have a picture.

    `name` is that of its tables in the run; it may have been rendered in other parts. A page that cannot be
    segmented has no blocks.
    """
    rendered = open_rendered(uri)
    for table in tables_beside(rendered, "pages", name):
        record_ids = [record_id for record_id in rendered_ids(uri, table) if record_id in selected]
        if not record_ids:
            continue
        content = contents(SealedFolder(uri), table, record_ids)
        for row, page in pages_of_file(rendered, table):
            if page.record_id in selected and row["screenshot_offset"] is not None:
                blocks = boxes_of(page, content.get(page.record_id, {}))
                contents_json = contents_of(page) if for_pagelyzer else ""
                yield page.record_id, look_of(row, table, blocks, contents_json)


def look_of(row: Row, name: str, blocks: BlockColumns, contents: str = "") -> Look:
    """Return the look of a page by its row in the table `pages` called `name`, and the blocks it was cut into."""
    numbers: Row = {number: row[number] or 0 for number in LOOK_NUMBERS}
    return Look(name, row["screenshot_offset"], blocks=blocks, contents=contents, **numbers)
