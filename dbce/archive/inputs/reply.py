"""A record as the answer that a browser gets: status, header and body, or what it repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.stored import NEAR
from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import (
    Damage,
    collect,
    dechunk,
    decode,
    is_chunked,
    plain_url,
    read_header,
    read_reference,
    records_at,
    status,
    surt,
)
from dbce.errors import InputError
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive.records import Record
    from dbce.config import Limits
    from dbce.model import Reference

_PIECE = 64 * 1024  # bytes read at a time


class Reply(NamedTuple):
    """What was answered; `payload` without transfer and content encodings.

    `digest` is the declared one of the payload, "" where none is. A revisit has what it `refers_to`,
    and no body of its own.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    payload: bytes
    digest: str
    refers_to: Reference | None


def read_reply_at(uri: str, offset: int, key: str, limits: Limits) -> Reply:
    """The answer at an offset of a file whose URL has this sort key, any if it is ""; as far as it is there.

    Raises:
        InputError: no such record is there, or it cannot be read.
        StoreError: the file cannot be read.
    """
    try:
        with open_binary(uri, NEAR) as file:
            for entry in records_at(file, (offset,)):
                if isinstance(entry, Damage):
                    raise InputError(entry.fault.reason, entry.fault.detail)
                own = surt(plain_url(entry.get("WARC-Target-URI", arc="uri")))
                if key in ("", own):
                    return _reply(entry, limits)
    except OSError as e:
        raise InputError(Reason.DAMAGED, f"{uri} cannot be read: {e.strerror or e}") from e
    raise InputError(Reason.DAMAGED, f"no record of {key} is at {offset} of {uri}")


def _reply(record: Record, limits: Limits) -> Reply:
    limit = limits.payload_bytes
    kind = record.get("WARC-Type").lower()
    digest = record.get("WARC-Payload-Digest")
    if kind == "revisit":
        return Reply(0, (), b"", digest, read_reference(record))
    if kind == "resource":
        said = (("Content-Type", record.get("Content-Type")),)
        return Reply(200, said, collect(_pieces(record), limit).data, digest, None)
    _, headers = read_header(record.line)
    if headers is None:
        raise InputError(Reason.BAD_HTTP, "no HTTP answer")
    pieces = dechunk(record.read) if is_chunked(headers) else _pieces(record)
    body = decode(collect(pieces, limit), headers, limit).data
    return Reply(int(status(headers)), tuple(headers.headers), body, digest, None)


def _pieces(record: Record) -> Iterator[bytes]:
    return iter(lambda: record.read(_PIECE), b"")
