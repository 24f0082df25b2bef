"""A page without its texts, serialised, with slots where they and their marks go.

It is made once, when the page is parsed: whoever has it and the texts can write the page with any
marks, without the tree. Whatever the page itself says of `data-dbce` is respelled in it.
"""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.walk import Handle
    from dbce.model import Page

NAME = "data-dbce"
OWN_NAME = "data-dbce-source"  # how the page's own "data-dbce" is spelled in the annotated page

KIND = (
    {f"h{level}": "heading" for level in range(1, 7)}
    | dict.fromkeys(("ul", "ol", "menu", "dir", "dl"), "list")
    | dict.fromkeys(("li", "dt", "dd"), "item")
    | {"table": "table", "tr": "row", "p": "paragraph", "figure": "figure", "pre": "code"}
    | {"blockquote": "quotation", "caption": "caption", "figcaption": "caption"}
)
"""The kinds of structures, by the elements that set them."""

# Blue and orange: told apart with any colour vision. Opaque, because marked elements nest.
STYLE = "".join(
    f"[{NAME}={label}]{{background:{tint}!important;color:#111!important}}"
    for label, tint in (("content", "#cfe5f7"), ("boilerplate", "#fbe3b5"), ("invalid", "#ddd"))
)

HEAD = f'{NAME}="head"'  # on a head that was missing
CHARSET = f'charset="utf-8" {NAME}="charset"'
SHEET = f'{NAME}="style"'


class Skeleton(NamedTuple):
    """A serialised page with slots.

    A slot begins with `slot`, which the page does not hold: `;` behind it stands for a text, the texts
    in document order; `="N"` for attributes of element N, behind its own and a space.
    """

    slot: str
    html: str

    def filled(self, texts: Sequence[str], attributes: Mapping[int, str]) -> str:
        """The page with these texts, as they are to stand there, and these attributes of elements.

        Raises:
            ValueError: the page was not to be written.
        """
        if not self.slot:
            raise ValueError("no skeleton was made of the page, for it was not to be written")
        first, *others = self.html.split(f' {self.slot}="')
        pieces = [first]
        for other in others:
            element, _, rest = other.partition('"')
            mark = attributes.get(int(element))
            pieces += (" ", mark, rest) if mark else (rest,)
        between = "".join(pieces).split(f"{self.slot};")
        in_order = [*texts[: len(between) - 1], ""]
        return "".join(chain.from_iterable(zip(between, in_order, strict=True)))


NOT_TO_WRITE = Skeleton("", "")
"""In the place of a skeleton where nobody asks for it."""


def skeleton(
    root: Element,
    page: Page,
    handles: Sequence[Handle],
    parsed_from: bytes | None = None,
    *,
    with_head: bool = True,
) -> Skeleton:
    """The skeleton of a document; it uses `root` up.

    `page` and `handles` are what `read_page(root)` gave. With the bytes that the document was parsed
    from, as they were stored, it costs less and comes to the same. `with_head` puts a charset and a
    style sheet for the marks into `<head>` (`data-dbce` is "charset" and "style"; "head" on a head
    that was missing).
    """
    # As XML, because libxml2 writes that in half the time.
    slot = slot_of(parsed_from or etree.tostring(root.getroottree(), encoding="utf-8"))
    _take_out(page, handles, slot)
    put = _mark_head(root, slot) if with_head else {}
    html = text_of(root).replace(NAME, OWN_NAME)
    for name, filling in put.items():
        html = html.replace(name, filling, 1)  # the only one: the rest need not be searched
    return Skeleton(slot, html)


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
        head = etree.Element("head")
        head.set(f"{slot}h", "")
        root.insert(0, head)
    meta = etree.Element("meta")
    meta.set(f"{slot}c", "")
    head.insert(0, meta)
    style = etree.SubElement(head, "style")
    style.set(f"{slot}s", "")
    style.text = f"{slot}t"
    return {
        f'{slot}h=""': HEAD,
        f'{slot}c=""': CHARSET,
        f'{slot}s=""': SHEET,
        f"{slot}t": STYLE,
    }


def text_of(root: Element) -> str:
    # With an encoding other than "unicode", libxml2 adds a <meta> of its own.
    return etree.tostring(root.getroottree(), encoding="unicode", method="html")
