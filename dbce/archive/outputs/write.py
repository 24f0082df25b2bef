"""Pages of a run as WARC/1.1, one gzip member a record: annotated, as plain text (WET), as pictures."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from io import BytesIO
from typing import BinaryIO, NamedTuple, Self

from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParserException
from warcio.warcwriter import WARCWriter
from zlib_ng import zlib_ng

from dbce.archive.inputs.files import open_binary
from dbce.archive.records.head import plain_id
from dbce.archive.records.identity import iso, parse_date, sha1, surt, timestamp14
from dbce.archive.records.message import parse, read_header
from dbce.archive.records.record import Damage, Record, records, records_at
from dbce.model import (
    Capture,
    InputError,
    Origin,
    Reason,
    StoreError,
    TextSource,
    UsageError,
    stable_id,
)

_SPECIFICATION = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_NO_DATE = "1970-01-01T00:00:00Z"  # of a warcinfo in a file without pages
# Of annotated pages level 4 of zlib-ng costs two thirds of what that of zlib does, and leaves 2 % fewer
# bytes; level 6 costs a third more for 3 % fewer.
_LEVEL = 4


class Member(NamedTuple):
    """A record as it is stored, with the fields of its line in an index before its place is known."""

    date: str
    data: bytes
    key: str
    fields: Mapping[str, str]


class MemberFile:
    """Writes records to an open stream: a warcinfo first, with the date of the first record.

    `name` is the file's name as the CDXJ lines and its warcinfo give it, "" where it has none.
    """

    def __init__(self, stream: BinaryIO, name: str, config_digest: str, version: str) -> None:
        self._stream = stream
        self._name = name
        self._config_digest = config_digest
        self._version = version
        self._offset = 0

    def _record_id(self, source: str) -> str:
        """An id that another version or configuration does not give to what is made of `source`."""
        return stable_id(source, self._version, self._config_digest)

    def _prepare(
        self,
        capture: Capture | PlainText,
        record_id: str,
        of_conversion: Mapping[str, str],
        *,
        kind: str,
        media: str,
        payload: bytes,
    ) -> Member:
        """A record to be added: whatever may fail on it fails here."""
        date = iso(capture.timestamp)
        digest = sha1(payload)
        fields = {
            "WARC-Record-ID": f"<{record_id}>",
            "WARC-Date": date,
            _REFERS_TO.get(kind, "WARC-Refers-To"): f"<{capture.record_id}>",
            **of_conversion,
            "WARC-Type": kind,
            "WARC-Target-URI": capture.url,
            "WARC-Payload-Digest": digest,
        }
        if kind == "conversion":  # the block is the payload
            fields["WARC-Block-Digest"] = digest
        mime = media.partition(";")[0]
        listed = {"url": capture.url, "mime": mime, "status": "200", "digest": digest}
        key = f"{capture.surt} {timestamp14(capture.timestamp)}"
        return Member(date, self._member(fields, media, payload), key, listed)

    def _conversion_fields(self, source: Capture | PlainText, model: str) -> dict[str, str]:
        """The fields of a conversion record on the record that it was made of, and on what made it.

        `model` is "" where none has decided. WARC-Conversion-Software and -Options are discussed for the standard
        (https://github.com/iipc/warc-specifications/issues/52); docs/export.md has all fields as a proposal. URL and
        date are those of the record itself: WARC 1.1 allows WARC-Refers-To-Target-URI and -Date in revisit records
        alone (https://github.com/iipc/warc-specifications/issues/51).
        """
        fields = {}
        if source.origin:
            # A sign that would end a header line stands as URLs have it.
            name = _CONTROL.sub(lambda sign: f"%{ord(sign[0]):02X}", source.origin.filename)
            fields["WARC-Refers-To-Filename"] = name
            fields["WARC-Refers-To-File-Offset"] = str(source.origin.offset)
        if source.digest:
            fields["WARC-Refers-To-Payload-Digest"] = source.digest
        options = {"configuration": self._config_digest} | ({"model": model} if model else {})
        fields["WARC-Conversion-Software"] = f"dbce/{self._version}"
        fields["WARC-Conversion-Options"] = json.dumps(options)
        return fields

    def add(self, member: Member) -> str:
        """Writes a record that was prepared; returns its CDXJ line, without a line end."""
        if not self._offset:
            self._warcinfo(member.date)
        place = {"length": str(len(member.data)), "offset": str(self._offset)}
        self._write(member.data)
        return f"{member.key} {json.dumps({**member.fields, **place, 'filename': self._name})}"

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        if not self._offset:
            self._warcinfo(_NO_DATE)

    def _warcinfo(self, date: str) -> None:
        fields = {"WARC-Record-ID": f"<{self._record_id(self._name)}>", "WARC-Date": date}
        if self._name:
            fields["WARC-Filename"] = posixpath.basename(self._name)
        fields["WARC-Type"] = "warcinfo"
        block = (
            f"software: dbce/{self._version}\r\nformat: WARC File Format 1.1\r\n"
            f"conformsTo: {_SPECIFICATION}\r\ndbce-configuration: {self._config_digest}\r\n"
        )
        self._write(self._member(fields, "application/warc-fields", block.encode()))

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self._offset += len(data)

    def _member(self, fields: dict[str, str], media: str, payload: bytes) -> bytes:
        kind = fields["WARC-Type"]
        is_response = kind == "response"
        served = [("Content-Type", media), ("Content-Length", str(len(payload)))]
        plain = BytesIO()
        warc = WARCWriter(plain, gzip=False, warc_version="WARC/1.1")
        record = warc.create_warc_record(
            fields.get("WARC-Target-URI", ""),
            kind,
            payload=BytesIO(payload),
            length=len(payload),
            warc_content_type="" if is_response else media,
            warc_headers_dict=fields,
            http_headers=StatusAndHeaders("200 OK", served, "HTTP/1.1") if is_response else None,
        )
        warc.write_record(record)
        wbits = 16 + zlib_ng.MAX_WBITS
        member: bytes = zlib_ng.compress(plain.getbuffer(), _LEVEL, wbits=wbits)
        return member


# Reading a stored archive back, and comparing it with what was written.

_EMPTY_LINE = b"\r\n\r\n"  # behind a header, and behind a record
_READ = 64 * 1024  # bytes; a warcinfo of ours has some hundred


def verify(stream: BinaryIO, lines: Iterable[str]) -> None:
    """Reads a file of ours once, from its warcinfo to its last byte.

    The stored file must be a warcinfo and then, one behind the other and nothing between or after
    them, the records that its CDXJ `lines` name in this order: each a whole gzip member of that
    length at that offset, with the length that its header declares, of that URL and time, and with a
    payload of that digest.
    Raises StoreError: it is something else.
    """
    position = 0
    try:
        position = _warcinfo(stream)
        for line in lines:
            position = _record(stream, position, line)
        if stream.read(1):
            raise ValueError("more is stored behind the last record")  # noqa: TRY301 - as the others
    except (ValueError, zlib_ng.error, StatusAndHeadersParserException) as e:
        raise StoreError(
            f"what was written reads back otherwise at byte {position}: {e}; see what is wrong with "
            "the file system"
        ) from e


def _warcinfo(stream: BinaryIO) -> int:
    """Reads the first record, whose length no line tells; returns where it ends."""
    plain, length = _first_member(stream.read(_READ))
    stream.seek(length)
    headers, _ = _header_and_block(plain)
    if headers.get_header("WARC-Type") != "warcinfo":
        raise ValueError("there is no warcinfo")
    return length


def _record(stream: BinaryIO, position: int, line: str) -> int:
    _, timestamp, rest = line.split(" ", 2)
    entry = json.loads(rest)
    offset, length = int(entry["offset"]), int(entry["length"])
    if offset != position:
        raise ValueError(f"its line of the index names byte {offset}")
    plain, read = _first_member(stream.read(length))
    if read != length:
        raise ValueError(f"a gzip member of {read} bytes and not {length}")
    headers, block = _header_and_block(plain)
    if headers.get_header("WARC-Type") == "response":
        block = block.partition(_EMPTY_LINE)[2]
    date = parse_date(headers.get_header("WARC-Date") or "")
    digest = entry["digest"]
    for name, value, wanted in (
        ("URL", headers.get_header("WARC-Target-URI"), entry["url"]),
        ("time", date and timestamp14(date), timestamp),
        ("declared digest", headers.get_header("WARC-Payload-Digest"), digest),
        ("digest", sha1(block), digest),
    ):
        if value != wanted:
            raise ValueError(f"the {name} is {value} and was {wanted}")
    return offset + length


def _first_member(data: bytes) -> tuple[bytes, int]:
    """The content of the gzip member at the beginning of some bytes, and its length."""
    inflater = zlib_ng.decompressobj(wbits=16 + zlib_ng.MAX_WBITS)
    plain: bytes = inflater.decompress(data)
    if not inflater.eof:
        raise ValueError("a gzip member breaks off")
    return plain, len(data) - len(inflater.unused_data)


def _header_and_block(plain: bytes) -> tuple[StatusAndHeaders, bytes]:
    """Header and block of a record, which must be as long as the header declares."""
    head, _, rest = plain.partition(_EMPTY_LINE)
    headers = parse(head + _EMPTY_LINE)
    block = rest.removesuffix(_EMPTY_LINE)
    declared = headers.get_header("Content-Length")
    if declared != str(len(block)) or len(block) == len(rest):
        raise ValueError(f"{len(block)} bytes, where the record declares {declared}")
    return headers, block


# Pages and texts as records, and annotated pages read back.

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HTML = "text/html; charset=utf-8"
_PLAIN_TEXT = "text/plain"  # as Common Crawl has it; it is UTF-8
_PNG = "image/png"
# WARC-Refers-To is not allowed on response records; readers pass over names they do not know.
_REFERS_TO = {"conversion": "WARC-Refers-To", "response": "DBCE-Refers-To"}
_PIECE = 1024 * 1024  # bytes read at a time


class AnnotatedPage(NamedTuple):
    """One annotated page read back; `record_id` and `timestamp` are those of its capture."""

    record_id: str
    url: str
    timestamp: datetime
    html: bytes


class AnnotatedWriter(MemberFile):
    """Writes annotated pages to an open stream: a warcinfo first, then a record for every page.

    The same pages give the same bytes: record ids are UUIDv5 of the capture's id, the version and
    the configuration, every record has the date of its capture, and the warcinfo has that of the
    first one. `model` is the name of the model that decided.
    """

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        record_type: str,
        config_digest: str,
        version: str,
        *,
        model: str = "",
    ) -> None:
        super().__init__(stream, name, config_digest, version)
        self._type = record_type
        self._model = model

    def write(self, capture: Capture, html: bytes) -> str:
        """Writes one page (UTF-8); returns its CDXJ line, without a line end."""
        return self.add(self.prepare(capture, html))

    def prepare(self, capture: Capture, html: bytes) -> Member:
        is_made = self._type == "conversion"
        of_conversion = self._conversion_fields(capture, self._model) if is_made else {}
        record_id = self._record_id(capture.record_id)
        content = {"kind": self._type, "media": _HTML}
        return self._prepare(capture, record_id, of_conversion, **content, payload=html)


def read_annotated(uri: str) -> Iterator[AnnotatedPage]:
    """The annotated pages that `AnnotatedWriter` wrote; a UsageError if the file cannot be read, an InputError of damage."""
    return _annotated_pages(uri, records)


def read_annotated_at(uri: str, offset: int) -> AnnotatedPage:
    """The annotated page at an offset, as a CDXJ line gives it; errors as of `read_annotated`, and if there is none."""
    pages = tuple(_annotated_pages(uri, partial(records_at, offsets=(offset,))))
    if not pages:
        raise InputError(Reason.BAD_RECORD, f"no annotated page at offset {offset} of {uri}")
    return pages[0]


def _annotated_pages(
    uri: str, entries: Callable[[BinaryIO], Iterator[Record | Damage]]
) -> Iterator[AnnotatedPage]:
    try:
        with open_binary(uri) as file:
            for entry in entries(file):
                if isinstance(entry, Damage):
                    raise InputError(entry.fault.reason, entry.fault.detail)
                if entry.get("WARC-Type") in _REFERS_TO:
                    yield _annotated_page(entry)
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e


def _annotated_page(record: Record) -> AnnotatedPage:
    kind = record.get("WARC-Type")
    if kind == "response":
        read_header(record.line, record.peek)
    html = b"".join(iter(lambda: record.read(_PIECE), b""))
    record.close()
    if record.fault:
        raise InputError(record.fault.reason, record.fault.detail)
    timestamp = parse_date(record.get("WARC-Date"))
    if timestamp is None:
        raise InputError(Reason.BAD_RECORD, "no WARC-Date")
    source = plain_id(record.get(_REFERS_TO[kind]))
    return AnnotatedPage(source, record.get("WARC-Target-URI"), timestamp, html)


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text of a capture, by its record id, with what else an archive says of it.

    `origin` is the place of its record, `digest` that of its payload, `model` the model that decided; None and "" where
    they are not known. `text_record` is the record of a text that the crawler stored, None where the text is the page's own.
    """

    record_id: str
    url: str
    surt: str
    timestamp: datetime
    text: str
    origin: Origin | None = None
    digest: str = ""
    model: str = ""
    text_record: str | None = None

    @classmethod
    def from_capture(
        cls, capture: Capture, text: str, model: str = "", text_record: str | None = None
    ) -> Self:
        identity = capture.record_id, capture.url, capture.surt, capture.timestamp
        return cls(*identity, text, capture.origin, capture.digest, model, text_record)


class TextWriter(MemberFile):
    """Writes texts of pages to an open stream: a warcinfo first, then a record for every text.

    The same texts give the same bytes: the record id is a UUIDv5 of the capture's id and the text.
    """

    def write(self, text: PlainText) -> str:
        """Writes one text; returns its CDXJ line, without a line end."""
        return self.add(self.prepare(text))

    def prepare(self, text: PlainText) -> Member:
        record = text.text_record
        source = TextSource.of_record(record)
        named = f"{source} {record}" if source is TextSource.CRAWLER else str(source)
        stored = {"DBCE-Text-Source": named} if record else {}
        return self._prepare(
            text,
            stable_id("wet", text.record_id, text.text),
            self._conversion_fields(text, "" if record else text.model) | stored,
            kind="conversion",
            media=_PLAIN_TEXT,
            payload=text.text.encode(),
        )


def write_wet(
    stream: BinaryIO, texts: Iterable[PlainText], config_digest: str, version: str
) -> None:
    """Writes a whole WET file that has no name; equal texts give equal bytes."""
    writer = TextWriter(stream, "", config_digest, version)
    for text in texts:
        writer.write(text)
    writer.close()


class ScreenshotWriter(MemberFile):
    """Writes pictures to an open stream: a warcinfo first, then a record for every picture.

    The URL is `urn:fullPage:` and the page's, as Browsertrix has it, the date is the capture's. The
    same pictures give the same bytes.
    """

    def write(self, capture: Capture, png: bytes) -> tuple[str, int]:
        """Writes the picture of a capture; its CDXJ line, without a line end, and its byte offset."""
        url = f"urn:fullPage:{capture.url}"
        pictured = replace(capture, url=url, surt=surt(url))
        record_id = self._record_id(f"{url} {capture.record_id}")
        content = {"kind": "resource", "media": _PNG}
        member = self._prepare(pictured, record_id, {}, **content, payload=png)
        line = self.add(member)
        return line, self._offset - len(member.data)
