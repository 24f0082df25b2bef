"""Declarations of a page before its body, and rules that emulate browsers in quirks mode.

Before the body HTML has one doctype, one charset, no XML. The doctype gives the layout mode; the rules that compensate
for it (Quirks Mode Standard; HTML Standard 15.3) come before all others, so the page's own rules still win, as they
did over quirks.

Lines are as high as their contents (Quirks Mode Standard 3.2, 3.3): without a full doctype an element adds nothing to
a line in which it has no text of its own; otherwise each line is at least as high as one of its block's text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from dbce.visual.migrate.attributes import cells
from dbce.visual.migrate.repairs import BLOCKS
from dbce.visual.migrate.tree import DomDocument, DomElement, DomText, Node, Sheet, parse, pixels


class Mode(StrEnum):
    """Mode in which browsers lay a page out (Quirks Mode Standard, HTML Standard 13.2.6.4.1)."""

    QUIRKS = "quirks"
    LIMITED = "limited-quirks"
    STANDARD = "no-quirks"


TRANSITIONAL = tuple(
    f'"-//w3c//dtd {version} {kind}//'
    for version in ("xhtml 1.0", "html 4.01")
    for kind in ("frameset", "transitional")
)
"""Public identifiers of limited quirks, those of HTML where there is a system identifier, too; else they mean quirks."""


def mode(doctype: str) -> Mode:
    """Return the mode of a doctype.

    Quirks are as in the parser: only then may a table be in a paragraph.
    """
    root = parse(f"{doctype}<p><table>").root
    if any(table.parent and table.parent.tag == "p" for table in root.elements("table")):
        return Mode.QUIRKS
    is_limited = any(name in doctype.lower() for name in TRANSITIONAL)
    return Mode.LIMITED if is_limited else Mode.STANDARD


STATES = frozenset(
    "default-style refresh x-ua-compatible content-security-policy content-type".split()
)
"""Values that `http-equiv` may still have; any other one is a `name` now."""

OF_CHARSET = frozenset({"charset", "http-equiv", "content", "name", "scheme", "lang", "xml:lang"})
"""Attributes that a `meta` for the charset may have so that it can be taken away."""


def renew_head(page: DomDocument) -> None:
    """Give a page the doctype, the charset and the language that HTML requires."""
    page.doctype = "<!DOCTYPE html>"
    page.before = [comment for comment in page.before if not comment.text.startswith("?xml")]
    root = page.root
    _language(root)
    for meta in list(root.elements("meta")):
        _meta(meta, root)
    head = next(root.elements("head"))  # which the parser gives to every page
    head.insert(0, DomElement("meta", {"charset": "utf-8"}))


def _language(root: DomElement) -> None:
    for element in root.elements():
        attributes = element.attributes
        spoken = attributes.pop("xml:lang", None)
        if spoken:
            attributes.setdefault("lang", spoken.replace("_", "-"))
    for name in [name for name in root.attributes if name.startswith("xmlns")]:
        value = root.attributes.pop(name)
        if ":" in name:
            root.attributes[f"data-{name.replace(':', '-')}"] = value


def _meta(meta: DomElement, root: DomElement) -> None:
    state = meta.attributes.get("http-equiv", "").strip().lower()
    if "charset" in meta.attributes or state == "content-type":
        if meta.parent is not None and meta.attributes.keys() <= OF_CHARSET:
            meta.parent.children.remove(meta)
        for name in ("charset", "http-equiv", "content"):
            meta.attributes.pop(name, None)  # if it stays for its other attributes
        return
    if state == "content-language":
        first = meta.attributes.get("content", "").split(",")[0].strip()
        if first and " " not in first:
            root.attributes.setdefault("lang", first)
    is_edge = meta.attributes.get("content", "").strip().lower() == "ie=edge"
    is_known = state in STATES and (state != "x-ua-compatible" or is_edge)
    if state and not is_known and "name" not in meta.attributes:
        meta.attributes["name"] = meta.attributes.pop("http-equiv")


TABLE = (
    "font-size:medium;font-weight:normal;font-style:normal;font-variant:normal;"
    "line-height:normal;white-space:normal;text-align:start"
)
"""Properties that tables do not inherit."""

MARGINED = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl dir menu pre listing xmp blockquote".split())
"""Elements whose own margins vanish at the edges of a cell or the body."""


def compensate(
    root: DomElement, mode: Mode, sheet: Sheet, *, colour: str, sheets: Sequence[str]
) -> None:
    """Add rules that keep the layout of a page in quirks mode; `colour` is its body's, "" if unknown."""
    if mode is Mode.STANDARD:
        return
    _pictures_alone(root, sheet)
    styles = (element.attributes.get("style", "") for element in root.elements())
    # On a page that sets line heights itself the inherited height cannot be reset.
    if not any(HEIGHT.search(css) for css in (*sheets, *styles)):
        _explicit_heights(root, sheet)
    if mode is Mode.LIMITED:
        return
    shade = f";color:{colour}" if colour else ""
    sheet.add("table", TABLE + shade)
    sheet.add("form", "margin-bottom:1em")
    sheet.add('input:not([type="image"]),textarea', "box-sizing:border-box")
    _places_of_pictures(root, sheet)
    _margins_at_edges(root, sheet)
    _heights_of_cells(root)
    _widths_of_cells(root, sheet)
    _floating_pictures(root, sheet)
    _paragraphs_with_tables(root, sheet)
    _shares_of_height(root, sheet)


