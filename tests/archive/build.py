"""Builders of small archives in memory."""

import gzip
import itertools
from collections import deque
from collections.abc import Iterable

import fsspec
import zstandard

from dbce.archive import Source, read
from dbce.model import Capture, Limits, Reject

PAGE = b"<html><body><p>Bread and butter.</p></body></html>"
_places = itertools.count()
_kept: deque[str] = deque()


def answer(
    body: bytes = PAGE,
    status: str = "200 OK",
    content_type: str | None = "text/html",
    **fields: str,
) -> bytes:
    """An HTTP answer as stored in a record."""
    lines = [f"HTTP/1.1 {status}"]
    lines += [f"Content-Type: {content_type}"] if content_type is not None else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def record(
    number: int = 1,
    block: bytes | None = None,
    *,
    kind: str | None = "response",
    url: str | None = None,
    date: str | None = "2024-05-06T07:08:09Z",
    length: int | str | None = None,
    media: str | None = "application/http; msgtype=response",
    version: str = "1.0",
    record_id: str | None = None,
    **fields: str,
) -> bytes:
    """A WARC record with the two line ends behind it; None leaves a field out."""
    block = answer() if block is None else block
    known = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:test:{number}>" if record_id is None else record_id or None,
        "WARC-Target-URI": f"http://example.com/{number}" if url is None else url or None,
        "WARC-Date": date,
        "Content-Type": media,
        "Content-Length": str(len(block) if length is None else length),
    }
    known |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines = [f"WARC/{version}", *(f"{k}: {v}" for k, v in known.items() if v is not None)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def arc_record(
    number: int = 1,
    block: bytes | None = None,
    *,
    date: str = "20240506070809",
    length: int | str | None = None,
    url: str | None = None,
    fields: str = "{url} 192.0.2.1 {date} text/html {length}",
) -> bytes:
    """An ARC record with the line end behind it; `fields` is the form of its line."""
    block = answer() if block is None else block
    url = url or f"http://example.com/{number}"
    declared = len(block) if length is None else length
    line = fields.format(url=url, date=date, length=declared)
    return f"{line}\n".encode() + block + b"\n"


def arc_head() -> bytes:
    """The record that an ARC file begins with."""
    block = b"1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
    return f"filedesc://test.arc 0.0.0.0 20240506070809 text/plain {len(block)}\n".encode() + (
        block + b"\n"
    )


def members(records: Iterable[bytes]) -> list[bytes]:
    """Every record as a gzip member of its own."""
    return [gzip.compress(data, mtime=0) for data in records]


def frames(records: Iterable[bytes], dictionary: object = None, **options: object) -> list[bytes]:
    """Every record as a frame of Zstandard of its own."""
    options = {"write_checksum": True} | options
    compressor = zstandard.ZstdCompressor(dict_data=dictionary, **options)
    return [compressor.compress(data) for data in records]


def stored(
    data: bytes, name: str = "test.warc.gz", offsets: tuple[int, ...] | None = None
) -> Source:
    """A file in memory, to be read by its fsspec URI; only the last eight are there.

    fsspec would keep all of them as long as the process lives: gigabytes, where an archive is damaged place
    by place.
    """
    memory, place = fsspec.filesystem("memory"), f"/{next(_places)}/{name}"
    memory.pipe(place, data)
    _kept.append(place)
    if len(_kept) > 8:
        memory.rm(_kept.popleft())
    return Source(name, f"memory:/{place}", offsets)


def captures(
    data: bytes, offsets: tuple[int, ...] | None = None, limits: Limits | None = None
) -> list[Capture | Reject]:
    """All that `read` makes of a file with these bytes."""
    return list(read(stored(data, offsets=offsets), limits or Limits()))


def outcome(entry: Capture | Reject) -> str:
    """ "page", or the reason why it is none."""
    return str(getattr(entry, "reason", "page"))


def outcomes(data: bytes, offsets: tuple[int, ...] | None = None) -> list[str]:
    return [outcome(entry) for entry in captures(data, offsets)]
