"""A Parquet file that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Generic, Self, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable

ROW_GROUP = 10_000
"""Rows that are held in memory before they are written."""

BYTES = 4 << 20
"""Of Arrow's that rows of Python may become before they are written, fewer though they are: pages can be long."""

ROWS_AT_ONCE = 64
"""Rows of Python that wait to become Arrow's, of which a page takes half the memory: 15 of 32 KB on wcxb."""

Part = TypeVar("Part")


class Table(Generic[Part]):
    """A Parquet file on an open stream; `joined` makes one table of the parts that it is given.

    A row group is full with the part that brings it to ROW_GROUP rows: the same parts, the same
    bytes. Of parts that are rows of Python so many are joined `at_once`, and do not wait as such for the others; with
    BYTES of these a row group is full, too.
    """

    def __init__(
        self,
        stream: BinaryIO,
        schema: pa.Schema,
        joined: Callable[[list[Part], pa.Schema], pa.Table],
        at_once: int | None = None,
    ) -> None:
        self._schema = schema
        self._joined = joined
        self._at_once = at_once
        self._writer = pq.ParquetWriter(
            stream, schema, compression="zstd", write_page_checksum=True
        )
        self._parts: list[Part] = []
        self._tables: list[pa.Table] = []
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()

    def add(self, part: Part, rows: int = 1) -> None:
        """Takes what stands for the next rows."""
        self._parts.append(part)
        self._rows += rows
        if self._rows >= ROW_GROUP:
            self._flush()
        elif len(self._parts) == self._at_once:
            self._join()
            if sum(table.nbytes for table in self._tables) >= BYTES:
                self._flush()

    def _join(self) -> None:
        self._tables.append(self._joined(self._parts, self._schema))
        self._parts = []

    def _flush(self) -> None:
        if self._rows:
            if self._parts:
                self._join()
            several = len(self._tables) > 1
            # In one piece: where pieces end, bytes differ.
            group = pa.concat_tables(self._tables).combine_chunks() if several else self._tables[0]
            self._writer.write_table(group)
        self._parts, self._tables, self._rows = [], [], 0
