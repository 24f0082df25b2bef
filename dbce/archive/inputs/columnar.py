"""Captures that a columnar index lists: Parquet files with the columns of Common Crawl's index.

Source of the columns: https://commoncrawl.org/columnar-index. The tables `pages` of a run have them too.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import reduce
from operator import and_, or_
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from dbce.archive.inputs import cdx
from dbce.archive.inputs.selection import Selection
from dbce.archive.records.identity import parse_date, surt
from dbce.model import UsageError

_PLACE = ("warc_filename", "warc_record_offset")
_TOLD = ("url", "fetch_time", "content_mime_type")  # what a selection asks for
_ROWS = 16_384  # of a batch: some megabytes
_LAST = chr(0x10FFFF)  # sorts behind all that a sort key holds


def rows(files: Sequence[str], selection: Selection) -> Iterator[cdx.IndexEntry | ValueError]:
    """The captures of the rows that a selection may want, or the error why a row cannot be used.

    Only the columns that are needed are read, and only those parts of the files that may hold wanted
    hosts and times, as far as their statistics tell.
    Raises UsageError: the files cannot be read, or lack a column.
    """
    system = fsspec.url_to_fs(files[0])[0]
    paths = [fsspec.url_to_fs(file)[1] for file in files]
    try:
        table = ds.dataset(paths, filesystem=system, format="parquet")
        needed = _PLACE if selection.takes_all else (*_PLACE, "url")
        if missing := [name for name in needed if name not in table.schema.names]:
            raise UsageError(f"{files[0]} is no index of captures: it lacks {', '.join(missing)}")
        columns = [*_PLACE, *(name for name in _TOLD if name in table.schema.names)]
        wanted = _filter(table.schema, selection)
        for batch in table.to_batches(columns, filter=wanted, batch_size=_ROWS):
            yield from map(_entry, _plain_rows(batch))
    except (OSError, pa.ArrowException) as e:
        raise UsageError(f"cannot read the index {files[0]}: {e}") from e


def _filter(schema: pa.Schema, selection: Selection) -> pc.Expression | None:
    """The condition on rows by sort keys and times, whose statistics tell where they are: it lets more pass than is wanted."""
    parts = []
    if "url_surtkey" in schema.names:
        hosts = [f"http://{host.removeprefix('*.')}/" for host in selection.hosts]
        for urls in (hosts, selection.url_prefixes):
            parts += [reduce(or_, map(_host_condition, urls))] if urls else []
    kind = schema.field("fetch_time").type if "fetch_time" in schema.names else pa.null()
    if pa.types.is_timestamp(kind):
        moment = pc.field("fetch_time")
        if selection.since:
            parts.append((moment >= _scalar(selection.since, kind)) | moment.is_null())
        if selection.until:
            behind = _scalar(selection.until, kind, timedelta(seconds=1))
            parts.append((moment < behind) | moment.is_null())
    return reduce(and_, parts) if parts else None


def _host_condition(url: str) -> pc.Expression:
    """Keys of a URL's host, of those below it, and of some with a similar name."""
    start = surt(url).partition(")")[0]
    key = pc.field("url_surtkey")
    return ((key >= start) & (key < start + _LAST)) | key.is_null()


def _scalar(timestamp: str, kind: pa.DataType, more: timedelta = timedelta()) -> pa.Scalar:
    """A moment as a column of times has it; one without a time zone is in UTC."""
    moment = parse_date(timestamp)
    if moment is None:
        raise AssertionError(timestamp)
    return pa.scalar((moment + more).replace(tzinfo=None), pa.timestamp("us")).cast(kind)


def _plain_rows(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """The rows of a batch; times as the 14 digits of UTC."""
    columns = [
        pc.strftime(column.cast(pa.timestamp("s", "UTC"), safe=False), "%Y%m%d%H%M%S")
        if pa.types.is_timestamp(column.type)
        else column
        for column in batch.columns
    ]
    rows: list[dict[str, Any]] = pa.RecordBatch.from_arrays(columns, batch.schema.names).to_pylist()
    return rows


def _entry(row: dict[str, Any]) -> cdx.IndexEntry | ValueError:
    try:
        return cdx.checked_entry(*map(row.get, (*_PLACE, *_TOLD)))
    except ValueError as e:
        return ValueError(f"{e} in a row of {row.get('url')}")
