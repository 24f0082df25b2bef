"""Addresses written as browsers read them (URL Standard, 4.4): the same address, without what is no URL."""

from __future__ import annotations

import re
from urllib.parse import quote

SPECIAL = re.compile(r"(?i)(?:https?|ftp|file):|[^:/?#]*(?:[/?#]|$)")
"""Addresses of the web, or those that are relative to one."""

SCRIPT = re.compile(r"(?i)\s*(?:javascript|vbscript|data|about):")
PARTS = re.compile(r"([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
IN_PATH, IN_QUERY, IN_FRAGMENT = ' "<>`{}', ' "<>', ' "<>`'
"""Characters that the parser encodes in each part, besides controls."""


ADDRESSES = ("href", "src", "action", "cite", "data", "poster", "longdesc", "formaction")
"""Attributes that are addresses."""


def address(said: str, charset: str = "utf-8") -> str:
    """An address without blanks around it, line ends and tabs, and with escapes where the parser puts them.

    Letters in the query are escaped in the page's `charset` if it is not UTF-8, for the text will be.

    Scripts stay as they are. What the parser leaves as it is stays too, though the standard calls some of
    it errors (`|`, `[`, a `%` alone).
    """
    if SCRIPT.match(said):
        return said
    plain = re.sub(r"[\t\n\r]", "", said.strip("".join(map(chr, range(33)))))
    found = PARTS.fullmatch(plain)
    if found is None:
        return said
    path, query, fragment = (part or "" for part in found.groups())
    if not SPECIAL.match(plain):
        return path + _escaped(query, IN_QUERY) + _escaped(fragment, IN_FRAGMENT)
    host = re.match(r"(?:[A-Za-z]+:)?[/\\]{2}[^/\\]*|", path)
    start = host[0] if host else ""
    rest = _escaped(path[len(start) :].replace("\\", "/"), IN_PATH)
    return start + rest + _query(query, charset) + _escaped(fragment, IN_FRAGMENT)


def _query(query: str, charset: str) -> str:
    """A query as browsers send it; what the charset has not is sent as a reference (URL Standard 4.4)."""
    if not query.isascii() and not charset.lower().startswith("utf"):
        pieces = (
            letter if letter.isascii() else quote(letter.encode(charset, "xmlcharrefreplace"))
            for letter in query
        )
        query = "".join(pieces)
    return _escaped(query, IN_QUERY)


def _escaped(part: str, letters: str) -> str:
    return re.sub(f"[\\0-\\x1f\\x7f{re.escape(letters)}]", lambda found: quote(found[0]), part)
