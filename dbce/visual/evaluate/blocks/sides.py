"""Gold and segmentations as they are read: what a file or a folder says of which pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import fsspec
import pyarrow as pa
import pyarrow.dataset as ds

from dbce.model import UsageError
from dbce.storage import json_objects
from dbce.visual import Rect
from dbce.visual.evaluate.blocks import gosh, kreuzer
from dbce.visual.measure import Flat, MarkedBlock, MarkedPage, importances, normalise, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator


NEEDED = ("record_id", "algorithm", "parent", "x", "y", "w", "h")
"""The columns that a table of blocks has: `parent` is the place of a block among those of its page and
algorithm, in the order of the rows, -1 of what is in none; the others are in pixels of the document."""


class Side(NamedTuple):
    """A page and its blocks, as stored: normalised (`Flat`), or in pixels or XPaths (`MarkedPage`)."""

    record_id: str
    url: str
    group: str
    blocks: Flat | MarkedPage


def read_gold(uri: str, level: int, group: str, *, on_pages: bool = False) -> list[Side]:
    """The gold of a file: our own, Kreuzer's (its blocks of one level) or that of GOSH.

    `on_pages`: it is to be laid over rendered pages; of GOSH those pages count whose gold fits today.

    Raises:
        UsageError: the file cannot be read, a line is none of them, or there is none.
    """
    found: list[Side] = []
    fits: dict[int, gosh.Fit] | None = None
    for number, fields in json_objects(uri):
        try:
            if gosh.is_gosh(fields) and on_pages:
                fits = gosh.read_fits(uri) if fits is None else fits
                found += map(_side, filter(None, [gosh.gold_page(fields, fits, group)]))
            else:
                found.append(_gold_of(fields, level, group))
        except ValueError as e:
            raise UsageError(f"{uri}, line {number}: {e}") from e
    if not found:
        raise UsageError(f"{uri} holds no gold; write one JSON object a line")
    return found


def _gold_of(fields: dict[str, Any], level: int, group: str) -> Side:
    if gosh.is_gosh(fields):
        return Side(*_named(fields, group), gosh.gold_flat(fields))
    if kreuzer.is_kreuzer(fields):
        return _side(kreuzer.page_of(fields, level, group))
    return _side(page_of(fields, group=group))


def _side(page: MarkedPage) -> Side:
    return Side(page.record_id, page.url, page.group, page)


def read_computed(uri: str) -> Iterator[Side]:
    """The segmentations in a folder of `dbce segment`, a block table, our own gold form or GOSH.

    Raises:
        UsageError: it cannot be read, or is none of them.
    """
    if is_table(uri):
        for page in read_blocks(uri):
            yield _side(page)
        return
    name = uri.rpartition("/")[2].removesuffix(".gz").removesuffix(".jsonl")
    for number, fields in json_objects(uri, "segmentations"):
        try:
            if gosh.is_gosh(fields):
                for flat in gosh.stored_flats(fields):
                    yield Side(*_named(fields, ""), flat)
            else:
                page = page_of(fields, algorithm=name)
                yield _side(page)
        except ValueError as e:
            raise UsageError(f"{uri}, line {number}: {e}") from e


def _named(fields: dict[str, Any], group: str) -> tuple[str, str, str]:
    """Record id, URL and group of a page of GOSH, by its category if nothing else is asked for."""
    capture = fields.get("capture") or {}
    url = str(fields.get("url", ""))
    record_id = str(capture.get("record_id", "")).strip("<>")
    return record_id, url, str(fields.get(group or "category", ""))


def is_table(uri: str) -> bool:
    """Return whether a URI is a Parquet file or a folder."""
    return uri.endswith(".parquet") or fsspec.core.url_to_fs(uri)[0].isdir(uri)


def read_blocks(uri: str) -> Iterator[MarkedPage]:
    """The segmentations in a Parquet file, or in the folder `blocks` of one: by page and algorithm.

    The root of a page's tree, the page itself, is no block of it unless it is alone.

    Raises:
        UsageError: there is no table, or it is none of blocks.
    """
    table = _table(uri)
    own = [*NEEDED, *({"url", "role"} & set(table.schema.names))]
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in table.select(own).to_pylist():
        rows.setdefault((row["record_id"], row["algorithm"]), []).append(row)
    for (record_id, algorithm), of_page in rows.items():
        blocks = tuple(_block(number, row) for number, row in enumerate(of_page))
        url = of_page[0].get("url") or ""
        yield MarkedPage(record_id.strip("<>"), url, blocks, algorithm=algorithm)


def _table(uri: str) -> pa.Table:
    fs, path = fsspec.core.url_to_fs(uri)
    places = (
        f"{path}/blocks/blocks/*.parquet",
        f"{path}/blocks/*.parquet",
    )  # the latter: of an older dbce
    globbed = (file for place in places for file in sorted(fs.glob(place)))
    files = [path] if uri.endswith(".parquet") else list(globbed)
    if not files:
        raise UsageError(f"{uri} has no table of blocks: make one with dbce segment")
    try:
        table = ds.dataset(files, filesystem=fs).to_table(use_threads=False)
    except (OSError, pa.ArrowException) as e:
        raise UsageError(f"cannot read the table of blocks {uri}: {e}") from e
    if lacking := [name for name in NEEDED if name not in table.schema.names]:
        raise UsageError(f"{uri} is no table of blocks: it has no column {', '.join(lacking)}")
    return table


def _block(number: int, row: dict[str, Any]) -> MarkedBlock:
    return MarkedBlock(
        id=str(number),
        parent=str(row["parent"]) if row["parent"] >= 0 else "",
        rect=Rect(row["x"], row["y"], row["w"], row["h"]),
        label=row.get("role") or "",
        origin=row["algorithm"],
    )


def flat_alone(page: MarkedPage) -> Flat:
    """A page's blocks with the counts that are stored with them.

    Raises:
        ValueError: rectangles, counts or the size of the page are missing; the message says which.
    """
    if not all(page.size):
        raise ValueError("its width and height are not known")
    bare = [b.id for b in page.terminal if b.rect is None]
    if bare:
        raise ValueError(f"block {bare[0]} has no rectangle")
    uncounted = [b.id for b in page.terminal if b.elements is None or b.words is None]
    if uncounted:
        raise ValueError(f"block {uncounted[0]} has no numbers of elements and words")
    blocks = tuple(
        normalise(block.rect, page.size, block.elements or 0, block.words or 0)
        for block in page.terminal
        if block.rect is not None
    )
    visible = min(1.0, page.viewport[1] / page.size[1]) if page.viewport[1] else 1.0
    return Flat(page.algorithm, page.size, page.words, blocks, importances(blocks, visible))
