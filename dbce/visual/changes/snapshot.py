"""A snapshot for comparison: the words, links and images of its blocks, as hashes, with verdicts, and its units.

Also the schemas of snapshots between the stages, and of the table of changes (docs/formats.md).
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dbce.history import PassageKind, TextUnit
from dbce.model import Hashes, key_of
from dbce.output import TIME, Row, columns, strings
from dbce.visual.block_verdicts import CONTENT

Floats = NDArray[np.float32]


class BlockColumns(NamedTuple):
    """Blocks of a page in reading order, column by column.

    `words` are those of all blocks (32-bit hashes), `traits` their traits (`WordTrait`), those of block i end at
    `ends[i]`. In a rendered page the addresses of the links and images of a block follow its words, and count as
    words do; without boxes their blocks are unknown (see References). `content` is the share of a block that is
    content, by the verdicts, 0 to 1. `places` are hashes of the place of each block in the template. `importance`
    is its share of the page's importance, `rects` has a row (x, y, w, h) for each, in pixels; none without a
    rendering.
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
        """Number of words of each block."""
        ends = self.ends.astype(np.int64)
        return ends - np.concatenate(([0], ends[:-1]))

    @property
    def is_content(self) -> NDArray[np.bool_]:
        return self.content >= CONTENT

    def words_of(self, block: int) -> Hashes:
        return self.words[int(self.ends[block - 1]) if block else 0 : int(self.ends[block])]

    def texts(self) -> Iterator[bytes]:
        """Yield the words of each block as bytes, which compare and hash faster than arrays."""
        return (self.words_of(block).tobytes() for block in range(len(self.ends)))


class References(NamedTuple):
    """Addresses of links or images (32-bit hashes), and whether each is in content."""

    addresses: Hashes
    is_content: NDArray[np.bool_]


class Look(NamedTuple):
    """A rendered capture: the place of its screenshot, its height, and its blocks.

    `file` is the name of the tables of the rendered pages, `offset` that of the screenshot's record;
    `requests` is the number of requests of the page, `requests_found` that of those found; likewise for style
    sheets and images alone. `contents` are the blocks that Pagelyzer compares, in JSON, in its modes.
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
    contents: str = ""

    def share_found(self, kind: str) -> float:
        """Return the share of `requests`, `style_sheets` or `images` that was found, 1 if there were none."""
        requested: int = getattr(self, kind)
        fetched: int = getattr(self, f"{kind}_found")
        return fetched / requested if requested else 1.0


class Snapshot(NamedTuple):
    """A judged capture for comparison. `gone` is the kind of page that replaced it, "" if none did.

    `media` are addresses of media and frames. `units` are those of its content, as a history aligns them. `blocks` are those of its text, without boxes; `look` is None if it was not rendered.
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


Counts = NDArray[np.int64]


def count_shared(left: Hashes, right: Hashes) -> int:
    """Return the number of words that two texts have in common, as multisets."""
    distinct, numbers = np.unique(np.concatenate((left, right)), return_inverse=True)
    parts = numbers[: len(left)], numbers[len(left) :]
    return int(np.minimum(*(np.bincount(part, minlength=len(distinct)) for part in parts)).sum())


NAMED_BY = {"a": "href", "area": "href", "img": "src"}
"""Elements that are links or images, and the attribute of their address."""

_ARCHIVE = re.compile(r"^(?:https?://[^/]+)?/(?:[^/]+/)?\d{4,14}(?:[a-z]{2}_)?/(?=https?:/)")
"""Prefix that replay tools put before addresses, such as `https://web.archive.org/web/2013im_/`."""


def without_player(address: str) -> str:
    """Return an address as it was before a replay tool changed it."""
    return _ARCHIVE.sub("", address)


UNIT_KINDS = tuple(kind for kind in PassageKind if kind is not PassageKind.STAMP)
"""Kinds of changes of units that are counted; a stamp is never content."""

IDENTITY = (*strings("record_id", "url", "url_surtkey", "site"), ("fetch_time", TIME))

