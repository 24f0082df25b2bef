"""The content of a page as lines: what a browser sets as one paragraph, its markup, and where it stands."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, groupby
from typing import NamedTuple
from urllib.parse import urljoin

from dbce import html
from dbce.formats.notes import MARK, Notes, read_notes
from dbce.formats.part import CHECKED, HEADINGS, NOTE_MARK, UNCHECKED, Part, text_of
from dbce.html import INLINE, VERBATIM, Details, Formula, Markup
from dbce.model import WORD_RUN, Page, printable

Children = list[Part | str]


# The place of each element of a page in the content: its blocks and its markup.

CONTAINERS = dict(
    {tag: tag for tag in ("ul", "ol", "dl", "li", "dt", "dd", "table", "tr", "td", "th")},
    caption="caption",
    menu="ul",
    dir="ul",
    blockquote="blockquote",
)
MARKUP = (
    dict.fromkeys(("em", "i", "cite", "dfn"), "em")
    | dict.fromkeys(("strong", "b"), "strong")
    | dict.fromkeys(("code", "kbd", "samp", "tt", "var"), "code")
    | dict.fromkeys(("del", "s", "strike"), "del")
    | {"sub": "sub", "sup": "sup"}
)
SCHEMES = frozenset({"http", "https", "mailto", "ftp", "tel"})
"""Schemes of links that mean something outside of a browser, and run nothing in one."""

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")

NOT_IN_URL = re.compile(r"[\t\n\r]")  # what browsers take out of a link
NOT_AROUND_URL = "".join(map(chr, range(0x21)))  # and off its ends: controls and blanks

NESTING = 64
"""Elements of blocks within such elements; what is nested deeper counts as part of the last. Old pages are laid out by
tables in tables, each of which is three."""

NO_ELEMENT = -1

PLACED = frozenset({*CONTAINERS, *HEADINGS, *VERBATIM, *MARKUP, "a"})
"""Elements whose text has another place than that around them."""


class ElementPlace(NamedTuple):
    """The blocks around an element from the outside in, as indices, and the markup on its text.

    `markup` is (name, element of a link or NO_ELEMENT); `heading` is a name or "", `verbatim` the
    index of a `<pre>` or NO_ELEMENT.
    """

    blocks: tuple[int, ...] = ()
    markup: tuple[tuple[str, int], ...] = ()
    heading: str = ""
    verbatim: int = NO_ELEMENT


class Places:
    """The places of the elements of a page, by their indices; each is made when it is asked for, as most never are.

    `holder` is for each element the one that sets its text; of those that are `preserved` line feeds are seen.
    """

    def __init__(self, page: Page, details: Details) -> None:
        self._page = page
        self._known = {-1: ElementPlace()}
        self._unmarked = nested_tables(page) | _links_to_themselves(page)
        self._code = {element for element, own in details.items() if "text" in own}
        spaces = {e: own["white-space"] for e, own in details.items() if "white-space" in own}
        styled = html.enclosing_elements(page, spaces) if spaces else ()
        self._raised = {e: own["raised"] for e, own in details.items() if "raised" in own}
        self.notes = read_notes(page)
        self._marked = self.notes.raised_marks | self.notes.styled_marks
        self.preserved = {n for n, e in enumerate(styled) if e >= 0 and html.keeps_lines(spaces[e])}
        self.holder = html.holders(page, self._code)

    def __getitem__(self, element: int) -> ElementPlace:
        known, parents, tags = self._known, self._page.parents, self._page.tags
        if (place := known.get(element)) is not None:  # as most are, for many texts have the same
            return place
        path = []
        while element not in known:
            path.append(element)
            element = parents[element]
        place = known[element]
        for inner in reversed(path):
            if inner in self._code:
                place = place if place.verbatim >= 0 else place._replace(verbatim=inner)
            elif inner in self.notes.inline_notes:
                place = place._replace(markup=())
            elif inner in self._raised:
                place = _place_in_markup(place, self._raised[inner], NO_ELEMENT)
            elif inner in self._unmarked:
                pass
            elif inner in self._marked:
                place = _place_in_markup(place, "sup", inner)
                place = _place(place, tags[inner], inner) if tags[inner] == "a" else place
            elif tags[inner] in PLACED and (place.verbatim < 0 or tags[place.verbatim] in VERBATIM):
                # In code without `<pre>` rows of tables are lines.
                place = _place(place, tags[inner], inner)
            known[inner] = place
        return place


def with_inline_elements(page: Page) -> Page:
    """The page, custom elements between texts of a paragraph as `<span>`: browsers set them inline."""
    custom = {n for n, tag in enumerate(page.tags) if "-" in tag}
    if not custom:  # as of most pages
        return page
    are_blocks = (tag not in INLINE and n not in custom for n, tag in enumerate(page.tags))
    holds_block = html.sums_below(page.parents, are_blocks)
    with_text = {node.element for node in page.nodes}
    tags = list(page.tags)
    for n in sorted(custom):
        above = page.parents[n]
        is_inline = above in with_text or (above in custom and tags[above] == "span")
        if is_inline and not holds_block[n]:
            tags[n] = "span"
    return replace(page, tags=tuple(tags))


def nested_tables(page: Page) -> set[int]:
    """The elements of tables of one row or column within a header, or within a cell of a table with headers: lines of that."""
    tables = {n for n, tag in enumerate(page.tags) if tag == "table"}
    table_of = html.enclosing_elements(page, tables) if len(tables) > 1 else []
    if all(table_of[page.parents[n]] < 0 for n in tables) if table_of else True:
        return set()
    rows: Counter[int] = Counter()
    widest: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    headed = set()
    for n, tag in enumerate(page.tags):
        table = table_of[n]
        rows[table] += tag == "tr"
        if tag in ("td", "th") and table >= 0:
            cells[page.parents[n]] += 1
            widest[table] = max(widest[table], cells[page.parents[n]])
            headed |= {table} if tag == "th" else set()
    outer = {table_of[page.parents[n]] for n in tables}
    nested = {
        n
        for n in tables - outer
        if table_of[page.parents[n]] in headed and min(rows[n], widest[n]) <= 1
    }
    return {n for n, table in enumerate(table_of) if table in nested}


def _links_to_themselves(page: Page) -> set[int]:
    """Links that lead to the place where they stand, as generators of documents put them around headings."""
    return {
        link
        for link, name in page.jumps
        if name
        in (page.ids[n] for n in (link, page.parents[link], page.parents[page.parents[link]]))
    }


def _place(above: ElementPlace, tag: str, element: int) -> ElementPlace:
    if tag in CONTAINERS:
        if len(above.blocks) >= NESTING:
            return above._replace(heading="")
        return ElementPlace((*above.blocks, element), above.markup, "", above.verbatim)
    if tag in HEADINGS:
        return above._replace(heading=tag)
    if tag in VERBATIM:
        return above if above.verbatim >= 0 else above._replace(verbatim=element)
    if tag in MARKUP:
        return _place_in_markup(above, MARKUP[tag], NO_ELEMENT)
    return _place_in_markup(above, "a", element)


def base_of(page: Page, details: Details, url: str) -> str:
    """Base address of the links of a page: the one it declares, or its URL."""
    declared = (details[i].get("href", "") for i in details if page.tags[i] == "base")
    return absolute(url, next(declared, "")) or url


def absolute(base: str, link: str) -> str:
    """A link as others can follow it, "" where nobody can or may."""
    link = NOT_IN_URL.sub("", link.strip(NOT_AROUND_URL)).replace(" ", "%20")
    try:
        whole = urljoin(base, link) if link else ""
    except ValueError:  # a host that is none
        return ""
    scheme = SCHEME.match(whole)
    return "" if scheme and scheme[1].lower() not in SCHEMES else whole


def _place_in_markup(above: ElementPlace, name: str, element: int) -> ElementPlace:
    """With one more markup on the text; none twice, and none inside of code."""
    if above.markup and any(given in (name, "code") for given, _ in above.markup):
        return above
    # In a third of the time of `_replace`: all links of a page come here.
    markup = (*above.markup, (name, element))
    return ElementPlace(above.blocks, markup, above.heading, above.verbatim)


# Lines of text through formulas: what stands before one and behind it is one sentence.


class FormulaLine(NamedTuple):
    """The line of a formula, and the text nodes that stand beside it: in its sentence, or else around its block."""

    line: float
    beside: frozenset[int]
    is_in_sentence: bool


def lines_with_formulas(
    page: Page, holder: Sequence[int], formulas: Sequence[Formula]
) -> tuple[Sequence[float], list[FormulaLine]]:
    """The lines of the text nodes, as numbers that grow with them, and those of the formulas.

    The elements of a formula are blocks to `dbce.html.walk`. Here a formula in a sentence is a word of
    it; a displayed one has a line of its own.
    """
    if not formulas:  # as of most pages
        return html.lines(page, holder), []
    # Between two lines there is room for all formulas, and for the parts that displayed ones make of one.
    gap = 1 / (len(formulas) + 1)
    line_of = _split_at_displayed(html.lines(page, holder), formulas, gap)
    set_by = [holder[node.element] for node in page.nodes]
    renamed: dict[float, float] = {}
    placed: list[FormulaLine] = []
    before: Formula | None = None
    for behind, formula in zip(range(len(formulas), 0, -1), formulas, strict=True):
        start, end = formula.texts
        first, last = formula.elements
        above = holder[formula.parent]
        goes_on = not formula.is_displayed
        left = goes_on and start > 0 and set_by[start - 1] == above
        left = left and INLINE.issuperset(page.tags[page.nodes[start - 1].after + 1 : first])
        right = goes_on and end < len(line_of) and set_by[end] == above
        right = right and INLINE.issuperset(page.tags[last : page.nodes[end].after + 1])
        if goes_on and before and _follows(page, holder, before, formula):
            line = placed[-1].line
        elif left:
            line = renamed.get(line_of[start - 1], line_of[start - 1])
        elif right:
            line = line_of[end]
        else:
            line = (line_of[end] if end < len(line_of) else len(line_of)) - behind * gap * gap
        if right:
            renamed[line_of[end]] = line
        beside = frozenset(compress((start - 1, end), (left, right)))
        around = frozenset(n for n in (start - 1, end) if 0 <= n < len(line_of))
        placed.append(FormulaLine(line, beside or around, bool(beside)))
        before = formula
    return [renamed.get(line, line) for line in line_of], placed


def _split_at_displayed(
    line_of: Sequence[int], formulas: Iterable[Formula], gap: float
) -> list[float]:
    """The lines, those that a displayed formula stands in parted by it."""
    parts = {formula.texts[1] for formula in formulas if formula.is_displayed}
    parted: list[float] = []
    before, shift = -1, 0.0
    for node, line in enumerate(line_of):
        if line != before:
            before, shift = line, 0.0
        elif node in parts:
            shift += gap
        parted.append(line + shift)
    return parted


def _follows(page: Page, holder: Sequence[int], before: Formula, formula: Formula) -> bool:
    """True if nothing stands between two formulas of a line."""
    return (
        not before.is_displayed
        and before.texts[1] == formula.texts[0]
        and holder[before.parent] == holder[formula.parent]
        and INLINE.issuperset(page.tags[before.elements[1] : formula.elements[0]])
    )


# The lines themselves.

SECTIONS = frozenset({"thead", "tfoot"})
RANK = {"thead": 0, "tfoot": 2}
CHECK_BOX = "check box"  # in the place of the address of an image
CLOSING = re.compile(r"[,.;:!?)\]’'-]")  # text that stands close to what is before it


class Token(NamedTuple):
    """The text of a text node, an image or a formula; `spaced`: white space stands before it.

    `image` is the place of an image, None of text; `node` the number of a text node, -1 of others;
    `formula` tells whether the text is TeX, and whether that is "displayed" or "inline"; `stands_for` are
    first and end of the text nodes of a formula.
    """

    element: int
    text: str
    spaced: bool
    image: str | None = None
    node: int = -1
    formula: str = ""
    stands_for: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Line:
    """A line of content: where it stands, and its tokens in rows, which `<br>` parts."""

    place: ElementPlace
    rows: list[list[Token]] = field(default_factory=list)


class _PlacedToken(NamedTuple):
    line: float
    order: float  # among the text nodes
    after: int  # the last element that begins before it
    last: int  # the last element that begins before its end
    token: Token


class ContentNodes(NamedTuple):
    """Content of a page: the numbers of its text nodes, with the markup and the URL of the page.

    With `images`, those between content count that have an alternative text. `levels` are those of headings, by the
    numbers of their text nodes; without them tags say what is one.
    """

    page: Page
    numbers: Sequence[int]
    markup: Markup
    url: str = ""
    images: bool = False
    levels: Mapping[int, int] | None = None


def content_lines(nodes: ContentNodes, place: Places, left_out: Collection[int]) -> list[Line]:
    """The lines of the content, in document order, without the text nodes `left_out`.

    `place` is the place of every element. Formulas stand in the line that they stand in for a reader.
    """
    page = nodes.page
    merged: list[Line] = []
    before: _PlacedToken | None = None
    pieces = _PlacedTokens(nodes, place).in_order(left_out)
    for _, group in groupby(pieces, key=lambda piece: piece.line):
        of_line = list(group)
        # The line is where the element is that sets it.
        own = place[place.holder[of_line[0].token.element]]
        tokens = [piece.token for piece in of_line]
        if nodes.levels is not None:
            own = own._replace(heading=_heading(tokens, nodes.levels))
        first, *others = [[tokens]] if own.verbatim >= 0 else _paragraphs(tokens, place)
        if before and _is_same(merged[-1].place, own) and _goes_on(page, before, of_line[0], own):
            merged[-1].rows += first
        else:
            merged.append(Line(own, first))
        merged += [Line(own, rows) for rows in others]
        before = of_line[-1]
    merged = [*_notes_apart(page, merged, place.notes)] if place.notes.inline_notes else merged
    merged = _with_labels(page, merged, place.notes) if place.notes.labels else merged
    return merged if SECTIONS.isdisjoint(page.tags) else _in_order_of_sections(page, merged)


class _PlacedTokens:
    """The tokens of some content: its texts, and the formulas, images, check boxes and signs beside them."""

    def __init__(self, nodes: ContentNodes, place: Places) -> None:
        page, self._details = nodes.page, nodes.markup.details
        self._page = page
        self._nodes = nodes
        self._holder = place.holder
        self._content = frozenset(nodes.numbers)
        self._formulas = [f for f in nodes.markup.formulas if place[f.parent].verbatim < 0]
        self._line_of, self._formula_lines = lines_with_formulas(page, place.holder, self._formulas)

    def in_order(self, left_out: Collection[int]) -> list[_PlacedToken]:
        tokens = [*self._of_texts(left_out)]
        others = [*self._of_formulas(), *self._of_images(), *self._of_check_boxes()]
        others += self._of_signs()
        if self._formulas or others:
            tokens += others
            tokens.sort(key=lambda token: (token.line, token.order, token.after))
        return tokens

    def _of_texts(self, left_out: Collection[int]) -> Iterator[_PlacedToken]:
        last = -1
        end_of = {formula.texts[1]: formula.texts[0] for formula in self._formulas}
        of_formulas = {n for formula in self._formulas for n in range(*formula.texts)}
        for number in self._nodes.numbers:
            if number in left_out or number in of_formulas:
                continue
            node = self._page.nodes[number]
            spaced = end_of.get(number, number) - last > 1 or node.spaced
            if number in end_of and CLOSING.match(node.text):
                spaced = False  # that was white space of the formula
            token = Token(node.element, node.text, spaced, node=number)
            yield _PlacedToken(self._line_of[number], number, node.after, node.after, token)
            last = number

    def _of_formulas(self) -> Iterator[_PlacedToken]:
        """Formulas in sentences that are content, and those of their own behind or before content."""
        nodes, content = self._page.nodes, self._content
        first_text = end = -1
        for formula, own in zip(self._formulas, self._formula_lines, strict=True):
            start = formula.texts[0]
            # What repeats a formula stands before it, and has the white space.
            first_text = first_text if start == end else start
            end = formula.texts[1]
            is_content = not own.beside.isdisjoint(content)
            if own.is_in_sentence:
                is_content = own.beside <= content
            if formula.source and (is_content or not content.isdisjoint(range(start, end))):
                kind = (
                    "" if not formula.is_tex else "displayed" if formula.is_displayed else "inline"
                )
                spaced = first_text == len(nodes) or nodes[first_text].spaced
                token = Token(
                    formula.parent, formula.source, spaced, formula=kind, stands_for=formula.texts
                )
                first, behind = formula.elements
                yield _PlacedToken(own.line, start - 0.5, first - 1, behind - 1, token)
                end = -1

    def _of_images(self) -> Iterator[_PlacedToken]:
        """Images with an alternative text between content, without formulas, if they are asked for."""
        of_formulas = {n for formula in self._formulas for n in range(*formula.elements)}
        for element, attributes in self._details.items() if self._nodes.images else ():
            text = attributes.get("alt", "")
            is_image = self._page.tags[element] == "img" and "sign" not in attributes
            if not is_image or not text.strip() or element in of_formulas:
                continue
            behind = html.first_node(self._page.nodes, element)
            beside = {number for number in (behind - 1, behind) if 0 <= number < len(self._line_of)}
            if beside and beside <= self._content:
                own = {self._line_of[number] for number in beside}
                line = own.pop() if len(own) == 1 else self._line_of[behind] - 0.5
                token = Token(element, text, spaced=True, image=attributes.get("src", ""))
                yield _PlacedToken(line, behind - 0.5, element, element, token)

    def _of_check_boxes(self) -> Iterator[_PlacedToken]:
        for element, attributes in self._details.items():
            if "checked" not in attributes:
                continue
            behind = html.first_node(self._page.nodes, element)
            if behind in self._content:
                token = Token(element, attributes["checked"], spaced=True, image=CHECK_BOX)
                yield _PlacedToken(self._line_of[behind], behind - 0.5, element, element, token)

    def _of_signs(self) -> Iterator[_PlacedToken]:
        nodes, holder = self._page.nodes, self._holder
        for element, attributes in self._details.items():
            if "sign" not in attributes:
                continue
            behind = html.first_node(self._page.nodes, element)
            for number in (behind - 1, behind):
                if number not in self._content or holder[nodes[number].element] != holder[element]:
                    continue
                first, last = sorted((nodes[number].after, element))
                if INLINE.issuperset(self._page.tags[first + 1 : last + 1]):
                    token = Token(element, attributes["sign"], spaced=False)
                    yield _PlacedToken(self._line_of[number], behind - 0.5, element, element, token)
                    break


def _in_order_of_sections(page: Page, merged: Sequence[Line]) -> list[Line]:
    """The lines, those of a table's head first and of its foot last, as browsers show them."""
    section_of = html.enclosing_elements(
        page, {n for n, tag in enumerate(page.tags) if tag in (*SECTIONS, "tbody", "table")}
    )
    ordered = list(merged)
    table_of = []
    for line in merged:
        section = section_of[line.rows[0][0].element]
        is_part = section >= 0 and page.tags[section] != "table"
        table_of.append(page.parents[section] if is_part else section)
    for table in {*table_of} - {NO_ELEMENT}:
        places = [n for n, own in enumerate(table_of) if own == table]
        lines_of = [merged[n] for n in places]
        lines_of.sort(key=lambda line: RANK.get(page.tags[section_of[line.rows[0][0].element]], 1))
        for n, line in zip(places, lines_of, strict=True):
            ordered[n] = line
    return ordered


