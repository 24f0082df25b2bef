"""Links and images of an annotated page, each with the verdict of the text that it stands at.

Annotated pages are always spelled in the same way (`dbce.html.mark`): attributes stand in quotes, and in
them no angle brackets. So what is looked for is found without parsing, as marks are stripped.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from dbce.html.skeleton import NAME

_TAG = re.compile(
    r"<(?:!--.*?-->"
    r"|(script|style|noscript|template|noembed|textarea|title|xmp)\b.*?</\1"
    r"|(?P<frame>iframe)\b([^<>]*)>.*?</iframe"
    r"|(?P<tag>a|area|img|audio|embed|object|source|video)\s([^<>]*))",
    re.DOTALL,
)

_ADDRESS = {
    tag: re.compile(rf"""(?:^|\s){name}=(?:"([^"]*)"|'([^']*)')""")
    for tag, name in (
        *((tag, "href") for tag in ("a", "area")),
        *((tag, "src") for tag in ("img", "audio", "embed", "iframe", "source", "video")),
        ("object", "data"),
    )
}

_LABEL = re.compile(rf'{NAME}="([a-z]+)"')


class LabelledLink(NamedTuple):
    """A link, an image, or something that plays or is a frame: its element, the address as the page writes it, and a label, "" if none is known."""

    tag: str
    address: str
    label: str


def references(annotated: str) -> list[LabelledLink]:
    """The links, images and media of a page that `marked` has written, in document order.

    Each has the label of the first text in it or behind it, or else of the last one. What no reader sees
    (scripts, comments, templates) is passed over.
    """
    links = []
    at, text = -1, ""
    for match in _TAG.finditer(annotated):
        tag = match["frame"] or match["tag"]
        if tag and (address := _address(tag, match[3] or match[5] or "")):
            if at < match.start():
                at, text = _label(annotated, match.start())
            links.append(LabelledLink(tag, address, text))
    return links


def _label(annotated: str, start: int) -> tuple[int, str]:
    """(where it stands, the label) of the first text from `start` on; of the last one, if none is."""
    following = _LABEL.search(annotated, start)
    if following:
        return following.start(), following[1]
    labels = _LABEL.findall(annotated)
    return len(annotated), labels[-1] if labels else ""


def _address(tag: str, attributes: str) -> str:
    match = _ADDRESS[tag].search(attributes)
    value = (match[1] or match[2] or "").strip() if match else ""
    return unescape(value) if "&" in value else value