def _margins_at_edges(root: DomElement, sheet: Sheet) -> None:
    """Remove default margins at the top of a body and a cell, and at a cell's bottom."""
    for holder in root.elements("body", "td", "th"):
        first = _substantial(holder.children)
        if first is not None and first.tag in MARGINED:
            sheet.style(first, "margin-top:0")
        last = _substantial(holder.children[::-1])
        if holder.tag != "body" and last is not None and last.tag in MARGINED:
            sheet.style(last, "margin-bottom:0")


def _substantial(nodes: list[Node]) -> DomElement | None:
    """Return the first visible node, if it is an element."""
    for node in nodes:
        if isinstance(node, DomText) and not node.is_blank:
            return None
        if isinstance(node, DomElement) and node.tag not in ("script", "style", "link", "meta"):
            return node
    return None


def _places_of_pictures(root: DomElement, sheet: Sheet) -> None:
    """Let a missing picture keep its place if its size is given."""
    look = "display:inline-block;overflow:hidden"
    sheet.add("img[width][height]", look)
    for image in root.elements("img"):
        sizes = [image.attributes.get(name) for name in ("width", "height")]
        if None not in sizes and not all(re.fullmatch(r"\d+", size or "") for size in sizes):
            sheet.style(image, look)  # its size will be a rule


def _heights_of_cells(root: DomElement) -> None:
    """Subtract padding from the heights of cells, which include it, unlike widths."""
    for table in root.elements("table"):
        padding = pixels(table.attributes.get("cellpadding"))
        padding = 1 if padding is None else padding
        border = 2 if (pixels(table.attributes.get("border")) or 0) > 0 else 0
        for cell in cells(table):
            if re.match(r"\s*\d+\s*(px)?\s*$", cell.attributes.get("height", "")):
                height = pixels(cell.attributes["height"]) or 0
                content_height = max(0, height - 2 * padding - border)
                cell.attributes["height"] = str(content_height)


def _widths_of_cells(root: DomElement, sheet: Sheet) -> None:
    """Let a `nowrap` cell with a width in pixels wrap, and be no narrower than that."""
    for cell in root.elements("td", "th"):
        width = cell.attributes.get("width", "").strip()
        if "nowrap" in cell.attributes and re.fullmatch(r"[1-9]\d*(px)?", width):
            del cell.attributes["nowrap"]
            sheet.style(cell, f"min-width:{pixels(width)}px")


def _floating_pictures(root: DomElement, sheet: Sheet) -> None:
    for image in root.elements("img"):
        side = image.attributes.get("align", "").strip().lower()
        if side in ("left", "right"):
            opposite = {"left": "right", "right": "left"}[side]
            sheet.style(image, f"margin-{opposite}:3px")


def _paragraphs_with_tables(root: DomElement, sheet: Sheet) -> None:
    """Replace a paragraph with a table by a `div` of the same look, as it would end before the table otherwise."""
    for table in list(root.elements("table")):
        for ancestor in table.ancestors():
            if ancestor.tag in ("td", "th", "caption", "button", "object", "marquee"):
                break
            if ancestor.tag == "p":
                ancestor.tag = "div"
                sheet.style(ancestor, "margin-top:1em;margin-bottom:1em")


