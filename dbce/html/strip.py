"""The page without our marks, byte for byte as it was before them."""

from __future__ import annotations

import re

# In an annotated page "data-dbce" is either the page's own, and then it is spelled
# "data-dbce-source", or it stands in one of these. See dbce.html.mark.
META = rb'<meta charset="utf-8" data-dbce="charset">'
STYLE = rb'<style data-dbce="style">[^<]*</style>'
HEAD = rb'<head data-dbce="head">' + META + STYLE + rb"</head>"
VERDICT = rb' data-dbce="[a-z]+" data-dbce-p="[0-9.]+" data-dbce-bits="[01]*"'
SPAN = rb"<span" + VERDICT + rb' data-dbce-run="">([^<]*)</span>'
OWN = rb"data-dbce-source"

MARK = re.compile(b"|".join((SPAN, VERDICT, HEAD, META, STYLE, OWN)))


def strip(html: bytes) -> bytes:
    """What `serialise` gave for the page, from what `annotate` made of it."""
    return MARK.sub(_original, html)


def _original(mark: re.Match[bytes]) -> bytes:
    if mark[1] is not None:
        return mark[1].replace(OWN, b"data-dbce")
    return b"data-dbce" if mark[0] == OWN else b""
