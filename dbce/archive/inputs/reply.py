"""A record as the answer that a browser gets: status, header and body, or what it repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.record_at import body_of, record_at
from dbce.archive.records import plain_url, read_reference, status, surt
from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from dbce.archive.records import Record
    from dbce.model import Limits, Reference


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
        said = (("Content-Type", record.get("Content-Type")),)
        return Reply(200, said, body, digest, None)
    if headers is None:
        raise InputError(Reason.BAD_HTTP, "no HTTP answer")
    return Reply(int(status(headers)), tuple(headers.headers), body, digest, None)
