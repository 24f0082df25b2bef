"""Annotated pages as WARC/1.1, one gzip member a record, and back."""

from __future__ import annotations

import json
import posixpath
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Protocol

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dbce.archive.container import Damage, records, records_at
from dbce.archive.http import read_header
from dbce.archive.identity import iso, parse_date, sha1, timestamp14
from dbce.archive.uri import open_binary
from dbce.errors import InputError, UsageError
from dbce.hashing import stable_id
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from dbce.archive.record import Record

_MIME = "text/html"
_CONTENT_TYPE = f"{_MIME}; charset=utf-8"
_SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
# WARC-Refers-To is not allowed on response records; readers pass over names they do not know.
_REFERS_TO = {"conversion": "WARC-Refers-To", "response": "DBCE-Refers-To"}
_NO_DATE = "1970-01-01T00:00:00Z"  # of a warcinfo in a file without pages
_PIECE = 1024 * 1024
# Of annotated pages level 4 costs two fifths of what level 9 does, which warcio would take, and
# leaves 5 % more bytes.
_LEVEL = 4


class Archived(Protocol):
    """What the writer must know of a capture."""

    @property
    def record_id(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def surt(self) -> str: ...
    @property
    def timestamp(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Annotated:
    """One annotated page read back; `record_id` and `timestamp` are those of its capture."""

    record_id: str
    url: str
    timestamp: datetime
    html: bytes


class AnnotatedWriter:
    """Writes annotated pages to an open stream: a warcinfo first, then a record for every page.

    The same pages give the same bytes: record ids are UUIDv5 of the capture's id, the version and
    the configuration, every record has the date of its capture, and the warcinfo has that of the
    first one. `name` is the file's name as the CDXJ lines give it.
    """

    def __init__(
        self, stream: BinaryIO, name: str, record_type: str, config_digest: str, version: str
    ) -> None:
        self._stream = stream
        self._name = name
        self._type = record_type
        self._config = config_digest
        self._version = version
        self._offset = 0
        self._plain = BytesIO()  # one record at a time
        self._warc = WARCWriter(self._plain, gzip=False, warc_version="WARC/1.1")

    def write(self, capture: Archived, html: bytes) -> str:
        """Writes one page (UTF-8); returns its CDXJ line, without a line end."""
        date = iso(capture.timestamp)
        if not self._offset:
            self._warcinfo(date)
        digest = sha1(html)
        fields = {
            "WARC-Record-ID": f"<{self._id(capture.record_id)}>",
            "WARC-Date": date,
            _REFERS_TO[self._type]: f"<{capture.record_id}>",
            "WARC-Type": self._type,
            "WARC-Target-URI": capture.url,
            "WARC-Payload-Digest": digest,
        }
        if self._type == "conversion":  # the block is the payload
            fields["WARC-Block-Digest"] = digest
        offset = self._offset
        length = self._record(self._type, capture.url, fields, html)
        entry = {
            "url": capture.url,
            "mime": _MIME,
            "status": "200",
            "digest": digest,
            "length": str(length),
            "offset": str(offset),
            "filename": self._name,
        }
        return f"{capture.surt} {timestamp14(capture.timestamp)} {json.dumps(entry)}"

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        if not self._offset:
            self._warcinfo(_NO_DATE)

    def _warcinfo(self, date: str) -> None:
        fields = {
            "WARC-Record-ID": f"<{self._id(self._name)}>",
            "WARC-Date": date,
            "WARC-Filename": posixpath.basename(self._name),
        }
        lines = (
            f"software: dbce/{self._version}",
            "format: WARC File Format 1.1",
            f"conformsTo: {_SPECIFICATION}",
            f"dbce-configuration: {self._config}",
        )
        self._record("warcinfo", "", fields, "".join(f"{line}\r\n" for line in lines).encode())

    def _record(self, kind: str, url: str, fields: dict[str, str], block: bytes) -> int:
        """Writes one gzip member; returns its length."""
        record = self._warc.create_warc_record(
            url,
            kind,
            payload=BytesIO(block),
            length=len(block),
            warc_content_type=_CONTENT_TYPE if kind == "conversion" else "",
            warc_headers_dict=fields,
            http_headers=_http_headers(block) if kind == "response" else None,
        )
        self._plain.seek(0)
        self._plain.truncate()
        self._warc.write_record(record)
        member = zlib.compress(self._plain.getbuffer(), _LEVEL, wbits=16 + zlib.MAX_WBITS)
        self._stream.write(member)
        self._offset += len(member)
        return len(member)

    def _id(self, source: str) -> str:
        return stable_id(source, self._version, self._config)


def read_annotated(uri: str) -> Iterator[Annotated]:
    """The annotated pages of a file that `AnnotatedWriter` wrote, in file order.

    Raises:
        UsageError: the file cannot be read.
        InputError: a record of it is damaged.
    """
    try:
        with open_binary(uri) as file:
            yield from _annotated(records(file))
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e


def read_annotated_at(uri: str, offset: int) -> Annotated:
    """The one annotated page at an offset, as a CDXJ line gives it.

    Raises:
        UsageError: the file cannot be read.
        InputError: no annotated page is stored there.
    """
    try:
        with open_binary(uri) as file:
            pages = tuple(_annotated(records_at(file, (offset,))))
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e
    if not pages:
        raise InputError(Reason.BAD_RECORD, f"no annotated page at offset {offset} of {uri}")
    return pages[0]


def _annotated(entries: Iterable[Record | Damage]) -> Iterator[Annotated]:
    for entry in entries:
        if isinstance(entry, Damage):
            raise InputError(entry.fault.reason, entry.fault.detail)
        kind = entry.get("WARC-Type")
        if kind not in _REFERS_TO:
            continue
        if kind == "response":
            read_header(entry.line)
        html = b"".join(iter(lambda entry=entry: entry.read(_PIECE), b""))  # type: ignore[misc]
        entry.close()
        if entry.fault:
            raise InputError(entry.fault.reason, entry.fault.detail)
        timestamp = parse_date(entry.get("WARC-Date"))
        if timestamp is None:
            raise InputError(Reason.BAD_RECORD, "no WARC-Date")
        source = entry.get(_REFERS_TO[kind]).strip("<>")
        yield Annotated(source, entry.get("WARC-Target-URI"), timestamp, html)


def _http_headers(html: bytes) -> StatusAndHeaders:
    fields = [("Content-Type", _CONTENT_TYPE), ("Content-Length", str(len(html)))]
    return StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
