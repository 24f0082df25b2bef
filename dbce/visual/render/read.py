"""Rendered pages read back from the folder that `dbce render` left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.archive import read_reply_at
from dbce.config import Limits
from dbce.errors import UsageError
from dbce.output import Folder, open_parquet
from dbce.visual.render.manifest import MANIFEST
from dbce.visual.render.rows import page_of
from dbce.visual.render.schemas import ELEMENTS, TEXTS
from dbce.visual.render.unit import screenshots_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output import Row
    from dbce.visual import RenderedPage

RENDERED = "rendered"
"""The folder, in that of a run or by itself, which `dbce render` writes to."""

ROWS = 20_000
"""Rows of a table that are read at a time."""


def open_rendered(folder: str) -> Folder:
    """What `dbce render` left in a folder.

    Raises:
        UsageError: no finished rendering is there.
    """
    found = Folder(folder).within(RENDERED)
    if not found.exists(MANIFEST):
        raise UsageError(f"{folder} holds no rendered pages; dbce render INPUT --out {folder}")
    return found


def read_rendered(folder: str) -> Iterator[RenderedPage]:
    """All pages that were laid out, file by file, in the order of their records.

    Raises:
        UsageError: no finished rendering is there.
    """
    for _, pages in rendered_files(folder):
        yield from pages


def rendered_files(folder: str) -> Iterator[tuple[str, Iterator[RenderedPage]]]:
    """The same, with the name of each file, which is that of the tables of a run on the same input.

    Raises:
        UsageError: no finished rendering is there.
    """
    found = open_rendered(folder)
    for name in found.names("pages/*.parquet"):
        yield name.removeprefix("pages/"), (page for _, page in pages_of_file(found, name))


def read_page(folder: str, record_id: str) -> RenderedPage:
    """The page of a capture.

    Raises:
        UsageError: no finished rendering is there, or this page is not in it.
    """
    found = open_rendered(folder)
    for name in found.names("pages/*.parquet"):
        if any(row["record_id"] == record_id for row in _rows(found, name)):
            return next(
                page for _, page in pages_of_file(found, name) if page.record_id == record_id
            )
    raise UsageError(f"{folder} holds no rendered page {record_id}")


def read_screenshot(folder: str, record_id: str) -> bytes:
    """The picture of a whole page, as PNG.

    Raises:
        UsageError: no finished rendering is there, or this page is not in it.
        InputError: its record is damaged.
    """
    found = open_rendered(folder)
    for name in found.names("pages/*.parquet"):
        for row in _rows(found, name):
            if row["record_id"] == record_id:
                return screenshot_at(found, name.removeprefix("pages/"), row["screenshot_offset"])
    raise UsageError(f"{folder} holds no rendered page {record_id}")


def screenshot_at(folder: Folder, name: str, offset: int) -> bytes:
    """The picture whose record is at an offset; `folder` is what `open_rendered` gave, `name` a table's.

    Raises:
        InputError: its record is damaged.
    """
    place = folder.at(screenshots_of(name.removesuffix(".parquet")))
    return read_reply_at(folder.fs.unstrip_protocol(place), offset, "", Limits()).payload


def _rows(folder: Folder, name: str) -> Iterator[Row]:
    """The rows of the pages of a file that were laid out."""
    with open_parquet(folder, name) as table:
        for batch in table.iter_batches():
            yield from (row for row in batch.to_pylist() if row["status"] == "rendered")


def pages_of_file(folder: Folder, name: str) -> Iterator[tuple[Row, RenderedPage]]:
    """The pages of a file that were laid out, each with its row; `name` begins with `pages/`."""
    base = name.removeprefix("pages/")
    elements = _Rows(folder, f"elements/{base}", ELEMENTS)
    texts = _Rows(folder, f"texts/{base}", TEXTS)
    for row in _rows(folder, name):
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
