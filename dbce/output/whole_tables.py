"""The tables of a run, or of all nights of an archive, as one each: the rows that count."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from dbce.output.nights import NightsFolder, SelectedRun, both_hold, part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import pyarrow.compute as pc
    import pyarrow.dataset as ds

    from dbce.storage import Folder

    Columns = list[str] | dict[str, pc.Expression] | None


class TableFiles(NamedTuple):
    """Files of one table that lie together, as they are asked for; `shown` is what rows must meet to count.

    They are read within `naming_damage`, whose error names the file that is damaged.
    """

    part: str
    stored: ds.Dataset
    shown: pc.Expression | None
    naming_damage: Callable[[], AbstractContextManager[None]]


def tables_of(folder: Folder, pattern: str, schema: pa.Schema) -> Iterator[TableFiles]:
    """The files of a pattern: all together of a run, night by night of an archive."""
    names = folder.names(pattern)
    if not isinstance(folder, (NightsFolder, SelectedRun)):
        naming = partial(_naming_damage, folder, names)
        yield TableFiles("", _stored(folder, names, schema), None, naming)
        return
    # What is selected is asked file by file: of which captures the rows of a file are its own `pages` say.
    for _, of_part in groupby(names, part_of if folder.selection is None else None):
        first, *others = of_part
        part = part_of(first)
        stored = _stored(folder, (first, *others), schema)
        naming = partial(_naming_damage, folder, (first, *others))
        yield TableFiles(part, stored, folder.shown(first), naming)


def _stored(folder: Folder, names: Iterable[str], schema: pa.Schema) -> ds.Dataset:
    import pyarrow.dataset as ds  # a slow start, and no run reads its tables so

    for name in names:
        folder.check(name)
    files = [folder.at(name) for name in names]
    options = ds.ParquetFragmentScanOptions(page_checksum_verification=True)
    stored = ds.ParquetFileFormat(default_fragment_scan_options=options)
    return ds.dataset(files, schema=schema, format=stored, filesystem=folder.fs)


@contextmanager
def _naming_damage(folder: Folder, names: Sequence[str]) -> Iterator[None]:
    """Name the file that is damaged where Arrow only says that one is.

    Raises:
        UsageError: a file is not as it was written.
    """
    try:
        yield
    except (OSError, pa.ArrowException):
        for name in names:
            folder.check(name, verify=True)
        raise


def _no_rows(schema: pa.Schema, columns: Columns) -> pa.Table:
    import pyarrow.dataset as ds

    return ds.dataset(schema.empty_table()).to_table(columns=columns)


class WholeTable:
    """A table of a run, or of all nights of an archive, that is not read yet: the rows that count."""

    def __init__(self, folder: Folder, pattern: str, schema: pa.Schema) -> None:
        self.schema = schema
        self.files = tuple(tables_of(folder, pattern, schema))

    def batches(
        self, columns: Columns = None, where: pc.Expression | None = None
    ) -> Iterator[pa.RecordBatch]:
        """The rows that meet a condition, in the order of the files, some at a time."""
        for files in self.files:
            with files.naming_damage():
                yield from files.stored.to_batches(
                    columns=columns, filter=both_hold(files.shown, where)
                )

    def to_table(self, columns: Columns = None, where: pc.Expression | None = None) -> pa.Table:
        """The rows that meet a condition, in the order of the files."""
        parts = []
        for files in self.files:
            with files.naming_damage():
                rows = files.stored.to_table(columns=columns, filter=both_hold(files.shown, where))
            parts.append(rows)
        return pa.concat_tables(parts or [_no_rows(self.schema, columns)])

    def head(self, rows: int) -> pa.Table:
        """The first rows."""
        parts = [self.schema.empty_table()]
        for files in self.files:
            with files.naming_damage():
                parts.append(files.stored.head(rows - sum(map(len, parts)), filter=files.shown))
        return pa.concat_tables(parts)


def shown_rows(folder: Folder, name: str, rows: pa.Table) -> pa.Table:
    """Those rows of a file of a table that count."""
    condition = folder.shown(name) if isinstance(folder, (NightsFolder, SelectedRun)) else None
    return rows if condition is None else rows.filter(condition)
