"""Algorithm `dbce`: a page consists of bands and columns; large ones are cut further.

Level 1 is a page at first sight, bands from top to bottom with columns in them; level 2 their parts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from dbce.model import UsageError
from dbce.visual import Rect, has_area
from dbce.visual.segment import boxes, page_parts
from dbce.visual.segment.boxes import Node, Outline
from dbce.visual.segment.options import Options
from dbce.visual.segment.page_parts import PagePart, PageParts, Strip, Strips


@dataclass(frozen=True, slots=True)
class BandOptions(Options):
    """Options of `dbce`; shares are 0 to 1."""

    level: int = 1
    """1: header, footer, columns and other parts of a page at first sight; 2: the parts of these."""
    tall: float = 0.8
    """Minimum share of the page's height of a band that is cut at level 1."""
    least: int = 3
    """Minimum blocks of level 1; with fewer lower bands are cut."""
    main: float = 0.8
    """Minimum share of area and characters of one child of several that replaces its parent."""
    thin: float = 0.02
    """Share of the page's height, at the top at most THIN pixels, below which a band joins a neighbour at level 1."""
    column: float = 0.1
    """The share of width below which a column joins a neighbour at level 1."""
    small: float = 0.08
    """The share of the page's area and characters below which a block is not cut at level 2."""
    line: float = 24.0
    """Pixels below which a strip joins a neighbour at level 2: a line of text is no block."""
    slack: float = 6.0
    """Pixels by which boxes may overlap and still be separated."""

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        if self.level not in {1, 2}:
            raise UsageError(f"level cannot be {self.level}: say 1 or 2")


def cut_bands(outline: Outline, options: BandOptions) -> Node:
    """Return the page with its blocks of level 1, and in these, if requested, those of level 2."""
    parts = PageParts(outline)
    strips = Strips(parts, options.slack)
    second = SecondSight(parts, strips, options)
    root = _node(outline, Strip(parts.page, outline.rect))
    for strip, node in _nodes(outline, *FirstSight(parts, strips, options).blocks()):
        root.children.append(node)
        if options.level == 2:
            inner = [piece for _, piece in _nodes(outline, *second.blocks(strip))]
            node.children = sorted(inner, key=boxes.by_place) if len(inner) > 1 else []
    root.children.sort(key=boxes.by_place)
    if len(root.children) == 1:
        root.children = root.children[0].children
    return root


def _nodes(
    outline: Outline, blocks: Sequence[Strip], afloat: Sequence[PagePart]
) -> Iterator[tuple[Strip, Node]]:
    """Yield the blocks in the flow, then those out of it."""
    for strip in blocks:
        yield strip, _node(outline, strip)
    for part in afloat:
        strip = Strip(part, part.rect)
        yield strip, _node(outline, strip, is_floating=True)


def _node(outline: Outline, strip: Strip, *, is_floating: bool = False) -> Node:
    elements, rect = page_parts.elements_of(strip.part), strip.visible
    kind = boxes.common_category(outline, elements)
    return Node(rect, elements, kind, boxes.area(rect, outline.size), is_floating=is_floating)


Row = list[Strip]

