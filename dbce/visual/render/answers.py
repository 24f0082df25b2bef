"""Answers of the archive to the requests of a page: the nearest snapshot, revisits resolved.

Its records are known by URL and time, looked up by both: places are noted file by file, between the stages of a job.
A record takes 44 bytes in memory, so ten million of them 440 MB; nothing of their contents is kept. A page is laid
out under its own address, or a stand-in where a browser does not take that.
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
ROWS = 50_000  # records whose places are held as Python values at a time


class Place(NamedTuple):
    """Place where a record is stored: its file and byte offset."""

    uri: str
    offset: int


def places_of(source: Source) -> pa.Table:
    """Return the places of the records in a file, from their headers alone."""
    uri = escape_bytes(source.uri)
    batches = []
    captures = stored_captures(source)
    while some := list(islice(captures, ROWS)):
        keys = {
            "key": [digest64(surt(one.url).encode()) for one in some],
            "url": [digest64(one.url.encode()) for one in some],
            "record": [digest64(one.record_id.encode()) for one in some],
            "time": [int(one.timestamp.timestamp()) for one in some],
        }
        where = {"uri": [uri] * len(some), "offset": [one.offset for one in some]}
        batches.append(pa.RecordBatch.from_pydict(keys | where, PLACES))
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
        """Places of answers to a URL, the nearest in time first; those of the same spelling before all."""
        key = digest64(surt(url).encode())
        first, end = (int(np.searchsorted(self._key, key, side)) for side in ("left", "right"))
        own = digest64(url.encode())
        away = np.abs(self._time[first:end] - int(at.timestamp()))
        order = np.lexsort([self._offset[first:end], away, self._url[first:end] != own])
        return [self._place(first + int(n)) for n in order]

    def places_of_record(self, record_id: str) -> list[Place]:
        found = np.flatnonzero(self._record == digest64(record_id.encode()))
        return [self._place(int(n)) for n in found]

    def _place(self, n: int) -> Place:
        return Place(self._uris[int(self._uri[n])], int(self._offset[n]))


def share_ids(folder: Folder, sources: Sequence[Source]) -> bool:
    """Return whether captures of different URLs or times have one record id, as far as headers tell."""
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
    """Path of what is noted of a source: `places` of its records, or `ids` of its captures."""
    return f"{WORK}/{kind}/{stem(source.unit)}.parquet"


def _plain(column: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(), np.int64)


NOBODY = "http://stand-in.invalid"
"""The site of a page whose address names none: links that are relative lead nowhere there."""

_NAME = re.compile(r"[a-z0-9.-]+")  # names of hosts that browsers leave as they are


class Address(NamedTuple):
    """An address as the browser gets it, and the beginnings by which it and that of the capture differ."""

    shown: str
    site: str = ""
    own_site: str = ""

    def archived_url(self, url: str) -> str:
        """Return the address in the archive of what a page asks for."""
        if self.site and self.own_site and url.startswith(f"{self.site}/"):
            return self.own_site + url.removeprefix(self.site)
        return url


def addresses(url: str) -> list[Address]:
    """Addresses to try one after the other: that of a capture if it may be asked for, then stand-ins.

    A stand-in keeps host and path where there are any, so that what the page names relative to itself is
    looked for beside it, under the capture's own scheme and port. The last one is never refused.
    """
    nowhere = Address(f"{NOBODY}/")
    parts = split_url(url)
    name = parts.hostname or ""
    own = [Address(url)] if parts.scheme in ("http", "https") and name else []
    if not (parts.netloc or parts.path.startswith("/")):
        return [*own, nowhere]
    site = f"http://{name}" if _NAME.fullmatch(name) else NOBODY
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return [*own, Address(site + path, site, f"{parts.scheme}://{parts.netloc}"), nowhere]


TRIED = 5  # snapshots of a URL that are read in search of one that is no error

KEPT_BYTES = 64_000_000
"""Bytes of answers that are kept, for the next pages of a site have the same style sheets."""


class Answers:
    def __init__(self, places: Places, limits: Limits) -> None:
        self._places = places
        self._limits = limits
        self._kept: OrderedDict[tuple[Place, str], Reply] = OrderedDict()
        self._bytes = 0

    def answer(self, url: str, at: datetime) -> Reply | None:
        """Return the answer to a URL at the time nearest to `at`; None if the archive has none.

        Of the nearest snapshots the first counts that is no error; if all are, the nearest.
        Raises StoreError: a file cannot be read.
        """
        error: Reply | None = None
        for place in self._places.nearest(url, at)[:TRIED]:
            reply = self._resolve(place, surt(url), at)
            if reply is None:
                continue
            if reply.status < 400:
                return reply
            error = error or reply
        return error

    def _resolve(self, place: Place, key: str, at: datetime) -> Reply | None:
        """Return the answer at a place, of a revisit what it repeats."""
        reply = self._read(place, key)
        if reply is None or reply.refers_to is None:
            return reply
        said = reply.refers_to
        if said.url and (found := self._original(said.url, said.timestamp or at, "")):
            return found
        if said.record_id:
            own = (self._read(one, "") for one in self._places.places_of_record(said.record_id))
            if found := next((one for one in own if one and not one.refers_to), None):
                return found
        return self._original(key, at, reply.digest) if reply.digest else None

    def _original(self, url: str, at: datetime, digest: str) -> Reply | None:
        """Return the nearest answer that is no revisit, of a digest if one is given."""
        key = surt(url)
        for place in self._places.nearest(url, at):
            reply = self._read(place, key)
            if reply and reply.refers_to is None and digest in ("", reply.digest):
                return reply
        return None

    def _read(self, place: Place, key: str) -> Reply | None:
        if (kept := self._kept.get((place, key))) is not None:
            self._kept.move_to_end((place, key))
            return kept
        try:
            reply = read_reply_at(place.uri, place.offset, key, self._limits)
        except InputError:  # it is as if it were not there
            check_there(place.uri)
            return None
        self._kept[place, key] = reply
        self._bytes += len(reply.payload)
        while self._bytes > KEPT_BYTES:
            _, old = self._kept.popitem(last=False)
            self._bytes -= len(old.payload)
        return reply
