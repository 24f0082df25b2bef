"""Control characters: orders to terminals and printers, which a text for readers never has."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_AS_SPACE = "\f\r\x85"
"""Those that part words in a page, as white space of HTML or as a line end of Unicode."""


def printable(text: str) -> str:
    """Return a text with no control character (C0, DEL, C1) but tab and line feed; one that parts words becomes a space."""
    return _CONTROL.sub(lambda sign: " " if sign[0] in _AS_SPACE else "", text)
