"""From the bytes of a capture to a page in one call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dbce.html.declared_metadata import declared_metadata
from dbce.html.decode import decode
from dbce.html.page import read_page
from dbce.html.parse import check_size, close_title, parse
from dbce.html.skeleton import skeleton
from dbce.html.source_signs import source_signs

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from dbce.html.declared_metadata import DeclaredMetadata
    from dbce.html.skeleton import Skeleton
    from dbce.html.source_signs import SourceSigns
    from dbce.html.walk import Handle
    from dbce.model import Limits, Page


@dataclass(frozen=True, slots=True)
class Charset:
    """The charset that a page was decoded from, its source, and the number of bytes that it does not fit.

    `source` is one of `dbce.html.decode.Source`; `replacements` counts the U+FFFD in the text, that is
    bytes that have no meaning in the charset.
    """

    name: str
    source: str
    replacements: int


@dataclass(frozen=True, eq=False)
class Document:
    """A page, the tree it was read from, the charset it was written in, and its bytes."""

    root: Element
    page: Page
    handles: tuple[Handle, ...]
    charset: Charset
    payload: bytes

    @cached_property
    def declared(self) -> DeclaredMetadata:
        """The metadata that the page declares; it is looked for in the tree, once."""
        return declared_metadata(self.root, self.payload)

    @cached_property
    def source(self) -> SourceSigns:
        """The signs in its source by which its quality is judged; they are looked for in the tree, once."""
        return source_signs(self.root, self.payload)

    def canonical(self) -> Canonical:
        """Plain values, all that judging the page and writing it down needs; it uses the tree up."""
        metadata, source = self.declared, self.source  # before its texts are gone
        bare = skeleton(self.root, self.page, self.handles, self.payload)
        return Canonical(self.page, self.charset, metadata, source, bare, len(self.payload))


@dataclass(frozen=True, slots=True, eq=False)
class Canonical:
    """A document without its tree: plain values, which can be stored.

    `size` is the length of the bytes that it was parsed from.
    """

    page: Page
    charset: Charset
    declared: DeclaredMetadata
    source: SourceSigns
    skeleton: Skeleton
    size: int

    def canonical(self) -> Canonical:
        """Itself."""
        return self


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
    charset = Charset(decoded.charset, decoded.source, decoded.replacements)
    return Document(root, page, handles, charset, payload)
