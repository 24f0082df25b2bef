"""Pagelyzer's features of two rendered snapshots (Sanoja 2015, 5.1): the Delta of their ViXML, and bags of colour words.

Parameters are those of its release of June 2014. A linear SVM decides by the features (`dbce.visual.changes.history.chances`).
"""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from io import BytesIO
from itertools import product
from math import sqrt
from operator import attrgetter

import numpy as np
from PIL import Image

from dbce.model import stored_arrays, words_of
from dbce.visual import RenderedPage
from dbce.visual.changes.boxes import ChangedBlocks, pair_equal
from dbce.visual.changes.snapshot import Counts, Floats, without_player
from dbce.visual.segment import MAY_2014, BlockContent, NamedAddress, block_contents, segment

Contents = tuple[BlockContent, ...]


def contents_of(page: RenderedPage) -> str:
    """Return the contents of the blocks of Block-o-Matic, with Pagelyzer's settings, in JSON."""
    return json.dumps(block_contents(page, segment(page, "bom-published", MAY_2014)))


def read_contents(stored: str) -> Contents:
    """Return the blocks that `contents_of` wrote."""

    def addresses(pairs: Sequence[tuple[str, str]]) -> tuple[NamedAddress, ...]:
        return tuple(NamedAddress(without_player(address), name) for address, name in pairs)

    return tuple(
        BlockContent(ref, is_leaf, addresses(links), addresses(images), tuple(texts))
        for ref, is_leaf, links, images, texts in json.loads(stored)
    )


def delta(old: Contents, new: Contents) -> ChangedBlocks:
    """Return the fates of the blocks: equal ones are kept, wherever they are now; then those at one place changed."""
    kept: list[tuple[int, int]] = []
    changed: list[tuple[int, int]] = []
    old_rest, new_rest = list(range(len(old))), list(range(len(new)))
    for key, pairs in ((tuple, kept), (_content, kept), (attrgetter("ref"), changed)):
        keys = ((n, key(old[n])) for n in old_rest), ((n, key(new[n])) for n in new_rest)
        matched, old_rest, new_rest = pair_equal(*keys)
        pairs.extend(matched)
    return ChangedBlocks(kept, changed, old_rest, new_rest)


def _content(block: BlockContent) -> Hashable:
    """Return the key of a block without its place; an empty one equals no other."""
    return block[2:] if any(block[2:]) else block.ref


OTHER_NUMBER = "other number of blocks"
"""Feature by which the release immediately calls two pages dissimilar."""


def structure_features(old: Contents, new: Contents) -> dict[str, float]:
    """Return the features of the functional prototype: shares of blocks that the Delta changes, and common addresses."""
    changes = delta(old, new)
    edits = {name: len(getattr(changes, name)) for name in ("added", "removed", "changed")}
    leaves = len(_leaves(old)), len(_leaves(new))
    counts = {"blocks": (len(old), len(new)), "leaves": leaves}
    features = {
        f"delta: {edit} by {pick.__name__} {base}": number / max(1, pick(counts[base]))
        for (edit, number), base, pick in product(edits.items(), counts, (min, max))
    }
    for name in ("links", "images"):
        left, right = ({a.address for b in side for a in getattr(b, name)} for side in (old, new))
        features[f"delta: {name} in common"] = len(left & right) / max(1, len(left | right))
    return features


def content_features(old: Contents, new: Contents) -> dict[str, float]:
    """Return the features of the final release: mean cosines of leaf blocks, paired by their number."""
    old_leaves, new_leaves = _leaves(old), _leaves(new)
    features = {OTHER_NUMBER: float(len(old_leaves) != len(new_leaves))}
    for name, counts_of in KINDS.items():
        pairs = zip(map(counts_of, old_leaves), map(counts_of, new_leaves), strict=False)
        cosines = [_cosine(*pair) for pair in pairs]
        features[f"cosine: {name}"] = sum(cosines) / max(1, len(cosines))
    return features


KINDS: dict[str, Callable[[BlockContent], Counter[str]]] = {
    "addresses of links": lambda block: Counter(link.address for link in block.links),
    "names of links": lambda block: Counter(link.name for link in block.links),
    "addresses of images": lambda block: Counter(image.address for image in block.images),
    "names of images": lambda block: Counter(image.name for image in block.images),
    "words": lambda block: Counter(word for text in block.texts for word in words_of(text)),
}
"""Bags that are counted in each leaf block, by name."""


