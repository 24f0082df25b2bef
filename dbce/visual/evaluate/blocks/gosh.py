"""Block gold and stored segmentations as the set GOSH has them (`gosh.blocks.jsonl`).

One object a page: `url`, `category`, `capture` with the `record_id` of its capture or null, and
`segmentations`: GT (gold) and others by name, each with `width`, `height`, `page_words` and `blocks`, each with
`n` (left, top, right, bottom on 100 x 100), `elements`, `words` and `importance`, and its edges in pixels.
Sanoja, T 4.4. `gosh.fit.jsonl` beside it says how the gold fits the captures when they are laid out today.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.model import UsageError
from dbce.storage import json_objects
from dbce.visual import Rect
from dbce.visual.measure import Flat, MarkedBlock, MarkedPage, NormalBlock, shares

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GOLD = "GT"
NAMES = {"BOM": "BoM", "JVIPS": "JVIPS", "VIPS": "VIPS", "BF": "BF"}
"""The segmenters as the thesis writes them."""


FITS = 0.5
"""Share of a page's gold blocks that have to fit an element today, for its gold to be laid over it."""


class Fit(NamedTuple):
    """Fit of a page's gold to its capture: window width, pixels to add to x, share that fits."""

    window: int
    dx: float
    share: float


def is_gosh(fields: dict[str, Any]) -> bool:
    """Return whether an object is a page of a file as GOSH has it."""
    return "segmentations" in fields


def gold_flat(fields: dict[str, Any]) -> Flat:
    """The gold of a page.

    Raises:
        ValueError: it has none.
    """
    return _flat("gold", _segmentations(fields).get(GOLD))


def stored_flats(fields: dict[str, Any]) -> Iterator[Flat]:
    """The segmentations of a page that scores were stored of: the rows of the thesis' tables.

    One with the very rectangles of the gold, which 15 of BoM's 105 have, is `copied`: it carries the
    annotator's block ids and was stored after the gold.

    Raises:
        ValueError: a segmentation cannot be read.
    """
    gold = _places(gold_flat(fields))
    for name, stored in _segmentations(fields).items():
        if name != GOLD and isinstance(stored, dict) and "stored" in stored:
            flat = _flat(NAMES.get(name, name), stored)
            yield replace(flat, copied=_places(flat) == gold)


def _places(flat: Flat) -> list[tuple[float, ...]]:
    return sorted(block[:4] for block in flat.blocks)


def _segmentations(fields: dict[str, Any]) -> dict[str, Any]:
    found = fields["segmentations"]
    if not isinstance(found, dict):
        raise ValueError("segmentations is no object")  # noqa: TRY004 - of the input
    return found


def _flat(name: str, stored: Any) -> Flat:
    try:
        blocks = stored["blocks"]
        return Flat(
            algorithm=name,
            size=(float(stored["width"]), float(stored["height"])),
            words=int(stored["page_words"]),
            blocks=tuple(map(_block, blocks)),
            importance=shares([float(block["importance"]) for block in blocks]),
        )
    except (KeyError, TypeError, ValueError) as e:
        raise ValueError(f"the segmentation {name} lacks or breaks a field: {e}") from e


def _block(stored: dict[str, Any]) -> NormalBlock:
    left, top, right, bottom = map(float, stored["n"])
    return NormalBlock(left, top, right, bottom, int(stored["elements"]), int(stored["words"]))


def read_fits(blocks: str) -> dict[int, Fit]:
    """Return the fit of each page of a blocks file: from `gosh.fit.jsonl` for `gosh.blocks.jsonl`.

    Raises:
        UsageError: there is no such file, or it has other lines.
    """
    uri = "fit".join(blocks.rsplit("blocks", 1))
    try:
        return {
            int(fields["page"]): Fit(
                int(fields["window"]), float(fields["dx"]), fields["fit"] / fields["blocks"]
            )
            for _, fields in json_objects(uri, "fit of the gold")
        }
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as e:
        raise UsageError(f"{uri} is no fit of gold: {e!r}") from e


def gold_page(fields: dict[str, Any], fits: Mapping[int, Fit], group: str) -> MarkedPage | None:
    """The gold of a page in pixels of its capture, laid out as `Fit` says; None if it does not fit.

    It is found by the record id: some captures have another address than the page had.

    Raises:
        ValueError: it has none.
    """
    fit, capture = fits.get(fields["page"]), fields.get("capture")
    if fit is None or capture is None or fit.share < FITS:
        return None
    try:
        stored = _segmentations(fields)[GOLD]
        blocks = tuple(
            MarkedBlock(f"b{number}", rect=_rect(block, fit.dx))
            for number, block in enumerate(stored["blocks"])
        )
        return MarkedPage(
            record_id=capture["record_id"].strip("<>"),
            url=str(fields.get("url", "")),
            blocks=blocks,
            viewport=(fit.window, 0),
            group=str(fields.get(group or "category", "")),
        )
    except (KeyError, TypeError, ValueError) as e:
        raise ValueError(f"its gold lacks or breaks a field: {e}") from e


def _rect(block: dict[str, Any], dx: float) -> Rect:
    left, top, right, bottom = (float(block[name]) for name in ("left", "top", "right", "bottom"))
    return Rect(left + dx, top, right - left, bottom - top)