COLUMNS = 3  # more columns than a page has at first sight: so many are a row of cards, or of links
COLUMNED = 0.4  # minimum share of the page's height for an uncut band to have columns
MOSTLY = 0.8  # minimum share of a band's height for an inner band to dominate it
BROAD = 0.6  # minimum share of the width of all columns for one to have columns of its own
SLIGHT = 0.02
"""Minimum share of a band's content in each of its columns; a menu of few words is one."""
MENU = 0.6  # minimum share of characters in links for a column beside a wider one to be a menu
INDEX = 0.3
"""Minimum share of characters in links of each column for all to be one index: teasers of other pages."""
ROWS = 0.3  # minimum share of the page's height for a band to be rows of one kind
WIDE = 0.8  # minimum share of the width of the page's contents for a row to be as wide as the page
HIGH = 80.0  # minimum height of such a row in pixels: less is a line of a list
WORDS = 20  # minimum characters of such a row: less is a row of pictures
FILLED = 0.7  # minimum share of a band's height that its rows of one kind fill together
THIN = 60.0
"""Minimum height in pixels of a band at the top that is a block, however long the page: it may be its header."""
LITTLE = 10
"""Maximum content, in characters, of a band that is no block: a picture or a word or two. Headers may have as little."""
TOP = 0.15  # maximum share of the page's height above a header
STEP = 0.1  # decrease of the minimum height of cut bands each time blocks are too few
STEPS = 3  # maximum decreases: lower bands give no more blocks on any page tried
DEEPEST = 100  # maximum depth of nested cuts


