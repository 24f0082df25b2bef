"""Rules of HTML: attributes, by element, and blocks in elements.

The attributes are those of the index of attributes of the HTML Standard. Whether an element may hold blocks is asked
for what can be written so that it is parsed the same, and for where a section may stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual.migrate.tree import DomElement

EVERYWHERE = frozenset(
    "accesskey autocapitalize autofocus class contenteditable dir draggable enterkeyhint hidden id "
    "inert inputmode is itemid itemprop itemref itemscope itemtype lang nonce part popover role slot "
    "spellcheck style tabindex title translate about datatype prefix property resource typeof vocab".split()
)
"""On all elements; the last seven are those of RDFa."""

FAMILIES = ("data-", "aria-", "on")
"""Beginnings of the other ones that may stand everywhere."""

_MEDIA = "autoplay controls crossorigin loop muted preload src"
_SENT = "formaction formenctype formmethod formnovalidate formtarget"
_CELL = "colspan headers rowspan"

OWN: Mapping[str, frozenset[str]] = {
    tag: frozenset(names.split())
    for tag, names in {
        "a": "download href hreflang ping referrerpolicy rel rev target type",
        "area": "alt coords download href ping referrerpolicy rel shape target",
        "audio": _MEDIA,
        "base": "href target",
        "blockquote": "cite",
        "button": f"disabled form {_SENT} name popovertarget popovertargetaction type value",
        "canvas": "height width",
        "col": "span",
        "colgroup": "span",
        "data": "value",
        "del": "cite datetime",
        "details": "name open",
        "dialog": "open",
        "embed": "height src type width",
        "fieldset": "disabled form name",
        "form": "accept-charset action autocomplete enctype method name novalidate rel target",
        "html": "manifest",
        "iframe": "allow allowfullscreen height loading name referrerpolicy sandbox src srcdoc width",
        "img": "alt crossorigin decoding fetchpriority height ismap loading referrerpolicy sizes src "
        "srcset usemap width",
        "input": f"accept alt autocomplete checked dirname disabled form {_SENT} height list max "
        "maxlength min minlength multiple name pattern placeholder popovertarget popovertargetaction "
        "readonly required size src step type value width",
        "ins": "cite datetime",
        "label": "for",
        "li": "value",
        "link": "as blocking color crossorigin disabled fetchpriority href hreflang imagesizes "
        "imagesrcset integrity media referrerpolicy rel rev sizes type",
        "map": "name",
        "meta": "charset content http-equiv media name",
        "meter": "high low max min optimum value",
        "object": "data form height name type typemustmatch usemap width",
        "ol": "reversed start type",
        "optgroup": "disabled label",
        "option": "disabled label selected value",
        "output": "for form name",
        "param": "name value",
        "progress": "max value",
        "q": "cite",
        "script": "async blocking crossorigin defer fetchpriority integrity nomodule referrerpolicy "
        "src type",
        "slot": "name",
        "select": "autocomplete disabled form multiple name required size",
        "source": "height media sizes src srcset type width",
        "style": "blocking media type",
        "table": "border",
        "td": _CELL,
        "textarea": "autocomplete cols dirname disabled form maxlength minlength name placeholder "
        "readonly required rows wrap",
        "th": f"abbr {_CELL} scope",
        "time": "datetime",
        "track": "default kind label src srclang",
        "video": f"{_MEDIA} height playsinline poster width",
    }.items()
}
"""On some elements; those that are obsolete are not here but where they are replaced."""

NO_ONE = frozenset(
    "abbr address article aside b bdi bdo body br caption cite code datalist dd dfn div dl dt em "
    "figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr i kbd legend main mark menu nav "
    "noscript p picture pre rp rt ruby s samp search section small span strong sub summary sup tbody "
    "template tfoot thead title tr u ul var wbr".split()
)
"""Elements that have no attributes of their own."""


def is_known(tag: str, name: str) -> bool:
    """Return whether an element may have an attribute; names that are no element of HTML may have any."""
    if tag not in OWN and tag not in NO_ONE:
        return True
    return name in EVERYWHERE or name.startswith(FAMILIES) or name in OWN.get(tag, ())


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


def holds_blocks(element: DomElement) -> bool:
    """Return whether a block is in an element, however deep."""
    return any(below.tag in BLOCKS for below in element.elements() if below is not element)


def in_paragraph(element: DomElement | None) -> bool:
    """Return whether the parser would end a paragraph before a block that stands in this element."""
    while element is not None:
        if element.tag == "p":
            return True
        if element.tag in ("td", "th", "caption", "button", "object", "marquee", "html"):
            return False
        element = element.parent
    return False


def may_hold_blocks(element: DomElement | None) -> bool:
    """Return whether a block may stand in an element."""
    if element is None or element.tag in PHRASING_ONLY or in_paragraph(element):
        return False
    return element.tag not in TABLED | LISTED
