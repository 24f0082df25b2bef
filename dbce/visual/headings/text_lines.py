"""The lines of a content body, between blocks and line breaks, with their surroundings.

Labels of rows and columns of tables are marked: they look like headings and are none, since they describe an adjacent
cell, not the following text. Layout tables have labels as well as others, but their cells hold many lines, or few of
their rows are alike.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from dbce.html import HEADINGS, template_hash
from dbce.visual import RenderedPage
from dbce.visual.headings.heps import SKIPPED
from dbce.visual.headings.hierarchy import ends_of

CELLS = frozenset({"td", "th"})

DATA_ROWS = 3
"""Minimum rows with a first cell of one line, beside others, in a data table."""


def are_labels(page: RenderedPage, parents: Sequence[int]) -> list[bool]:
    """Return a flag for each line: True if it is alone in a cell that labels a row or a column.

    `parents` are the elements that hold the lines, in document order. The first cell of a row labels it,
    the cells of a table's first row its columns if each has one line; empty cells do not count.
    """
    lines = Counter(cell for parent in parents for cell in _elements_around(page, parent))
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for cell in sorted(lines):
        rows[page.elements[cell].parent].append(cell)
    tables: defaultdict[int, list[list[int]]] = defaultdict(list)
    for row, cells in sorted(rows.items()):
        if len(cells) > 1:
            tables[next(_elements_around(page, row, {"table"}), -1)].append(cells)
    labels: set[int] = set()
    for table in tables.values():
        first_cells = [cells[0] for cells in table if lines[cells[0]] == 1]
        if len(first_cells) >= DATA_ROWS:
            labels.update(first_cells)
            if all(lines[cell] == 1 for cell in table[0]):
                labels.update(table[0])
    return [next(_elements_around(page, parent), -1) in labels for parent in parents]


def _elements_around(
    page: RenderedPage, element: int, tags: Collection[str] = CELLS
) -> Iterator[int]:
    """Yield an element's ancestors with some tags, itself included, the innermost first."""
    while element >= 0:
        if page.elements[element].tag in tags:
            yield element
        element = page.elements[element].parent


IN_LINE = ("inline", "contents", "ruby")
"""Prefixes of the `display` of inline elements."""

ROLE = 7  # level of elements with the role of a heading and another tag


class Surroundings(NamedTuple):
    """An element in the context of its ancestors.

    `holder` is the nearest block element, itself included; `tags` are the names from the root to it,
    `place` is a hash of them with their classes. `level` is that of the innermost h1 to h6, 7 for the role
    of a heading, 0 otherwise; `heading` is the element with that level, -1 if none.
    """

    holder: int
    tags: frozenset[str]
    place: int
    level: int
    heading: int
    is_link: bool
    is_underlined: bool
    is_seen: bool


NOTHING = Surroundings(0, frozenset(), 0, 0, -1, is_link=False, is_underlined=False, is_seen=True)


def surroundings(page: RenderedPage) -> list[Surroundings]:
    contexts: list[Surroundings] = []
    for number, element in enumerate(page.elements):
        parent = contexts[element.parent] if element.parent >= 0 else NOTHING
        style = page.styles[element.style]
        attributes = element.attributes
        is_block = not style.display.startswith(IN_LINE)
        is_link = parent.is_link or (element.tag == "a" and "href" in attributes)
        is_heading = element.tag in HEADINGS or attributes.get("role") == "heading"
        level = HEADINGS.get(element.tag, ROLE) if is_heading else parent.level
        contexts.append(
            Surroundings(
                holder=number if is_block or number == 0 else parent.holder,
                tags=parent.tags if element.tag in parent.tags else parent.tags | {element.tag},
                place=template_hash(element.tag, attributes.get("class", ""), parent.place),
                level=level,
                heading=number if is_heading else parent.heading,
                is_link=is_link,
                is_underlined=(parent.is_underlined and not is_block)
                or ("underline" in style.text_decoration and not is_link),
                is_seen=style.visibility == "visible" and style.display != "none",
            )
        )
    return contexts


EDIT = frozenset(
    "edit editar bearbeiten modifier modifica redigera rediger muokkaa wijzigen edytuj править 編集 编辑".split()
)
"""Words that wikis append to headings, perhaps in brackets."""

_NOT_READ = SKIPPED - {"noscript"}
"""Elements without readable text; `noscript` is read: without scripts it may hold whole threads."""

BOLD = 600  # minimum font weight of bold text


class FontLooks(NamedTuple):
    """Style of a text: size, weight, slant and colour of its font."""

    font_size: float
    bold: bool
    italic: bool
    color: str


