"""One page of the web, fetched by a single GET and kept as an archive of one record."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from ipaddress import ip_address
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import dbce
from dbce.archive.inputs.expand import is_index
from dbce.archive.inputs.files import WEB, is_archive, is_texts, keep_temporary
from dbce.model import MissingExtra, UsageError

_SECONDS = 60  # for the whole answer, redirects included
_ERROR = 400  # status from which on an answer is no page


def is_web_page(uri: str) -> bool:
    """True if an address on the web is called like no archive, index or list of either."""
    named = is_archive(uri) or is_texts(uri) or is_index(uri) or "*" in uri
    return uri.startswith(WEB) and not named


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
    path = keep_temporary() / "fetched.warc"
    made = {"WARC-Date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
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
