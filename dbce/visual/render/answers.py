"""Answers of the archive to the requests of a page: the nearest snapshot, revisits resolved.

Records are looked up by URL and time: places are indexed file by file, between the stages of a job. A record takes 44
bytes in memory, so ten million of them 440 MB, without their contents. A page is rendered under its own address, or a
stand-in if browsers do not accept that.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dbce.archive import (
    Reply,
    Source,
    check_there,
    read_reply_at,
    split_url,
    stored_captures,
    surt,
)
from dbce.model import InputError, Limits, digest64, escape_bytes, unescape_bytes
from dbce.storage import WORK, Folder, read_table, stem

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
ROWS = 50_000  # records whose places are Python values at a time


class Place(NamedTuple):
    """Place where a record is stored: its file and byte offset."""

    uri: str
    offset: int


def places_of(source: Source) -> pa.Table:
    """Return the places of the records in a file, from their headers alone."""
    uri = escape_bytes(source.uri)
    batches = []
    captures = stored_captures(source)
    while batch := list(islice(captures, ROWS)):
        keys = {
            "key": [digest64(surt(capture.url).encode()) for capture in batch],
            "url": [digest64(capture.url.encode()) for capture in batch],
            "record": [digest64(capture.record_id.encode()) for capture in batch],
            "time": [int(capture.timestamp.timestamp()) for capture in batch],
        }
        location = {"uri": [uri] * len(batch), "offset": [capture.offset for capture in batch]}
        batches.append(pa.RecordBatch.from_pydict(keys | location, PLACES))
    return pa.Table.from_batches(batches, PLACES)


class Places:
    def __init__(self, tables: Iterable[pa.Table]) -> None:
        table = pa.concat_tables([PLACES.empty_table(), *tables]).unify_dictionaries()
        table = table.combine_chunks()
        uris = table["uri"].combine_chunks()
        self._uris = [unescape_bytes(uri) for uri in uris.dictionary.to_pylist()]
        columns = [_plain(table[name]) for name in ("key", "url", "record", "time", "offset")]
        columns.append(_plain(uris.indices))
        key, _, _, time, offset, _ = columns
        order = np.lexsort([offset, time, key])
        self._key, self._url, self._record, self._time, self._offset, self._uri = (
            column[order] for column in columns
        )

    def nearest(self, url: str, at: datetime) -> list[Place]:
        """Return places of answers to a URL, those of the same spelling first, each group by distance in time."""
        key = digest64(surt(url).encode())
        first, end = (int(np.searchsorted(self._key, key, side)) for side in ("left", "right"))
        digest = digest64(url.encode())
        distance = np.abs(self._time[first:end] - int(at.timestamp()))
        order = np.lexsort([self._offset[first:end], distance, self._url[first:end] != digest])
        return [self._place(first + int(n)) for n in order]

    def places_of_record(self, record_id: str) -> list[Place]:
        rows = np.flatnonzero(self._record == digest64(record_id.encode()))
        return [self._place(int(n)) for n in rows]

    def _place(self, n: int) -> Place:
        return Place(self._uris[int(self._uri[n])], int(self._offset[n]))


def share_ids(folder: Folder, sources: Sequence[Source]) -> bool:
    """Return whether captures of different URLs or times share a record id, by their headers."""
    columns = ["record", "url", "time"]
    tables = [read_table(folder, note_path("places", source), columns) for source in sources]
    places = pa.concat_tables([PLACES.empty_table().select(columns), *tables])
    rows = np.column_stack([_plain(places[name]) for name in columns])
    return len(np.unique(rows[:, 0])) < len(np.unique(rows, axis=0))


def find_places(folder: Folder, source: Source) -> None:
    with folder.create(note_path("places", source)) as stream:
        pq.write_table(places_of(source), stream, compression="zstd", write_page_checksum=True)


def known_places(folder: Folder) -> Places:
    return Places(read_table(folder, name) for name in folder.names(f"{WORK}/places/*.parquet"))


def note_path(kind: str, source: Source) -> str:
    """Return the path of the notes on a source: `places` of its records, or `ids` of its captures."""
    return f"{WORK}/{kind}/{stem(source.unit)}.parquet"


def _plain(column: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(), np.int64)


NOBODY = "http://stand-in.invalid"
"""Site of a page whose address has none: relative links lead nowhere there."""

_NAME = re.compile(r"[a-z0-9.-]+")  # host names that browsers do not change


class Address(NamedTuple):
    """An address for the browser, and the prefixes by which it differs from the capture's."""

    url: str
    site: str = ""
    own_site: str = ""

    def archived_url(self, url: str) -> str:
        """Return the archived address of a request of the page."""
        if self.site and self.own_site and url.startswith(f"{self.site}/"):
            return self.own_site + url.removeprefix(self.site)
        return url