def _shares_of_height(root: DomElement, sheet: Sheet) -> None:
    """Turn percentage heights of tables in elements without a height into shares of the window's."""
    for table in root.elements("table"):
        percent = re.match(r"\s*(\d+)\s*%", table.attributes.get("height", ""))
        if percent is None or any(ancestor.tag in ("td", "th") for ancestor in table.ancestors()):
            continue
        share = min(100, int(percent[1])) / 100
        table.attributes.pop("height")
        sheet.style(table, f"height:calc({share:g} * (100vh - 16px))")


PICTURES = frozenset({"img", "object", "embed", "iframe", "applet"})
CONTROLS = frozenset({"input", "select", "textarea", "button", "keygen"})
"""Controls, which count as text: a line with one has a height of its own."""

INLINE = frozenset(
    "a abbr acronym b bdo big blink cite code dfn em font i ins del kbd label nobr q s samp small "
    "span strike strong sub sup tt u var".split()
)
HOLDERS = BLOCKS - {"ul", "ol", "dl", "dir", "menu", "li", "pre", "listing", "xmp", "plaintext"}
"""Blocks with lines; those of a list item are as high as its marker."""

HEIGHT = re.compile(r"line-height|font\s*:", re.IGNORECASE)
NONE, NORMAL = "line-height:0", "line-height:normal"


def _pictures_alone(root: DomElement, sheet: Sheet) -> None:
    """Let a line of pictures without text be as high as they are."""
    for element in root.elements():
        if element.tag not in HOLDERS:
            continue
        no_text = not _has_text([element])
        for line in _lines(element):
            pictures = [image for node in line for image in _pictures(node)]
            if pictures and not _has_text(line):
                if no_text:
                    sheet.style(element, NONE)
                for picture in pictures:
                    sheet.style(picture, "vertical-align:bottom")


def _explicit_heights(root: DomElement, sheet: Sheet) -> None:
    """Let only elements with text of their own determine line heights, on a page without line heights."""
    stack = [(body, NORMAL) for body in root if body.tag == "body"]  # none on a page of frames
    while stack:
        element, inherited = stack.pop()
        line_height = _line_height(element, inherited)
        if line_height != inherited:
            sheet.style(element, line_height)
        if line_height == NONE and element.tag in HOLDERS:
            for line_break in list(_empty_lines(element)):
                wrapper = DomElement("span")  # which gives a line its height, unlike a break
                wrapper.wrap([line_break])
                sheet.style(wrapper, NORMAL)
        stack += [(child, line_height) for child in element]


def _line_height(element: DomElement, inherited: str) -> str:
    if element.tag in HOLDERS or element.tag in INLINE:
        if any(isinstance(child, DomText) and not child.is_blank for child in element.children):
            return NORMAL
        in_line = any(child.tag in INLINE | PICTURES for child in element)
        return NONE if in_line else inherited
    return inherited if element.tag in ("br", "wbr", *PICTURES) else NORMAL


def _empty_lines(block: DomElement) -> Iterator[DomElement]:
    """Yield the line breaks of a block that are the first on their line."""
    is_empty = True
    stack: list[Node] = list(reversed(block.children))
    while stack:
        node = stack.pop()
        if not isinstance(node, DomElement):
            is_empty = is_empty and node.is_blank
        elif node.tag == "br":
            if is_empty:
                yield node
            is_empty = True
        elif node.tag in INLINE:
            stack.extend(reversed(node.children))
        else:
            is_empty = node.tag in BLOCKS or node.tag == "table"


def _lines(block: DomElement) -> Iterator[list[Node]]:
    """Yield the nodes of each non-blank line of a block, between line breaks and other blocks."""
    line: list[Node] = []
    for node in block.children:
        if isinstance(node, DomElement) and any(
            descendant.tag in BLOCKS or descendant.tag == "br" for descendant in node.elements()
        ):
            if line:
                yield line
            line = []
        elif not node.is_blank:
            line.append(node)
    if line:
        yield line


def _has_text(nodes: Iterable[Node]) -> bool:
    return any(
        part.tag in CONTROLS if isinstance(part, DomElement) else not part.is_blank
        for node in nodes
        for part in (node.nodes() if isinstance(node, DomElement) else (node,))
    )


def _pictures(node: Node) -> Iterator[DomElement]:
    if isinstance(node, DomElement) and (node.tag in PICTURES or node.tag in INLINE):
        yield from node.elements(*PICTURES)
