"""A page as a mutable tree, and the rules that replace presentational attributes and elements.

It is parsed as browsers do, and written as the HTML Standard says. The parser is lexbor, through Resiliparse. Markup in
`template` is kept as text; that in `noframes` and `noembed` becomes elements, since it is the only content of
some pages.

The rules are in `:where()` before all of the page's own, where browsers treat such attributes as rules, too (HTML
Standard 15.2): the page's own sheets still win.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar

from resiliparse.parse.html import HTMLTree, NodeType
from tinycss2.color4 import parse_color

BLANKS = " \t\n\f\r"

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
"""Elements that have no end tag."""

RAW = frozenset({"script", "style", "iframe", "template", "xmp", "plaintext"})
"""Elements whose text is written unescaped."""

UNFOLDED = frozenset({"noframes", "noembed"})  # elements whose text is markup, which is parsed here

LINE_FIRST = frozenset({"pre", "textarea", "listing"})
"""Elements whose first line end the parser removes."""


@dataclass(slots=True, eq=False)
class DomText:
    text: str
    parent: DomElement | None = field(default=None, repr=False)

    @property
    def is_blank(self) -> bool:
        """True if it has only white space of HTML, which excludes no-break spaces."""
        return not self.text.strip(BLANKS)


@dataclass(slots=True, eq=False)
class DomComment:
    text: str
    parent: DomElement | None = field(default=None, repr=False)
    is_blank: ClassVar = True


@dataclass(slots=True, eq=False)
class DomElement:
    """An element; `tag` is in lower case but for those of SVG, an attribute without value has "".

    `number` is its place among the elements of the parsed page, -1 if it was added later.
    """

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list, repr=False)
    parent: DomElement | None = field(default=None, repr=False)
    number: int = -1
    is_blank: ClassVar = False

    def __iter__(self) -> Iterator[DomElement]:
        return (child for child in self.children if isinstance(child, DomElement))

    @property
    def text(self) -> str:
        """Own text of the element, as that of a style sheet."""
        return "".join(child.text for child in self.children if isinstance(child, DomText))

    def nodes(self) -> Iterator[Node]:
        """Yield the element and its descendants, in document order."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node, DomElement):
                stack.extend(reversed(node.children))

    def elements(self, *tags: str) -> Iterator[DomElement]:
        """Yield the element and its descendant elements; only those of some tags, if any are given."""
        for node in self.nodes():
            if isinstance(node, DomElement) and (not tags or node.tag in tags):
                yield node

    def ancestors(self) -> Iterator[DomElement]:
        """Yield the ancestors, the parent first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def find(self, tag: str) -> DomElement | None:
        return next((child for child in self if child.tag == tag), None)

    def set_aside(self, names: Iterable[str]) -> None:
        """Rename attributes, if present, to `data-` and their names."""
        for name in names:
            if name in self.attributes:
                self.attributes[f"data-{name}"] = self.attributes.pop(name)

    def insert(self, place: int, *nodes: Node) -> None:
        """Move nodes among its children."""
        for node in nodes:
            if node.parent is not None:
                node.parent.children.remove(node)
            node.parent = self
        self.children[place:place] = nodes

    def append(self, *nodes: Node) -> None:
        self.insert(len(self.children), *nodes)

    def wrap(self, row: list[Node]) -> None:
        """Wrap consecutive children of another element, in their place."""
        parent = row[0].parent
        if parent is None:
            raise ValueError("the root cannot be wrapped")
        start = parent.children.index(row[0])
        self.children, self.parent = list(row), parent
        parent.children[start : start + len(self.children)] = [self]
        for node in self.children:
            node.parent = self


Node = DomElement | DomText | DomComment


@dataclass(slots=True, eq=False)
class DomDocument:
    """A page: its doctype as written, "" without one, and the comments around its `html` element."""

    doctype: str
    before: list[DomComment]
    root: DomElement
    behind: list[DomComment]


def parse(html: str) -> DomDocument:
    """Return the page that browsers parse from a text, with numbered elements."""
    page = DomDocument("", [], DomElement("html"), [])
    comments = page.before
    tree: Any = HTMLTree.parse(html)
    for node in _children(tree.document):
        if node.node_type == NodeType.DOCUMENT_TYPE:
            page.doctype = _doctype(node)
        elif node.node_type == NodeType.ELEMENT:
            page.root = _element(node)
            comments = page.behind
        elif node.node_type == NodeType.COMMENT:
            comments.append(DomComment(node.node_value or ""))
    for number, element in enumerate(page.root.elements()):
        element.number = number
    return page


def _doctype(node: Any) -> str:
    public, system = node.public_id or "", node.system_id or ""
    quoted = [f'"{word}"' for word in (public, system) if word]
    kind = ["PUBLIC"] if public else ["SYSTEM"] if system else []
    return f"<!DOCTYPE {' '.join([node.name, *kind, *quoted])}>"


def _element(source_root: Any) -> DomElement:
    """Return a copy of the parser's tree as ours; without recursion, since pages may be nested deeply."""
    root = _shallow(source_root)
    stack = [(source_root, root)]
    while stack:
        source, element = stack.pop()
        if element.tag == "template":
            element.append(DomText(source.inner_html))
            continue
        if element.tag in UNFOLDED:
            parsed = parse(f"<!doctype html><body>{source.text_content or ''}").root
            element.append(*(child for part in parsed for child in part.children))
            continue
        for child in _children(source):
            if child.node_type == NodeType.ELEMENT:
                copy = _shallow(child)
                stack.append((child, copy))
                element.append(copy)
            elif child.node_type == NodeType.TEXT:
                element.append(DomText(child.node_value or ""))
            elif child.node_type == NodeType.COMMENT:
                element.append(DomComment(child.node_value or ""))
    return root


