"""Pictures of pages as WARC/1.1: a `resource` record each, as crawlers that draw pages store them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.records import Content, MemberFile, Origin, surt

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.archive.records import Archived

PNG = "image/png"


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
        self._origin = Origin(name, config_digest, version)
        self._file = MemberFile(stream, self._origin)

    def write(self, capture: Archived, png: bytes) -> tuple[str, int]:
        """Writes the picture of a capture; its CDXJ line, without a line end, and its byte offset."""
        url = f"urn:fullPage:{capture.url}"
        record_id = self._origin.record_id(f"{url} {capture.record_id}")
        pictured = _Pictured(record_id, url, surt(url), capture.timestamp)
        refers_to = {"WARC-Refers-To": f"<{capture.record_id}>"}
        content = Content("resource", PNG, png)
        line = self._file.add(self._file.prepare(pictured, record_id, refers_to, content))
        return line, int(json.loads(line.split(" ", 2)[2])["offset"])

    def close(self) -> None:
        """Completes the file; the stream stays open."""
        self._file.close()
