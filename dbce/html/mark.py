"""Verdicts written into the page: attributes where an element's text has one verdict, else spans.

The marks are plain text put into the serialised page, always in the same spelling, and whatever the
page itself says of `data-dbce` is respelled first. So `dbce.html.strip` takes them out again by
their spelling alone, without parsing: what it returns is the page, byte for byte.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from lxml import etree

from dbce.model import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.walk import Handle
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
    root: Element,
    page: Page,
    handles: Sequence[Handle],
    runs: Iterable[TextRun],
    parsed_from: bytes | None = None,
) -> bytes:
    """The document as UTF-8 HTML with the verdicts of all its text; it uses `root` up.

    `page` and `handles` are what `read_page(root)` gave, `runs` are in the order of the nodes. With the
    bytes that the document was parsed from, as they were stored, it costs less and comes to the same.

    An element all of whose own text has one verdict gets the attributes `data-dbce` (the label),
    `data-dbce-p` (the probability of content) and `data-dbce-bits`. Elsewhere each run is in a
    `<span>` with these and `data-dbce-run=""`; where HTML allows no span, the element gets the
    verdict of most of its characters. `<head>` gets a charset and a style sheet (`data-dbce` is
    "charset" and "style"; "head" on a head that was missing).
    """
    slots = _Slots(root, parsed_from)
    _mark_head(root, slots)
    _put_marks(page, handles, _with_marks(runs), slots)
    return slots.fill(_text_of(root)).encode()


def number(root: Element, page: Page, handles: Sequence[Handle], runs: Iterable[TextRun]) -> str:
    """The document with the number and label of every run, for programs that point at runs.

    As `annotate`, but the marks are `data-dbce-at`, the run's place in `runs`, and `data-dbce`; each
    run has its own mark where HTML allows it, and nothing is put into `<head>`.
    """
    slots = _Slots(root)
    marked = [
        (run, f'{NAME}="{run.verdict.label}" {NAME}-at="{place}"') for place, run in enumerate(runs)
    ]
    _put_marks(page, handles, marked, slots)
    return slots.fill(_text_of(root))


def _put_marks(
    page: Page, handles: Sequence[Handle], marked: Iterable[tuple[TextRun, str]], slots: _Slots
) -> None:
    """Puts the mark of every run into the tree."""
    by_element: defaultdict[int, list[tuple[TextRun, str]]] = defaultdict(list)
    nodes = page.nodes
    for run, mark in marked:
        by_element[nodes[run.node].element].append((run, mark))
    for element, own in by_element.items():
        most = own[0][1]
        if any(mark != most for _, mark in own):
            if _allows_spans(page, element):
                _put_spans(page, handles, own, slots)
                continue
            most = _of_most_characters(own)
        owner = _owner(handles[own[0][0].node])
        if owner is not None:
            slots.attributes(owner, most)


def marked_content(handles: Sequence[Handle]) -> list[int]:
    """The text nodes of an annotated page that are marked as content: each is one run, or several."""
    return [
        number
        for number, handle in enumerate(handles)
        if (owner := _owner(handle)) is not None and owner.get(NAME) == Label.CONTENT
    ]


def _owner(handle: Handle) -> Element | None:
    """The element that a text node stands in."""
    place, is_tail = handle
    return place.getparent() if is_tail else place


class _Slots:
    """Places in the tree that are filled after it is serialised.

    lxml refuses to set some characters that parsed text may hold (form feed, controls), so text
    that becomes spans passes it by; attributes take the same way to get their exact spelling.
    """

    def __init__(self, root: Element, parsed_from: bytes | None = None) -> None:
        # A name that the page does not hold: no text holds its own digest, in whatever spelling.
        # As XML, because libxml2 writes that in half the time.
        said = parsed_from or etree.tostring(root.getroottree(), encoding="utf-8")
        self._name = f"dbce{hashlib.blake2b(said, digest_size=8).hexdigest()}"
        self._fillings: list[str] = []

    def attributes(self, element: Element, filling: str) -> None:
        """`filling` comes after the element's own attributes."""
        element.set(self._name, str(len(self._fillings)))
        self._fillings.append(filling)

    def text(self, filling: str) -> str:
        """The text to put into the tree in place of `filling`."""
        self._fillings.append(filling)
        return f'{self._name}="{len(self._fillings) - 1}"'

    def fill(self, html: str) -> str:
        """The document with all slots filled and its own `data-dbce` respelled."""
        first, *others = _respelled(html).split(f'{self._name}="')
        pieces = [first]
        for other in others:
            number, _, behind = other.partition('"')
            pieces += (self._fillings[int(number)], behind)
        return "".join(pieces)


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


def _put_spans(
    page: Page, handles: Sequence[Handle], marked: Iterable[tuple[TextRun, str]], slots: _Slots
) -> None:
    """Puts the text nodes that the runs tile into spans, one a run."""
    for node, of_node in groupby(marked, key=lambda one: one[0].node):
        text = page.nodes[node].text
        spans = [
            f'<span {mark} {NAME}-run="">{_written(text[run.start : run.end])}</span>'
            for run, mark in of_node
        ]
        element, is_tail = handles[node]
        if is_tail:
            element.tail = slots.text("".join(spans))
        else:
            element.text = slots.text("".join(spans))


def _of_most_characters(marked: Iterable[tuple[TextRun, str]]) -> str:
    characters: dict[str, int] = {}
    for run, mark in marked:
        characters[mark] = characters.get(mark, 0) + run.end - run.start
    return max(characters, key=characters.__getitem__)


def _allows_spans(page: Page, element: int) -> bool:
    if page.tags[element] in NO_SPAN_IN:
        return False
    while element >= 0:
        if page.tags[element] in NO_SPAN_WITHIN:
            return False
        element = page.parents[element]
    return True


def _with_marks(runs: Iterable[TextRun]) -> Iterator[tuple[TextRun, str]]:
    of_one: tuple[Verdict, str] | None = None  # many runs in a row share theirs
    for run in runs:
        if of_one is None or of_one[0] is not run.verdict:
            of_one = run.verdict, _mark(run.verdict)
        yield run, of_one[1]


def _mark(verdict: Verdict) -> str:
    return _spelled(verdict.label, f"{verdict.probability:.2f}", verdict.bits)


@lru_cache(maxsize=10_000)  # 3 labels, 101 probabilities, 16 kinds of bits
def _spelled(label: str, probability: str, bits: str) -> str:
    return f'{NAME}="{label}" {NAME}-p="{probability}" {NAME}-bits="{bits}"'


def _written(text: str) -> str:
    return _respelled(escape(text, quote=False))


def _respelled(html: str) -> str:
    return html.replace(NAME, OWN_NAME)


def _text_of(root: Element) -> str:
    # With an encoding other than "unicode", libxml2 adds a <meta> of its own.
    return etree.tostring(root.getroottree(), encoding="unicode", method="html")
