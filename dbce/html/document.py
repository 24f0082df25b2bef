"""From the bytes of a capture to a page in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lxml import etree
from lxml.etree import _Element as Element

from dbce.html.declarations import (
    Declarations,
    DeclaredMetadata,
    SourceSigns,
    declarations,
    declared_metadata,
    source_signs,
)
from dbce.html.decode import Charset, decode
from dbce.html.details import Markup, read_details
from dbce.html.formulas import read_formulas
from dbce.html.page import read_page
from dbce.html.parse import check_size, close_title, parse
from dbce.html.skeleton import NOT_TO_WRITE, ScannedPage, Skeleton, scan, skeleton
from dbce.html.walk import Attributes, Handle, attributes, walk_again
from dbce.model import Limits, Page

# libxml2 writes no end tag of an empty item: only the next item, or the list's end, closes it.
OPENED = etree.XPath(
    "boolean(descendant::li[not(node())]"
    "[following-sibling::node()[self::* or self::text()[normalize-space()]][1][not(self::li)]])"
)


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
    scanned: ScannedPage | None = None

    @cached_property
    def handles(self) -> tuple[Handle, ...]:
        return read_page(self.root, self.limits)[1]

    @cached_property
    def elements(self) -> Sequence[Element]:
        if self.scanned is not None:
            return self.scanned.elements
        return walk_again(self.root, self.page.tags, self.limits).elements

    @cached_property
    def attributes(self) -> Attributes:
        return self.scanned.attributes if self.scanned is not None else attributes(self.elements)

    @cached_property
    def declaring(self) -> Declarations:
        return declarations(self.root) if self.scanned is None else self.scanned.declaring

    @cached_property
    def declared_metadata(self) -> DeclaredMetadata:
        return declared_metadata(self.root, self.payload, self.declaring)

    @cached_property
    def source(self) -> SourceSigns:
        return source_signs(self.declaring, self.payload)

    @property
    def reads_as_written(self) -> bool:
        """False if the page, once written, is read as another: an empty item takes in what stands behind it."""
        has_items = self.scanned is None or self.scanned.has_empty_items
        return not (has_items and OPENED(self.root))

    def markup(self, *, to_format: bool = True) -> Markup:
        """The markup of the page; details are there `to_format` its content, or as plain text needs them."""
        parsed = self.page, self.elements, self.attributes
        return Markup(read_details(*parsed, to_format=to_format), read_formulas(self.root, *parsed))

    def canonical(self, *, to_write: bool = True, to_format: bool = False) -> Canonical:
        """Plain values, all that judging the page needs, or `to_write` it, which uses the tree up, or `to_format` its content."""
        # Before the tree is written, and its texts are gone.
        metadata = self.declared_metadata
        source = self.source if to_write else SourceSigns()
        markup = self.markup(to_format=to_format)
        bare = self.scanned.skeleton if to_write and self.scanned else NOT_TO_WRITE
        if to_write and not bare.html:
            bare = skeleton(self.root, self.page, self.handles)
        return Canonical(
            *(self.page, self.charset, metadata, source, bare, markup, len(self.payload)),
            walked=self.scanned is None,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Canonical:
    """A document without its tree: plain values, which can be stored.

    The skeleton of a page that is not to be written is `NOT_TO_WRITE`. `size` is the length of the bytes that it was
    parsed from; `walked` says that it was beyond the scanner.
    """

    page: Page
    charset: Charset
    declared_metadata: DeclaredMetadata
    source: SourceSigns
    skeleton: Skeleton
    markup: Markup
    size: int
    walked: bool

    def canonical(self) -> Canonical:
        return self


Use = Literal["mark", "judge", "write"]


def load(payload: bytes, content_type: str, limits: Limits, use: Use = "mark") -> Document:
    """The document in an HTTP body; one without text has no nodes and is no error here.

    To `judge` it, or to judge and `write` it, it is read by the scanner, if it can be: the values are the same, and who
    needs no handles, as to `mark` its tree, has them sooner.

    Raises:
        InputError: UNDECODABLE, NO_TEXT, UNPARSABLE, TOO_DEEP, TOO_MANY_ELEMENTS, TOO_MANY_TEXTS
            or TOO_MANY_WORDS.
    """
    decoded = decode(payload, content_type)
    charset = decoded.charset
    data = payload if charset.source == "utf-8" and not charset.replacements else None
    check_size(decoded.text, limits, data)

    def document(root: Element) -> Document:
        scanned = None if use == "mark" else scan(root, limits, to_write=use == "write")
        if scanned is not None:
            return Document(root, scanned.page, charset, payload, limits, scanned)
        page, handles = read_page(root, limits)
        walked = Document(root, page, charset, payload, limits)
        walked.__dict__["handles"] = handles  # they need not be looked for again
        return walked

    first = document(parse(decoded.text, data))
    if not first.page.nodes and (repaired := close_title(decoded.text)) is not None:
        return document(parse(repaired))
    return first