class TextLine(NamedTuple):
    """A line: its texts, or its images if it has none, as in `dbce.visual.headings.Heading`.

    `wording` is its text, `looks` the style of most of its characters, `around` the context of the first.
    `linked`, `bold` and `underlined` are shares of its characters; `content` is the share that the verdicts
    call content, None without verdicts. `alone`: no other line is in its block. `label`: it labels a row or
    column of a table.
    """

    texts: tuple[int, ...]
    images: tuple[int, ...]
    wording: str
    looks: FontLooks
    around: Surroundings
    linked: float
    bold: float
    underlined: float
    content: float | None
    alone: bool
    label: bool


class _Piece(NamedTuple):
    order: int
    text: int  # -1 of an image
    image: int  # -1 of a text
    wording: str
    parent: int


def lines_of(page: RenderedPage, body: int, content: Mapping[int, float]) -> list[TextLine]:
    """Return the visible lines of a content body, in document order.

    `content` is the share of each text node that is content, by its number.
    """
    above = surroundings(page)
    rows = _rows(page, _pieces(page, body, above), above)
    count = Counter(above[row[0].parent].holder for row in rows)
    labels = are_labels(page, [row[0].parent for row in rows])
    return [
        _line(page, row, above, content, alone=count[above[row[0].parent].holder] == 1, label=label)
        for row, label in zip(rows, labels, strict=True)
    ]


def _pieces(page: RenderedPage, body: int, above: Sequence[Surroundings]) -> list[_Piece]:
    """Return visible texts, and images with alternative text, in document order."""
    first, end = page.elements[body].order, ends_of(page)[body]
    laid_out = page.size != (0, 0)
    pieces = [
        _Piece(text.order, number, -1, " ".join(text.text.split()), text.parent)
        for number, text in enumerate(page.texts)
        if first < text.order < end
        and (text.rects or not laid_out)
        and above[text.parent].is_seen
        and _NOT_READ.isdisjoint(above[text.parent].tags)
    ]
    for number, element in enumerate(page.elements):
        wording = " ".join(element.attributes.get("alt", "").split())
        is_inside = first < element.order < end
        if element.tag == "img" and wording and is_inside and above[number].is_seen:
            pieces.append(_Piece(element.order, -1, number, wording, number))
    return sorted(pieces)


def _rows(
    page: RenderedPage, pieces: Sequence[_Piece], above: Sequence[Surroundings]
) -> list[list[_Piece]]:
    """Return the pieces of each line; a line ends where a block begins or ends, and at a br.

    The contents of one heading element are one line.
    """
    breaks = [
        element.order
        for element in page.elements
        if element.tag == "br" or not page.styles[element.style].display.startswith(IN_LINE)
    ]
    rows: list[list[_Piece]] = []
    for piece in pieces:
        context = above[piece.parent]
        if rows:
            previous = rows[-1][-1]
            is_heading = context.heading == above[previous.parent].heading >= 0
            is_row = context.holder == above[previous.parent].holder
            if is_heading or (
                is_row and bisect_left(breaks, previous.order) == bisect_left(breaks, piece.order)
            ):
                rows[-1].append(piece)
                continue
        rows.append([piece])
    for row in rows:
        # Without trailing links to the heading or to edit it.
        while len(row) > 1 and _is_tool(row[-1].wording):
            row.pop()
    return rows


def _is_tool(wording: str) -> bool:
    return wording.strip("[]() ").casefold() in EDIT or not any(sign.isalnum() for sign in wording)


def _line(
    page: RenderedPage,
    row: Sequence[_Piece],
    above: Sequence[Surroundings],
    content: Mapping[int, float],
    *,
    alone: bool,
    label: bool,
) -> TextLine:
    texts = [piece for piece in row if piece.text >= 0]
    pieces = texts or row
    length = sum(len(piece.wording) for piece in pieces)
    look_sizes: Counter[FontLooks] = Counter()
    linked = bold = underlined = judged = content_size = 0.0
    for piece in pieces:
        size, context = len(piece.wording), above[piece.parent]
        style = page.styles[page.elements[piece.parent].style]
        is_bold, is_italic = style.font_weight >= BOLD, style.font_style != "normal"
        look_sizes[FontLooks(style.font_size, is_bold, is_italic, style.color)] += size
        linked += size * context.is_link
        bold += size * is_bold
        underlined += size * context.is_underlined
        node = page.texts[piece.text].node if piece.text >= 0 else -1
        if node in content:
            judged += size
            content_size += size * content[node]
    return TextLine(
        texts=tuple(piece.text for piece in texts),
        images=() if texts else tuple(piece.image for piece in row),
        wording=" ".join(piece.wording for piece in pieces),
        looks=max(look_sizes, key=lambda looks: look_sizes[looks]),  # of equals the first
        around=above[pieces[0].parent],
        linked=linked / length,
        bold=bold / length,
        underlined=underlined / length,
        content=content_size / judged if judged else None,
        alone=alone,
        label=label,
    )