def _with_labels(page: Page, merged: Sequence[Line], notes: Notes) -> list[Line]:
    """The lines, numbers of notes that stand alone before them in the same line."""
    label_of = html.enclosing_elements(page, notes.labels)
    labelled: list[Line] = []
    for line in merged:
        label = labelled[-1] if labelled else line
        words = "".join(token.text for token in label.rows[0]).strip()
        is_alone = len(label.rows) == 1 and label is not line and MARK.fullmatch(words)
        is_label = is_alone and any(label_of[token.element] >= 0 for token in label.rows[0])
        is_text = not line.place.heading and line.place.verbatim < 0
        if is_label and is_text and line.place.blocks == label.place.blocks:
            first, *others = line.rows
            tokens = [*label.rows[0], first[0]._replace(spaced=True), *first[1:]]
            labelled[-1] = Line(line.place, [tokens, *others])
        else:
            labelled.append(line)
    return labelled


def _notes_apart(page: Page, merged: Sequence[Line], notes: Notes) -> Iterator[Line]:
    """The lines, notes that stand within one behind it, each once, with their marks before them."""
    note_of = html.enclosing_elements(page, notes.inline_notes)
    mark_of = html.enclosing_elements(page, notes.raised_marks | notes.styled_marks)
    known = Counter(map(_words, merged))
    for line in merged:
        tokens = [token for row in line.rows for token in row]
        within = [token for token in tokens if note_of[token.element] >= 0]
        if line.place.verbatim >= 0 or len(within) in (0, len(tokens)):
            yield line
            continue
        rows = ([token for token in row if note_of[token.element] < 0] for row in line.rows)
        yield Line(line.place, [row for row in rows if row])
        place = line.place._replace(heading="")
        for _, own in groupby(within, key=lambda token: note_of[token.element]):
            of_note = _without_second_mark([*own], mark_of)
            before = tokens[max(tokens.index(of_note[0]) - 1, 0)]
            if mark_of[before.element] >= 0 and of_note[0].text.strip() != before.text.strip():
                of_note = [before, of_note[0]._replace(spaced=True), *of_note[1:]]
            behind = Line(place, [[of_note[0]._replace(spaced=False), *of_note[1:]]])
            if not known[_words(behind)]:
                yield behind


