"""Repair of what HTML forbids: names that it never had, and things in the wrong place.

The rules come first: attributes by element, and blocks in elements, which is asked for what can be written so that it
is parsed the same, and for where a section may stand.

What browsers do not know they lay out as a `span`, and an attribute that they do not know says nothing to them: such
names change but where scripts and sheets speak of them. Moves (sheets in the body, blocks in a `span`, non-items in a
list) change what selectors fit, so they are done only where those of the page fit what they did before.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dbce.model import stored_text
from dbce.visual.migrate.tree import DomComment, DomElement, DomText, Node, Sheet

INDEX: Mapping[str, Any] = json.loads(stored_text("dbce.visual.migrate", "attributes.json"))
"""Attributes by element, from the index of the HTML Standard: those that all may have (the last seven are RDFa's), the
`own` of each element, and `obsolete` ones that say nothing of the look; obsolete ones with a replacement are not here."""

EVERYWHERE = frozenset(INDEX["everywhere"].split())

FAMILIES = ("data-", "aria-", "on")  # beginnings of the other ones that may stand everywhere

OWN = {tag: frozenset(names.split()) for tag, names in INDEX["own"].items()}
"""On single elements, of which each that HTML knows is here."""


def is_known(tag: str, name: str) -> bool:
    """Return whether an element may have an attribute; names that are no element of HTML may have any."""
    own = OWN.get(tag)
    return own is None or name in own or name in EVERYWHERE or name.startswith(FAMILIES)


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


def in_paragraph(element: DomElement | None) -> bool:
    """Return whether the parser would end a paragraph before a block that stands in this element."""
    around = () if element is None else (element, *element.ancestors())
    ends = ("p", "td", "th", "caption", "button", "object", "marquee", "html")
    return next((one.tag for one in around if one.tag in ends), "") == "p"


def may_hold_blocks(element: DomElement | None) -> bool:
    if element is None or element.tag in PHRASING_ONLY or in_paragraph(element):
        return False
    return element.tag not in TABLED | LISTED


def become_inline(element: DomElement, sheet: Sheet, look: str = "") -> None:
    """Make an element one that is laid out in lines, with a look, and may hold the blocks in it."""
    holds_blocks = any(below.tag in BLOCKS for below in element.elements() if below is not element)
    is_block = holds_blocks and may_hold_blocks(element.parent)
    element.tag = "div" if is_block else "span"
    sheet.style(element, ";".join(filter(None, ["display:inline" if is_block else "", look])))


FOREIGN = frozenset({"svg", "math"})
"""Drawings and formulas: the names in them are not those of HTML."""

QUOTED = re.compile(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1""")
WORD = re.compile(r"[\w:.-]+")
NOT_IN_A_NAME = re.compile(r"[^a-z0-9_.-]+")


def mentioned_words(
    root: DomElement, scripts: Iterable[str], sheets: Iterable[str]
) -> frozenset[str]:
    """Return the words by which the scripts and style sheets of a page could ask for an element or attribute.

    Of scripts those in quotes: what is no attribute of HTML is no property either. `scripts` and `sheets`
    are those in other files.
    """
    own = {"script": list(scripts), "style": list(sheets)}
    for element in root.elements():
        if element.tag in own:
            own[element.tag].append(element.text)
        own["script"] += [value for name, value in element.attributes.items() if name[:2] == "on"]
    quoted = (literal[2] for script in own["script"] for literal in QUOTED.finditer(script))
    named = (sheet.replace("\\", "") for sheet in own["style"])
    return frozenset(word.lower() for text in (*quoted, *named) for word in WORD.findall(text))


def rename_strangers(
    root: DomElement, sheet: Sheet, spoken: frozenset[str], counts: Counter[str]
) -> None:
    """Rename what HTML does not know of a page, and count it; `data-was` says what an element was."""
    for element in list(html_elements(root)):
        tag = element.tag  # one with a hyphen may be the author's own
        is_strange = tag not in OWN and ("-" not in tag or ":" in tag)
        if is_strange and tag.lower() not in spoken:
            element.attributes["data-was"] = element.tag
            become_inline(element, sheet)
            counts["element"] += 1
        is_renamed = "data-was" in element.attributes
        for name in list(element.attributes):
            if not is_known(element.tag, name) and (is_renamed or name not in spoken):
                counts["attribute"] += keep_as_data(element, name)


def html_elements(root: DomElement, without: frozenset[str] = FOREIGN) -> Iterator[DomElement]:
    """Yield the elements of a page but for those of drawings and formulas, or of other kinds."""
    left = [root]
    while left:
        element = left.pop()
        if element.tag not in without:
            yield element
            left.extend(reversed(list(element)))


def keep_as_data(element: DomElement, name: str) -> bool:
    """Keep an attribute as `data-` and its name; False if that is taken. One of signs alone goes if it is empty."""
    kept = "data-" + NOT_IN_A_NAME.sub("-", name)
    if kept in element.attributes:
        return False
    value = element.attributes.pop(name)
    if value or kept.strip("-") != "data":
        element.attributes[kept] = value
    return True


IN_BODY = frozenset(
    "dns-prefetch modulepreload pingback preconnect prefetch preload prerender stylesheet".split()
)
"""Links that a body may hold."""

LISTS = frozenset({"ul", "ol", "menu"})
KEEPERS = frozenset({"noscript", "template", "object"})
"""Elements whose sheets are theirs alone, or only at times."""


def move_to_head(root: DomElement, _: Sheet, counts: Counter[str]) -> None:
    """Move sheets of the body to the end of the head, in their order, and what else belongs there."""
    head, body = (next(root.elements(tag)) for tag in ("head", "body"))
    candidates = [
        element
        for element in html_elements(body)
        if element.tag in ("style", "link", "meta")
        and not any(above.tag in KEEPERS for above in element.ancestors())
    ]
    # Among sheets the later wins.
    has_style = any(candidate.tag == "style" for candidate in candidates)
    inside = [element for element in candidates if _belongs_in_head(element, has_style=has_style)]
    for element in inside:
        _keep_texts_apart(element)
    head.append(*inside)
    counts["moved"] += len(inside)


def _keep_texts_apart(element: DomElement) -> None:
    """Put a comment behind an element that stands between texts, which would be one without it."""
    row = element.parent.children if element.parent is not None else []
    place = row.index(element)
    around = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    if element.parent is not None and all(isinstance(node, DomText) for node in around):
        element.parent.insert(place + 1, DomComment(" "))


def _belongs_in_head(element: DomElement, *, has_style: bool) -> bool:
    relations = set(element.attributes.get("rel", "").lower().split())
    if element.tag == "style" or (has_style and "stylesheet" in relations):
        return True
    if "itemprop" in element.attributes or "property" in element.attributes:
        return False
    return element.tag == "meta" or not relations or not relations <= IN_BODY


def blocks_in_spans(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Make a `div` that is laid out in the line of each `span` that holds blocks, if one may stand there."""
    for element in html_elements(root):
        if element.tag == "span":
            become_inline(element, sheet)
            counts["span"] += element.tag == "div"


def items_of_lists(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Wrap what stands in a list and is no item in one, without a box and a number."""
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
    """Return whether an item in it is in no list of its own: the parser would end the item round it."""
    return isinstance(node, DomElement) and any(
        element.tag == "li" for element in html_elements(node, LISTS)
    )


MOVES: tuple[Callable[[DomElement, Sheet, Counter[str]], None], ...] = (
    move_to_head,
    blocks_in_spans,
    items_of_lists,
)
"""The first one changes least what selectors fit."""
