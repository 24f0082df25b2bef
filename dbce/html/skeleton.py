"""The serialised tree of a page: a page read from it at once, and the places in it where marks go."""

import hashlib
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import compress
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from dbce.html.declarations import ELEMENTS, Declarations, group
from dbce.html.page import page_of, without_scripts
from dbce.html.walk import DATA_ATTRIBUTES, DROPPED, REFERENCES, ROLES, Attributes, Handle, Walk
from dbce.kernel import compiled
from dbce.model import Limits, Page, TextNode

# It is made once, when the page is parsed: whoever has it can write the page with any marks, without the
# tree. Whatever the page itself says of `data-dbce` is respelled in it.

NAME = "data-dbce"
OWN_NAME = "data-dbce-source"  # how the page's own "data-dbce" is spelled in the annotated page
# The kinds of structures, by the elements that set them.
KIND = (
    {f"h{level}": "heading" for level in range(1, 7)}
    | dict.fromkeys(("ul", "ol", "menu", "dir", "dl"), "list")
    | dict.fromkeys(("li", "dt", "dd"), "item")
    | {"table": "table", "tr": "row", "figure": "figure", "pre": "code"}
    | dict.fromkeys(("p", "address"), "paragraph")
    | {"blockquote": "quotation", "caption": "caption", "figcaption": "caption"}
)
# Blue and orange: told apart with any colour vision. Opaque, because marked elements nest.
STYLE = "".join(
    f"[{NAME}={label}]{{background:{tint}!important;color:#111!important}}"
    for label, tint in (("content", "#cfe5f7"), ("boilerplate", "#fbe3b5"), ("invalid", "#ddd"))
)
HEAD = f'{NAME}="head"'  # on a head that was missing
CHARSET = f'charset="utf-8" {NAME}="charset"'
SHEET = f'{NAME}="style"'
META, SHEET_OF_MARKS = f"<meta {CHARSET}>", f"<style {SHEET}>{STYLE}</style>"
# Insertions for marks: where there is no head, before the first child of the head, and at its end.
IN_HEAD = (
    f"<head {HEAD}>{META}{SHEET_OF_MARKS}</head>".encode(),
    META.encode(),
    SHEET_OF_MARKS.encode(),
)
A_TEXT = -1  # in a skeleton the place of a text


class Skeleton(NamedTuple):
    """A serialised page in UTF-8, and the places where marks may go.

    A place is three numbers of 32 bits: where it begins and ends, and the number of an element, behind whose attributes
    it is, or what else is there (dbce/kernel/scan.pxi).
    """

    html: bytes
    places: bytes

    def fill(self, attributes: Mapping[int, str], texts: Mapping[int, str]) -> bytes:
        """The page with attributes of elements, and texts as they are to stand there instead of its own, all by their numbers.

        Raises:
            ValueError: the page was not to be written.
        """
        if not self.html:
            raise ValueError("no skeleton was made of the page, for it was not to be written")
        return compiled.fill(self.html, self.places, IN_HEAD, {**attributes}, {**texts})


NOT_TO_WRITE = Skeleton(b"", b"")  # in the place of a skeleton where nobody asks for it


def skeleton(
    root: Element,
    page: Page,
    handles: Sequence[Handle],
    *,
    with_head: bool = True,
) -> Skeleton:
    """The skeleton of a document; it uses `root` up.

    `page` and `handles` are what `read_page(root)` gave. `with_head` puts a charset and a style sheet for the marks into
    `<head>` (`data-dbce` is "charset" and "style"; "head" on a head that was missing).
    """
    # As XML, because libxml2 writes that in half the time.
    slot = slot_of(etree.tostring(root.getroottree(), encoding="utf-8"))
    _take_out(page, handles, slot)
    put = _mark_head(root, slot) if with_head else {}
    html = text_of(root).replace(NAME, OWN_NAME)
    for name, filling in put.items():
        html = html.replace(name, filling, 1)  # the only one: the rest need not be searched
    return _without_slots(html, slot, map(escape_text, (node.text for node in page.nodes)))


def _without_slots(html: str, slot: str, texts: Iterator[str]) -> Skeleton:
    """The page with its texts in the place of their slots."""
    first, *others = re.split(f' {slot}="([0-9]+)"|{slot};', html)
    pieces, places = [first.encode()], array("i")
    end = len(pieces[0])
    for element, behind in zip(others[::2], others[1::2], strict=True):
        source, rest = ("" if element else next(texts)).encode(), behind.encode()
        places.extend((end, end + len(source), int(element) if element else A_TEXT))
        pieces += (source, rest)
        end += len(source) + len(rest)
    return Skeleton(b"".join(pieces), places.tobytes())


def escape_text(text: str) -> str:
    """A text as it stands in HTML, as libxml2 writes it."""
    return escape(text, quote=False).replace(NAME, OWN_NAME)


def slot_of(source: bytes) -> str:
    """A name that the page does not hold: no text holds its own digest, in whatever spelling."""
    # Processors have instructions for this digest.
    return f"dbce{hashlib.sha256(source).hexdigest()[:16]}"


