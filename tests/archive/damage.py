"""Sound archives spoilt in every way that is known, and which of their records that touches."""

import gzip
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.archive.build import PAGE, answer, members, record

_LENGTH = re.compile(rb"(?<=\nContent-Length: )(\d+)(?=\r\n)")
_ZEROS = 64  # bytes
_MEMBER_BOMB = 320_000_000  # bytes: more than a member may expand to
_BODY_BOMB = 100_000_000


@dataclass(frozen=True)
class Spoilt:
    """A damaged archive: its bytes, and the places of the records that lost something."""

    data: bytes
    touched: frozenset[int] = frozenset()


def records_in(archive: Path) -> list[bytes]:
    """The records of an archive with one gzip member a record, decompressed."""
    rest, found = archive.read_bytes(), []
    while rest:
        member = zlib.decompressobj(31)
        found.append(member.decompress(rest))
        rest = member.unused_data
    return found


def ids_of(records: Sequence[bytes]) -> list[str]:
    """The ids of records."""
    return [one.partition(b"WARC-Record-ID: <")[2].partition(b">")[0].decode() for one in records]


def zeroed(data: bytes, place: int, count: int = _ZEROS) -> bytes:
    """The same with some bytes zero."""
    return data[:place] + bytes(len(data[place : place + count])) + data[place + count :]


def spoilt(records: Sequence[bytes]) -> dict[str, Spoilt]:
    """An archive of at least seven records, the first a warcinfo, with one kind of damage each."""
    packed = members(records)
    one, other, last = len(records) // 2, len(records) // 2 + 2, len(records) - 1

    def with_member(number: int, member: bytes) -> Spoilt:
        data = b"".join([*packed[:number], member, *packed[number + 1 :]])
        return Spoilt(data, frozenset({number}))

    def with_record(changed: bytes) -> Spoilt:
        return with_member(one, gzip.compress(changed, 6, mtime=0))

    swapped = list(packed)
    swapped[one], swapped[other] = packed[other], packed[one]
    middle = packed[one]
    length = int(_LENGTH.findall(records[one])[0])
    return {
        "64 bytes of a member are zero": with_member(one, zeroed(middle, len(middle) // 2)),
        "the first bytes of a member are zero": with_member(one, zeroed(middle, 0)),
        "the last record is cut": with_member(last, packed[last][: len(packed[last]) // 2]),
        "two members have changed places": Spoilt(b"".join(swapped)),
        "a member is another one's copy": with_member(one, packed[other]),
        "a length is too small": with_record(_with_length(records[one], length // 2)),
        "a length is too large": with_record(_with_length(records[one], length + 700)),
        "a length is beyond the file": with_record(_with_length(records[one], 10**12)),
        "a length is no number": with_record(_with_length(records[one], "many")),
        "hostile pages": Spoilt(b"".join([*packed[:one], *hostile(), *packed[one:]])),
    }


def falsified(records: Sequence[bytes]) -> Spoilt:
    """An archive where one byte of a page is another one than its digests say."""
    one = len(records) // 2
    at = records[one].rindex(b">")
    changed = records[one][:at] + b"}" + records[one][at + 1 :]
    packed = members([*records[:one], changed, *records[one + 1 :]])
    return Spoilt(b"".join(packed), frozenset({one}))


@cache
def hostile() -> tuple[bytes, ...]:
    """Members with pages, and one that is a bomb itself, that are made to exhaust a reader."""
    bodies = {
        "deep": b"<div>" * 10_000 + b"deep",
        "long": b"<p>" + b"word " * 10_000_000,
        "long-enough": b"<p>" + b"word " * 3_000_000,
        "zeros": bytes(1_000_000),
        "empty-elements": b"<b></b>" * 1_000_000,
    }
    guests = [_guest(name, answer(body)) for name, body in bodies.items()]
    endless = b"FFFFFFFFFFFF\r\n" + PAGE * 30
    guests.append(_guest("endless", answer(endless, Transfer_Encoding="chunked")))
    bomb = gzip.compress(bytes(_BODY_BOMB), 1)
    guests.append(_guest("bomb", answer(bomb, Content_Encoding="gzip")))
    head = record(9, b"", url=f"{GUESTS}member", length=_MEMBER_BOMB).removesuffix(b"\r\n\r\n")
    return *guests, _member_bomb(head)


GUESTS = "http://guest.example/"
GUESTS_END_AS = {
    "deep": "too-deep",
    "long": "too-large",
    "long-enough": "too-many-words",
    "zeros": "undecodable",
    "empty-elements": "too-many-elements",
    "endless": None,  # a page as far as it goes
    "bomb": "too-large",
    "member": "too-large",
}
"""Why each of the hostile pages is rejected in a run."""


def _guest(name: str, block: bytes) -> bytes:
    url = f"{GUESTS}{name}"
    return gzip.compress(record(1, block, url=url, record_id=f"<urn:guest:{name}>"), 1, mtime=0)


def _member_bomb(head: bytes) -> bytes:
    deflate = zlib.compressobj(1, wbits=31)
    zeros = bytes(1_000_000)
    parts = [deflate.compress(head)]
    parts += [deflate.compress(zeros) for _ in range(_MEMBER_BOMB // len(zeros))]
    return b"".join([*parts, deflate.flush()])


def _with_length(data: bytes, length: int | str) -> bytes:
    return _LENGTH.sub(str(length).encode(), data, count=1)