def _without_second_mark(tokens: list[Token], mark_of: Sequence[int]) -> list[Token]:
    """The tokens of a note that may begin with its mark twice, as LaTeXML has it."""
    is_twice = len(tokens) > 2 and tokens[0].text.strip() == tokens[1].text.strip()
    if not is_twice or mark_of[tokens[0].element] < 0:
        return tokens
    return [tokens[0], tokens[2]._replace(spaced=True), *tokens[3:]]


def _words(line: Line) -> str:
    """The words of a line without a number before them."""
    words = WORD_RUN.findall(" ".join(token.text for row in line.rows for token in row).lower())
    return " ".join(words[words[:1] != [] and words[0].isdecimal() :])


def _paragraphs(tokens: Sequence[Token], place: Places) -> list[list[list[Token]]]:
    """The rows of a line, by paragraphs: line feeds part rows where they are seen, and empty rows paragraphs."""
    paragraphs: list[list[list[Token]]] = [[[]]]
    for token in tokens:
        if token.node < 0 or token.element not in place.preserved:  # as most
            paragraphs[-1][-1].append(token)
            continue
        first, *others = token.text.split("\n")
        paragraphs[-1][-1].append(token._replace(text=first))
        for text in others:
            if any(piece.text.strip() for piece in paragraphs[-1][-1]):
                paragraphs[-1].append([])
            elif len(paragraphs[-1]) > 1:
                del paragraphs[-1][-1]
                paragraphs.append([[]])
            paragraphs[-1][-1].append(token._replace(text=text, spaced=False))
    return paragraphs


