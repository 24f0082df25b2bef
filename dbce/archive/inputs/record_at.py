"""One record of a file, found by its offset, and its body."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import (
    Damage,
    collect,
    dechunk,
    decode,
    is_chunked,
    read_header,
    records_at,
)
from dbce.model import InputError, Reason
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from warcio.statusandheaders import StatusAndHeaders

    from dbce.archive.records import Record
    from dbce.model import Limits

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
