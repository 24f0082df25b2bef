"""One record of a file, found by its offset: as the answer that a browser gets, or as a file of a page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import (
    Damage,
    collect,
    dechunk,
    decode,
    is_chunked,
    plain_id,
    plain_url,
    read_header,
    read_reference,
    records_at,
    status,
    surt,
)
from dbce.model import InputError, Reason
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from warcio.statusandheaders import StatusAndHeaders

    from dbce.archive.records import Record
    from dbce.model import Limits, Reference

_PIECE = 64 * 1024  # bytes read at a time


@contextmanager
def record_at(
    uri: str, offset: int, is_wanted: Callable[[Record], bool], name: str
) -> Iterator[Record]:
    """The first record at an offset of a file that is wanted, while the block lasts.

    Raises:
        InputError: there is none, or it cannot be read; `name` is what it is called then.
        StoreError: the file cannot be read.
    """
    try:
        with open_binary(uri, NEAR) as file:
            for entry in records_at(file, (offset,)):
                if isinstance(entry, Damage):
                    raise InputError(entry.fault.reason, entry.fault.detail)
                if is_wanted(entry):
                    yield entry
                    return
    except OSError as e:
        raise InputError(Reason.DAMAGED, f"{uri} cannot be read: {e.strerror or e}") from e
    raise InputError(Reason.DAMAGED, f"{name} is not at {offset} of {uri}")


def body_of(record: Record, limits: Limits) -> tuple[StatusAndHeaders | None, bytes]:
    """The HTTP header of a record, None where it has none, and its body without any encodings.

    As far as it is there, if it breaks off.

    Raises:
        InputError: an encoding that does not decode, or more than the limit.
    """
    limit = limits.payload_bytes
    pieces = iter(lambda: record.read(_PIECE), b"")
    if record.get("WARC-Type").lower() == "resource":
        return None, collect(pieces, limit).data
    _, headers = read_header(record.line)
    if headers and is_chunked(headers):
        pieces = dechunk(record.read)
    return headers, decode(collect(pieces, limit), headers, limit).data


class Reply(NamedTuple):
    """An answer; `payload` is without transfer and content encodings.

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

    def is_wanted(record: Record) -> bool:
        return key in ("", surt(plain_url(record.get("WARC-Target-URI", arc="uri"))))

    with record_at(uri, offset, is_wanted, f"a record of {key}" if key else "a record") as record:
        return _reply(record, limits)


def _reply(record: Record, limits: Limits) -> Reply:
    kind = record.get("WARC-Type").lower()
    digest = record.get("WARC-Payload-Digest")
    if kind == "revisit":
        return Reply(0, (), b"", digest, read_reference(record))
    headers, body = body_of(record, limits)
    if kind == "resource":
        declared = (("Content-Type", record.get("Content-Type")),)
        return Reply(200, declared, body, digest, None)
    if headers is None:
        raise InputError(Reason.BAD_HTTP, "no HTTP answer")
    return Reply(int(status(headers)), tuple(headers.headers), body, digest, None)


class Resource(NamedTuple):
    """Content of a record, transfer and content encodings removed, and the type that it declares."""

    content_type: str
    payload: bytes


def read_resource_at(uri: str, offset: int, record_id: str, limits: Limits) -> Resource:
    """The record at an offset of a file; as far as it is there, if it breaks off.

    Raises:
        InputError: no such record is there, or it cannot be read.
    """

    def is_wanted(record: Record) -> bool:
        return plain_id(record.get("WARC-Record-ID")) in ("", record_id)

    with record_at(uri, offset, is_wanted, record_id or "no record") as record:
        headers, body = body_of(record, limits)
        if record.get("WARC-Type").lower() == "resource":
            return Resource(record.get("Content-Type"), body)
        return Resource((headers and headers.get_header("Content-Type")) or "", body)
