"""From the content of a page to a tree of parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

from dbce import html
from dbce.formats.leaves import leaves_of
from dbce.formats.lines import ContentNodes, Line
from dbce.formats.omissions import omitted_nodes
from dbce.formats.part import (
    NO_CELL,
    Part,
    Source,
    headings_of,
    item_numbers,
    mean_probability,
    number_in_common,
)
from dbce.formats.places import CONTAINERS, ElementPlace, elements_with
from dbce.formats.plain import plain_line, plain_text, text_of_content
from dbce.formats.tables import SPANNED, Cell, Row, data_tables
from dbce.html import Details, Mark
from dbce.metadata import declared_titles, names_page, title_keys
from dbce.model import Label, Limits, Page, TextRun, Verdict, printable

# Sources of blocks: the element, the characters of the main text and the probability of each.


def _with_sources(
    nodes: ContentNodes,
    marks: Sequence[Mark],
    leaves: Iterable[tuple[Line, Part | None]],
    *,
    is_of_text: bool,
) -> Iterator[tuple[Line, Part | None]]:
    """The lines and their leaves, with their sources; with places in the main text if they are those `is_of_text`."""
    page, content = nodes.page, frozenset(nodes.numbers)
    elements = {page.nodes[node].element for node, mark in enumerate(marks) if mark.is_span}
    holder, xpaths = html.holders(page), html.element_xpaths(page, elements)
    start = 0
    for line, leaf in leaves:
        if leaf is None:
            yield line, None
            continue
        end = start + len(plain_line(leaf))
        pre = line.place.verbatim
        of_line = [node for node in _nodes(line) if node in content]
        weighted = ((len(page.nodes[n].text) or 1, marks[n].probability) for n in of_line)
        source = Source(
            xpaths[pre if pre >= 0 else holder[line.rows[0][0].element]],
            mean_probability(weighted),
            *((start, end) if is_of_text else (None, None)),
        )
        yield line, replace(leaf, source=source)
        start = end + 1


def _nodes(line: Line) -> Iterator[int]:
    """The text nodes of a line, those that a formula stands for too."""
    for row in line.rows:
        for token in row:
            if token.node >= 0:
                yield token.node
            yield from range(*token.stands_for)


Headings: TypeAlias = "Callable[[html.Document, Sequence[int]], Mapping[int, int]]"
"""A function that finds headings: the level of each text node that is one, by its number.

