"""Repair of invalid HTML: unknown names, and elements in the wrong place.

The content model comes first: attributes by element, and blocks in elements, to decide what is parsed back
unchanged, and where a section may be.

Browsers render unknown elements as a `span`, and ignore unknown attributes: such names are changed unless scripts and
sheets mention them. Moves (sheets in the body, blocks in a `span`, non-items in a list) change the matches of
selectors, so they are done only where those of the page match as before.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dbce.model import stored_text
from dbce.visual.migrate.tree import DomComment, DomElement, DomText, Node, Sheet

INDEX: Mapping[str, Any] = json.loads(stored_text("dbce.visual.migrate", "attributes.json"))
"""Attributes by element, from the index of the HTML Standard: global ones (the last seven are RDFa's), the `own` of
each element, and `obsolete` ones without presentation; obsolete ones with a replacement are not here."""

EVERYWHERE = frozenset(INDEX["everywhere"].split())

FAMILIES = ("data-", "aria-", "on")  # prefixes of other global attributes

OWN = {tag: frozenset(names.split()) for tag, names in INDEX["own"].items()}
"""Attributes of single elements, for all elements of HTML."""


def is_known(tag: str, name: str) -> bool:
    """Return whether an element may have an attribute; unknown elements may have any."""
    allowed = OWN.get(tag)
    return allowed is None or name in allowed or name in EVERYWHERE or name.startswith(FAMILIES)


BLOCKS = frozenset(
    "address article aside blockquote body center details dialog dir div dl dd dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p "
    "plaintext pre search section summary table td th ul xmp".split()
)
"""Elements that a paragraph cannot contain: the parser ends it before them."""

PHRASING_ONLY = frozenset(
    "p h1 h2 h3 h4 h5 h6 pre listing xmp abbr acronym b bdo big cite code dfn em font i kbd label "
    "legend nobr q s samp small span strike strong sub summary sup tt u var button".split()
)
"""Elements that must not contain blocks by the standard, though the parser allows it in most."""

TABLED = frozenset("table thead tbody tfoot tr colgroup".split())
"""Parts of tables that contain only other parts."""

LISTED = frozenset("ul ol dl menu select optgroup".split())
"""Lists, which contain only items or options."""


def in_paragraph(element: DomElement | None) -> bool:
    """Return whether the parser would end a paragraph before a block in this element."""
    chain = () if element is None else (element, *element.ancestors())
    ends = ("p", "td", "th", "caption", "button", "object", "marquee", "html")
    return next((e.tag for e in chain if e.tag in ends), "") == "p"


def may_hold_blocks(element: DomElement | None) -> bool:
    if element is None or element.tag in PHRASING_ONLY or in_paragraph(element):
        return False
    return element.tag not in TABLED | LISTED


def become_inline(element: DomElement, sheet: Sheet, look: str = "") -> None:
    """Make an element inline, with a look: a `div` if it contains blocks, else a `span`."""
    holds_blocks = any(node.tag in BLOCKS for node in element.elements() if node is not element)
    is_block = holds_blocks and may_hold_blocks(element.parent)
    element.tag = "div" if is_block else "span"
    sheet.style(element, ";".join(filter(None, ["display:inline" if is_block else "", look])))


FOREIGN = frozenset({"svg", "math"})
"""Drawings and formulas, which have names of other vocabularies."""

QUOTED = re.compile(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1""")
WORD = re.compile(r"[\w:.-]+")
NOT_IN_A_NAME = re.compile(r"[^a-z0-9_.-]+")


def mentioned_words(
    root: DomElement, scripts: Iterable[str], sheets: Iterable[str]
) -> frozenset[str]:
    """Return the words by which the scripts and style sheets of a page may refer to an element or attribute.

    Of scripts only quoted words: an attribute unknown to HTML is no property either. `scripts` and `sheets`
    are the external ones.
    """
    texts = {"script": list(scripts), "style": list(sheets)}
    for element in root.elements():
        if element.tag in texts:
            texts[element.tag].append(element.text)
        texts["script"] += [value for name, value in element.attributes.items() if name[:2] == "on"]
    quoted = (literal[2] for script in texts["script"] for literal in QUOTED.finditer(script))
    unescaped = (sheet.replace("\\", "") for sheet in texts["style"])
    return frozenset(word.lower() for text in (*quoted, *unescaped) for word in WORD.findall(text))


