"""Addresses of links and images, as they are compared."""

from __future__ import annotations

import re

NAMED_BY = {"a": "href", "area": "href", "img": "src"}
"""The elements that are links or images, and the attribute that has the address."""

_ARCHIVE = re.compile(r"^(?:https?://[^/]+)?/(?:[^/]+/)?\d{4,14}(?:[a-z]{2}_)?/(?=https?:/)")
"""Prefix that players put in front of addresses, such as `https://web.archive.org/web/2013im_/`."""


def without_player(address: str) -> str:
    """An address as the page had it before a player changed it."""
    return _ARCHIVE.sub("", address)
