"""Single records looked up: headers without their blocks, and one record by its offset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.files import open_binary
from dbce.archive.inputs.selection import Draw, rank
from dbce.archive.inputs.source import Source, is_wanted, open_source, records_of, selection_facts
from dbce.archive.records import (
    CAPTURES,
    Damage,
    Head,
    Record,
    collect,
    dechunk,
    decode,
    is_chunked,
    plain_id,
    plain_url,
    read_head,
    read_header,
    read_reference,
    records_at,
    status,
    surt,
    warcinfo_date,
)
from dbce.model import InputError, Limits, Reason, Reference
from dbce.storage import NEAR

if TYPE_CHECKING:
    from warcio.statusandheaders import StatusAndHeaders


# The headers of captures, without their blocks: samples are drawn and revisits resolved by them.


def ranks(source: Source) -> Iterator[int]:
    """The ranks of the captures in a file that its selection wants; places that are damaged have none.

    A file that is not on its web server has none either: who reads it says so.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in records_with_heads(source):
        known = _rank(source, record, head)
        if known is not None:
            yield known


def heads(source: Source) -> Iterator[Head]:
    """The heads of the captures in a file that its selection wants, but those of revisits.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in records_with_heads(source):
        is_original = head.kind in CAPTURES and head.kind != "revisit"
        if is_original and is_wanted(source.selection, record, head):
            yield head


def records_with_heads(source: Source) -> Iterator[tuple[Record, Head]]:
    """The sound records of a file with what their headers say.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    with suppress(OSError), open_source(source) as file:
        file_date = warcinfo_date(file)
        for item in records_of(source, file):
            if not isinstance(item, Damage):
                yield item, read_head(source.name, item, file_date)


def _rank(source: Source, record: Record, head: Head) -> int | None:
    url, timestamp, mime = selection_facts(source.selection, record, head)
    if head.kind not in CAPTURES or url is None or timestamp is None:
        return None
    return rank(url, timestamp) if source.selection.wants(url, timestamp, mime) else None


def draw_sample(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources with the sample drawn that they are to take together, if one is still to be drawn.

    Raises:
        StoreError: a file cannot be read, or not to its end.
    """
    if not sources or not sources[0].selection.is_undrawn:
        return tuple(sources)
    draw = Draw(sources[0].selection.sample or 0)
    for source in sources:
        for each in ranks(source):
            draw.offer(each)
    selection = replace(sources[0].selection, cutoff=draw.cutoff)
    return tuple(replace(source, selection=selection) for source in sources)


class StoredCapture(NamedTuple):
    """A record that answers a request: of what URL and time, and its byte offset in the stored file."""

    record_id: str
    url: str
    timestamp: datetime
    offset: int


def stored_captures(source: Source) -> Iterator[StoredCapture]:
    """All captures in a file with a URL and a time, whatever its selection wants; revisits too.

    Of a file that is not on its web server nothing.

    Raises:
        StoreError: the file has vanished, or cannot be read to its end.
    """
    for record, head in records_with_heads(source):
        if head.kind in CAPTURES and head.url and head.timestamp is not None:
            yield StoredCapture(head.record_id, head.url, head.timestamp, record.offset)


# One record of a file, found by its offset: as the answer that a browser gets, or as a file of a
# page.

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