def _take_out(page: Page, handles: Sequence[Handle], slot: str) -> None:
    """Puts slots into the tree, in the place of its texts, on the elements that hold them and on structures."""
    text = f"{slot};"
    before = -1  # many texts in a row are of one element
    above: set[int] = set()
    for node, (place, is_tail) in zip(page.nodes, handles, strict=True):
        if node.element != before:
            before = node.element
            owner = place.getparent() if is_tail else place
            if owner is not None:
                owner.set(slot, str(before))
                _mark_above(page, before, owner, slot, above)
        if is_tail:
            place.tail = text
        else:
            place.text = text


def _mark_above(page: Page, element: int, owner: Element, slot: str, above: set[int]) -> None:
    """Put slots on the structures around an element; `above` are the elements that were seen."""
    outer: Element | None = owner
    while outer is not None and element >= 0 and element not in above:
        above.add(element)
        if page.tags[element] in KIND:
            outer.set(slot, str(element))
        element, outer = page.parents[element], outer.getparent()


def _mark_head(root: Element, slot: str) -> dict[str, str]:
    """Puts what marks need into the head; the spellings to replace, and by what."""
    head = root.find("head")
    if head is None:
        head = etree.Element("head", {f"{slot}h": ""})
        root.insert(0, head)
    head.insert(0, etree.Element("meta", {f"{slot}c": ""}))
    style = etree.SubElement(head, "style", {f"{slot}s": ""})
    style.text = f"{slot}t"
    return {f'{slot}h=""': HEAD, f'{slot}c=""': CHARSET, f'{slot}s=""': SHEET, f"{slot}t": STYLE}


def text_of(root: Element) -> str:
    # With an encoding other than "unicode", libxml2 adds a <meta> of its own.
    return etree.tostring(root.getroottree(), encoding="unicode", method="html")


# A page read from what libxml2 writes of its tree, instead of element by element.
#
# The tree is serialised once. The compiled part goes through those bytes and gives what
# `dbce.html.walk` finds in the tree, and the places where the slots of `dbce.html.skeleton` go,
# for which the page need not be serialised again. Both ways give the same. The walk is there for
# whoever asks for the tree's own texts and elements, to mark them or to lay them out, and for pages
# that are beyond the scanner (7 of 1,845): those that speak of `data-dbce` themselves, whose text is
# in `<noscript>`, that are larger or deeper than allowed, or written as libxml2 writes none.

# Elements that libxml2 writes without an end tag. A page with another one is beyond the scanner.
VOID = "area base basefont br col frame hr img input isindex link meta param".split()

SETS = tuple(
    f" {' '.join(sorted(names))} ".encode()
    for names in (DROPPED, VOID, KIND, ROLES, DATA_ATTRIBUTES, REFERENCES, ELEMENTS)
)


class ScannedPage(NamedTuple):
    """A page read by the scanner, with its skeleton; `has_empty_items` if items of lists hold nothing.

    `declaring` are its `dbce.html.declarations.declarations`.
    """

    page: Page
    elements: Sequence[Element]
    attributes: Attributes
    declaring: Declarations
    skeleton: Skeleton
    has_empty_items: bool


def scan(root: Element, limits: Limits, *, to_write: bool = True) -> ScannedPage | None:
    """Page read by the scanner, as `dbce.html.page.read_page` reads it, with its errors; None if it is beyond that.

    One that is not `to_write` is read from XML, which libxml2 writes in half the time, and has no skeleton; its tree
    loses its doctype: by that of XHTML, ids would be written that the page does not have.
    """
    document = root.getroottree()
    if not to_write:
        document.docinfo.clear()
    html = _serialise(root).encode() if to_write else etree.tostring(document, encoding="utf-8")
    if to_write and compiled.has_text(html, NAME.encode()):
        return None
    values = compiled.scan(html, SETS, limits.elements, limits.depth, TextNode, not to_write)
    if values is None:
        return None
    # In the terms of `Walk` and `Attributes`; then a byte for each element of the tree, 0 if it is dropped, places of
    # texts, marks and what goes into the head, and numbers of elements of the tree.
    tags, parents, classes, ids, roles, nodes, *of_tree = values
    kept, places, has_noscript, has_empty_items, declaring, *others = of_tree
    if has_noscript and without_scripts(root, nodes, limits) is not None:
        return None
    every = list(root.iter("*"))
    elements = list(compress(every, kept))
    attrs = Attributes(classes, ids, roles, *others)
    if to_write:  # in HTML, addresses and names are spelled anew
        links = ((i, elements[i].get("href", "")) for i, _ in attrs.jumps)
        names = [(i, elements[i].get("name", "")) for i, _ in attrs.places]
        jumps = [(i, address) for i, address in links if address.startswith("#")]
        attrs = attrs._replace(jumps=jumps, places=names)
    page = page_of(Walk(tags, parents, elements, []), attrs, nodes, len(html), limits)
    bare = Skeleton(html, places) if to_write else NOT_TO_WRITE
    declarations = group((name, every[n]) for name, n in declaring)
    return ScannedPage(page, elements, attrs, declarations, bare, has_empty_items)


def _serialise(root: Element) -> str:
    """The document as HTML, but all items of lists with an end tag: libxml2 leaves that of empty ones out."""
    empty = [item for item in root.iter("li") if item.text is None and not len(item)]
    for item in empty:
        item.text = ""  # what is no text counts as one that an element has
    try:
        return text_of(root)
    finally:
        for item in empty:
            item.text = None
