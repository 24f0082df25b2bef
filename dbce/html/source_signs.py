"""Signs in the source of a page by which its quality is judged: what it embeds, asks for, and how it ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_SHEETS = 16
"""Style sheets that are named; pages with more have them for single parts."""

MOST_PICTURES = 32
"""Pictures that are named: whether those of a page were archived shows in the first."""

LONGEST = 1000
"""Characters of an address; longer ones are made by scripts for one visit."""

LEFT_OPEN = 4
"""Elements from which on a source that closes neither page nor body breaks off; authors forget two or three."""

_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_OPENS = re.compile(rb"<(?:div|table|section|main|article|ul)\b", re.IGNORECASE)
_CLOSES = re.compile(rb"</(?:div|table|section|main|article|ul)\b", re.IGNORECASE)


class SourceSigns(NamedTuple):
    """Signs in the source of a page.

    `style_sheets` and `pictures` are addresses as written, `base` what they are relative to, "" for the page itself.
    `passwords` are the fields that ask for one, `scripts` the elements that run. `breaks_off` says how the source ends
    without being at its end; "" where it does not, or nobody can tell.
    """

    style_sheets: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    base: str = ""
    passwords: int = 0
    scripts: int = 0
    breaks_off: str = ""


def source_signs(root: Element, payload: bytes) -> SourceSigns:
    """Return the signs of a page below `root`; `payload` are the bytes it was read from."""
    sheets: dict[str, None] = {}
    pictures: dict[str, None] = {}
    base, passwords, scripts = "", 0, 0
    for element in root.iter("link", "img", "input", "script", "base"):
        tag = element.tag
        if tag == "img":
            if len(pictures) < MOST_PICTURES and (address := _address(element.get("src"))):
                pictures[address] = None
        elif tag == "script":
            scripts += "json" not in (element.get("type") or "").lower()
        elif tag == "link":
            is_sheet = "stylesheet" in (element.get("rel") or "").lower().split()
            if (
                is_sheet
                and len(sheets) < MOST_SHEETS
                and (address := _address(element.get("href")))
            ):
                sheets[address] = None
        elif tag == "input":
            passwords += (element.get("type") or "").lower() == "password"
        elif not base:
            base = element.get("href") or ""
    return SourceSigns(
        *(tuple(sheets), tuple(pictures), base.strip(), passwords, scripts, breaks_off(payload))
    )


def _address(written: str | None) -> str:
    """Return an address that a crawler would ask for, "" where there is none."""
    address = (written or "").strip()
    is_inside = address[:5].lower() in {"data:", "blob:", "about"}
    return "" if is_inside or len(address) > LONGEST else address


def breaks_off(payload: bytes) -> str:
    """Return how a source ends in the middle: in a tag or text, in a script, or in open elements; "" if it does not.

    Many whole pages lack `</body>` and `</html>`, but those end behind a tag and close what they have opened.
    """
    source = payload.rstrip()
    if not source or _END.search(source) or b"\0" in source[-64:]:  # the last is UTF-16
        return ""
    if source.rfind(b"<") > source.rfind(b">"):
        return "in a tag"
    if not source.endswith((b">", b".", b"!", b"?")):  # an author may end with a sentence
        return "in a text"
    if any(_is_open(source.lower(), *of) for of in ((b"<script", b"</script"), (b"<!--", b"-->"))):
        return "in a script or a comment"
    left_open = len(_OPENS.findall(source)) - len(_CLOSES.findall(source))
    return f"with {left_open} elements open" if left_open >= LEFT_OPEN else ""


def _is_open(source: bytes, start: bytes, end: bytes) -> bool:
    return source.rfind(start) > source.rfind(end)
