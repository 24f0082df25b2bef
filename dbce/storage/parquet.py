"""Parquet files, read and grown; and Arrow without pandas, for processes that hold no table of it."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partialmethod
from importlib.machinery import ModuleSpec
from typing import Any, BinaryIO, Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.model import UsageError
from dbce.storage.folder import Folder
from dbce.storage.units import BEGUN


class Parquet(pq.ParquetFile):  # type: ignore[misc]  # the library has no types
    """A Parquet file that is read by the thread that asks, and by no other.

    A thread of Arrow's, be it one that reads ahead or one that decodes, may let go of the stream, a Python object, as late as
    when Python ends; the process then aborts, or hangs, with all its work done (apache/arrow#34314 and #50482).
    """

    read = partialmethod(pq.ParquetFile.read, use_threads=False)
    read_row_group = partialmethod(pq.ParquetFile.read_row_group, use_threads=False)
    read_row_groups = partialmethod(pq.ParquetFile.read_row_groups, use_threads=False)
    iter_batches = partialmethod(pq.ParquetFile.iter_batches, use_threads=False)


@contextmanager
def open_parquet(folder: Folder, name: str) -> Iterator[Parquet]:
    """A file of a folder, by its name in it.

    Raises:
        OSError: the store does not give it.
        UsageError: it is damaged, as is seen when it is opened or when it is read.
    """
    folder.check(name)
    path = folder.full_path(name)
    try:
        with folder.fs.open(path, "rb") as stream:
            yield Parquet(stream, pre_buffer=False, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as e:
        # Of damage Arrow raises a plain OSError without a number, too; stores' errors are of other kinds.
        if isinstance(e, OSError) and (type(e) is not OSError or e.errno is not None):
            raise
        raise UsageError(
            f"{path} is damaged and must be made again ({_remedy(folder, path)}): {e}"
        ) from e


def read_table(folder: Folder, name: str, columns: Sequence[str] | None = None) -> pa.Table:
    """All rows of a file, of some columns or all; raises as `open_parquet`."""
    with open_parquet(folder, name) as table:
        return table.read(columns)


_OF_NIGHT = re.compile(
    r"(.*)/(?:nights|index)/(n\d{8}-\d{2,})/(?:(?:revised/)?(?:pages|nodes|rejects)/)?[^/]+"
)
_OF_RUN = re.compile(r"(.*)/(?:index/compact-\d+|index|pages|nodes|rejects)/[^/]+")


def _remedy(folder: Folder, path: str) -> str:
    if night := _OF_NIGHT.fullmatch(path):
        archive, name = night.groups()
        if folder.fs.exists(f"{archive}/nights/{name}/{BEGUN}"):
            return "remove it, and call dbce nightly again"
        return f"dbce repair {archive}"
    if owner := _OF_RUN.fullmatch(path):
        if folder.fs.exists(f"{owner[1]}/{BEGUN}"):
            return "remove it, and continue with --resume"
        return f"dbce repair {owner[1]}"
    return "by the command that made it, with --overwrite"


ROW_GROUP = 10_000  # rows that are held in memory before they are written
# Bytes of Arrow's that rows of Python may become before they are written, fewer though they are: pages can be long.
BYTES = 4 << 20
# Rows of Python that wait to become Arrow's, of which a page takes half the memory: 15 of 32 KB on wcxb.
ROWS_AT_ONCE = 64
Part = TypeVar("Part")


class Table(AbstractContextManager["Table[Part]"], Generic[Part]):
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
        self._rows = self._bytes = 0

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()

    def add(self, part: Part, rows: int = 1) -> None:
        self._parts.append(part)
        self._rows += rows
        if self._rows >= ROW_GROUP:
            self._flush()
        elif len(self._parts) == self._at_once:
            self._join()
            self._bytes += self._tables[-1].nbytes
            if self._bytes >= BYTES:
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
        self._parts, self._tables = [], []
        self._rows = self._bytes = 0


@contextmanager
def create_table(
    folder: Folder,
    name: str,
    schema: pa.Schema,
    joined: Callable[[list[Part], pa.Schema], pa.Table],
    at_once: int | None = None,
) -> Iterator[Table[Part]]:
    """A Parquet file of a folder, as `Table`, that takes its name when the block ends without an error."""
    with folder.create(name) as stream, Table(stream, schema, joined, at_once) as table:
        yield table


class _Refusing:
    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ImportError("nothing here is of pandas")
        return None


def spare_pandas() -> None:
    """Keep Arrow from importing pandas to see whether values that it is given are of pandas.

    That takes half a second and 70 MB. Arrow looks for it once, at its first array, and imports it
    still where a table is to become one of pandas. Nothing happens where pandas is imported already.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _Refusing)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_Refusing)
