"""A Parquet file that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Generic, Self, TypeVar

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

ROW_GROUP = 10_000
"""Rows that are held in memory before they are written."""

Part = TypeVar("Part")


class Table(Generic[Part]):
    """A Parquet file on an open stream; `joined` makes one table of the parts that it is given.

    A row group is full with the part that brings it to ROW_GROUP rows: the same parts, the same
    bytes.
    """

    def __init__(
        self,
        stream: BinaryIO,
        schema: pa.Schema,
        joined: Callable[[list[Part], pa.Schema], pa.Table],
    ) -> None:
        self._schema = schema
        self._joined = joined
        self._writer = pq.ParquetWriter(stream, schema, compression="zstd")
        self._parts: list[Part] = []
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

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._joined(self._parts, self._schema))
        self._parts, self._rows = [], 0
