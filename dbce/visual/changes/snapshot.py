"""A snapshot as it is compared: the words, links and images of its blocks, as hashes, with verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from dbce.history import TextUnit
    from dbce.model import Hashes

    Floats = NDArray[np.float32]

CONTENT = 0.5
"""The share of content from which on a block is content."""


class BlockColumns(NamedTuple):
    """The blocks of a page in reading order, column by column.

    The words of all blocks stand in `words` (32-bit hashes), their traits in `traits` (`WordTrait`), those
    of block i end at `ends[i]`. Of a
    rendered page the addresses of the links and images of a block stand behind its words, and count as
    words do; without boxes nobody knows which block they are in (see References). `content`
    is the share of a block that is content, by the verdicts, 0 to 1. `places` are hashes of where in the
    template a block stands. `importance` is its share in what the page has to say, and `rects` has a row
    (x, y, w, h) for each, in pixels; none where the page was not rendered.
    """

    words: Hashes
    traits: NDArray[np.uint8]
    ends: Hashes
    content: Floats
    places: Hashes
    importance: Floats
    rects: Floats

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of words of each block."""
        ends = self.ends.astype(np.int64)
        return ends - np.concatenate(([0], ends[:-1]))

    @property
    def is_content(self) -> NDArray[np.bool_]:
        """Flag of each block: True if it is content."""
        flags: NDArray[np.bool_] = self.content >= CONTENT
        return flags

    def span(self, block: int) -> slice:
        """The places of the words of a block."""
        return slice(int(self.ends[block - 1]) if block else 0, int(self.ends[block]))

    def of(self, block: int) -> Hashes:
        """The words of a block."""
        return self.words[self.span(block)]


class References(NamedTuple):
    """Addresses of links or images (32-bit hashes), and whether each stands at content."""

    addresses: Hashes
    is_content: NDArray[np.bool_]


class Look(NamedTuple):
    """A capture as it was rendered: where its picture is, its height, and what it was cut into.

    `file` is the name of the tables of the rendered pages, `offset` that of the screenshot's record;
    `requests` counts what the page asked for, `requests_found` what of it was found; so do the others of style
    sheets and of images alone.
    """

    file: str
    offset: int
    height: int
    requests: int
    requests_found: int
    style_sheets: int
    style_sheets_found: int
    images: int
    images_found: int
    blocks: BlockColumns

    def share_found(self, kind: str) -> float:
        """The share of `requests`, `style_sheets` or `images` that was found, 1 if there were none."""
        asked: int = getattr(self, kind)
        answered: int = getattr(self, f"{kind}_found")
        return answered / asked if asked else 1.0


class Snapshot(NamedTuple):
    """A judged capture as it is compared. `gone` is what it is instead of a page, "" if it is one.

    `media` are addresses of what plays, and of frames. `units` are those of its content, as a history aligns them. `blocks` are those of its text, without boxes; `look` is None if it was not rendered.
    """

    record_id: str
    timestamp: datetime
    digest: str
    gone: str
    truncated: bool
    blocks: BlockColumns
    links: References
    images: References
    media: References
    look: Look | None
    units: tuple[TextUnit, ...] = ()
