"""The lines of a content body: what is set as one, between blocks and line breaks, and what each stands in.

Labels of the rows and columns of tables are told from others: they look like headings and are none, since they say
what the cell beside or below them is, not what follows. Tables that lay a page out have labels as well as others, but
their cells hold many lines, or few of their rows are alike.
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

ALIKE = 3
"""Rows from which on those that begin with one line in a cell beside another one are those of a table of data."""


def are_labels(page: RenderedPage, parents: Sequence[int]) -> list[bool]:
    """Flag of each line: True if it is alone in a cell that labels a row or a column.

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
        led = [cells[0] for cells in table if lines[cells[0]] == 1]
        if len(led) >= ALIKE:
            labels.update(led)
            if all(lines[cell] == 1 for cell in table[0]):
                labels.update(table[0])
    return [next(_elements_around(page, parent), -1) in labels for parent in parents]


def _elements_around(
    page: RenderedPage, element: int, tags: Collection[str] = CELLS
) -> Iterator[int]:
    """Yield the elements of these names that an element is in, itself included, the innermost first."""
    while element >= 0:
        if page.elements[element].tag in tags:
            yield element
        element = page.elements[element].parent


IN_LINE = ("inline", "contents", "ruby")
"""Beginnings of the `display` of elements that run along in a line."""

ROLE = 7  # the level of what has the role of a heading and no tag of one


class Surroundings(NamedTuple):
    """An element with those above it.

    `holder` is the nearest element, itself included, that is set as a block; `tags` are the names from the
    root to it, `place` is a hash of them with their classes. `level` is that of the innermost h1 to h6, 7
    of what has the role of a heading, 0 of all else; `heading` is the element that has it, -1 if none.
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
    all_around: list[Surroundings] = []
    for number, element in enumerate(page.elements):
        above = all_around[element.parent] if element.parent >= 0 else NOTHING
        style = page.styles[element.style]
        attributes = element.attributes
        is_block = not style.display.startswith(IN_LINE)
        is_link = above.is_link or (element.tag == "a" and "href" in attributes)
        is_heading = element.tag in HEADINGS or attributes.get("role") == "heading"
        level = HEADINGS.get(element.tag, ROLE) if is_heading else above.level
        all_around.append(
            Surroundings(
                holder=number if is_block or number == 0 else above.holder,
                tags=above.tags if element.tag in above.tags else above.tags | {element.tag},
                place=template_hash(element.tag, attributes.get("class", ""), above.place),
                level=level,
                heading=number if is_heading else above.heading,
                is_link=is_link,
                is_underlined=(above.is_underlined and not is_block)
                or ("underline" in style.text_decoration and not is_link),
                is_seen=style.visibility == "visible" and style.display != "none",
            )
        )
    return all_around


EDIT = frozenset(
    "edit editar bearbeiten modifier modifica redigera rediger muokkaa wijzigen edytuj править 編集 编辑".split()
)
"""Words that wikis write behind a heading, between brackets or without."""

_NOT_READ = SKIPPED - {"noscript"}
"""Elements whose texts nobody reads: where scripts do not run, whole threads stand in `noscript`."""

BOLD = 600  # the font weight from which on text is bold


class FontLooks(NamedTuple):
    """Looks of a text: size, weight, slant and colour of its font."""

    font_size: float
    bold: bool
    italic: bool
    color: str


class TextLine(NamedTuple):
    """A line: its texts, or its images if it has none, as in `dbce.visual.headings.Heading`.

    `wording` is what stands there, `looks` how most of its characters look, `around` what the first of them
    stands in. `linked`, `bold` and `underlined` are shares of its characters; `content` is the share that
    the verdicts call content, None where they say nothing. `alone`: no other line is in its block. `label`: it is that of a
    row or column of a table.
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
    """Return the lines of a content body that are seen, in document order.

    `content` is the share of each text node that is content, by its number.
    """
    above = surroundings(page)
    rows = _rows(page, _pieces(page, body, above), above)
    held = Counter(above[row[0].parent].holder for row in rows)
    labels = are_labels(page, [row[0].parent for row in rows])
    return [
        _line(page, row, above, content, alone=held[above[row[0].parent].holder] == 1, label=label)
        for row, label in zip(rows, labels, strict=True)
    ]


def _pieces(page: RenderedPage, body: int, above: Sequence[Surroundings]) -> list[_Piece]:
    """Texts that are seen, and images that say something, in document order."""
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

    What is in one heading by its tag is one line.
    """
    breaks = [
        element.order
        for element in page.elements
        if element.tag == "br" or not page.styles[element.style].display.startswith(IN_LINE)
    ]
    rows: list[list[_Piece]] = []
    for piece in pieces:
        around = above[piece.parent]
        if rows:
            before = rows[-1][-1]
            is_heading = around.heading == above[before.parent].heading >= 0
            is_row = around.holder == above[before.parent].holder
            if is_heading or (
                is_row and bisect_left(breaks, before.order) == bisect_left(breaks, piece.order)
            ):
                rows[-1].append(piece)
                continue
        rows.append([piece])
    for row in rows:
        # Without what is there to link to it or to edit it, which stands behind its words.
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
    kept = texts or row
    length = sum(len(piece.wording) for piece in kept)
    of_looks: Counter[FontLooks] = Counter()
    linked = bold = underlined = told = good = 0.0
    for piece in kept:
        size, own = len(piece.wording), above[piece.parent]
        style = page.styles[page.elements[piece.parent].style]
        is_bold, is_italic = style.font_weight >= BOLD, style.font_style != "normal"
        of_looks[FontLooks(style.font_size, is_bold, is_italic, style.color)] += size
        linked += size * own.is_link
        bold += size * is_bold
        underlined += size * own.is_underlined
        node = page.texts[piece.text].node if piece.text >= 0 else -1
        if node in content:
            told += size
            good += size * content[node]
    return TextLine(
        texts=tuple(piece.text for piece in texts),
        images=() if texts else tuple(piece.image for piece in row),
        wording=" ".join(piece.wording for piece in kept),
        looks=max(of_looks, key=lambda looks: of_looks[looks]),  # of equals the first
        around=above[kept[0].parent],
        linked=linked / length,
        bold=bold / length,
        underlined=underlined / length,
        content=good / told if told else None,
        alone=alone,
        label=label,
    )
