"""Pages of a run as WARC/1.1, one gzip member a record: annotated, as plain text (WET), as pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Self

from dbce.archive.inputs import open_binary
from dbce.archive.outputs.conversion import conversion_fields
from dbce.archive.records import (
    Content,
    Damage,
    FileOrigin,
    MemberFile,
    parse_date,
    plain_id,
    read_header,
    records,
    records_at,
    surt,
)
from dbce.model import InputError, Reason, TextSource, UsageError, stable_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from dbce.archive.outputs.conversion import Convertible
    from dbce.archive.records import Archived, Member, Record
    from dbce.model import Origin

_HTML = "text/html; charset=utf-8"
_PLAIN_TEXT = "text/plain"  # as Common Crawl has it; it is UTF-8
_PNG = "image/png"
# WARC-Refers-To is not allowed on response records; readers pass over names they do not know.
_REFERS_TO = {"conversion": "WARC-Refers-To", "response": "DBCE-Refers-To"}
_PIECE = 1024 * 1024  # bytes read at a time


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
    first one. `name` is the file's name as the CDXJ lines give it, `model` that of the model that decided.
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
        self._origin = FileOrigin(name, config_digest, version)
        self._file = MemberFile(stream, self._origin)
        self._type = record_type
        self._model = model

    def write(self, capture: Convertible, html: bytes) -> str:
        """Writes one page (UTF-8); returns its CDXJ line, without a line end."""
        return self.add(self.prepare(capture, html))

    def prepare(self, capture: Convertible, html: bytes) -> Member:
        """One page (UTF-8) to be added."""
        refers_to = {_REFERS_TO[self._type]: f"<{capture.record_id}>"}
        if self._type == "conversion":
            refers_to = conversion_fields(capture, self._origin, self._model)
        record_id = self._origin.record_id(capture.record_id)
        return self._file.prepare(capture, record_id, refers_to, Content(self._type, _HTML, html))

    def add(self, member: Member) -> str:
        """Writes a page that was prepared; returns its CDXJ line, without a line end."""
        return self._file.add(member)

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        self._file.close()


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
        source = plain_id(entry.get(_REFERS_TO[kind]))
        yield Annotated(source, entry.get("WARC-Target-URI"), timestamp, html)


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
    def of(
        cls, capture: Convertible, text: str, model: str = "", text_record: str | None = None
    ) -> Self:
        """The text of a capture."""
        identity = capture.record_id, capture.url, capture.surt, capture.timestamp
        return cls(*identity, text, capture.origin, capture.digest, model, text_record)


class TextWriter:
    """Writes texts of pages to an open stream: a warcinfo first, then a record for every text.

    The same texts give the same bytes: the record id is a UUIDv5 of the capture's id and the text.
    `name` is the file's name as its warcinfo gives it, "" where it has none.
    """

    def __init__(self, stream: BinaryIO, name: str, config_digest: str, version: str) -> None:
        self._origin = FileOrigin(name, config_digest, version)
        self._file = MemberFile(stream, self._origin)

    def write(self, text: PlainText) -> str:
        """Writes one text; returns its CDXJ line, without a line end."""
        return self.add(self.prepare(text))

    def prepare(self, text: PlainText) -> Member:
        """One text to be added."""
        record = text.text_record
        stored = {"DBCE-Text-Source": f"{TextSource.CRAWLER} {record}"} if record else {}
        return self._file.prepare(
            text,
            stable_id("wet", text.record_id, text.text),
            conversion_fields(text, self._origin, "" if record else text.model) | stored,
            Content("conversion", _PLAIN_TEXT, text.text.encode()),
        )

    def add(self, member: Member) -> str:
        """Writes a text that was prepared; returns its CDXJ line, without a line end."""
        return self._file.add(member)

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        self._file.close()


def write_wet(
    stream: BinaryIO, texts: Iterable[PlainText], config_digest: str, version: str
) -> None:
    """Writes a whole WET file that has no name; equal texts give equal bytes."""
    writer = TextWriter(stream, "", config_digest, version)
    for text in texts:
        writer.write(text)
    writer.close()


@dataclass(frozen=True, slots=True)
class _Pictured:
    """A picture, as what is archived: the URL says that it is of the whole page."""

    record_id: str
    url: str
    surt: str
    timestamp: datetime


class ScreenshotWriter:
    """Writes pictures to an open stream: a warcinfo first, then a record for every picture.

    The URL is `urn:fullPage:` and the page's, as Browsertrix has it, the date is the capture's. The
    same pictures give the same bytes. `name` is the file's name as the CDXJ lines give it.
    """

    def __init__(self, stream: BinaryIO, name: str, config_digest: str, version: str) -> None:
        self._origin = FileOrigin(name, config_digest, version)
        self._file = MemberFile(stream, self._origin)

    def write(self, capture: Archived, png: bytes) -> tuple[str, int]:
        """Writes the picture of a capture; its CDXJ line, without a line end, and its byte offset."""
        url = f"urn:fullPage:{capture.url}"
        record_id = self._origin.record_id(f"{url} {capture.record_id}")
        pictured = _Pictured(record_id, url, surt(url), capture.timestamp)
        refers_to = {"WARC-Refers-To": f"<{capture.record_id}>"}
        content = Content("resource", _PNG, png)
        line = self._file.add(self._file.prepare(pictured, record_id, refers_to, content))
        return line, int(json.loads(line.split(" ", 2)[2])["offset"])

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        self._file.close()
