"""Single pages as archives of one record: HTML files, and pages fetched from the web by one GET."""

import asyncio
import html
import re
import socket
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from typing import Any, BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import dbce
from dbce.archive.inputs import files
from dbce.archive.inputs.cdx import is_index
from dbce.archive.records.answer import looks_html
from dbce.archive.records.head import mail_date, plain_url
from dbce.archive.records.identity import iso, typed_time
from dbce.model import MissingExtra, UsageError

PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".xht")
_HEAD = 64 * 1024  # bytes in which a page says its URL
# What browsers and SingleFile note of a page that they save, then what the page says itself.
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d+\)(https?://\S+) -->")
_SINGLE_FILE = re.compile(r"<!--\s*Page saved with SingleFile(.*?)(?:-->|\Z)", re.DOTALL)
_SAVED_URL = re.compile(r"\burl:\s+(https?://\S+)")
# As browsers write a date: Fri Nov 27 2026 15:40:00 GMT+0100 (Central European Standard Time).
_SAVED_DATE = re.compile(r"\bsaved date:\s+\w{3} (\w{3}) (\d\d?) (\d{4} [\d:]{8}) GMT([+-]\d{4})")
_TAG = re.compile(r"<(?:link|meta)\b[^>]*>", re.IGNORECASE)
_CANONICAL = re.compile(r"""\b(?:rel|property)=["']?(?:canonical|og:url)["'\s/>]""", re.IGNORECASE)
_ADDRESS = re.compile(r"""\b(?:href|content)=["']?(https?://[^"'\s>]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageFile:
    """URL of an HTML file, and its date as WARC writes it: what the file itself does not hold."""

    url: str
    date: str


def is_page(uri: str) -> bool:
    """True if the file is called like an HTML page, or is one on this machine that is called like nothing we know."""
    if files.has_ending(uri, PAGE_ENDINGS):
        return True
    if "://" in uri or files.is_archive(uri) or files.is_texts(uri):
        return False
    try:
        with Path(uri).open("rb") as stream:
            return looks_html(stream.read(_HEAD))
    except OSError:  # it is gone, or nobody may read it: told where it is opened
        return False


def page_of(uri: str, url: str | None, at: str | None = None) -> PageFile:
    """The HTML file at a place, of a URL or else of the one that it names, else of its own place.

    Its date is the time `at`, or that which SingleFile notes, or else when it was changed last.
    Raises UsageError: it is on a web server; nobody knows when it was changed; or `at` is no time.
    """
    if uri.startswith(files.WEB):
        raise UsageError(
            f"{uri} is a page and no archive: dbce text fetches it, or save it with "
            f"wget --warc-file=page {uri} and give that file"
        )
    with files.open_binary(uri) as file:
        head = file.read(_HEAD)
    noted = typed_time("--at", at) if at is not None else saved_date(head)
    date = noted or files.modification_time(uri)
    if date is None:
        raise UsageError(f"{uri} has no date of its last change; give a copy of it on a local disk")
    place = uri if "://" in uri else Path(uri).as_uri()
    if files.is_spooled(uri):  # in a folder that is another one each time
        place = "file:///dev/stdin"
    return PageFile(plain_url(url or declared_url(head) or place), iso(date))


def declared_url(head: bytes) -> str:
    """The URL that a page says it is of, "" where it says none."""
    text = head.decode("utf-8", "replace")
    if saved := _SAVED_FROM.search(text) or _SAVED_URL.search(_note_of(text)):
        return saved[1]
    for tag in _TAG.findall(text):
        if _CANONICAL.search(tag) and (address := _ADDRESS.search(tag)):
            return html.unescape(address[1])
    return ""


def _note_of(text: str) -> str:
    """What SingleFile notes in a page of where and when it has saved it; "" where it has not."""
    noted = _SINGLE_FILE.search(text)
    return noted[1] if noted else ""


def saved_date(head: bytes) -> datetime | None:
    """The time at which SingleFile says that it has saved a page; None where it says none."""
    saved = _SAVED_DATE.search(_note_of(head.decode("utf-8", "replace")))
    if saved is None:
        return None
    month, day, year_and_time, zone = saved.groups()
    return mail_date(f"{day} {month} {year_and_time} {zone}")


def open_page(uri: str, page: PageFile) -> BinaryIO:
    """The archive of one record that an HTML file stands for; errors as of `open_binary`."""
    with files.open_binary(uri) as file:
        data = file.read()
    head = (
        "WARC/1.1\r\nWARC-Type: resource\r\n"
        f"WARC-Target-URI: {page.url}\r\nWARC-Date: {page.date}\r\n"
        f"Content-Type: text/html\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    return BytesIO(head.encode() + data + b"\r\n\r\n")


# One page of the web, fetched.

_SECONDS = 60  # for the whole answer, redirects included
_ERROR = 400  # status from which on an answer is no page


def is_web_page(uri: str) -> bool:
    """True if an address on the web is called like no archive, index or list of either."""
    named = files.is_archive(uri) or files.is_texts(uri) or is_index(uri) or "*" in uri
    return uri.startswith(files.WEB) and not named


def fetch(url: str, most: int, *, private: bool = False) -> str:
    """Path of an archive that holds the page at a URL, until `remove_spooled` is called.

    Redirects are followed. `most` is the number of bytes that the body may have as it is sent. A host
    in a private network is asked only if `private`.

    Raises:
        UsageError: the page cannot be fetched.
        MissingExtra: aiohttp is not installed.
    """
    try:
        from aiohttp import ClientError
    except ImportError as e:
        curl = f"; or without that: curl -L {url} | dbce text - --url {url}"
        raise MissingExtra("fetching a page", "http", curl) from e
    try:
        address, head, body = asyncio.run(_get(url, most, private=private))
    except (ClientError, TimeoutError, ValueError) as e:
        cause = f"no answer in {_SECONDS} seconds" if isinstance(e, TimeoutError) else e
        raise UsageError(f"{url} cannot be fetched: {cause}") from e
    path = files.keep_temporary() / "fetched.warc"
    made = {"WARC-Date": iso(datetime.now(UTC), "seconds")}
    with path.open("wb") as file:
        archive = WARCWriter(file, gzip=False, warc_version="1.1")
        record = archive.create_warc_record(
            address, "response", BytesIO(body), http_headers=head, warc_headers_dict=made
        )
        archive.write_record(record)
    return str(path)


async def _get(url: str, most: int, *, private: bool) -> tuple[str, StatusAndHeaders, bytes]:
    """The address that has answered, the header and the body as it was sent."""
    from aiohttp import ClientSession, ClientTimeout, TCPConnector

    session = ClientSession(
        connector=TCPConnector(socket_factory=partial(_open_socket, url, private=private)),
        timeout=ClientTimeout(total=_SECONDS),
        headers={"User-Agent": f"dbce/{dbce.__version__}"},
        auto_decompress=False,
    )
    async with session, session.get(url) as answer:
        if answer.status >= _ERROR:
            raise UsageError(
                f"{url} cannot be fetched: the answer is {answer.status} {answer.reason}"
            )
        body = b""
        async for piece in answer.content.iter_any():
            body += piece
            if len(body) > most:
                raise UsageError(f"{url} cannot be fetched: it has more than {most:,} bytes")
        # aiohttp has put chunks together.
        headers = [(k, v) for k, v in answer.headers.items() if k.lower() != "transfer-encoding"]
        line = f"{answer.status} {answer.reason}"
        return str(answer.url), StatusAndHeaders(line, headers, protocol="HTTP/1.1"), body


def _open_socket(url: str, address: tuple[Any, ...], *, private: bool) -> socket.socket:
    """Socket for the address that a host's name, or that of a redirect, was resolved to."""
    family, kind, protocol, _, (host, *_) = address
    if not private and not ip_address(host).is_global:
        raise UsageError(
            f"{url} leads to {host}, which is in a private network; --private fetches it all the same"
        )
    return socket.socket(family, kind, protocol)