def _heading(tokens: Sequence[Token], levels: Mapping[int, int]) -> str:
    """The tag of a line all of whose words are of one heading; "" of another."""
    own_levels = {levels.get(token.node, 0) for token in tokens if token.node >= 0}
    level = own_levels.pop() if len(own_levels) == 1 else 0
    return HEADINGS[min(level, len(HEADINGS)) - 1] if level else ""


def _is_same(place: ElementPlace, other: ElementPlace) -> bool:
    return place is other or (place.blocks == other.blocks and place[2:] == other[2:])


def _goes_on(page: Page, before: _PlacedToken, first: _PlacedToken, place: ElementPlace) -> bool:
    """True if a line is the next row of the same paragraph: one `<br>` parts them."""
    if place.verbatim >= 0:
        return True
    tags = page.tags[before.last + 1 : first.after + 1]
    return tags.count("br") == 1 and all(tag in INLINE or tag == "br" for tag in tags)


# Lines with their markup: the leaves of the tree.

# Of characters without width alone nothing is seen.
RAW_TEX = re.compile(
    r"(?<!\\)\$\$([^$]{1,2000})\$\$|\\\[((?:(?!\\\]).){1,2000})\\\]|\\\(((?:(?!\\\)).){1,2000})\\\)"
    r"|(\\begin\{((?:equation|align|gather|multline|eqnarray|split|cases|[pbv]?matrix)\*?)\}"
    r"(?:(?!\\end\{).){1,2000}\\end\{\5\})|(?<![\\$\w])\$(?![\s$])([^$]{0,1000}[^\s$\\])\$(?![\d$\w])"
)
"""TeX in a text; a single `$` begins some as Pandoc reads it: not before white space, nor behind a letter or a digit."""