Its arguments are the page and the numbers of its content."""

# The parser itself stops at level 2,048.
NO_LIMITS = Limits(
    payload_bytes=1 << 62, depth=1 << 12, elements=1 << 62, texts=1 << 62, words=1 << 62
)
"""Limits for pages that were classified before: none."""

TABLE = frozenset({"table", "caption", "tr", "td", "th"})
TERMS = ("dt", "dd")
LIST_OF = {"li": "ul", **dict.fromkeys(TERMS, "dl")}
NESTING = 16  # blocks within blocks; what is nested deeper counts as part of the last


class Content(NamedTuple):
    """The content of a page as blocks, its title where no heading of theirs shows it ("" where one does), and its text."""

    blocks: tuple[Part, ...]
    title: str
    text: str


def annotated_content(
    annotated: bytes,
    url: str = "",
    *,
    images: bool = False,
    headings: Headings | None = None,
    sources: bool = False,
    text: str | None = None,
) -> Content:
    """Content of an annotated page, by its marks, as blocks.

    A page of a run and one that has just been judged give the same. `headings` gives the level of each
    text node that is one; without it the tags decide. Blocks have their `sources` if they are asked
    for, with places in `text`, the main text: None is that of the content.
    """
    document = html.load(annotated, "text/html; charset=utf-8", NO_LIMITS)
    marks = html.marks(document.handles)
    numbers = html.content_nodes(marks)
    markup = document.markup()
    levels = headings(document, numbers) if headings else None
    having = elements_with(markup.details)
    nodes = ContentNodes(document.page, numbers, markup, having, url, images, levels)
    return _content(nodes, document.declared_metadata, marks if sources else None, text)


def judged_content(
    document: html.Canonical,
    runs: Sequence[TextRun],
    url: str = "",
    *,
    images: bool = False,
    sources: bool = False,
) -> Content:
    """Content of a page by its verdicts, as blocks: `annotated_content` of the page as `runs` mark it.

    The document is one to format. A page is neither written nor parsed for this. Blocks have their `sources` if they are asked for.
    """
    nodes, verdicts = _judged_nodes(document.page, runs, document.markup, url, images=images)
    # The spans are no elements of this page.
    marks = [
        Mark(of.label is Label.CONTENT, round(of.probability, 2)) if of else Mark()
        for of in (verdicts if sources else ())
    ]
    return _content(nodes, document.declared_metadata, marks if sources else None)


def judged_text(
    page: Page, runs: Sequence[TextRun], markup: html.Markup, *, images: bool = False
) -> str:
    """Main text of a page by its verdicts: `Content.text` alone. With `images` the markup is one to format."""
    nodes, _ = _judged_nodes(page, runs, markup, images=images)
    return text_of_content(*_to_read(nodes))


def _judged_nodes(
    page: Page, runs: Sequence[TextRun], markup: html.Markup, url: str = "", *, images: bool
) -> tuple[ContentNodes, Sequence[Verdict | None]]:
    """The content of a judged page as its marks would part it, with the verdict of each text node."""
    parted, verdicts, first = html.pieces(page, tuple(runs))
    is_content = Label.CONTENT  # once: an enumeration is asked for it slowly
    content = [n for n, of in enumerate(verdicts) if of is not None and of[0] is is_content]
    moved = [
        formula._replace(texts=(first[formula.texts[0]], first[formula.texts[1]]))
        for formula in markup.formulas
    ]
    markup = markup._replace(formulas=moved)
    having = elements_with(markup.details)
    return ContentNodes(parted, content, markup, having, url, images), verdicts


def _content(
    nodes: ContentNodes,
    declared: html.DeclaredMetadata,
    marks: Sequence[Mark] | None,
    text: str | None = None,
) -> Content:
    leaves = leaves_of(*_to_read(nodes))
    own_text = plain_text(leaf for _, leaf in leaves if leaf)
    if marks is not None:
        is_of_text = text in (None, own_text)
        leaves = [*_with_sources(nodes, marks, leaves, is_of_text=is_of_text)]
    blocks = _tree(nodes, leaves)
    title = unshown_title(declared, nodes.page.title, blocks) if blocks else ""
    return Content(blocks, title, own_text)


def content_of(
    page: Page, content: Sequence[int], details: Details, url: str = ""
) -> tuple[Part, ...]:
    """The content as blocks, in document order; tables that only lay a page out are no tables here.

    `content` are the numbers of its text nodes, `details` what `dbce.html.read_details` gave. Its words
    are those of the content without `dbce.formats.content`.
    """
    nodes = ContentNodes(page, content, html.Markup(details, []), elements_with(details), url)
    return _tree(nodes, leaves_of(*_to_read(nodes)))


def _to_read(nodes: ContentNodes) -> tuple[ContentNodes, frozenset[int]]:
    """The content of a page as browsers set it, and the text nodes that are in no format."""
    with_runs = [nodes.page.parents[n] for n in nodes.having["run"]]
    page = html.with_inline_elements(nodes.page, with_runs, nodes.having["inline"])
    nodes = nodes._replace(page=page)
    return nodes, omitted_nodes(nodes)


def _tree(nodes: ContentNodes, leaves: Sequence[tuple[Line, Part | None]]) -> tuple[Part, ...]:
    page, details = nodes.page, nodes.markup.details
    tables = data_tables(page, details, (line for line, _ in leaves))
    tree = _BlockTree(page, tables, item_numbers(page, details))
    for line, leaf in leaves:
        tree.add(line.place, leaf)
    return tree.close()


def unshown_title(declared: html.DeclaredMetadata, title: str, blocks: Sequence[Part]) -> str:
    """The page's title, if no heading of its blocks shows one of its titles and no h1 opens them; else ""."""
    if blocks and blocks[0].tag == "h1":  # the page's own headline, in other words than its title
        return ""
    titles = [*declared_titles(declared), title]
    keys = title_keys(titles)
    if any(names_page(text, keys) for _, text in headings_of(blocks)):
        return ""
    lines = (" ".join(printable(title).split()) for title in titles)
    return next(filter(None, lines), "")