def rename_strangers(
    root: DomElement, sheet: Sheet, script_words: frozenset[str], counts: Counter[str]
) -> None:
    """Rename and count unknown elements and attributes; `data-was` is the old name of an element."""
    for element in list(html_elements(root)):
        tag = element.tag  # with a hyphen it may be a custom element
        is_strange = tag not in OWN and ("-" not in tag or ":" in tag)
        if is_strange and tag.lower() not in script_words:
            element.attributes["data-was"] = element.tag
            become_inline(element, sheet)
            counts["element"] += 1
        is_renamed = "data-was" in element.attributes
        for name in list(element.attributes):
            if not is_known(element.tag, name) and (is_renamed or name not in script_words):
                counts["attribute"] += keep_as_data(element, name)


def html_elements(root: DomElement, without: frozenset[str] = FOREIGN) -> Iterator[DomElement]:
    """Yield the elements of a page, without those of drawings and formulas, or of other kinds."""
    stack = [root]
    while stack:
        element = stack.pop()
        if element.tag not in without:
            yield element
            stack.extend(reversed(list(element)))


def keep_as_data(element: DomElement, name: str) -> bool:
    """Keep an attribute as `data-` and its name, or drop an empty one named by signs; return False if that is taken."""
    data_name = "data-" + NOT_IN_A_NAME.sub("-", name)
    if data_name in element.attributes:
        return False
    value = element.attributes.pop(name)
    if value or data_name.strip("-") != "data":
        element.attributes[data_name] = value
    return True


IN_BODY = frozenset(
    "dns-prefetch modulepreload pingback preconnect prefetch preload prerender stylesheet".split()
)
"""Relations of links that are allowed in a body."""

LISTS = frozenset({"ul", "ol", "menu"})
KEEPERS = frozenset({"noscript", "template", "object"})
"""Elements whose sheets are scoped or conditional."""


def move_to_head(root: DomElement, _: Sheet, counts: Counter[str]) -> None:
    """Move sheets of the body to the end of the head, in order, with other elements that belong there."""
    head, body = (next(root.elements(tag)) for tag in ("head", "body"))
    candidates = [
        element
        for element in html_elements(body)
        if element.tag in ("style", "link", "meta")
        and not any(ancestor.tag in KEEPERS for ancestor in element.ancestors())
    ]
    # Later sheets win.
    has_style = any(candidate.tag == "style" for candidate in candidates)
    moved = [element for element in candidates if _belongs_in_head(element, has_style=has_style)]
    for element in moved:
        _keep_texts_apart(element)
    head.append(*moved)
    counts["moved"] += len(moved)


def _keep_texts_apart(element: DomElement) -> None:
    """Insert a comment after an element between texts, which would merge without it."""
    row = element.parent.children if element.parent is not None else []
    place = row.index(element)
    neighbours = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    if element.parent is not None and all(isinstance(node, DomText) for node in neighbours):
        element.parent.insert(place + 1, DomComment(" "))


def _belongs_in_head(element: DomElement, *, has_style: bool) -> bool:
    relations = set(element.attributes.get("rel", "").lower().split())
    if element.tag == "style" or (has_style and "stylesheet" in relations):
        return True
    if "itemprop" in element.attributes or "property" in element.attributes:
        return False
    return element.tag == "meta" or not relations or not relations <= IN_BODY


def blocks_in_spans(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Replace each `span` that contains blocks by an inline `div`, where allowed."""
    for element in html_elements(root):
        if element.tag == "span":
            become_inline(element, sheet)
            counts["span"] += element.tag == "div"


def items_of_lists(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Wrap other children of a list in an item, without a box and a number."""
    for element in list(html_elements(root)):
        if element.tag in LISTS:
            for row in _rows(element):
                item = DomElement("li")
                item.wrap(row)
                sheet.style(item, "display:contents;counter-increment:list-item 0")
                counts["item"] += 1


def _rows(element: DomElement) -> list[list[Node]]:
    """Return the children of a list between its items."""
    rows: list[list[Node]] = [[]]
    for child in element.children:
        if isinstance(child, DomElement) and child.tag in ("li", "script", "template"):
            rows.append([])
        elif rows[-1] or not child.is_blank:
            rows[-1].append(child)
    return [row for row in rows if row and not any(map(_holds_item, row))]


def _holds_item(node: Node) -> bool:
    """Return whether it contains an item without a list of its own: the parser would end the item around it."""
    return isinstance(node, DomElement) and any(
        element.tag == "li" for element in html_elements(node, LISTS)
    )


MOVES: tuple[Callable[[DomElement, Sheet, Counter[str]], None], ...] = (
    move_to_head,
    blocks_in_spans,
    items_of_lists,
)
"""Moves, the one that changes fewest matches of selectors first."""
