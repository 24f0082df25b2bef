"""What a wider circle of other pages says of every text node of a page, and of its place.

A cross knows two other pages. More of them tell an advertisement that one neighbour happens to
share from a menu that all have, and what kind of text stands at a place of the template: always
the same, one of a few, or another on every page.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from dbce.model import CIRCLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.model import Cross, Sketch


def circle_of(
    cur: Sketch, crosses: Iterable[Cross], sketches: Mapping[str, Sketch], size: int
) -> list[str]:
    """The `size` most similar captures that the crosses name, one a URL, never the capture's own."""
    named = {m for c in crosses for m in (c.up, c.down, *c.further) if m is not None}
    ranked = sorted(
        named,
        key=lambda other: (
            -int((sketches[other].signature == cur.signature).sum()),
            abs((sketches[other].timestamp - cur.timestamp).total_seconds()),
            other,
        ),
    )
    by_url: dict[str, str] = {}
    for other in ranked:
        by_url.setdefault(sketches[other].surt, other)
    return list(by_url.values())[:size]


def ask(cur: Sketch, keys: NDArray[np.uint64], others: Sequence[Nodes]) -> NDArray[np.float32]:
    """What other pages say of each text node, shape (nodes, len(CIRCLE)).

    The columns: share of the pages that have the same text; share that have its place; number of
    different texts there among all; mean words there; and how widely those texts are shared. NaN
    where no page has the place.

    Args:
        cur: the sketch of the page.
        keys: its node keys (dbce.diff.node_keys).
        others: the text nodes of the other pages, at least one.
    """
    having: dict[int, int] = defaultdict(int)
    for other in others:
        for key in other.texts:
            having[key] += 1
    places = cur.places.tolist()
    of_place = {place: _at_place(place, others, having) for place in set(places)}
    found = np.array([(0.0, *of_place[place]) for place in places], dtype=np.float32)
    found = found.reshape(len(places), len(CIRCLE))
    found[:, 0] = [having.get(key, 0) / len(others) for key in keys.tolist()]
    return found


class Nodes:
    """The text nodes of a page for look-up: its texts, and (text, words) by place."""

    def __init__(self, sketch: Sketch, keys: NDArray[np.uint64]) -> None:
        self.texts = set(keys.tolist())
        self.at: dict[int, list[tuple[int, int]]] = defaultdict(list)
        sizes = np.diff(sketch.ends, prepend=np.uint32(0)).tolist()
        for place, key, size in zip(sketch.places.tolist(), keys.tolist(), sizes, strict=True):
            self.at[place].append((key, size))


def _at_place(
    place: int, others: Sequence[Nodes], having: Mapping[int, int]
) -> tuple[float, float, float, float]:
    there = [node for other in others for node in other.at.get(place, ())]
    if not there:
        return 0.0, np.nan, np.nan, np.nan
    texts = {key for key, _ in there}
    return (
        sum(place in other.at for other in others) / len(others),
        len(texts) / len(there),
        sum(size for _, size in there) / len(there),
        sum(having[key] for key in texts) / len(texts) / len(others),
    )