def _children(parent: Any) -> Iterator[Any]:
    """Yield the children one by one: `child_nodes` takes quadratic time."""
    child = parent.first_child
    while child is not None:
        yield child
        child = child.next


def _shallow(source: Any) -> DomElement:
    name = source.node_name
    tag = name.lower() if name.isupper() else name
    attributes = {key: source.get_attribute(key) or "" for key in source.attribute_names or ()}
    return DomElement(tag, attributes)


def serialise(page: DomDocument) -> str:
    """Return a page as HTML (HTML Standard 13.3)."""
    pieces = [f"{page.doctype}\n" if page.doctype else ""]
    stack: list[Node | str] = [*reversed(page.behind), page.root, *reversed(page.before)]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, DomText):
            raw = node.parent is not None and node.parent.tag in RAW
            pieces.append(node.text if raw else _escape(node.text))
        elif isinstance(node, DomComment):
            pieces.append(f"<!--{node.text}-->")
        else:
            # An outer form is ended where an inner one begins, which the parser would drop otherwise.
            if node.tag == "form" and any(_inner_form(outer) is node for outer in node.ancestors()):
                pieces.append("</form>")
            pieces.append(_start(node))
            if node.tag not in VOID:
                stack.append("" if _inner_form(node) else f"</{node.tag}>")
                stack.extend(reversed(node.children))
    return "".join(pieces)


def _inner_form(element: DomElement) -> DomElement | None:
    """Return the first form inside a form, None without one."""
    inner = element.elements("form") if element.tag == "form" else iter(())
    return next((form for form in inner if form is not element), None)


def _start(element: DomElement) -> str:
    attributes = "".join(
        f' {name}="{_escape(value, quote=True)}"' if value else f' {name}=""'
        for name, value in element.attributes.items()
    )
    first = element.children[0] if element.children else None
    line = element.tag in LINE_FIRST and isinstance(first, DomText) and first.text.startswith("\n")
    return f"<{element.tag}{attributes}>" + ("\n" if line else "")


NBSP = "\N{NO-BREAK SPACE}"


def _escape(text: str, *, quote: bool = False) -> str:
    """Return a text as markup; a carriage return that was a reference would be read as a line end without one."""
    return escape(text, quote=quote).replace(NBSP, "&nbsp;").replace("\r", "&#13;")


MARK = "data-h5"
"""Attribute of elements with added rules: the names of these, separated by blanks."""


class Sheet:
    """Rules for single elements, and for all of a kind."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._general: dict[str, None] = {}

    def style(self, element: DomElement, declarations: str) -> None:
        """Add declarations, if any, for an element."""
        if not declarations:
            return
        name = self._names.setdefault(declarations, f"r{len(self._names) + 1}")
        marks = element.attributes.get(MARK, "").split()
        if name not in marks:
            element.attributes[MARK] = " ".join([*marks, name])

    def add(self, selector: str, declarations: str) -> None:
        self._general[f":where({selector}){{{declarations}}}"] = None

    def element(self) -> DomElement:
        """Return the `style` element with the rules, those of a kind of element first."""
        rules = (f':where([{MARK}~="{name}"]){{{look}}}' for look, name in self._names.items())
        style = DomElement("style", {MARK: "rules"})
        style.append(DomText("\n".join(["", *self._general, *rules, ""])))
        return style


NUMBER = re.compile(r"\s*\+?(\d+(?:\.\d*)?|\.\d+)")
LONGEST = 128  # maximum characters of a legacy colour; the standard's parser cuts off the rest


def length(raw: str | None, *, zero: bool = True) -> str | None:
    """Return a dimension ("50", "50%", "50px") as a CSS length; None if it is invalid, or 0 without `zero`."""
    number = NUMBER.match(raw or "")
    if number is None:
        return None
    value = float(number[1])
    if value == 0 and not zero:
        return None
    is_share = (raw or "")[number.end() :].startswith("%")
    return f"{value:g}{'%' if is_share else 'px'}"


def pixels(raw: str | None) -> int | None:
    """Return a non-negative number of pixels; None if it is invalid."""
    number = re.match(r"\s*\+?(\d{1,6})", raw or "")
    return int(number[1]) if number else None


def colour(raw: str | None) -> str | None:
    """Return a legacy colour as `#rrggbb`, or its name; None if it is invalid."""
    word = (raw or "").strip()
    if not word or word.lower() == "transparent":
        return None
    if re.fullmatch(r"[A-Za-z]+", word) and parse_color(word) is not None:
        return word.lower()
    if re.fullmatch(r"#[0-9A-Fa-f]{3}", word):
        return "#" + "".join(digit * 2 for digit in word[1:].lower())
    # Six digits from any text: the rules for parsing a legacy colour value.
    wide = "".join("00" if ord(letter) > 0xFFFF else letter for letter in word)[:LONGEST]
    wide = re.sub(r"[^0-9A-Fa-f]", "0", wide.removeprefix("#"))
    wide += "0" * (-len(wide) % 3 if wide else 3)
    size = len(wide) // 3
    parts = [wide[n * size : (n + 1) * size][-8:] for n in range(3)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    return "#" + "".join(part[:2].rjust(2, "0") for part in parts).lower()


def url(raw: str) -> str:
    """Return an address as `url()` in CSS."""
    quoted = re.sub(r'["\\\n\r\f<]', lambda bad: f"\\{ord(bad[0]):x} ", raw.strip())
    return f'url("{quoted}")'
