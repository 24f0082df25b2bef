"""The block of a record as it is read, with its digests.

Over what a WARC-Payload-Digest is computed, where the answer has a transfer encoding, differs:
warcio, wget and JWAT digest the body as stored, chunk lengths included; others what the chunks hold,
which is what the standard calls the payload. Either is right here.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from dbce.archive.records.encodings import dechunk
from dbce.archive.records.feed import Fault
from dbce.archive.records.identity import sha1_text
from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive.records.record import Record

_PIECE = 64 * 1024  # bytes read at a time


ALGORITHMS = ("md5", "sha1", "sha256", "sha512")
"""Of others nothing can be said."""


def _empty() -> Iterator[str]:
    for algorithm in ALGORITHMS:
        nothing = hashlib.new(algorithm, usedforsecurity=False).digest()
        for value in (base64.b32encode(nothing).decode(), nothing.hex()):
            yield f"{algorithm}:{value}"


EMPTY_DIGESTS = frozenset(_empty())
"""The digests of no bytes at all, as WARC headers spell them."""


class Digest:
    """A digest that a header declares as `ALGORITHM:VALUE`, and the running one of what is read."""

    def __init__(self, declared: str, algorithm: str) -> None:
        self._declared = declared
        self._value = declared.partition(":")[2].strip()
        self._found = hashlib.new(algorithm, usedforsecurity=False)
        self.update = self._found.update

    @property
    def fits(self) -> bool:
        """True if the declared value, in base 16, 32 or 64, is that of what was read."""
        real = self._found.digest()
        upper = (real.hex().upper(), base64.b32encode(real).decode().rstrip("="))
        value = self._value.rstrip("=")
        return value.upper() in upper or value == base64.b64encode(real).decode().rstrip("=")

    def __str__(self) -> str:
        """The declared digest, and the one found, in base 16 if the declared one is."""
        real = self._found.digest()
        hexadecimal = len(self._value) == 2 * len(real)
        spelled = real.hex() if hexadecimal else base64.b32encode(real).decode()
        return f"{self._declared[:150]}, found {spelled}"


def digest(declared: str) -> Digest | None:
    """A new digest for a header's value; None where there is none, or the algorithm is not known."""
    algorithm = declared.partition(":")[0].strip().lower().replace("-", "")
    return Digest(declared, algorithm) if algorithm in ALGORITHMS else None


class Block:
    """The block of an open record, to be read once and in order; its digests are made on the way.

    All of it is the payload until `begin_payload` says otherwise. `compared` is the number of declared
    digests that `verify` looks at. A revisit declares the digest of a payload that is elsewhere, and
    a segment that of the whole: only their blocks are compared. What crawlers took for the block of a
    revisit differs too, so a difference there is no fault: `odd` says what it is, after `verify`.
    """

    def __init__(self, record: Record, *, verify: bool) -> None:
        self._record = record
        text = record.get("WARC-Payload-Digest")
        self._is_revisit = record.get("WARC-Type").lower() == "revisit"
        here = not (self._is_revisit or record.get("WARC-Segment-Number"))
        block = digest(record.get("WARC-Block-Digest")) if verify else None
        payload = digest(text) if verify and here else None
        self._text = text
        self._block = [block] if block else []
        self._payload = [payload] if payload else []
        self._entity: list[Digest] = []
        self._own = None if text else hashlib.sha1(usedforsecurity=False)
        self._body: Iterator[bytes] | None = None
        self.odd = ""
        self.compared = len(self._block) + len(self._payload)

    def line(self) -> bytes:
        """The next line, cut where it is too long for a header."""
        return self._passed(self._record.line())

    def read(self, count: int) -> bytes:
        """Up to `count` bytes; empty at the end, or where the file ends early."""
        return self._passed(self._record.read(count))

    def begin_payload(self, *, chunked: bool) -> None:
        """Tells that the payload begins here, the body of an HTTP message."""
        if self._payload and (payload := digest(self._text)):
            self._payload = [payload]
        if self._own:
            self._own = hashlib.sha1(usedforsecurity=False)
        self._body = self._dechunked() if chunked else None

    @property
    def body(self) -> Iterator[bytes]:
        """The rest of the payload without its transfer encoding; always the same iterator.

        Iterating raises what `dbce.archive.records.encodings.dechunk` raises.
        """
        if self._body is None:
            self._body = iter(lambda: self.read(_PIECE), b"")
        return self._body

    def payload_digest(self) -> str:
        """The digest of the payload, as declared; else of the body as stored, which is read through."""
        if self._own is None:
            return self._record.get("WARC-Payload-Digest")
        self._finish()
        return sha1_text(self._own.digest())

    def verify(self) -> Fault | None:
        """A fault where a declared digest is not that of what is stored; reads the block through for it."""
        if not self.compared:
            return None
        self._finish()
        if self._is_revisit:
            self.odd = self._difference()
            return None
        payload = self._payload + self._entity
        for name, either in (("Block", self._block), ("Payload", payload)):
            if either and not any(running.fits for running in either):
                return Fault(Reason.BAD_DIGEST, f"WARC-{name}-Digest is {either[0]}")
        return None

    def _difference(self) -> str:
        """A sentence on what else the declared digest of a revisit's block is of; "" where it fits."""
        text = self._record.get("WARC-Block-Digest")
        if all(running.fits for running in self._block):
            return ""
        of_nothing = digest(text)
        if of_nothing and of_nothing.fits:
            what = "an empty block"
        elif text.lower() == self._text.lower():
            what = "the payload that it repeats"
        else:
            what = "neither its block, an empty one nor the payload that it repeats"
        return f"WARC-Block-Digest is that of {what}: {self._block[0]}"

    def _passed(self, data: bytes) -> bytes:
        for running in (*self._block, *self._payload):
            running.update(data)
        if self._own:
            self._own.update(data)
        return data

    def _dechunked(self) -> Iterator[bytes]:
        entity = digest(self._text) if self._payload else None
        self._entity = [entity] if entity else []
        for piece in dechunk(self.read):
            if entity:
                entity.update(piece)
            yield piece

    def _finish(self) -> None:
        with suppress(EOFError, InputError):
            for _ in self.body:
                pass
        while self.read(_PIECE):
            pass
