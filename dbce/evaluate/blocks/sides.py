"""Gold and segmentations as they are read: what a file or a folder says of which pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.evaluate.blocks import gosh, kreuzer
from dbce.evaluate.blocks.computed import is_table, read_blocks
from dbce.model import UsageError
from dbce.storage import json_objects
from dbce.visual.measure import Flat, importances, normalise, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from dbce.visual.measure import MarkedPage


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
