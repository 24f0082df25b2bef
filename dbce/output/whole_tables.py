"""The tables of a run, or of all nights of an archive, as one each: the rows that count, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dbce.output.nights import NightsFolder, SelectedRun, combine_conditions, part_of
from dbce.output.rows import JUDGED, NODES, PAGES, REJECTS, TIME, Row, is_first_record
from dbce.storage import Folder

if TYPE_CHECKING:
    import pyarrow.dataset as ds

    Columns = list[str] | dict[str, pc.Expression] | None

SCHEMAS = {"pages": PAGES, "nodes": NODES, "rejects": REJECTS}


class TableFiles(NamedTuple):
    """Files of one table that lie together, as they are asked for; `shown_condition` is what rows must meet to count."""

    part: str
    folder: Folder
    names: Sequence[str]
    stored: ds.Dataset
    shown_condition: pc.Expression | None

    @contextmanager
    def scanner(
        self, columns: Columns = None, where: pc.Expression | None = None
    ) -> Iterator[ds.Scanner]:
        """A scanner of the rows that count and meet a condition; a UsageError names the file that is damaged."""
        condition = combine_conditions(self.shown_condition, where)
        try:
            yield self.stored.scanner(columns=columns, filter=condition)
        except (OSError, pa.ArrowException):  # Arrow only says that one is
            for name in self.names:
                self.folder.check(name, verify=True)
            raise


def tables_of(folder: Folder, pattern: str, schema: pa.Schema) -> Iterator[TableFiles]:
    """The files of a pattern, if there are none too: all together of a run, night by night of an archive."""
    names = folder.names(pattern)
    if not (names and isinstance(folder, (NightsFolder, SelectedRun))):
        yield TableFiles("", folder, names, _dataset(folder, names, schema), None)
        return
    # What is selected is asked file by file: of which captures the rows of a file are its own `pages` say.
    for _, of_part in groupby(names, part_of if folder.selection is None else None):
        files = list(of_part)
        stored, condition = _dataset(folder, files, schema), folder.shown_condition(files[0])
        yield TableFiles(part_of(files[0]), folder, files, stored, condition)


def _dataset(folder: Folder, names: Iterable[str], schema: pa.Schema) -> ds.Dataset:
    import pyarrow.dataset as ds  # a slow start, and no run reads its tables so

    for name in names:
        folder.check(name)
    files = [folder.full_path(name) for name in names]
    options = ds.ParquetFragmentScanOptions(page_checksum_verification=True)
    stored = ds.ParquetFileFormat(default_fragment_scan_options=options)
    return ds.dataset(files, schema=schema, format=stored, filesystem=folder.fs)


class WholeTable:
    """A table of a run, or of all nights of an archive, that is not read yet: the rows that count."""

    def __init__(self, folder: Folder, pattern: str, schema: pa.Schema) -> None:
        self.files = tuple(tables_of(folder, pattern, schema))

    def batches(
        self, columns: Columns = None, where: pc.Expression | None = None
    ) -> Iterator[pa.RecordBatch]:
        """The rows that meet a condition, in the order of the files, some at a time."""
        for files in self.files:
            with files.scanner(columns, where) as scanner:
                yield from scanner.to_batches()

    def rows(self, columns: Columns = None, where: pc.Expression | None = None) -> Iterator[Row]:
        for batch in self.batches(columns, where):
            yield from batch.to_pylist()

    def to_table(self, columns: Columns = None, where: pc.Expression | None = None) -> pa.Table:
        parts = []
        for files in self.files:
            with files.scanner(columns, where) as scanner:
                parts.append(scanner.to_table())
        return pa.concat_tables(parts)


def run_table(folder: Folder, kind: str) -> WholeTable:
    """The table of a run called `kind`: one of SCHEMAS."""
    return WholeTable(folder, f"{kind}/*.parquet", SCHEMAS[kind])


def shown_rows(folder: Folder, name: str, rows: pa.Table) -> pa.Table:
    if not isinstance(folder, (NightsFolder, SelectedRun)):
        return rows
    condition = folder.shown_condition(name)
    return rows if condition is None else rows.filter(condition)


_COLUMNS = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "content_digest", "text_digest"),
    *("original", "status", "reason", "title", "kind", "kind_probability", "expected_f1"),
]

_LISTED = (
    *("text_first_seen", "text_last_changed", "status", "reason", "kind", "url", "title"),
    *("kind_probability", "expected_f1", "record_id"),
)
"""Columns of a capture in a list, behind its time."""

_ORDER = [(name, "ascending") for name in ("site", "url_surtkey", "fetch_time", "record_id")]

_COUNTS = {"captures": ("record_id", "count"), "judged": ("judged", "sum")}
_SPAN = {"first": ("fetch_time", "min"), "last": ("fetch_time", "max")}
_OF_URL = {
    **_COUNTS,
    "different": ("content_digest", "count_distinct"),
    "texts": ("text_digest", "count_distinct"),
    **_SPAN,
    "text_last_changed": ("text_last_changed", "max"),
    "url": ("url", "first"),
}
_SITE = ("site", "first")
_OF_SITE = {"urls": ("url_surtkey", "count_distinct"), **_COUNTS, **_SPAN, "site": _SITE}
"""Columns of a group of captures, each the column that it is of and what becomes of that."""


def list_captures(folder: Folder, whole: Folder, surt: str | None = None) -> Iterator[Row]:
    """Yield the captures of a run, or of the URL of a sort key, by site, URL and time.

    `whole` is the run without a selection: when a text was first seen is known of all captures.
    """
    for batch in _captures(folder, whole, surt).to_batches(1_000):
        for row in batch.to_pylist():
            yield {"timestamp": row["fetch_time"]} | {name: row[name] for name in _LISTED}


def list_urls(folder: Folder, whole: Folder) -> Iterator[Row]:
    """Return the URLs of a run: captures, those with verdicts, different payloads and texts, and the time that they span."""
    return _groups(folder, whole, ["site", "url_surtkey"], _OF_URL)


def list_sites(folder: Folder, whole: Folder) -> Iterator[Row]:
    """Return the sites of a run: URLs, captures, those with verdicts, and the time that they span."""
    return _groups(folder, whole, ["site"], _OF_SITE)


def _groups(
    folder: Folder, whole: Folder, keys: list[str], columns: Mapping[str, tuple[str, str]]
) -> Iterator[Row]:
    groups = _captures(folder, whole).group_by(keys, use_threads=False)
    for row in groups.aggregate(list(columns.values())).to_pylist():
        yield {name: row["_".join(of)] for name, of in columns.items()}


def _captures(folder: Folder, whole: Folder, surt: str | None = None) -> pa.Table:
    """Return the captures by site, URL and time, records that are stored twice once; half a kilobyte each."""
    where = is_first_record()
    if surt is not None:
        where &= pc.field("url_surtkey") == surt
    rows = run_table(folder, "pages").to_table(_COLUMNS, where).sort_by(_ORDER)
    every = rows
    if whole is not folder:
        every = run_table(whole, "pages").to_table(_COLUMNS, where).sort_by(_ORDER)
    times = dict(zip(every["record_id"].to_pylist(), _text_times(every), strict=True))
    of_rows = [times[record_id] for record_id in rows["record_id"].to_pylist()]
    judged = pc.is_in(rows["status"], value_set=pa.array([str(status) for status in JUDGED]))
    return (
        rows.append_column("judged", judged.cast(pa.int64()))
        .append_column("text_first_seen", pa.array([first for first, _ in of_rows], TIME))
        .append_column("text_last_changed", pa.array([changed for _, changed in of_rows], TIME))
    )


def _text_times(rows: pa.Table) -> Iterator[tuple[datetime | None, datetime | None]]:
    """Yield of each capture when its URL first had its text, and when it last had another before.

    Captures are by URL and time. One that repeats another has the text of that; one without a text changes nothing.
    """
    names = ("record_id", "url_surtkey", "fetch_time", "original", "text_digest")
    columns = [rows[name].to_pylist() for name in names]
    digests = dict(zip(columns[0], columns[-1], strict=True))
    seen: dict[str, datetime] = {}
    url, last, since = None, None, None
    for _, key, time, original, text_digest in zip(*columns, strict=True):
        if key != url:
            url, last, since, seen = key, None, None, {}
        digest = text_digest or digests.get(original or "")
        if digest is None or time is None:
            yield None, None
            continue
        if digest != last:
            last, since = digest, time
        yield seen.setdefault(digest, time), since