def addresses(url: str) -> list[Address]:
    """Return the addresses to try in order: that of a capture if browsers can request it, then stand-ins.

    A stand-in keeps host and path if there are any, so that relative references resolve beside it, under
    the capture's own scheme and port. The last one is never refused.
    """
    fallback = Address(f"{NOBODY}/")
    parts = split_url(url)
    name = parts.hostname or ""
    own_address = [Address(url)] if parts.scheme in ("http", "https") and name else []
    if not (parts.netloc or parts.path.startswith("/")):
        return [*own_address, fallback]
    site = f"http://{name}" if _NAME.fullmatch(name) else NOBODY
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return [*own_address, Address(site + path, site, f"{parts.scheme}://{parts.netloc}"), fallback]


TRIED = 5  # maximum snapshots of a URL that are read to find one that is no error

KEPT_BYTES = 64_000_000
"""Bytes of cached answers, since the next pages of a site have the same style sheets."""


class Answers:
    def __init__(self, places: Places, limits: Limits) -> None:
        self._places = places
        self._limits = limits
        self._cache: OrderedDict[tuple[Place, str], Reply] = OrderedDict()
        self._bytes = 0

    def answer(self, url: str, at: datetime) -> Reply | None:
        """Return the answer to a URL at the time nearest to `at`; None if the archive has none.

        Returns the first of the nearest snapshots that is no error; if all are, the nearest.
        Raises StoreError: a file cannot be read.
        """
        first_error: Reply | None = None
        for place in self._places.nearest(url, at)[:TRIED]:
            reply = self._resolve(place, surt(url), at)
            if reply is None:
                continue
            if reply.status < 400:
                return reply
            first_error = first_error or reply
        return first_error

    def _resolve(self, place: Place, key: str, at: datetime) -> Reply | None:
        """Return the answer at a place, for a revisit its original."""
        reply = self._read(place, key)
        if reply is None or reply.refers_to is None:
            return reply
        origin = reply.refers_to
        if origin.url and (answer := self._original(origin.url, origin.timestamp or at, "")):
            return answer
        if origin.record_id:
            replies = (self._read(r, "") for r in self._places.places_of_record(origin.record_id))
            if answer := next((r for r in replies if r and not r.refers_to), None):
                return answer
        return self._original(key, at, reply.digest) if reply.digest else None

    def _original(self, url: str, at: datetime, digest: str) -> Reply | None:
        """Return the nearest answer that is no revisit, with a digest if one is given."""
        key = surt(url)
        for place in self._places.nearest(url, at):
            reply = self._read(place, key)
            if reply and reply.refers_to is None and digest in ("", reply.digest):
                return reply
        return None

    def _read(self, place: Place, key: str) -> Reply | None:
        if (cached := self._cache.get((place, key))) is not None:
            self._cache.move_to_end((place, key))
            return cached
        try:
            reply = read_reply_at(place.uri, place.offset, key, self._limits)
        except InputError:  # treated as missing
            check_there(place.uri)
            return None
        self._cache[place, key] = reply
        self._bytes += len(reply.payload)
        while self._bytes > KEPT_BYTES:
            _, old = self._cache.popitem(last=False)
            self._bytes -= len(old.payload)
        return reply
