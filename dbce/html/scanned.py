"""A page read from what libxml2 writes of its tree, instead of element by element.

The tree is serialised once. The compiled part goes through those bytes and gives what `dbce.html.walk`
finds in the tree, and the places where the slots of `dbce.html.skeleton` go, for which the page need not be
serialised again. Both ways give the same. The walk is there for installations without the compiled
part and for pages that are beyond the scanner: those that speak of `data-dbce` themselves, whose text is
in `<noscript>`, that are larger or deeper than allowed, or written as libxml2 writes none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, cast, overload

from lxml import etree

from dbce.html.page import page_of
from dbce.html.scriptless import without_scripts
from dbce.html.skeleton import (
    CHARSET,
    HEAD,
    KIND,
    NAME,
    SHEET,
    STYLE,
    Skeleton,
    slot_of,
    text_of,
)
from dbce.html.walk import DROPPED, ROLES, Attributes, Walk
from dbce.kernel import kernel
from dbce.model import TextNode

if TYPE_CHECKING:
    from types import ModuleType

    from lxml.etree import _Element as Element

    from dbce.model import Limits, Page

VOID = "area base basefont br col frame hr img input isindex link meta param".split()
"""Elements that libxml2 writes without an end tag. A page with another one is beyond the scanner."""


def _spaced(names: Iterable[str]) -> bytes:
    return f" {' '.join(names)} ".encode()


SETS = (_spaced(sorted(DROPPED)), _spaced(VOID), _spaced(KIND), _spaced(sorted(ROLES)))

EMPTY_ITEMS = etree.XPath("descendant::li[not(node())]")

META, SHEET_OF_MARKS = f"<meta {CHARSET}>", f"<style {SHEET}>{STYLE}</style>"
IN_HEAD = (b"", META.encode(), SHEET_OF_MARKS.encode())
IN_ROOT = (f"<head {HEAD}>{META}{SHEET_OF_MARKS}</head>".encode(), b"", b"")
"""All that marks need, before the first child of the root, before that of the head, and at the head's end."""


class Scan(NamedTuple):
    """A page as the scanner gives it, in the terms of `Walk` and `Attributes`.

    Of `jumps` it has the elements alone. `kept` is a byte for each element of the tree, 0 if it is
    dropped; `edits` are the places of texts, of the marks on elements, and of what goes into the head.
    """

    tags: list[str]
    parents: list[int]
    classes: list[str]
    ids: list[str]
    roles: list[str]
    nodes: list[tuple[int, int, int, bool, str]]
    hiders: list[tuple[int, str, str]]
    jumps: list[int]
    kept: bytes
    edits: bytes
    has_head: bool
    has_noscript: bool
    has_styles: bool


class Scanned(NamedTuple):
    """A page read by the scanner, with what its skeleton is made of; `has_empty_items` if items of lists hold nothing."""

    page: Page
    elements: Sequence[Element]
    html: str
    edits: bytes
    has_head: bool
    has_empty_items: bool

    def skeleton(self, parsed_from: bytes) -> Skeleton:
        """The skeleton of the page, as it is made of its tree."""
        slot = slot_of(parsed_from)
        compiled = cast("ModuleType", kernel())  # without it no page is scanned
        fillings = IN_HEAD if self.has_head else IN_ROOT
        return Skeleton(slot, compiled.with_slots(self.html, self.edits, slot.encode(), fillings))


def scan(root: Element, limits: Limits) -> Scanned | None:
    """The page that `dbce.html.page.read_page` reads, read by the scanner; None if it is beyond that.

    Raises:
        InputError: TOO_MANY_TEXTS or TOO_MANY_WORDS.
    """
    if (compiled := kernel()) is None:
        return None
    empty_items = cast("list[Element]", EMPTY_ITEMS(root))
    html = _serialised(root, empty_items)
    if NAME in html:
        return None
    values = compiled.scan(html, SETS, limits.elements, limits.depth)
    if values is None:
        return None
    result = Scan(*values)
    new = tuple.__new__  # what TextNode() calls, in a function of Python
    nodes = [new(TextNode, node) for node in result.nodes]
    if result.has_noscript and without_scripts(root, nodes, limits) is not None:
        return None
    elements = _Elements(root, result.kept)
    tree = Walk(
        result.tags, result.parents, elements, [], _styles(root) if result.has_styles else []
    )
    own = Attributes(
        *(result.classes, result.ids, result.roles, result.hiders),
        jumps=[
            (i, href[1:])
            for i in result.jumps
            if (href := elements[i].get("href", "")).startswith("#")
        ],
    )
    page = page_of(root, tree, own, nodes, limits)
    return Scanned(page, elements, html, result.edits, result.has_head, bool(empty_items))


def _serialised(root: Element, empty: Sequence[Element]) -> str:
    """The document as HTML, but all items of lists with an end tag: libxml2 leaves that of empty ones out."""
    for item in empty:
        item.text = ""
    try:
        return text_of(root)
    finally:
        for item in empty:
            item.text = None


def _styles(root: Element) -> list[Element]:
    """The `<style>` elements outside of dropped ones."""
    return [
        style
        for style in root.iter("style")
        if not any(around.tag in DROPPED for around in style.iterancestors())
    ]


class _Elements(Sequence["Element"]):
    """The elements of a tree that are not dropped. Most pages are read without a look at them."""

    def __init__(self, root: Element, kept: bytes) -> None:
        self._root, self._kept = root, kept

    @cached_property
    def _list(self) -> list[Element]:
        return list(compress(self._root.iter("*"), self._kept))

    def __len__(self) -> int:
        return len(self._list)

    @overload
    def __getitem__(self, place: int) -> Element: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Element]: ...

    def __getitem__(self, place: int | slice) -> Element | Sequence[Element]:
        return self._list[place]
