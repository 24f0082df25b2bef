"""Reading gold and segmentations, from files and folders.

Format of block gold and stored segmentations of the set GOSH (`gosh.blocks.jsonl`):
One object a page: `url`, `category`, `capture` with the `record_id` of its capture or null, and
`segmentations`: GT (gold) and others by name, each with `width`, `height`, `page_words` and `blocks`, each with
`n` (left, top, right, bottom on 100 x 100), `elements`, `words` and `importance`, and its edges in pixels.
Sanoja, T 4.4. `gosh.fit.jsonl` beside it has the fit of the gold to the captures as rendered today.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import fsspec
import pyarrow as pa
import pyarrow.dataset as ds

from dbce.model import UsageError
from dbce.storage import json_objects, read_json_objects
from dbce.visual import Rect, measure

ROLES = {
    **dict.fromkeys(("Header", "Logo", "Title"), "header"),
    "Footer": "footer",
    **dict.fromkeys(("Menu", "Menu Sidebar", "LinkList"), "nav"),
    **dict.fromkeys(("Sidebar", "Ad", "Author"), "aside"),
    "Article": "article",
    **dict.fromkeys(("Content", "Image", "Video", "Searchbar", "Table", "Comments"), "section"),
}
"""Role of each of Kreuzer's types."""


def kreuzer_page(fields: dict[str, Any], level: int, group: str = "") -> measure.MarkedPage:
    """Return a page with its blocks of one level, without rectangles; it is named by its `dom_url`.

    Its set (`kreuzer.blocks.jsonl`) has an object a page: `url`, `dom_url` (the capture that XPaths are of),
    `original_url`, and `blocks` with `xpath`, `level` (1 outside, 2 inside), `type` and `text`. Kreuzer, A
    Quantitative Comparison of Semantic Web Page Segmentation Algorithms, Utrecht.

    Where a block's element is in that of another, the outer one counts. ValueError says which field is wrong.
    """
    try:
        url = str(fields["dom_url"])
        blocks = tuple(
            measure.MarkedBlock(
                id=f"K{number}",
                xpaths=(str(block["xpath"]),),
                label=ROLES.get(str(block["type"]), ""),
                type=str(block["type"]),
            )
            for number, block in enumerate(fields["blocks"], 1)
            if block["level"] == level
        )
    except (KeyError, TypeError) as e:
        raise ValueError(f"a block lacks or breaks the field {e}") from e
    return measure.MarkedPage("", url, _outermost(blocks), group=str(fields.get(group, "")))


def _outermost(blocks: tuple[measure.MarkedBlock, ...]) -> tuple[measure.MarkedBlock, ...]:
    """Return the outermost blocks; of equal ones the first."""
    paths = [measure.plain_xpath(block.xpaths[0]) for block in blocks]
    return tuple(
        block
        for number, (block, path) in enumerate(zip(blocks, paths, strict=True))
        if path not in paths[:number] and not any(path.startswith(f"{other}/") for other in paths)
    )


GOLD = "GT"
NAMES = {"BOM": "BoM", "JVIPS": "JVIPS", "VIPS": "VIPS", "BF": "BF"}
"""Names of segmenters as in the thesis."""
FITS = 0.5
"""Minimum share of a page's gold blocks that fit an element today, for its gold to be usable."""


def is_gosh(fields: dict[str, Any]) -> bool:
    return "segmentations" in fields


def stored_flats(fields: dict[str, Any]) -> Iterator[measure.Flat]:
    """Yield the segmentations of a page with stored scores: the rows of the thesis' tables.

    One with exactly the rectangles of the gold, as 15 of BoM's 105, is `copied`: it has the
    annotator's block ids and was stored after the gold. ValueError: one cannot be read.
    """
    segmentations = _segmentations(fields)
    gold = _places(_flat("gold", segmentations.get(GOLD)))
    for name, stored in segmentations.items():
        if name != GOLD and isinstance(stored, dict) and "stored" in stored:
            flat = _flat(NAMES.get(name, name), stored)
            yield replace(flat, copied=_places(flat) == gold)


def _places(flat: measure.Flat) -> list[tuple[float, ...]]:
    return sorted(block[:4] for block in flat.blocks)


