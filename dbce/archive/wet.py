"""Plain text as WET: WARC conversion records of type text/plain, as Common Crawl has them."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO

from warcio.warcwriter import WARCWriter

from dbce.archive.identity import iso
from dbce.hashing import stable_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text of a capture, by its record id."""

    record_id: str
    url: str
    timestamp: datetime
    text: str


def write_wet(stream: BinaryIO, texts: Iterable[PlainText]) -> None:
    """Writes a record for every text, one gzip member each; equal texts give equal bytes."""
    writer = WARCWriter(stream, gzip=True, warc_version="WARC/1.1")
    for text in texts:
        block = text.text.encode()
        record = writer.create_warc_record(
            text.url,
            "conversion",
            payload=BytesIO(block),
            length=len(block),
            warc_content_type="text/plain; charset=utf-8",
            warc_headers_dict={
                "WARC-Record-ID": f"<{stable_id('wet', text.record_id, text.text)}>",
                "WARC-Date": iso(text.timestamp),
                "WARC-Refers-To": f"<{text.record_id}>",
            },
        )
        writer.write_record(record)