class FirstSight:
    """The cuts of one page."""

    def __init__(self, parts: PageParts, strips: Strips, options: BandOptions) -> None:
        self._parts = parts
        self._strips = strips
        self._options = options
        members = parts.contents(parts.page)
        self._size = page_parts.merge_parts(members).rect if members else parts.page.rect
        self._tall = options.tall

    def blocks(self) -> tuple[list[Strip], list[PagePart]]:
        """Return blocks in the flow and those out of it, at least `least` if possible by cutting lower bands, else the most."""
        page = Strip(self._parts.page, self._parts.outline.rect)
        best: tuple[list[Strip], list[PagePart]] = [], []
        for step in range(STEPS + 1):
            self._tall = self._options.tall - STEP * step
            self._strips.afloat = {}
            finer = self._without_thin(self._outer(page, 0))
            if len(finer) > len(best[0]):
                best = finer, list(self._strips.afloat.values())
            if len(best[0]) >= self._options.least:
                break
        return best

    def _outer(self, strip: Strip, depth: int) -> list[Row]:
        """Return the rows of blocks in a strip: its bands; a band that is nearly all of the page is cut further."""
        members = self._strips.contents(strip.part)
        while len(members) > 1 and depth <= DEEPEST:
            bands = self._strips.strips_along(boxes.DOWN, members, strip.cell)
            if len(bands) > 1:
                return [row for band in bands for row in self._band(band, depth + 1)]
            columns = self._columns(members, strip)
            if len(columns) > 1:
                return [self._broken_up(columns)]
            members = self._open_largest(members)
            depth += 1
        return [[strip]]

    def _band(self, band: Strip, depth: int) -> list[Row]:
        height = band.part.rect.h
        if height >= self._tall * self._size.h or self._has_rows(band.part):
            return self._outer(band, depth)
        return [self._columns_of(band) if height >= COLUMNED * self._size.h else [band]]

    def _columns_of(self, band: Strip) -> Row:
        """Return the columns of a band, or the band whole."""
        afloat = dict(self._strips.afloat)
        members = self._strips.contents(band.part)
        columns: Row = []
        bands: list[Strip] = []
        while len(members) > 1:
            columns = self._columns(members, band)
            bands = self._strips.strips_along(boxes.DOWN, members, band.cell)
            members = () if columns or len(bands) > 1 else self._open_largest(members)
        columns = columns or self._dominant_columns(bands, band)
        if not columns:
            self._strips.afloat = afloat  # parts over an uncut band belong to it
        return self._broken_up(columns) if columns else [band]

    def _dominant_columns(self, bands: Sequence[Strip], band: Strip) -> Row:
        """Return the columns of a dominant band; the bands above and below join the widest column."""
        main = max(bands, key=lambda strip: strip.part.rect.h, default=band)
        if len(bands) < 2 or main.part.rect.h < MOSTLY * band.part.rect.h:
            return []
        columns = self._columns_of(main)
        if len(columns) < 2:
            return []
        n = max(range(len(columns)), key=lambda n: columns[n].part.rect.w)
        rest = [strip.part for strip in bands if strip is not main]
        x, _, w, _ = columns[n].cell
        cell = Rect(x, band.cell.y, w, band.cell.h)
        columns[n] = Strip(page_parts.merge_parts([columns[n].part, *rest]), cell)
        return columns

    def _broken_up(self, columns: Row) -> Row:
        """Return columns, with broad ones replaced by those in them."""
        broad = BROAD * sum(column.cell.w for column in columns)
        inner: Row = []
        for column in columns:
            inner += self._columns_of(column) if column.part.rect.w >= broad else [column]
        return inner

    def _columns(self, members: Sequence[PagePart], outer: Strip) -> Row:
        """Return the columns of a strip if there are two or three, each with enough content; else none."""
        whole = page_parts.merge_parts(members)

        def is_slight(column: PagePart) -> bool:
            narrow = column.rect.w < self._options.column * whole.rect.w
            return narrow or column.content < SLIGHT * whole.content

        strips = self._strips.strips_along(boxes.ACROSS, members, outer.cell)
        columns = page_parts.join_slight(strips, boxes.ACROSS, is_slight)
        are_few = 1 < len(columns) <= COLUMNS
        return columns if are_few and self._are_apart(columns, outer.part) else []

    def _are_apart(self, columns: Row, outer: PagePart) -> bool:
        """Return whether columns are separate blocks, rather than one.

        Columns that are all of an element are one block, unless one is a menu, or they are nearly all of the page,
        which is no index.
        """
        if outer.members:
            return True
        widest = max(columns, key=lambda column: column.part.rect.w)
        if any(column.part.links >= MENU for column in columns if column is not widest):
            return True
        is_index = all(column.part.links >= INDEX for column in columns)
        return outer.rect.h >= self._tall * self._size.h and not is_index

    def _open_largest(self, members: Sequence[PagePart]) -> Sequence[PagePart]:
        """Return parts with the largest replaced by its contents, if it is nearly all; else none."""
        main = max(members, key=lambda part: part.area)
        if _share(main, page_parts.merge_parts(members)) < self._options.main:
            return ()
        inner = self._strips.contents(main)
        return [*(part for part in members if part is not main), *inner] if len(inner) > 1 else ()

    def _has_rows(self, band: PagePart) -> bool:
        """Return whether a band consists of rows of one kind, each as wide as the page: posts of a thread, sections.

        Teasers and entries of a list are of one kind as well, but in a column.
        """
        if band.rect.h < ROWS * self._size.h:
            return False
        members = self._parts.contents(band)
        while len(members) > 1 and not self._are_rows(members, band.rect.h):
            main = max(members, key=lambda part: part.area)
            members = self._parts.contents(main) if main.rect.h >= FILLED * band.rect.h else ()
        return len(members) > 1

    def _are_rows(self, members: Sequence[PagePart], height: float) -> bool:
        rows: dict[tuple[str, str], list[float]] = {}
        for part in members:
            is_row = part.rect.w >= WIDE * self._size.w and part.rect.h >= HIGH
            if is_row and part.characters >= WORDS and part.text < 0 and not part.members:
                rows.setdefault(self._kind(part.element), []).append(part.rect.h)
        return any(len(h) > 1 and sum(h) >= FILLED * height for h in rows.values())

    def _kind(self, n: int) -> tuple[str, str]:
        """Return tag and class of an element; HTML5 elements count as `div`, and one without a box as its only child."""
        outline = self._parts.outline
        elements = outline.page.elements
        while not has_area(elements[n].rect) and len(children := outline.visible_children(n)) == 1:
            (n,) = children
        element = elements[n]
        tag = "div" if element.tag in boxes.HTML5 else element.tag
        return tag, element.attributes.get("class", "")

    def _without_thin(self, rows: Sequence[Row]) -> list[Strip]:
        """Return blocks, where each thin one joins the shorter neighbouring row that is a single block."""
        done: list[list[page_parts.StripGroup]] = []
        stack = [[page_parts.StripGroup(strip) for strip in row] for row in reversed(rows)]
        while stack:
            row = stack.pop()
            neighbours = [other[-1][0] for other in (done, stack) if other and len(other[-1]) == 1]
            if len(row) > 1 or not neighbours or not self._is_thin(row[0].sum):
                done.append(row)
                continue
            shortest = min(neighbours, key=lambda other: other.sum.rect.h)
            if done and shortest is done[-1][0]:
                stack.append(done.pop())
                stack[-1][0].take(row[0])
            else:
                row[0].take(stack.pop()[0])
                stack.append(row)
        return [block.strip() for row in done for block in row]

    def _is_thin(self, band: PagePart) -> bool:
        """Return whether a band is too low for a block, or has too little content: a spacer, a counter, a picture at the foot."""
        minimum = self._options.thin * self._size.h
        if band.rect.y > self._size.y + TOP * self._size.h:
            return band.rect.h < minimum or band.content <= LITTLE
        return band.rect.h < min(THIN, minimum) or not band.content