def _segmentations(fields: dict[str, Any]) -> dict[str, Any]:
    segmentations = fields["segmentations"]
    if not isinstance(segmentations, dict):
        raise ValueError("segmentations is no object")  # noqa: TRY004 - of the input
    return segmentations


def _flat(name: str, stored: Any) -> measure.Flat:
    try:
        blocks = stored["blocks"]
        return measure.Flat(
            algorithm=name,
            size=(float(stored["width"]), float(stored["height"])),
            words=int(stored["page_words"]),
            blocks=tuple(map(_gosh_block, blocks)),
            importance=measure.shares([float(block["importance"]) for block in blocks]),
        )
    except (KeyError, TypeError, ValueError) as e:
        raise ValueError(f"the segmentation {name} lacks or breaks a field: {e}") from e


def _gosh_block(stored: dict[str, Any]) -> measure.NormalBlock:
    left, top, right, bottom = map(float, stored["n"])
    counts = int(stored["elements"]), int(stored["words"])
    return measure.NormalBlock(left, top, right, bottom, *counts)


def read_fits(blocks: str) -> dict[int, tuple[int, float]]:
    """Return the fit of pages of a blocks file to their captures: width of the window, and pixels to add to x.

    It is in `gosh.fit.jsonl` for `gosh.blocks.jsonl`; pages that do not fit are left out.
    Raises UsageError: there is no such file, or it has other lines.
    """
    uri = "fit".join(blocks.rsplit("blocks", 1))
    try:
        return {
            int(fields["page"]): (int(fields["window"]), float(fields["dx"]))
            for _, fields in json_objects(uri, "fit of the gold")
            if fields["fit"] / fields["blocks"] >= FITS
        }
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as e:
        raise UsageError(f"{uri} is no fit of gold: {e!r}") from e


def gold_page(
    fields: dict[str, Any], fits: Mapping[int, tuple[int, float]], group: str
) -> measure.MarkedPage | None:
    """Return the gold of a page in pixels of its capture; None if it does not fit.

    The page has the record id of its capture: some captures have another address. ValueError: it has no gold.
    """
    fit = fits.get(fields["page"])
    if fit is None or fields.get("capture") is None:
        return None
    window, dx = fit
    try:
        stored = _segmentations(fields)[GOLD]
        blocks = tuple(
            measure.MarkedBlock(f"b{number}", rect=_rect(block, dx))
            for number, block in enumerate(stored["blocks"])
        )
        record_id, url, group = _page_identity(fields, group)
        return measure.MarkedPage(record_id, url, blocks, viewport=(window, 0), group=group)
    except (KeyError, TypeError, ValueError) as e:
        raise ValueError(f"its gold lacks or breaks a field: {e}") from e


def _rect(block: dict[str, Any], dx: float) -> Rect:
    left, top, right, bottom = (float(block[name]) for name in ("left", "top", "right", "bottom"))
    return Rect(left + dx, top, right - left, bottom - top)


NEEDED = ("record_id", "algorithm", "parent", "x", "y", "w", "h")
"""Columns of a table of blocks: `parent` is the place of the parent among the blocks of page and algorithm,
in the order of the rows, -1 for none; the others are in pixels of the document."""


class Side(NamedTuple):
    """A page and its blocks, as stored: normalised (`Flat`), or in pixels or XPaths (`MarkedPage`)."""

    record_id: str
    url: str
    group: str
    blocks: measure.Flat | measure.MarkedPage

    @property
    def name(self) -> str:
        return self.record_id or self.url


def read_gold(uri: str, level: int, group: str, *, on_pages: bool = False) -> list[Side]:
    """Return the gold of a file: our own, Kreuzer's (its blocks of one level) or that of GOSH.

    `on_pages`: for rendered pages; of GOSH only pages whose gold fits today.
    Raises UsageError: the file cannot be read, a line is none of them, or there is none.
    """
    fits = cache(read_fits)

    def side(fields: dict[str, Any]) -> Side | None:
        if is_gosh(fields) and on_pages:
            page = gold_page(fields, fits(uri), group)
            return _side(page) if page else None
        if is_gosh(fields):
            gold = _flat("gold", _segmentations(fields).get(GOLD))
            return Side(*_page_identity(fields, group), gold)
        if "dom_url" in fields:
            return _side(kreuzer_page(fields, level, group))
        return _side(measure.page_of(fields, group=group))

    sides = [side for side in read_json_objects(uri, side) if side]
    if not sides:
        raise UsageError(f"{uri} holds no gold; write one JSON object a line")
    return sides


