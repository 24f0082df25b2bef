"""Tables of blocks, as segmenters leave them: Parquet, a row a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pyarrow.dataset as ds

from dbce.model import UsageError
from dbce.visual import Rect
from dbce.visual.measure import MarkedBlock, MarkedPage

if TYPE_CHECKING:
    from collections.abc import Iterator

NEEDED = ("record_id", "algorithm", "parent", "x", "y", "w", "h")
"""The columns that a table of blocks has: `parent` is the place of a block among those of its page and
algorithm, in the order of the rows, -1 of what is in none; the others are in pixels of the document."""


def is_table(uri: str) -> bool:
    """Whether it is a Parquet file or a folder."""
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
    files = [path] if uri.endswith(".parquet") else sorted(fs.glob(f"{path}/blocks/*.parquet"))
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