def _share(main: PagePart, whole: PagePart) -> float:
    """Return a child's share of a part's area, or of its characters if that is less."""
    size = main.area / max(1.0, whole.area)
    return min(size, main.characters / whole.characters) if whole.characters else size


ALIKE = 3  # minimum small parts of one tag and width that are one block: a list, a menu, cards
HALF = 0.5  # minimum share of a part's area of its largest child to cut that further


class SecondSight:
    """The cuts of blocks of one page."""

    def __init__(self, parts: PageParts, strips: Strips, options: BandOptions) -> None:
        self._parts = parts
        self._strips = strips
        self._options = options
        self._page = parts.page

    def blocks(self, block: Strip) -> tuple[list[Strip], list[PagePart]]:
        """Return the inner blocks of a block, in the flow and out of it; one if it is not cut."""
        self._strips.afloat = {}
        return self._inner(block, 0), list(self._strips.afloat.values())

    def _inner(self, strip: Strip, depth: int) -> list[Strip]:
        """Return bands, or else columns, of a strip, recursively; itself if it is small or a list."""
        members = self._strips.contents(strip.part)
        about: list[PagePart] = []
        part = strip.part
        while len(members) > 1 and depth <= DEEPEST:
            if self._is_small(part) or self._is_list(members):
                break
            for axis in (boxes.DOWN, boxes.ACROSS):
                pieces = self._strips.strips_along(axis, members, strip.cell, about)
                pieces = page_parts.join_slight(pieces, axis, partial(self._is_line, axis))
                if len(pieces) > 1:
                    return [block for piece in pieces for block in self._inner(piece, depth + 1)]
            part = max(members, key=lambda part: part.area)
            if part.area < HALF * page_parts.merge_parts(members).area:
                break
            about += (other for other in members if other is not part)
            members = self._strips.contents(part)
            depth += 1
        return [strip]

    def _is_small(self, part: PagePart) -> bool:
        minimum = self._options.small
        is_short = part.characters < minimum * self._page.characters
        return is_short and part.area < minimum * self._page.area

    def _is_list(self, parts: Sequence[PagePart]) -> bool:
        """Return whether parts are lines of text, or small and of one kind."""
        if not parts or all(map(self._parts.is_inline, parts)):
            return True
        elements = self._parts.outline.page.elements
        tags = {"" if p.text >= 0 or p.members else elements[p.element].tag for p in parts}
        widths = [part.rect.w for part in parts]
        of_one_kind = len(tags) == 1 and "" not in tags and min(widths) >= 0.9 * max(widths)
        is_menu = tags <= {"li", "a"}
        return len(parts) >= ALIKE and (of_one_kind or is_menu) and all(map(self._is_small, parts))

    def _is_line(self, axis: int, part: PagePart) -> bool:
        return part.rect[axis + 2] < self._options.line or not part.content
