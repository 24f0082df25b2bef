"""From the content of a page to a tree of parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from dbce import html
from dbce.formats.lines import (
    CONTAINERS,
    ContentNodes,
    ElementPlace,
    Leaves,
    Line,
    Places,
    content_lines,
    with_inline_elements,
)
from dbce.formats.notes import back_links
from dbce.formats.part import (
    HEADINGS,
    NO_CELL,
    NOTE_MARK,
    Part,
    Source,
    headings_of,
    item_numbers,
)
from dbce.formats.tables import SPANNED, Cell, Row, data_tables
from dbce.html import Details, Mark
from dbce.metadata import declared_titles, names_page, title_keys
from dbce.model import WORD_RUN, Limits, Page, TextRun, printable

# Texts that a page has for those who use it and not for those who read: they are in no format.

PERMALINK_TEXT = re.compile(
    r"\W*(perma(nent)?[ -]?link|(direct )?link (to|here)|section link|anchor)\b", re.IGNORECASE
)


ANCHOR_CLASSES = frozenset(
    "headerlink header-link header-anchor heading-anchor heading-link headline-anchor anchor anchor-link "
    "anchorjs-link hash-link hashlink permalink direct-link section-link toclink-anchor".split()
)
"""Classes of such links, as generators of documents give them."""


EDIT_LABEL = re.compile(r"\s*\[\s*[^\W\d_][^\W_ ]*(?: [^\W_]+)?\s*\]\s*")
"""Text of a link that is for those who write the page, such as [edit source]."""

CREDIT_CLASS = re.compile(
    r"(?:^|[\s_-])(?:credits?|copyright|photographer)(?:$|[\s_-])", re.IGNORECASE
)
"""Classes of what names the source of a picture, in its caption."""

EAR_CLASSES = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only element-invisible".split()
)
"""Classes of what is read to the blind alone, by Bootstrap, WordPress, Drupal and others."""

_WIDTH = r"(?:xs|sm|md|lg|xl|2xl|mobile|tablet|desktop|phone|small|medium|large)"
FOR_NARROW = re.compile(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|2xl):hidden|d-(?:sm|md|lg|xl)-none|hidden-(?:md|lg|desktop)|visible-(?:xs|sm|phone)\S*"
    r"|(?:show-for|only|visible)-?(?:small|mobile)\S*|\S*mobile-only|mobile\S*|is-hidden-(?:tablet|desktop)|hide-?(?:on-|for-)?"
    r"(?:desktop|large|medium)\S*)(?:$|\s)"
)
"""Classes of what only narrow windows show: Tailwind, Bootstrap, Foundation, Bulma."""

FOR_WINDOWS = re.compile(
    rf"{FOR_NARROW.pattern}|(?:^|\s)(?:(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline\S*|table\S*)|d-(?:sm|md|lg|xl)-\S+"
    rf"|hidden-{_WIDTH}\S*|visible-{_WIDTH}\S*|(?:show|hide)-for-{_WIDTH}\S*|\S*(?:desktop|mobile)-only|desktop\S*"
    rf"|is-hidden-\S+|hide-?(?:on-)?mobile\S*)(?:$|\s)"
)
"""The same of windows of any width."""


def omitted_nodes(page: Page, details: Details, content: Sequence[int]) -> frozenset[int]:
    """Numbers of text nodes in no format: permalinks, links back from notes, line numbers and buttons of code, and repetitions within a paragraph."""
    marks = _permalinks(page, details) | back_links(page)
    marks |= _copies_for_windows(page) | _credits(page)
    beside = {element for element, own in details.items() if "beside" in own}
    again = frozenset(_repeated_nodes(page, details, content)) if any(page.hidden) else frozenset()
    again |= frozenset(_unseen_nodes(page, content))
    if not marks and not beside:
        return again
    nearest = html.enclosing_elements(page, marks | beside)
    return again.union(n for n, node in enumerate(page.nodes) if nearest[node.element] >= 0)


def _repeated_nodes(page: Page, details: Details, content: Sequence[int]) -> Iterator[int]:
    """Hidden text nodes of paragraphs whose other text has all of their words: for windows of other widths, for eyes, for ears.

    Code is left as it stands.
    """
    hiding = {element for element, hides in enumerate(page.hidden) if hides}
    nodes = page.nodes
    nearest = html.enclosing_elements(page, hiding)
    if all(nearest[nodes[n].element] < 0 for n in content):  # as in most pages
        return
    outer = html.enclosing_elements(page, {e for e in hiding if nearest[page.parents[e]] < 0})
    verbatim = html.enclosing_elements(
        page, {element for element, own in details.items() if "text" in own}
    )
    holder = html.holders(page)
    for _, paragraph in groupby(content, key=lambda n: holder[nodes[n].element]):
        of_element: dict[int, list[int]] = {}
        for n in paragraph:
            of_element.setdefault(outer[nodes[n].element], []).append(n)
        own = of_element.pop(-1, ())
        shown = _words(page, own) if of_element else set()
        for again in of_element.values():
            said = _words(page, again)
            if said and said <= shown and verbatim[nodes[again[0]].element] < 0:
                yield from again


def _unseen_nodes(page: Page, content: Sequence[int]) -> Iterator[int]:
    """The words that nobody sees, in paragraphs with other text: the verdict is that of the whole line. A colon read out parts words."""
    hiding = page.unseen | html.elements_of_classes(page, EAR_CLASSES)
    if not hiding:
        return
    hider = html.enclosing_elements(page, hiding)
    outer = html.enclosing_elements(page, {e for e in hiding if hider[page.parents[e]] < 0})
    elements = [page.nodes[n].element for n in content]
    with_words = (n for n in content if WORD_RUN.search(page.nodes[n].text))
    hidden = {outer[page.nodes[n].element] for n in with_words} - {-1}
    holder = html.holders(page)
    seen = {holder[e] for e in elements if outer[e] < 0}
    for n, e in zip(content, elements, strict=True):
        if outer[e] in hidden and holder[e] in seen:
            yield n


def _copies_for_windows(page: Page) -> set[int]:
    """The elements that say what a neighbour says, one of which is for a window of another width."""
    copies: set[int] = set()
    for element in html.elements_like(page, FOR_WINDOWS):
        end = html.subtree_end(page.parents, element)
        if end == len(page.tags) or page.parents[end] != page.parents[element]:
            continue
        texts = [_key(page, start) for start in (element, end)]
        if texts[0] and texts[0] == texts[1]:
            copies.add(element if FOR_NARROW.search(page.classes[element]) else end)
    return copies


def _credits(page: Page) -> set[int]:
    """The elements of captions that are called credits, beside other text of theirs."""
    named = html.elements_like(page, CREDIT_CLASS)
    captions = {n for n, tag in enumerate(page.tags) if tag == "figcaption"} if named else set()
    caption_of = html.enclosing_elements(page, captions) if captions else []
    within = {n for n in named if caption_of and caption_of[page.parents[n]] >= 0}
    return {n for n in within if _key(page, caption_of[n]) != _key(page, n)}


def _key(page: Page, element: int) -> str:
    inside = html.nodes_within(page, element)
    return " ".join(" ".join(page.nodes[n].text for n in inside).lower().split())


def _words(page: Page, nodes: Sequence[int]) -> set[str]:
    return {word.lower() for n in nodes for word in WORD_RUN.findall(page.nodes[n].text)}


def _permalinks(page: Page, details: Details) -> set[int]:
    """Links to the place where they stand, by element."""
    anchors = {n for n in html.elements_of_classes(page, ANCHOR_CLASSES) if page.tags[n] == "a"}
    near = {link for link in html.sign_links(page) if "#" in details.get(link, {}).get("href", "")}
    near |= (edits := _edit_links(page))
    if not anchors and not near:
        return set()
    links = html.enclosing_elements(page, anchors | near)
    texts: dict[int, str] = {}
    for node in page.nodes:
        if (link := links[node.element]) >= 0:
            texts[link] = texts.get(link, "") + node.text
    return {
        link
        for link, text in texts.items()
        if html.ANCHOR_SIGNS.fullmatch(text)
        or (link in anchors and PERMALINK_TEXT.match(text))
        or link in edits
    }


def _edit_links(page: Page) -> set[int]:
    """Links in brackets behind the words of a heading, for what one may do with its section."""
    behind = {
        node.element for node in page.nodes if "[" in node.text and EDIT_LABEL.fullmatch(node.text)
    }
    if not behind:  # as on most pages
        return set()
    heading_of = html.enclosing_elements(
        page, {n for n, tag in enumerate(page.tags) if tag in HEADINGS}
    )
    return {
        node.element
        for before, node in pairwise(page.nodes)
        if node.element in behind and page.tags[node.element] == "a"
        if heading_of[node.element] >= 0 and heading_of[before.element] == heading_of[node.element]
    }


# The content of a page as plain text: one line a paragraph, the lines of code as they stand.

ORDINAL = re.compile(r"(?:st|nd|rd|th|ers?|re|[eèoaªº]|ème|nde?)[\s.,;:)]*", re.IGNORECASE)
"""Superscript of a number that reads as it is: 1st."""

SIGNED = re.compile(r"(?:[+\-\u2212]?\w+|\d*[+\-\u2212])[\s.,;:)]*")
"""Superscript that needs no brackets."""

VARIABLE = re.compile(r"(?:^|[^\w])(?:[A-Za-z_]{1,2}_)?[^\W\d_]{1,2}$|[)\]]$")
UNIT = re.compile(r"(?:^|[^\w])(?:[mckd]?m|ft|in|s|h|[kM]?W)$")


def plain_text(blocks: Iterable[Part]) -> str:
    return "\n".join(map(plain_line, blocks))


def plain_line(block: Part) -> str:
    """The text of a paragraph, a heading or code; line breaks in it are kept, formulas are TeX."""
    if block.tag == "pre":
        return "\n".join(line.rstrip() for line in _inline_text(block.children).split("\n")).strip(
            "\n"
        )
    return _inline_text(block.children)


def _inline_text(children: Sequence[Part | str]) -> str:
    text = ""
    for child in children:
        own = child if isinstance(child, str) else _inline_text(child.children)
        tag = "" if isinstance(child, str) else child.tag
        if tag == "br":
            own = "\n"
        elif tag == "sup" and isinstance(child, Part) and child.link == NOTE_MARK:
            own = own if own[:1] in "[(" else f"[{own}]"
        elif tag in ("sup", "sub"):
            own = f"{_sign_before(tag, own, text)}{own}"
            own = (
                own if own[:1] not in "^_" or SIGNED.fullmatch(own[1:]) else f"{own[0]}({own[1:]})"
            )
        text += own
    return text


def _sign_before(tag: str, own: str, text: str) -> str:
    """The sign by which what stands higher or lower is told from the text that it stands at, "" where none is needed."""
    if not re.search(r"[\w+\-\u2212]", own) or own[:1] in "[(":
        return ""
    is_number = own.isdecimal()
    if tag == "sub":
        is_index = VARIABLE.search(text) and not is_number
        return "_" if text[-1:].isdecimal() or is_index else ""
    if text[-1:].isdecimal():
        return "" if ORDINAL.fullmatch(own) else "^"
    is_power = VARIABLE.search(text) and (is_number or not own.isalpha() or own in "ijkmnpqtxyz")
    return "^" if is_power and not (is_number and UNIT.search(text)) else ""


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
    own = {page.nodes[node].element for node, mark in enumerate(marks) if mark.is_span}
    holder, xpaths = html.holders(page), html.element_xpaths(page, own)
    start = 0
    for line, leaf in leaves:
        if leaf is None:
            yield line, None
            continue
        end = start + len(plain_line(leaf))
        pre = line.place.verbatim
        of_line = [node for node in _nodes(line) if node in content]
        weights = [len(page.nodes[node].text) or 1 for node in of_line]
        weighted = sum(
            weight * marks[node].probability for node, weight in zip(of_line, weights, strict=True)
        )
        source = Source(
            xpaths[pre if pre >= 0 else holder[line.rows[0][0].element]],
            round(weighted / sum(weights), 2) if of_line else None,
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

NO_MARKUP = html.Markup({}, [])  # markup of a page known by its texts and elements alone

TABLE = frozenset({"table", "caption", "tr", "td", "th"})

LIST_OF = {"li": "ul", "dt": "dl", "dd": "dl"}

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
    markup = html.read_markup(document.root, document.page, document.elements)
    levels = headings(document, numbers) if headings else None
    nodes = ContentNodes(document.page, numbers, markup, url, images, levels)
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
    nodes, marks = _judged_nodes(document.page, runs, document.markup, url, images=images)
    return _content(nodes, document.declared_metadata, marks if sources else None)


def judged_text(
    page: Page, runs: Sequence[TextRun], markup: html.Markup = NO_MARKUP, *, images: bool = False
) -> str:
    """Main text of a page by its verdicts: `Content.text` alone. With `images` the markup is one to format."""
    nodes, _ = _judged_nodes(page, runs, markup, images=images)
    return plain_text(leaf for _, leaf in _leaves(nodes) if leaf)


def _judged_nodes(
    page: Page, runs: Sequence[TextRun], markup: html.Markup, url: str = "", *, images: bool
) -> tuple[ContentNodes, Sequence[Mark]]:
    parted, marks, first = html.pieces(page, runs)
    moved = [
        formula._replace(texts=(first[formula.texts[0]], first[formula.texts[1]]))
        for formula in markup.formulas
    ]
    markup = markup._replace(formulas=moved)
    return ContentNodes(parted, html.content_nodes(marks), markup, url, images), marks


def _content(
    nodes: ContentNodes,
    declared: html.DeclaredMetadata,
    marks: Sequence[Mark] | None,
    text: str | None = None,
) -> Content:
    leaves = _leaves(nodes)
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
    nodes = ContentNodes(page, content, html.Markup(details, []), url)
    return _tree(nodes, _leaves(nodes))


def _leaves(nodes: ContentNodes) -> list[tuple[Line, Part | None]]:
    """Lines of the content, each with its paragraph, heading or code; None where nothing is seen of it."""
    nodes = nodes._replace(page=with_inline_elements(nodes.page))
    place = Places(nodes.page, nodes.markup.details)
    left_out = omitted_nodes(nodes.page, nodes.markup.details, nodes.numbers)
    leaves = Leaves(nodes, place, left_out)
    return [(line, leaves.leaf(line)) for line in content_lines(nodes, place, left_out)]


def _tree(nodes: ContentNodes, leaves: Sequence[tuple[Line, Part | None]]) -> tuple[Part, ...]:
    page, details = nodes.page, nodes.markup.details
    tables = data_tables(page, details, (line for line, _ in leaves))
    tree = _BlockTree(page, tables, item_numbers(page, details))
    for line, leaf in leaves:
        tree.add(line.place, leaf)
    return tree.close()


def unshown_title(declared: html.DeclaredMetadata, title: str, blocks: Sequence[Part]) -> str:
    """The page's title, if no heading of its blocks shows one of its titles and no h1 opens them; else ""."""
    titles = [*declared_titles(declared), title]
    keys = title_keys(titles)
    if blocks and blocks[0].tag == "h1":  # the page's own headline, in other words than its title
        return ""
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
        self._cells: dict[int, tuple[Part, ...]] = {}

    def add(self, place: ElementPlace, leaf: Part | None) -> None:
        """Takes the next line, and closes the blocks that it is not in."""
        path = _path(self._page, place, self._tables)
        same = 0
        for (element, _), beside in zip(self._opened[1:], path, strict=False):
            if element != beside:
                break
            same += 1
        self._close(same)
        self._opened += [(element, []) for element in path[same:]]
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
                return Part(tag, tuple(_items(children)))
            case "dl":
                # What is neither a term nor a definition is a definition.
                own = (c if c.tag in ("dt", "dd") else Part("dd", (c,)) for c in children)
                return Part(tag, tuple(own))
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
        is_header = (
            self._page.tags[cell.element] == "th"
            or self._page.tags[self._page.parents[row]] == "thead"
        )
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
    for child in children:
        if child.tag == "li":
            items.append(child)
        elif items:
            items[-1] = replace(items[-1], children=(*items[-1].children, child))
        else:
            items.append(Part("li", (child,)))
    return items


def _wrap_items(children: Iterable[Part]) -> tuple[Part, ...]:
    """The children, items without a list in one."""
    listed: list[Part] = []
    for kind, group in groupby(children, key=lambda child: LIST_OF.get(child.tag, "")):
        parts = tuple(group)
        listed += [Part(kind, parts)] if kind else parts
    return tuple(listed)
