"""From a fetch to its records: the request, and the response or revisit."""

from __future__ import annotations

import uuid
from email.utils import format_datetime
from typing import TYPE_CHECKING

from scripts.sample.marks import unmarked
from scripts.sample.records import chunked, digest, member, message, record

if TYPE_CHECKING:
    from datetime import datetime

    from scripts.sample.fetch import Fetch

_PROFILE = "http://netpreserve.org/warc/{}/revisit/identical-payload-digest"


def record_id(fetch: Fetch) -> str:
    """The record id of the answer, a UUIDv5 of URL and time."""
    return _id(f"{fetch.url} {timestamp(fetch)}")


def timestamp(fetch: Fetch) -> str:
    """The time of the fetch in 14 digits."""
    return fetch.at.strftime("%Y%m%d%H%M%S")


def warcinfo(version: str, filename: str, at: datetime) -> bytes:
    """The record that opens a file."""
    fields = [
        ("software", "dbce sample"),
        ("format", f"WARC File Format {version.removeprefix('WARC/')}"),
        ("description", "invented pages of four invented sites"),
    ]
    headers = [
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", f"<{_id(filename)}>"),
        ("WARC-Date", _date(at)),
        ("WARC-Filename", filename),
        ("Content-Type", "application/warc-fields"),
    ]
    return record(
        version, headers, "".join(f"{name}: {value}\r\n" for name, value in fields).encode()
    )


def request(version: str, fetch: Fetch) -> bytes:
    """The record of what the crawler asked."""
    sent = [("Host", fetch.host), ("User-Agent", "Mozilla/5.0 (compatible; sample crawler)")]
    headers = [
        ("WARC-Type", "request"),
        ("WARC-Record-ID", f"<{_id(f'{fetch.url} {timestamp(fetch)} request')}>"),
        ("WARC-Date", _date(fetch.at)),
        ("WARC-Target-URI", fetch.url),
        ("WARC-Concurrent-To", f"<{record_id(fetch)}>"),
        ("Content-Type", "application/http; msgtype=request"),
    ]
    return record(version, headers, message(f"GET {fetch.path} HTTP/1.1", sent))


def answer(version: str, fetch: Fetch, original: Fetch | None = None) -> bytes:
    """The record of what the server sent, or that it is what the original fetch holds."""
    body = sent(fetch)
    headers = [
        ("WARC-Type", "revisit" if original else "response"),
        ("WARC-Record-ID", f"<{record_id(fetch)}>"),
        ("WARC-Date", _date(fetch.at)),
        ("WARC-Target-URI", fetch.url),
        *(_refers_to(version, original) if original else ()),
        ("WARC-Payload-Digest", digest(body)),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    block = message(f"HTTP/1.1 {fetch.status}", _http(fetch, body), b"" if original else body)
    return record(version, headers, block)


def sent(fetch: Fetch) -> bytes:
    """The HTTP body as it was sent: in its charset, with its codings."""
    body = fetch.body or unmarked(fetch.marked).encode(fetch.charset, "xmlcharrefreplace")
    for coding in fetch.codings:
        body = member(body) if coding == "gzip" else chunked(body)
    return body


def _refers_to(version: str, original: Fetch) -> list[tuple[str, str]]:
    return [
        ("WARC-Profile", _PROFILE.format(version.removeprefix("WARC/"))),
        ("WARC-Refers-To", f"<{record_id(original)}>"),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", _date(original.at)),
    ]


def _http(fetch: Fetch, body: bytes) -> list[tuple[str, str]]:
    headers = [("Date", format_datetime(fetch.at, usegmt=True)), ("Server", "Apache")]
    if fetch.media:
        headers.append(("Content-Type", fetch.media))
    if fetch.location:
        headers.append(("Location", fetch.location))
    if "gzip" in fetch.codings:
        headers.append(("Content-Encoding", "gzip"))
    if "chunked" in fetch.codings:
        return [*headers, ("Transfer-Encoding", "chunked")]
    return [*headers, ("Content-Length", str(len(body)))]


def _id(name: str) -> str:
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}"


def _date(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
