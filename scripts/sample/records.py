"""WARC records as bytes, sound ones and broken ones.

Members are stored, not compressed: what a zlib makes of the same input differs between versions
and builds, and the sample has the same bytes on every machine.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no flags, no time, system unknown
_LARGEST = 0xFFFF  # bytes of a stored deflate block
_DAMAGE = slice(10, 90)  # of a member: its first deflate header and what follows


def member(data: bytes) -> bytes:
    """The data as one gzip member."""
    starts = range(0, max(len(data), 1), _LARGEST)
    body = b"".join(_stored(data[at : at + _LARGEST], at == starts[-1]) for at in starts)
    return _GZIP_HEAD + body + struct.pack("<II", zlib.crc32(data), len(data))


def _stored(block: bytes, last: bool) -> bytes:
    return struct.pack("<BHH", last, len(block), len(block) ^ _LARGEST) + block


def damaged(stored: bytes) -> bytes:
    """A member that looks like one and does not inflate; what follows it is sound."""
    broken = bytearray(stored)
    broken[_DAMAGE] = bytes(len(broken[_DAMAGE]))
    return bytes(broken)


def chunked(body: bytes, size: int = 4096) -> bytes:
    """The body in chunks, as HTTP/1.1 sends it."""
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(c), c) for c in chunks) + b"0\r\n\r\n"


def digest(data: bytes) -> str:
    """The digest as WARC headers write it, `sha1:BASE32`."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def message(start: str, headers: Sequence[tuple[str, str]], body: bytes = b"") -> bytes:
    """A start line, headers and a body, as HTTP and WARC have them."""
    lines = [start, *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode() + body


def record(version: str, headers: Sequence[tuple[str, str]], block: bytes) -> bytes:
    """A WARC record; its block digest and length are added to the headers."""
    measured = [*headers, ("WARC-Block-Digest", digest(block)), ("Content-Length", str(len(block)))]
    return message(version, measured, block) + b"\r\n\r\n"
