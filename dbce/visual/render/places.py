"""Places of the archive's answers: every record by its URL and time, looked up by both.

They are noted file by file, between the stages of a job. A record takes 44 bytes in memory, so ten million
of them 440 MB; nothing of their contents is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import surt
from dbce.archive.inputs import held
from dbce.model import digest64, escape_bytes, unescape_bytes
from dbce.storage import WORK, Folder, open_parquet, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from dbce.archive import Source

PLACES = pa.schema(
    [
        ("key", pa.int64()),  # digest of the URL's sort key
        ("url", pa.int64()),  # digest of the URL
        ("record", pa.int64()),  # digest of the record id
        ("time", pa.int64()),  # seconds since 1970
        ("uri", pa.dictionary(pa.int32(), pa.string())),
        ("offset", pa.int64()),
    ]
)
"""Fields kept of a record."""

ROWS = 50_000
"""Records whose places are held as Python values at a time."""


class Place(NamedTuple):
    """Place where a record is stored: its file and byte offset."""

    uri: str
    offset: int


def places_of(source: Source) -> pa.Table:
    """The places of the records in a file, from their headers alone.

    Raises:
        StoreError: the file cannot be read.
    """
    batches = []
    rows: list[tuple[int, int, int, int, int]] = []
    for one in held(source):
        key, url = (digest64(text.encode()) for text in (surt(one.url), one.url))
        time = int(one.timestamp.timestamp())
        rows.append((key, url, digest64(one.record_id.encode()), time, one.offset))
        if len(rows) == ROWS:
            batches.append(_batch(source.uri, rows))
            rows = []
    batches.append(_batch(source.uri, rows))
    return pa.Table.from_batches(batches, PLACES)


def _batch(uri: str, rows: Sequence[tuple[int, int, int, int, int]]) -> pa.RecordBatch:
    key, url, record, time, offset = (
        pa.array(values, pa.int64()) for values in (zip(*rows, strict=True) if rows else [()] * 5)
    )
    uris = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(len(rows), np.int32)), [escape_bytes(uri)]
    )
    return pa.RecordBatch.from_arrays([key, url, record, time, uris, offset], schema=PLACES)


class Places:
    """The places of all records, to look up."""

    def __init__(self, tables: Iterable[pa.Table]) -> None:
        table = pa.concat_tables([PLACES.empty_table(), *tables]).unify_dictionaries()
        table = table.combine_chunks()
        uris = table["uri"].combine_chunks()
        self._uris = [unescape_bytes(uri) for uri in uris.dictionary.to_pylist()]
        order = np.lexsort([_plain(table["offset"]), _plain(table["time"]), _plain(table["key"])])
        self._key = _plain(table["key"])[order]
        self._url = _plain(table["url"])[order]
        self._record = _plain(table["record"])[order]
        self._time = _plain(table["time"])[order]
        self._offset = _plain(table["offset"])[order]
        self._uri = _plain(uris.indices)[order]

    def nearest(self, url: str, at: datetime) -> list[Place]:
        """Places of answers to a URL, the nearest in time first; those of the same spelling before all."""
        key = digest64(surt(url).encode())
        first, end = (int(np.searchsorted(self._key, key, side)) for side in ("left", "right"))
        own = digest64(url.encode())
        away = np.abs(self._time[first:end] - int(at.timestamp()))
        order = np.lexsort([self._offset[first:end], away, self._url[first:end] != own])
        return [self._place(first + int(n)) for n in order]

    def of_record(self, record_id: str) -> list[Place]:
        """Places of the records with this id; empty if there is none."""
        found = np.flatnonzero(self._record == digest64(record_id.encode()))
        return [self._place(int(n)) for n in found]

    def _place(self, n: int) -> Place:
        return Place(self._uris[int(self._uri[n])], int(self._offset[n]))


def to_note(folder: Folder, source: Source) -> bool:
    """Return whether the places of a file's records are still to be noted."""
    return not folder.exists(_noted(source.unit))


def find_places(folder: Folder, source: Source) -> None:
    """Note where the records of a file are."""
    with folder.create(_noted(source.unit)) as stream:
        pq.write_table(places_of(source), stream, compression="zstd", write_page_checksum=True)


def known_places(folder: Folder) -> Places:
    """All that was noted."""
    return Places(_tables(folder))


def _noted(unit: str) -> str:
    return f"{WORK}/places/{stem(unit)}.parquet"


def _tables(folder: Folder) -> Iterator[pa.Table]:
    for name in folder.names(f"{WORK}/places/*.parquet"):
        with open_parquet(folder, name) as table:
            yield table.read()


def _plain(column: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(), np.int64)