class _BlockTree:
    """Blocks that are open, and those that are done, while lines come in document order."""

    def __init__(
        self, page: Page, tables: Mapping[int, Mapping[int, Row]], numbers: Mapping[int, int]
    ) -> None:
        self._page = page
        self._tables = tables
        self._numbers = numbers
        self._rows = {tr: row for rows in tables.values() for tr, row in rows.items()}
        self._opened: list[tuple[int, list[Part]]] = [(-1, [])]
        self._blocks: tuple[int, ...] = ()
        self._cells: dict[int, tuple[Part, ...]] = {}

    def add(self, place: ElementPlace, leaf: Part | None) -> None:
        """Takes the next line, and closes the blocks that it is not in."""
        if place.blocks is not self._blocks:  # else it is in all that the last one is in
            path = _path(self._page, place, self._tables)
            same = number_in_common([element for element, _ in self._opened[1:]], path)
            self._close(same)
            self._opened += [(element, []) for element in path[same:]]
            self._blocks = place.blocks
        if leaf:
            self._opened[-1][1].append(leaf)

    def close(self) -> tuple[Part, ...]:
        self._close(0)
        return _wrap_items(self._opened[0][1])

    def _close(self, until: int) -> None:
        while len(self._opened) > until + 1:
            element, children = self._opened.pop()
            if children:
                self._opened[-1][1].append(self._block(element, children))

    def _block(self, element: int, children: list[Part]) -> Part:
        tag = CONTAINERS[self._page.tags[element]]
        match tag:
            case "ul" | "ol":
                items = tuple(_items(children))
                is_numbered = tag == "ol" and any(item.number is not None for item in items)
                return Part("ol" if is_numbered else "ul", items)
            case "dl":
                # What is neither a term nor a definition is a definition.
                terms = (c if c.tag in TERMS else Part("dd", _wrap_items((c,))) for c in children)
                return Part(tag, tuple(terms))
            case "table":
                # A caption stands above its table, wherever it is written.
                in_order = sorted(children, key=lambda child: child.tag != "caption")
                return Part(tag, tuple(in_order))
            case "tr":
                return Part(tag, tuple(map(self._cell, self._rows[element])))
            case "li":
                return Part(tag, _wrap_items(children), number=self._numbers.get(element))
            case "td" | "th":
                self._cells[element] = _wrap_items(children)
        return Part(tag, _wrap_items(children))

    def _cell(self, cell: Cell | None) -> Part:
        """A cell of a row; the cells of a head are headers, as readers see them."""
        if cell is None:
            return Part("td")
        if cell is SPANNED:
            return Part("td", span=NO_CELL)
        row = self._page.parents[cell.element]
        tag, around = (self._page.tags[n] for n in (cell.element, self._page.parents[row]))
        is_header = tag == "th" or around == "thead"
        children = self._cells.get(cell.element, ())
        return Part("th" if is_header else "td", children, span=cell.span)


def _path(page: Page, place: ElementPlace, tables: Mapping[int, object]) -> list[int]:
    """The blocks around a line, without tables that are none."""
    path = []
    is_data = False
    for element in place.blocks:
        if page.tags[element] == "table":
            is_data = element in tables
        if page.tags[element] not in TABLE or is_data:
            path.append(element)
    if len(path) > NESTING:
        del path[NESTING:]
        while page.tags[path[-1]] in ("table", "tr"):  # which hold no text but in cells
            del path[-1]
    return path


def _items(children: Iterable[Part]) -> list[Part]:
    """The items of a list; what is in none, such as a list or code, belongs to the one before."""
    items: list[Part] = []
    for is_item, group in groupby(children, key=lambda child: child.tag == "li"):
        parts = tuple(group)
        if is_item:
            items += parts
        elif items:
            items[-1] = replace(items[-1], children=(*items[-1].children, *_wrap_items(parts)))
        else:
            items.append(Part("li", _wrap_items(parts)))
    return items


def _wrap_items(children: Iterable[Part]) -> tuple[Part, ...]:
    """The children, items without a list in one."""
    listed: list[Part] = []
    for kind, group in groupby(children, key=lambda child: LIST_OF.get(child.tag, "")):
        parts = tuple(group)
        listed += [Part(kind, parts)] if kind else parts
    return tuple(listed)
