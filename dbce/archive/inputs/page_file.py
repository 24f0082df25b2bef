"""One HTML file as an input: read as if it lay in an archive of one record, a resource."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from dbce.archive.inputs.uri import modified, open_binary, path_of
from dbce.archive.records import iso, parse_date, plain_url
from dbce.model import UsageError

ENDINGS = (".html", ".htm", ".xhtml", ".xht")
_HEAD = 64 * 1024  # bytes in which a page says its URL

# What browsers and SingleFile note of a page that they save, then what the page says itself.
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d+\)(https?://\S+) -->")
_SINGLE_FILE = re.compile(r"<!--\s*Page saved with SingleFile\s+url:\s+(https?://\S+)")
_TAG = re.compile(r"<(?:link|meta)\b[^>]*>", re.IGNORECASE)
_CANONICAL = re.compile(r"""\b(?:rel|property)=["']?(?:canonical|og:url)["'\s/>]""", re.IGNORECASE)
_ADDRESS = re.compile(r"""\b(?:href|content)=["']?(https?://[^"'\s>]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageFile:
    """URL of an HTML file, and its date as WARC writes it: what the file itself does not hold."""

    url: str
    date: str


def is_page(uri: str) -> bool:
    """True if the file is called like an HTML page."""
    return path_of(uri).lower().endswith(ENDINGS)


def page_of(uri: str, url: str | None, at: str | None = None) -> PageFile:
    """The HTML file at a place, of a URL or else of the one that it names, else of its own place.

    Its date is the time `at`, or else when it was changed last.

    Raises:
        UsageError: it is on a web server; nobody knows when it was changed; or `at` is no time.
    """
    if uri.startswith(("http://", "https://")):
        raise UsageError(
            f"{uri} is a page and no archive, and dbce fetches none: save it as page.html, or with "
            f"wget --warc-file=page {uri}, and give that file"
        )
    date = modified(uri) if at is None else parse_date(at)
    if date is None and at is not None:
        raise UsageError(f"--at {at} is not a time; give up to 14 digits: YYYYMMDDhhmmss")
    if date is None:
        raise UsageError(f"{uri} has no date of its last change; give a copy of it on a local disk")
    with open_binary(uri) as file:
        head = file.read(_HEAD)
    place = uri if "://" in uri else Path(uri).as_uri()
    return PageFile(plain_url(url or named(head) or place), iso(date))


def named(head: bytes) -> str:
    """The URL that a page says it is of, "" where it says none."""
    text = head.decode("utf-8", "replace")
    if saved := _SAVED_FROM.search(text) or _SINGLE_FILE.search(text):
        return saved[1]
    for tag in _TAG.findall(text):
        if _CANONICAL.search(tag) and (address := _ADDRESS.search(tag)):
            return html.unescape(address[1])
    return ""


def open_page(uri: str, page: PageFile) -> BinaryIO:
    """The archive of one record that an HTML file stands for.

    Raises:
        FileNotFoundError: it is not there.
        StoreError: it cannot be read.
    """
    with open_binary(uri) as file:
        data = file.read()
    head = (
        "WARC/1.1\r\nWARC-Type: resource\r\n"
        f"WARC-Target-URI: {page.url}\r\nWARC-Date: {page.date}\r\n"
        f"Content-Type: text/html\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    return BytesIO(head.encode() + data + b"\r\n\r\n")