def _side(page: measure.MarkedPage) -> Side:
    return Side(page.record_id, page.url, page.group, page)


def read_computed(uri: str) -> Iterator[Side]:
    """Yield the segmentations in a folder of `dbce segment`, a block table, our own gold form or GOSH.

    Raises UsageError: it cannot be read, or is none of them.
    """
    if uri.endswith(".parquet") or fsspec.core.url_to_fs(uri)[0].isdir(uri):
        yield from map(_side, read_blocks(uri))
        return
    name = uri.rpartition("/")[2].removesuffix(".gz").removesuffix(".jsonl")

    def sides(fields: dict[str, Any]) -> list[Side]:
        if is_gosh(fields):
            return [Side(*_page_identity(fields, ""), flat) for flat in stored_flats(fields)]
        return [_side(measure.page_of(fields, algorithm=name))]

    yield from chain.from_iterable(read_json_objects(uri, sides, "segmentations"))


def _page_identity(fields: dict[str, Any], group: str) -> tuple[str, str, str]:
    """Return record id, URL and group of a page of GOSH, its category by default."""
    capture = fields.get("capture") or {}
    url = str(fields.get("url", ""))
    record_id = str(capture.get("record_id", "")).strip("<>")
    return record_id, url, str(fields.get(group or "category", ""))


def read_blocks(uri: str) -> Iterator[measure.MarkedPage]:
    """Yield the segmentations in a Parquet file, or in the folder `blocks` of one: by page and algorithm.

    The root of a page's tree, the page itself, counts as a block only if it is alone.
    Raises UsageError: there is no table, or not one of blocks.
    """
    table = _table(uri)
    columns = [*NEEDED, *({"url", "role"} & set(table.schema.names))]
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in table.select(columns).to_pylist():
        rows.setdefault((row["record_id"], row["algorithm"]), []).append(row)
    for (record_id, algorithm), page_rows in rows.items():
        blocks = tuple(_block(number, row) for number, row in enumerate(page_rows))
        url = page_rows[0].get("url") or ""
        yield measure.MarkedPage(record_id.strip("<>"), url, blocks, algorithm=algorithm)


def _table(uri: str) -> pa.Table:
    fs, path = fsspec.core.url_to_fs(uri)
    files = [path]
    if not uri.endswith(".parquet"):
        files = sorted(fs.glob(f"{path}/blocks/blocks/*.parquet"))
    if not files:
        raise UsageError(f"{uri} has no table of blocks: make one with dbce segment")
    try:
        table = ds.dataset(files, filesystem=fs).to_table(use_threads=False)
    except (OSError, pa.ArrowException) as e:
        raise UsageError(f"cannot read the table of blocks {uri}: {e}") from e
    if missing := [name for name in NEEDED if name not in table.schema.names]:
        raise UsageError(f"{uri} is no table of blocks: it has no column {', '.join(missing)}")
    return table


def _block(number: int, row: dict[str, Any]) -> measure.MarkedBlock:
    return measure.MarkedBlock(
        id=str(number),
        parent=str(row["parent"]) if row["parent"] >= 0 else "",
        rect=Rect(row["x"], row["y"], row["w"], row["h"]),
        label=row.get("role") or "",
        origin=row["algorithm"],
    )


def flat_alone(side: Side) -> measure.Flat:
    """Return a page's blocks with their stored counts; ValueError says what is missing."""
    page = side.blocks
    if isinstance(page, measure.Flat):
        return page
    if not all(page.size):
        raise ValueError("its width and height are not known")
    bare = [b.id for b in page.terminal if b.rect is None]
    if bare:
        raise ValueError(f"block {bare[0]} has no rectangle")
    uncounted = [b.id for b in page.terminal if b.elements is None or b.words is None]
    if uncounted:
        raise ValueError(f"block {uncounted[0]} has no numbers of elements and words")
    blocks = tuple(
        measure.normalise(block.rect, page.size, block.elements or 0, block.words or 0)
        for block in page.terminal
        if block.rect
    )
    visible = min(1.0, page.viewport[1] / page.size[1]) if page.viewport[1] else 1.0
    importance = measure.importances(blocks, visible)
    return measure.Flat(page.algorithm, page.size, page.words, blocks, importance)
