"""Digests that a record declares, compared with those of what is stored."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        """Whether the declared value, in base 16, 32 or 64, is that of what was read."""
        found = self._found.digest()
        upper = (found.hex().upper(), base64.b32encode(found).decode().rstrip("="))
        value = self._value.rstrip("=")
        return value.upper() in upper or value == base64.b64encode(found).decode().rstrip("=")

    def __str__(self) -> str:
        """What is declared, and what was found, in base 16 if that is."""
        found = self._found.digest()
        hexadecimal = len(self._value) == 2 * len(found)
        spelled = found.hex() if hexadecimal else base64.b32encode(found).decode()
        return f"{self._declared[:150]}, found {spelled}"


def digest(declared: str) -> Digest | None:
    """A new digest for a header's value; None where there is none, or the algorithm is not known."""
    algorithm = declared.partition(":")[0].strip().lower().replace("-", "")
    return Digest(declared, algorithm) if algorithm in ALGORITHMS else None
