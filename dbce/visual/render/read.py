"""Rendered pages read back from the folder that `dbce render` left, one after the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.model import UsageError
from dbce.storage import Folder, SealedFolder, open_parquet
from dbce.visual.render.manifest import MANIFEST
from dbce.visual.render.rows import page_of
from dbce.visual.render.schemas import ELEMENTS, TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output import Row
    from dbce.visual import RenderedPage

RENDERED = "rendered"
"""The folder, in that of a run or by itself, which `dbce render` writes to."""

PICTURES_HOW = "dbce render with --pictures, and --overwrite, takes them"

ROWS = 20_000
"""Rows of a table that are read at a time."""


def open_rendered(folder: str) -> Folder:
    """Open the rendered pages that `dbce render` left in a folder.

    Raises:
        UsageError: no finished rendering is there.
    """
    found = SealedFolder(Folder(folder).within(RENDERED).uri)
    if not found.exists(MANIFEST):
        raise UsageError(f"{folder} holds no rendered pages; dbce render INPUT --out {folder}")
    return found


def open_pictures(folder: str) -> Folder:
    """Open the rendered pages of a folder, each of which has its picture.

    Raises:
        UsageError: no finished rendering is there, or it was made without pictures.
    """
    found = open_rendered(folder)
    # A rendering of before there was a choice does not say, and has them.
    if not json.loads(found.read(MANIFEST)).get("config", {}).get("pictures", True):
        raise UsageError(f"{folder} was rendered without pictures; {PICTURES_HOW}")
    return found


def read_rendered(folder: str) -> Iterator[RenderedPage]:
    """All pages that were laid out, file by file, in the order of their records.

    Raises:
        UsageError: no finished rendering is there.
    """
    for name in rendered_names(folder):
        yield from rendered_pages(folder, name)


def rendered_names(folder: str) -> list[str]:
    """The names of the tables of each file, or of its pieces, which need not be those of a run.

    Raises:
        UsageError: no finished rendering is there.
    """
    found = open_rendered(folder)
    return [name.removeprefix("pages/") for name in found.names("pages/*.parquet")]


def rendered_pages(folder: str, name: str) -> Iterator[RenderedPage]:
    """The pages of one file, in the order of their records.

    Raises:
        UsageError: no finished rendering is there.
    """
    for _, page in pages_of_file(open_rendered(folder), f"pages/{name}"):
        yield page


def rendered_ids(folder: str, name: str) -> list[str]:
    """The record ids of the pages of one file that were laid out, in the order of their records.

    Raises:
        UsageError: no finished rendering is there.
    """
    with open_parquet(open_rendered(folder), f"pages/{name}") as table:
        rows = table.read(columns=["record_id", "status"]).to_pylist()
    return [row["record_id"] for row in rows if row["status"] == "rendered"]


def page_rows(folder: Folder, name: str) -> Iterator[Row]:
    """The rows of the pages of a file that were laid out, by the file's name in the folder."""
    with open_parquet(folder, name) as table:
        for batch in table.iter_batches():
            yield from (row for row in batch.to_pylist() if row["status"] == "rendered")


def pages_of_file(folder: Folder, name: str) -> Iterator[tuple[Row, RenderedPage]]:
    """The pages of a file that were laid out, each with its row; `name` begins with `pages/`."""
    base = name.removeprefix("pages/")
    elements = _Rows(folder, f"elements/{base}", ELEMENTS)
    texts = _Rows(folder, f"texts/{base}", TEXTS)
    for row in page_rows(folder, name):
        yield row, page_of(row, elements.take(row["elements"]), texts.take(row["texts"]))


class _Rows:
    """The rows of a table, so many at a time as are asked for."""

    def __init__(self, folder: Folder, name: str, schema: pa.Schema) -> None:
        self._batches = self._read(folder, name)
        self._held = schema.empty_table()

    @staticmethod
    def _read(folder: Folder, name: str) -> Iterator[pa.RecordBatch]:
        with open_parquet(folder, name) as table:
            yield from table.iter_batches(ROWS)

    def take(self, count: int) -> pa.Table:
        """The next rows.

        Raises:
            UsageError: the table has no more.
        """
        parts = [self._held]
        there = self._held.num_rows
        while there < count:
            batch = next(self._batches, None)
            if batch is None:
                raise UsageError("a table of the rendered pages is shorter than it should be")
            parts.append(pa.Table.from_batches([batch]))
            there += batch.num_rows
        held = pa.concat_tables(parts)
        self._held = held.slice(count)
        return held.slice(0, count)
