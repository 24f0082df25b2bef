"""Two halves of a set of pages: one to develop on, one that nobody looks at until the end."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256

from dbce.archive import site


class Half(StrEnum):
    """Half of the gold that a page belongs to."""

    DEVELOPMENT = "development"
    HELD_OUT = "held-out"


def half(url: str) -> Half:
    """By the SHA-256 of the URL's registered domain: development if it is even, else held out.

    So all pages of a site are in one half, and nobody chose it.
    """
    digest = sha256(site(url, "domain").encode()).digest()
    return Half.HELD_OUT if digest[-1] % 2 else Half.DEVELOPMENT