TEX_SIGN = re.compile(r"[\\^_={}]")
VARIABLE = re.compile(r"[A-Za-z]['*]?(?:\([A-Za-z0-9]\))?")

SEEN = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff]")


CAPTION = re.compile(r"caption", re.IGNORECASE)
CREDIT = re.compile(
    r"(?<=[.!?…”\"')])\s+[(\[]?(?:(?:photo(?:graph(?:er)?)?s?|foto(?:graf\w*)?s?|images?|pictures?|illustrations?|bild(?:er)?"
    r"|(?:photo |image )?cr[eé]dits?)(?:\s+cr[eé]dits?)?\s*(?:[:/©|]|by\b|courtesy\b|von\b|par\b)|©|\(c\))"
    r"(?:\s*\S+){1,8}\s*$",
    re.IGNORECASE,
)
"""Credit behind the sentences of a caption."""

# Scripts that are written without spaces, and their punctuation: CSS Text Module Level 3, 4.1.3.
_WIDE = "[\u2e80-\u318f\u31a0-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
WIDE = re.compile(_WIDE)
BREAK = re.compile(f"(?<={_WIDE})[^\\S\n]*\n\\s*(?={_WIDE})")


SHORTCODE = re.compile(
    r"\[[a-z][\w-]*(?:\s+[\w-]+\s*=\s*(?:\"[^\"\[\]]*\"|'[^'\[\]]*'|[“”″][^“”″\[\]]*[“”″]|’[^’\[\]]*’))+\s*/?\]"
    r"|\[/?(?:vc|et_pb|fusion|av|mk|su|ux|tve|nectar|dt|cs|wpb)_\w+\s*/?\]|\[/(?:caption|gallery|embed|playlist|\w+_\w+)\]"
)
"""Shortcodes of WordPress as they stand in a page whose plugin is gone."""


