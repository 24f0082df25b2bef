"""The blocks of one file's pages, joined with the verdicts on their texts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.output import rows_of
from dbce.storage import Folder, Table
from dbce.visual import Block, Rect, contents
from dbce.visual.joined.schema import SHARES
from dbce.visual.joined.shares import shares_of
from dbce.visual.joined.templates import block_places
from dbce.visual.render import rendered_ids, rendered_pages
from dbce.visual.segment import BLOCKS, part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output import Row
    from dbce.visual import RenderedPage


def share_file(run: str, place: Folder, file: str) -> None:
    """Write what the verdicts of a run say of the blocks that `cut_file` left of a file.

    Raises:
        StoreError: what is stored is not what was written.
    """
    with (
        place.create(part("shares", file)) as stream,
        Table(stream, SHARES, pa.Table.from_pylist) as table,
    ):
        for row in _shares(run, place, file):
            table.add(row)


def _shares(run: str, place: Folder, file: str) -> Iterator[Row]:
    """The rows of all pages with verdicts; the blocks of pages are in the order of the pages."""
    content = contents(Folder(run), file, rendered_ids(run, file))
    pages = iter(rendered_pages(run, file)) if content else iter(())
    rows = rows_of(place, part("blocks", file), BLOCKS.names)
    for record_id, of_page in groupby(rows, lambda row: row["record_id"]):
        page = next((page for page in pages if page.record_id == record_id), None)
        if page and record_id in content:
            yield from _of_page(page, list(of_page), content[record_id])


def _of_page(page: RenderedPage, rows: list[Row], content: dict[int, float]) -> Iterator[Row]:
    blocks = [
        Block(
            row["parent"],
            Rect(row["x"], row["y"], row["w"], row["h"]),
            tuple(row["elements"]),
            *(row["category"], row["role"], row["weight"]),
        )
        for row in rows
    ]
    shares = shares_of(page, blocks, content)
    for row, share, place in zip(rows, shares, block_places(page, blocks), strict=True):
        kept = {name: row[name] for name in SHARES.names if name in row}
        xpath = next(iter(row["xpaths"]), "")
        yield kept | share._asdict() | {"place": place, "xpath": xpath}
