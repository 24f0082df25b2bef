"""Verdicts written into the page: attributes where an element's text has one verdict, else spans.

The marks are plain text put into the serialised page, always in the same spelling, and whatever the
page itself says of `data-dbce` is respelled first. So `dbce.html.strip` takes them out again by
their spelling alone, without parsing: what it returns is the page, byte for byte.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.page import Handle
    from dbce.model import Page, TextRun, Verdict

NAME = "data-dbce"
OWN_NAME = "data-dbce-source"  # how the page's own "data-dbce" is spelled in the annotated page

# Inside these a browser shows no element of ours: raw text, form controls, drawings, formulas.
NO_SPAN_WITHIN = frozenset(
    {"math", "noembed", "noframes", "optgroup", "option", "plaintext", "select", "svg"}
    | {"textarea", "title", "xmp"}
)
# A browser moves a span that stands directly in one of these out of the table.
NO_SPAN_IN = frozenset({"colgroup", "table", "tbody", "tfoot", "thead", "tr"})

# Blue and orange: told apart with any colour vision. Opaque, because marked elements nest.
STYLE = "".join(
    f"[{NAME}={label}]{{background:{tint}!important;color:#111!important}}"
    for label, tint in (("content", "#cfe5f7"), ("boilerplate", "#fbe3b5"), ("invalid", "#ddd"))
)


def serialise(root: Element) -> bytes:
    """The document of `root` as UTF-8 HTML with its doctype and without an added `<meta>`."""
    return _text_of(root).encode()


def annotate(
    root: Element, page: Page, handles: Sequence[Handle], runs: Iterable[TextRun]
) -> bytes:
    """The document as UTF-8 HTML with the verdicts of all its text; it uses `root` up.

    `page` and `handles` are what `read_page(root)` gave, `runs` are in the order of the nodes.

    An element all of whose own text has one verdict gets the attributes `data-dbce` (the label),
    `data-dbce-p` (the probability of content) and `data-dbce-bits`. Elsewhere each run is in a
    `<span>` with these and `data-dbce-run=""`; where HTML allows no span, the element gets the
    verdict of most of its characters. `<head>` gets a charset and a style sheet (`data-dbce` is
    "charset" and "style"; "head" on a head that was missing).
    """
    slots = _Slots(_text_of(root))
    _mark_head(root, slots)
    by_element: defaultdict[int, list[list[TextRun]]] = defaultdict(list)
    for node, of_node in groupby(runs, key=lambda run: run.node):
        by_element[page.nodes[node].element].append(list(of_node))
    for element, groups in by_element.items():
        marks = _characters_by_mark(groups)
        if len(marks) > 1 and _allows_spans(page, element):
            for group in groups:
                _put_spans(page.nodes[group[0].node].text, handles[group[0].node], group, slots)
        else:
            handle = handles[groups[0][0].node]
            owner = handle.element.getparent() if handle.is_tail else handle.element
            if owner is not None:
                slots.attributes(owner, max(marks, key=marks.__getitem__))
    return slots.fill(_text_of(root)).encode()


class _Slots:
    """Places in the tree that are filled after it is serialised.

    lxml refuses to set some characters that parsed text may hold (form feed, controls), so text
    that becomes spans passes it by; attributes take the same way to get their exact spelling.
    """

    def __init__(self, html: str) -> None:
        # A name that the page does not hold: no text holds its own digest.
        self._name = f"dbce{hashlib.blake2b(html.encode(), digest_size=8).hexdigest()}"
        self._fillings: list[str] = []

    def attributes(self, element: Element, filling: str) -> None:
        """`filling` comes after the element's own attributes."""
        element.set(self._name, str(len(self._fillings)))
        self._fillings.append(filling)

    def text(self, filling: str) -> str:
        """The text to put into the tree in place of `filling`."""
        self._fillings.append(filling)
        return f"{self._name}{len(self._fillings) - 1};"

    def fill(self, html: str) -> str:
        """The document with all slots filled and its own `data-dbce` respelled."""
        slot = re.compile(rf'{self._name}(?:="(\d+)"|(\d+);)')
        return slot.sub(lambda m: self._fillings[int(m[1] or m[2])], _respelled(html))


def _mark_head(root: Element, slots: _Slots) -> None:
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        slots.attributes(head, f'{NAME}="head"')
        root.insert(0, head)
    meta = etree.Element("meta")
    slots.attributes(meta, f'charset="utf-8" {NAME}="charset"')
    head.insert(0, meta)
    style = etree.SubElement(head, "style")
    slots.attributes(style, f'{NAME}="style"')
    style.text = slots.text(STYLE)


def _put_spans(text: str, handle: Handle, runs: Sequence[TextRun], slots: _Slots) -> None:
    spans = slots.text(
        "".join(
            f'<span {_mark(run.verdict)} {NAME}-run="">{_written(text[run.start : run.end])}</span>'
            for run in runs
        )
    )
    if handle.is_tail:
        handle.element.tail = spans
    else:
        handle.element.text = spans


def _characters_by_mark(groups: Iterable[Iterable[TextRun]]) -> dict[str, int]:
    characters: defaultdict[str, int] = defaultdict(int)
    for runs in groups:
        for run in runs:
            characters[_mark(run.verdict)] += run.end - run.start
    return characters


def _allows_spans(page: Page, element: int) -> bool:
    if page.tags[element] in NO_SPAN_IN:
        return False
    while element >= 0:
        if page.tags[element] in NO_SPAN_WITHIN:
            return False
        element = page.parents[element]
    return True


def _mark(verdict: Verdict) -> str:
    return (
        f'{NAME}="{verdict.label}" {NAME}-p="{verdict.probability:.2f}"'
        f' {NAME}-bits="{verdict.bits}"'
    )


def _written(text: str) -> str:
    return _respelled(escape(text, quote=False))


def _respelled(html: str) -> str:
    return html.replace(NAME, OWN_NAME)


def _text_of(root: Element) -> str:
    # With an encoding other than "unicode", libxml2 adds a <meta> of its own.
    return etree.tostring(root.getroottree(), encoding="unicode", method="html")
