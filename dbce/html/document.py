"""From the bytes of a capture to a page in one call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lxml import etree

from dbce.html.declared_metadata import declared_metadata
from dbce.html.decode import decode
from dbce.html.details import Markup, read_markup
from dbce.html.page import read_page
from dbce.html.parse import check_size, close_title, parse
from dbce.html.scanned import scan
from dbce.html.skeleton import NOT_TO_WRITE, skeleton
from dbce.html.source_signs import SourceSigns, source_signs
from dbce.html.walk import walk_again
from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from dbce.html.declared_metadata import DeclaredMetadata
    from dbce.html.scanned import Scanned
    from dbce.html.skeleton import Skeleton
    from dbce.html.walk import Handle
    from dbce.model import Limits, Page

# libxml2 writes no end tag of an empty item: only the next item, or the list's end, closes it.
OPENED = etree.XPath(
    "boolean(descendant::li[not(node())]"
    "[following-sibling::node()[self::* or self::text()[normalize-space()]][1][not(self::li)]])"
)


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
    """A page, the tree it was read from, the charset it was written in, and its bytes.

    `scanned` is there if the page was read by the scanner, `limits` are those that it was held to.
    """

    root: Element
    page: Page
    charset: Charset
    payload: bytes
    limits: Limits
    scanned: Scanned | None = None

    @cached_property
    def handles(self) -> tuple[Handle, ...]:
        """The home of each text node in the tree."""
        return read_page(self.root, self.limits)[1]

    @cached_property
    def elements(self) -> Sequence[Element]:
        """The elements of the page in the tree, by their index."""
        if self.scanned is not None:
            return self.scanned.elements
        return walk_again(self.root, self.page.tags, self.limits).elements

    @cached_property
    def declared(self) -> DeclaredMetadata:
        """The metadata that the page declares; it is looked for in the tree, once."""
        return declared_metadata(self.root, self.payload)

    @cached_property
    def source(self) -> SourceSigns:
        """The signs in its source by which its quality is judged; they are looked for in the tree, once."""
        return source_signs(self.root, self.payload)

    @property
    def reads_as_written(self) -> bool:
        """False if the page, once written, is read as another: an empty item takes in what stands behind it."""
        if self.scanned is not None and not self.scanned.has_empty_items:
            return True
        return not OPENED(self.root)

    def canonical(self, *, to_write: bool = True, to_format: bool = False) -> Canonical:
        """Plain values, all that judging the page and its text need, `to_write` it down or `to_format` its content.

        Writing uses the tree up.
        """
        metadata = self.declared  # before its texts are gone
        source = self.source if to_write else SourceSigns()
        markup = self._markup(to_format=to_format)  # before the tree is written
        bare = self._skeleton() if to_write else NOT_TO_WRITE
        return Canonical(
            *(self.page, self.charset, metadata, source, bare, markup, len(self.payload)),
            walked=self.scanned is None and kernel() is not None,
        )

    def _markup(self, *, to_format: bool) -> Markup:
        written = self.scanned.html if self.scanned is not None else None
        return read_markup(self.root, self.page, self.elements, written, to_format=to_format)

    def _skeleton(self) -> Skeleton:
        if self.scanned is not None:
            return self.scanned.skeleton(self.payload)
        return skeleton(self.root, self.page, self.handles, self.payload)


@dataclass(frozen=True, slots=True, eq=False)
class Canonical:
    """A document without its tree: plain values, which can be stored.

    The skeleton of a page that is not to be written is `NOT_TO_WRITE`. `size` is the length of the bytes that it was
    parsed from; `walked` says that it was beyond the scanner.
    """

    page: Page
    charset: Charset
    declared: DeclaredMetadata
    source: SourceSigns
    skeleton: Skeleton
    markup: Markup
    size: int
    walked: bool

    def canonical(self) -> Canonical:
        """Itself."""
        return self


def load(payload: bytes, content_type: str, limits: Limits, *, to_judge: bool = False) -> Document:
    """The document in an HTTP body; one without text has no nodes and is no error here.

    `to_judge` reads it by the scanner, if it can be: the values are the same, and who asks for no
    handles has them sooner.

    Raises:
        InputError: UNDECODABLE, UNPARSABLE, TOO_DEEP, TOO_MANY_ELEMENTS, TOO_MANY_TEXTS
            or TOO_MANY_WORDS.
    """
    decoded = decode(payload, content_type)
    check_size(decoded.text, limits)
    root = parse(decoded.text)
    charset = Charset(decoded.charset, decoded.source, decoded.replacements)
    document = _document(root, charset, payload, limits, to_judge=to_judge)
    if not document.page.nodes and (repaired := close_title(decoded.text)) is not None:
        return _document(parse(repaired), charset, payload, limits, to_judge=to_judge)
    return document


def _document(
    root: Element, charset: Charset, payload: bytes, limits: Limits, *, to_judge: bool
) -> Document:
    if to_judge and (scanned := scan(root, limits)) is not None:
        return Document(root, scanned.page, charset, payload, limits, scanned)
    page, handles = read_page(root, limits)
    document = Document(root, page, charset, payload, limits)
    document.__dict__["handles"] = handles  # they need not be looked for again
    return document