def in_one_line(text: str) -> str:
    """A text with its white space collapsed; a line feed between two signs of Chinese or Japanese is none."""
    if "\n" in text and not text.isascii():
        text = BREAK.sub("", text)
    return " ".join(text.split())


def is_break(before: str, behind: str) -> bool:
    """True if the white space between two texts is a line feed that no browser shows."""
    end, start = before.rstrip(), behind.lstrip()
    white = before[len(end) :] + behind[: len(behind) - len(start)]
    return "\n" in white and bool(WIDE.match(end[-1:]) and WIDE.match(start))


class _Ruby:
    """Ruby of a page: words, and how they are read, which stands in brackets where all is in one line."""

    def __init__(self, page: Page) -> None:
        self._tags = page.tags
        self._part = html.enclosing_elements(
            page, {n for n, tag in enumerate(page.tags) if tag in ("ruby", "rt", "rtc", "rp")}
        )
        self._whole = html.enclosing_elements(
            page, {n for n, tag in enumerate(page.tags) if tag == "ruby"}
        )

    def with_readings(self, tokens: Sequence[Token]) -> list[Token]:
        row: list[Token] = []
        was_ruby = False
        for ruby, group in groupby(tokens, key=lambda token: self._whole[token.element]):
            own = list(group)
            own = [self._token(own)] if ruby >= 0 else own
            is_beside = row and (was_ruby or ruby >= 0)
            before = row[-1].text.rstrip(" \n)") if is_beside else ""
            if WIDE.match(before[-1:]) and WIDE.match(own[0].text.lstrip()):
                row[-1] = row[-1]._replace(text=row[-1].text.rstrip())
                own[0] = own[0]._replace(text=own[0].text.lstrip(), spaced=False)
            row += own
            was_ruby = ruby >= 0
        return row

    def _token(self, tokens: Sequence[Token]) -> Token:
        text = ""
        seen = (token for token in tokens if self._tag(token) != "rp")  # the brackets of the page
        for is_reading, group in groupby(seen, key=lambda token: self._tag(token) != "ruby"):
            words = "".join(f" {token.text}" if token.spaced else token.text for token in group)
            words = in_one_line(printable(words))
            is_wide = WIDE.match(text or words)
            words = words.replace(" ", "") if is_wide else words
            text += words if not is_reading else f"({words})" if is_wide else f" ({words})"
        return tokens[0]._replace(text=text)

    def _tag(self, token: Token) -> str:
        return self._tags[self._part[token.element]]