CHANGES = pa.schema(
    [
        *IDENTITY,
        ("before", pa.string()),
        ("before_time", TIME),
        *strings("mode", "class", "reason"),
        ("back", pa.bool_()),
        ("kinds", pa.list_(pa.string())),
        *columns(pa.float64(), "score", "probability"),
        *columns(pa.bool_(), "important", "redesign_kept"),
        *columns(pa.float64(), "weight", "template_similarity"),
        *columns(pa.int32(), "content_added", "content_removed", "content_kept"),
        *columns(pa.int32(), "boilerplate_added", "boilerplate_removed", "boilerplate_kept"),
        *columns(pa.int32(), "content_new", "content_lost"),
        *columns(pa.int32(), "numbers_touched", "names_touched", "negations_touched"),
        *(
            (f"{what}_{part}", pa.int32())
            for what in ("links", "images")
            for part in ("added", "removed", "kept", "in_content")
        ),
        *columns(pa.int32(), *(f"units_{kind}" for kind in UNIT_KINDS)),
        ("damage", pa.string()),
        *columns(pa.int32(), "boxes_added", "boxes_removed", "boxes_changed", "boxes_kept"),
        *columns(pa.int32(), "height_before", "height"),
        *columns(pa.float64(), "rows_kept", "ssim", "ssim_top", "pixels", "pixels_top"),
        ("difference_hash", pa.int32()),
        *(
            (f"{what}{when}", pa.float64())
            for what in ("resources", "style_sheets_found", "images_found")
            for when in ("_before", "")
        ),
    ]
)
"""Row of a snapshot that has an earlier one."""

_ARRAYS = pa.struct(columns(pa.binary(), *BlockColumns._fields))
LOOK_NUMBERS = Look._fields[Look._fields.index("height") : Look._fields.index("blocks")]
_LOOK = pa.struct(
    [
        ("file", pa.string()),
        ("offset", pa.int64()),
        *columns(pa.int32(), *LOOK_NUMBERS),
        ("blocks", _ARRAYS),
        ("contents", pa.string()),
    ]
)
_REFERENCES = pa.struct(columns(pa.binary(), *References._fields))

SNAPSHOTS = pa.schema(
    [
        ("part", pa.int32()),
        ("is_new", pa.bool_()),
        *IDENTITY,
        *strings("content_digest", "status", "reason", "original", "gone"),
        ("truncated", pa.bool_()),
        ("blocks", _ARRAYS),
        *columns(_REFERENCES, "links", "images", "media"),
        ("look", _LOOK),
        ("units", pa.list_(pa.struct(strings("kind", "text")))),
    ]
)
"""Row of a capture of a URL with several. `part` is that of the table for its change, if `is_new`; all
columns behind `gone` are null for a capture without a text of its own."""

_TYPES: dict[str, type[np.generic]] = {"traits": np.uint8, "is_content": np.bool_}
_TYPES |= dict.fromkeys(("content", "importance", "rects"), np.float32)
"""Types of the arrays of blocks and references; the others are 32-bit whole numbers."""


def snapshot_row(snapshot: Snapshot) -> Row:
    """Return the columns of SNAPSHOTS that a snapshot fills."""
    look = snapshot.look
    return {
        "truncated": snapshot.truncated,
        **{name: _pack(getattr(snapshot, name)) for name in ("blocks", "links", "images", "media")},
        "look": look and look._asdict() | {"blocks": _pack(look.blocks)},
        "units": [{"kind": unit.kind, "text": unit.text} for unit in snapshot.units],
    }


def snapshot_of(row: Row) -> Snapshot:
    links, images, media = (References(**_unpack(row[n])) for n in ("links", "images", "media"))
    return Snapshot(
        row["record_id"],
        row["fetch_time"],
        row["content_digest"] or "",
        row["gone"],
        row["truncated"],
        _blocks(row["blocks"]),
        *(links, images, media),
        row["look"] and Look(**row["look"] | {"blocks": _blocks(row["look"]["blocks"])}),
        tuple(TextUnit(u["kind"], u["text"], key_of(u["text"]), "") for u in row["units"]),
    )


def _pack(arrays: BlockColumns | References) -> Row:
    return {name: values.tobytes() for name, values in arrays._asdict().items()}


def _unpack(packed: Row) -> dict[str, Any]:
    return {name: np.frombuffer(b, _TYPES.get(name, np.uint32)) for name, b in packed.items()}


def _blocks(packed: Row) -> BlockColumns:
    arrays = _unpack(packed)
    return BlockColumns(**arrays | {"rects": arrays["rects"].reshape(-1, 4)})