def _leaves(blocks: Contents) -> list[BlockContent]:
    return [block for block in blocks if block.is_leaf]


def _cosine(first: Counter[str], second: Counter[str]) -> float:
    """Return the cosine of counts; 1 if both are empty, 0 if one is."""
    if not first or not second:
        return float(not first and not second)
    common = sum(count * second[word] for word, count in first.items())
    lengths = (sqrt(sum(n * n for n in side.values())) for side in (first, second))
    return common / (next(lengths) * next(lengths))


TOP = 1000  # pixels from the top that are compared (Sanoja 2015, 5.1)
SIDE = 12  # side of a patch in pixels; those of every other row are shifted by half of it

LEVELS = (8, 3, 6)
"""Levels of intensity, hue and saturation (choice: in the order of the name, IHS)."""

COLOURS = 8 * 3 * 6


def image_features(old: bytes, new: bytes) -> dict[str, float]:
    """Return the features of two screenshots (PNG): distances of their bags of words, for each vocabulary."""
    sides = [patches(png) for png in (old, new)]
    features = {}
    for vocabulary in colour_words():
        bags = [_bag(side, vocabulary) for side in sides]
        unit_bags = [bag / max(1e-9, float(np.sqrt(np.square(bag).sum()))) for bag in bags]
        shares = [bag / max(1.0, float(bag.sum())) for bag in bags]
        sums = np.where(shares[0] + shares[1] > 0, shares[0] + shares[1], 1)
        name = f"colours: {len(vocabulary)} words"
        features[f"{name}, L2"] = float(np.square(unit_bags[0] - unit_bags[1]).sum())
        features[f"{name}, χ²"] = float((np.square(shares[0] - shares[1]) / sums).sum())
    return features


def patches(png: bytes) -> Floats:
    """Return the histogram of colours of each patch of a screenshot, a row each."""
    with Image.open(BytesIO(png)) as picture:
        top = picture.crop((0, 0, picture.width, min(TOP, picture.height))).convert("RGB")
        codes = _colour_codes(np.asarray(top, np.float32) / np.float32(255))
    starts = range(0, len(codes) - SIDE + 1, SIDE)
    rows = [codes[y : y + SIDE, SIDE // 2 * (n % 2) :] for n, y in enumerate(starts)]
    histograms = [_row_histograms(row) for row in rows if row.shape[1] >= SIDE]
    return np.concatenate(histograms or [np.empty((0, COLOURS), np.float32)])


def _colour_codes(rgb: Floats) -> Counts:
    """Return the number of each pixel's colour, by intensity, hue and saturation."""
    red, green, blue = np.moveaxis(rgb, -1, 0)
    intensity = rgb.mean(axis=-1)
    saturation = 1 - rgb.min(axis=-1) / np.maximum(intensity, 1e-6)
    hue = np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue) / (2 * np.pi) % 1
    codes = np.zeros(intensity.shape, np.int64)
    for values, levels in zip((intensity, hue, saturation), LEVELS, strict=True):
        codes = codes * levels + np.clip((values * levels).astype(np.int64), 0, levels - 1)
    return codes


def _row_histograms(row: Counts) -> Floats:
    count = row.shape[1] // SIDE
    cells = row[:, : count * SIDE].reshape(SIDE, count, SIDE).transpose(1, 0, 2).reshape(count, -1)
    places = cells + np.arange(count)[:, None] * COLOURS
    counts = np.bincount(places.ravel(), minlength=count * COLOURS)
    return counts.reshape(count, COLOURS).astype(np.float32)


def _bag(side: Floats, vocabulary: Floats) -> Floats:
    """Return the number of patches nearest to each word."""
    distances = np.square(vocabulary).sum(axis=1) - 2 * side @ vocabulary.T
    return np.bincount(distances.argmin(axis=1), minlength=len(vocabulary)).astype(np.float32)


FILE = "colours.npz"
"""Two vocabularies, beside this module, as `scripts.experiments.colour_words` learned them."""


@cache
def colour_words() -> tuple[Floats, ...]:
    """Return the vocabularies of 100 and 200 colour words, a histogram each."""
    stored = stored_arrays("dbce.visual.changes", FILE)
    return tuple(stored[name].astype(np.float32) for name in sorted(stored))


def features(old: Contents, new: Contents, pictures: Sequence[bytes]) -> dict[str, float]:
    """Return the features of all modes, by name."""
    return structure_features(old, new) | content_features(old, new) | image_features(*pictures)
