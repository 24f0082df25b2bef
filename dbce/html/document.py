"""From the bytes of a capture to a page in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.html.decode import decode
from dbce.html.page import read_page
from dbce.html.parse import close_title, parse
from dbce.html.size import check_size

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from dbce.config import Limits
    from dbce.html.decode import Source
    from dbce.html.walk import Handle
    from dbce.model import Page


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A page, the tree it was read from, and the charset it was written in.

    `replacements` counts the U+FFFD of the text, that is bytes that have no meaning in the charset.
    """

    root: Element
    page: Page
    handles: tuple[Handle, ...]
    charset: str
    charset_source: Source
    replacements: int


def load(payload: bytes, content_type: str, limits: Limits) -> Document:
    """The document in an HTTP body; one without text has no nodes and is no error here.

    Raises:
        InputError: UNDECODABLE, UNPARSABLE, TOO_DEEP, TOO_MANY_ELEMENTS, TOO_MANY_TEXTS
            or TOO_MANY_WORDS.
    """
    decoded = decode(payload, content_type)
    check_size(decoded.text, limits)
    root = parse(decoded.text)
    page, handles = read_page(root, limits)
    if not page.nodes and (repaired := close_title(decoded.text)) is not None:
        root = parse(repaired)
        page, handles = read_page(root, limits)
    return Document(root, page, handles, decoded.charset, decoded.source, decoded.replacements)
