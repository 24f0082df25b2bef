"""Blocks that algorithms make: those that `dbce segment` left, and those that are worked out now."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dbce.model import UsageError
from dbce.output import Row, rows_with
from dbce.storage import Folder, table_names, table_path
from dbce.visual import Rect, RenderedPage
from dbce.visual.measure import MarkedBlock
from dbce.visual.segment import SEGMENTERS, TABLES, options_of, segment

COMPUTED: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in SEGMENTERS},
    "dbce, level 2": ("dbce", {"level": "2"}),
}
"""What can be worked out now: a name, and the algorithm with its options."""

SHOWN = ("record_id", "algorithm", "block", "parent", "x", "y", "w", "h", "role", "xpaths")
"""Columns that all versions of the table have."""


class Candidates(NamedTuple):
    """Blocks of a page by an algorithm, which is named with its parameters."""

    algorithm: str
    blocks: tuple[MarkedBlock, ...]


def stored_names(uri: str) -> list[str]:
    """The names of the tables of blocks beside rendered pages, without their endings."""
    names = table_names(Folder(uri).subfolder(TABLES), TABLES)
    return [name.removesuffix(".parquet") for name in names]


def stored_blocks(uri: str, name: str, record_id: str) -> Candidates | None:
    """The blocks of a page in one of the tables; None if the page was not cut.

    Raises:
        UsageError: there is no such table, or it cannot be read.
    """
    if name not in stored_names(uri):
        raise UsageError(f"{uri} holds no blocks called {name}; dbce segment {uri}")
    folder = Folder(uri).subfolder(TABLES)
    path = table_path(folder, TABLES, f"{name}.parquet")
    table = rows_with(folder, path, [record_id], SHOWN)
    rows = table.to_pylist()
    if not rows:
        return None
    return Candidates(rows[0]["algorithm"], _without_page([_block(row) for row in rows]))


def computed_blocks(page: RenderedPage, name: str) -> Candidates:
    """The blocks of a page, worked out now.

    Raises:
        UsageError: no algorithm is called so.
    """
    if name not in COMPUTED:
        raise UsageError(f"no algorithm is called {name}; say one of {', '.join(COMPUTED)}")
    algorithm, given = COMPUTED[name]
    segmentation = segment(page, algorithm, options_of(algorithm, given))
    blocks = [
        MarkedBlock(
            id=f"C{number}",
            parent=f"C{block.parent}" if block.parent >= 0 else "",
            rect=block.rect,
            xpaths=tuple(page.elements[place].xpath for place in block.elements),
            label=block.role,
        )
        for number, block in enumerate(segmentation.blocks)
    ]
    return Candidates(segmentation.algorithm, _without_page(blocks))


def _block(row: Row) -> MarkedBlock:
    return MarkedBlock(
        id=f"C{row['block']}",
        parent=f"C{row['parent']}" if row["parent"] >= 0 else "",
        rect=Rect(row["x"], row["y"], row["w"], row["h"]),
        xpaths=tuple(row["xpaths"]),
        label=row["role"],
    )


def _without_page(blocks: list[MarkedBlock]) -> tuple[MarkedBlock, ...]:
    """Without the first, which is the page itself, unless it is alone."""
    page, *rest = blocks
    return tuple(
        replace(block, parent="") if block.parent == page.id else block for block in rest
    ) or (page,)