class Leaves:
    """Maker of leaves, of the lines of a page's content without the text nodes `left_out`."""

    def __init__(self, nodes: ContentNodes, place: Places, left_out: Collection[int]) -> None:
        page, details = nodes.page, nodes.markup.details
        self._page = page
        self._place = place
        self._details = details
        self._base = base_of(page, details, nodes.url)
        captions = {n for n, tag in enumerate(page.tags) if tag == "figcaption"}
        captions |= html.elements_like(page, CAPTION)
        self._caption_of = html.enclosing_elements(page, captions) if captions else []
        self._ruby = _Ruby(page) if "ruby" in page.tags else None
        self._texts: Counter[int] = Counter()
        if verbatim := {element for element, own in details.items() if "text" in own}:
            code_of = html.enclosing_elements(page, verbatim)
            self._texts.update(
                code_of[node.element]
                for number, node in enumerate(page.nodes)
                if number not in left_out
            )

    def leaf(self, line: Line) -> Part | None:
        """A paragraph, a heading or a `<pre>`; None where nothing would be seen."""
        if line.place.verbatim >= 0:
            language = self._details.get(line.place.verbatim, {}).get("language", "")
            text = printable(self._verbatim(line))
            return Part("pre", (text,), language) if SEEN.search(text) else None
        children: Children = []
        for tokens in line.rows:
            row = self._row(tokens)
            if children and row:
                children.append(Part("br"))
            children += row
        if not SEEN.search(text_of(children)):
            return None
        is_caption = self._caption_of and self._caption_of[line.rows[0][0].element] >= 0
        if is_caption and isinstance(last := children[-1], str):
            children[-1] = CREDIT.sub("", last)
        return Part(line.place.heading or "p", tuple(children))

    def _verbatim(self, line: Line) -> str:
        """The text as it stands there; where only a part is content, that part, row by row."""
        pre = line.place.verbatim
        if self._texts[pre] == sum(map(len, line.rows)):
            return self._details[pre]["text"]
        rows = ("".join(f" {t.text}" if t.spaced else t.text for t in row) for row in line.rows)
        return "\n".join(row.strip() for row in rows)

    def _row(self, tokens: Sequence[Token]) -> Children:
        """White space is collapsed, and stands outside of markup, where all formats can have it."""
        opened: list[tuple[tuple[str, int], Children]] = [(("", -1), [])]
        spaced = False
        before = ""
        own_tokens = self._ruby.with_readings(tokens) if self._ruby else tokens
        for token in self._joined_pieces(own_tokens):
            written = printable(token.text)
            spaced = spaced or token.spaced or written[:1].isspace()
            markup = self._place[token.element].markup
            if "[" in written and ("code", NO_ELEMENT) not in markup:
                written = SHORTCODE.sub(" ", written)
            text = in_one_line(written)
            if not text:
                continue
            same = 0
            for (own, _), other in zip(opened[1:], markup, strict=False):
                if own != other:
                    break
                same += 1
            if spaced and not token.spaced and is_break(before, written):
                spaced = False
            self._close(opened, same)
            if (spaced and opened[0][1]) or (spaced and same):
                _add(opened[-1][1], " ")
            opened += [(around, []) for around in markup[same:]]
            is_text = (
                not token.formula and token.image is None and ("code", NO_ELEMENT) not in markup
            )
            for child in raw_formulas(text) if is_text else (self._child(token, text),):
                _add(opened[-1][1], child)
            before = written
            spaced = before[-1:].isspace() or token.image == CHECK_BOX
        self._close(opened, 0)
        return opened[0][1]

    def _joined_pieces(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens, texts of one markup as one: a formula may be in several."""
        before, *others = tokens
        for token in others:
            markup = self._place[token.element].markup
            is_text = token.node >= 0 and before.node >= 0
            if is_text and markup == self._place[before.element].markup:
                text = f"{before.text}{' ' * token.spaced}{token.text}"
                before = before._replace(text=text)
            else:
                yield before
                before = token
        yield before

    def _child(self, token: Token, text: str) -> Part | str:
        if token.formula:
            return Part("math", (text,), "display" if token.formula == "displayed" else "")
        if token.image is None:
            return text
        if token.image == CHECK_BOX:
            return Part("input", (CHECKED if text == CHECKED else UNCHECKED,))
        return Part("img", (text,), absolute(self._base, token.image) or "#")

    def _close(self, opened: list[tuple[tuple[str, int], Children]], until: int) -> None:
        """Closes markup; a link that leads nowhere is only its text."""
        while len(opened) > until + 1:
            (name, element), children = opened.pop()
            href = self._details.get(element, {}).get("href", "")
            link = "" if name != "a" else absolute(self._base, href)
            if name == "sup" and element >= 0:
                link = NOTE_MARK
            if name == "a" and not link:
                for child in children:
                    _add(opened[-1][1], child)
            else:
                opened[-1][1].append(Part(name, tuple(children), link))


def raw_formulas(text: str) -> Iterator[Part | str]:
    """A text, with the formulas that it has as TeX between the signs that MathJax looks for."""
    end = 0
    for raw in RAW_TEX.finditer(text) if "$" in text or "\\" in text else ():
        tex = next(filter(None, raw.groups()))
        is_displayed = raw[0].startswith(("$$", "\\[", "\\begin"))
        if not (TEX_SIGN.search(tex) or (VARIABLE.fullmatch(tex) and not is_displayed)):
            continue
        yield from filter(None, (text[end : raw.start()],))
        yield Part("math", (tex.strip(),), "display" if is_displayed else "")
        end = raw.end()
    yield from filter(None, (text[end:],))


def _add(children: Children, child: Part | str) -> None:
    if isinstance(child, str) and children and isinstance(before := children[-1], str):
        children[-1] = before + child
    else:
        children.append(child)
