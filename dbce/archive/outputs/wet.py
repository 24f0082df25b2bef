"""Plain text as WET: WARC conversion records of type text/plain, in the form of Common Crawl's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.records import Content, MemberFile, Origin
from dbce.model import stable_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from dbce.archive.records import Archived, Member

_MEDIA = "text/plain"  # as Common Crawl has it; it is UTF-8


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text of a capture, by its record id, with what else an archive says of it."""

    record_id: str
    url: str
    surt: str
    timestamp: datetime
    text: str


class TextWriter:
    """Writes texts of pages to an open stream: a warcinfo first, then a record for every text.

    The same texts give the same bytes: the record id is a UUIDv5 of the capture's id and the text.
    `name` is the file's name as its warcinfo gives it, "" where it has none.
    """

    def __init__(self, stream: BinaryIO, name: str, config_digest: str, version: str) -> None:
        self._file = MemberFile(stream, Origin(name, config_digest, version))

    def write(self, capture: Archived, text: str) -> str:
        """Writes one text; returns its CDXJ line, without a line end."""
        return self.add(self.prepare(capture, text))

    def prepare(self, capture: Archived, text: str) -> Member:
        """One text to be added."""
        return self._file.prepare(
            capture,
            stable_id("wet", capture.record_id, text),
            {"WARC-Refers-To": f"<{capture.record_id}>"},
            Content("conversion", _MEDIA, text.encode()),
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
        writer.write(text, text.text)
    writer.close()
