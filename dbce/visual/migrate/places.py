"""Rules of HTML on what may hold blocks, for what can be written and where a section may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.visual.migrate.tree import Element

BLOCKS = frozenset(
    "address article aside blockquote body center details dialog dir div dl dd dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p "
    "plaintext pre search section summary table td th ul xmp".split()
)
"""Elements that a paragraph cannot hold: the parser ends it before them."""

PHRASING_ONLY = frozenset(
    "p h1 h2 h3 h4 h5 h6 pre listing xmp abbr acronym b bdo big cite code dfn em font i kbd label "
    "legend nobr q s samp small span strike strong sub summary sup tt u var button".split()
)
"""Elements that may hold no blocks, by the standard; most of them can as they are parsed."""

TABLED = frozenset("table thead tbody tfoot tr colgroup".split())
"""Parts of tables, which hold others of their kind alone."""

LISTED = frozenset("ul ol dl menu select optgroup".split())
"""Lists, which hold items or options alone."""


def holds_blocks(element: Element) -> bool:
    """Return whether a block is in an element, however deep."""
    return any(below.tag in BLOCKS for below in element.elements() if below is not element)


def in_paragraph(element: Element | None) -> bool:
    """Return whether the parser would end a paragraph before a block that stands in this element."""
    while element is not None:
        if element.tag == "p":
            return True
        if element.tag in ("td", "th", "caption", "button", "object", "marquee", "html"):
            return False
        element = element.parent
    return False


def may_hold_blocks(element: Element | None) -> bool:
    """Return whether a block may stand in an element."""
    if element is None or element.tag in PHRASING_ONLY or in_paragraph(element):
        return False
    return element.tag not in TABLED | LISTED
