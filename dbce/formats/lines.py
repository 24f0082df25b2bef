"""The content of a page as lines: what a browser sets as one paragraph, and where it stands."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, groupby
from operator import itemgetter
from typing import NamedTuple

from dbce import html
from dbce.formats.notes import Notes
from dbce.formats.places import ElementPlace, Having, Places
from dbce.html import HEADINGS, INLINE, Formula, Markup
from dbce.model import WORD_RUN, Page

# Lines of text through formulas: what stands before one and behind it is one sentence.


class FormulaLine(NamedTuple):
    """The line of a formula, and the text nodes that stand beside it: in its sentence, or else around its block."""

    line: float
    neighbours: frozenset[int]
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
        neighbours = frozenset(compress((start - 1, end), (left, right)))
        around = frozenset(n for n in (start - 1, end) if 0 <= n < len(line_of))
        placed.append(FormulaLine(line, neighbours or around, bool(neighbours)))
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
    touch = before.texts[1] == formula.texts[0] and holder[before.parent] == holder[formula.parent]
    between = page.tags[before.elements[1] : formula.elements[0]]
    return touch and not before.is_displayed and INLINE.issuperset(between)


# The lines themselves.

RANK = {"thead": 0, "tfoot": 2}  # of the first of a table; others stand where they are
CHECK_BOX = "check box"  # in the place of the address of an image
LETTER = re.compile(r"[^\W\d_]")
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

    `having` are the elements with each attribute of the markup. With `images`, those between content count that have an alternative text. `levels` are those of headings, by the
    numbers of their text nodes; without them tags say what is one.
    """

    page: Page
    numbers: Sequence[int]
    markup: Markup
    having: Having
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
    for _, group in groupby(pieces, key=itemgetter(0)):
        of_line = list(group)
        # The line is where the element is that sets it.
        here = place[place.holder[of_line[0].token.element]]
        tokens = [piece.token for piece in of_line]
        if nodes.levels is not None:
            here = here._replace(heading=_heading(tokens, nodes.levels))
        elif place.levels and not here.heading and here.verbatim < 0:
            here = here._replace(heading=_heading(tokens, place.levels))
        first, *others = [[tokens]]
        if place.preserved and here.verbatim < 0:
            first, *others = _paragraphs(tokens, place)
        if before and _is_same(merged[-1].place, here) and _goes_on(page, before, of_line[0], here):
            merged[-1].rows += first
        else:
            merged.append(Line(here, first))
        merged += [Line(here, rows) for rows in others]
        before = of_line[-1]
    merged = [*_notes_apart(page, merged, place.notes)] if place.notes.inline_notes else merged
    merged = _with_labels(page, merged, place.notes) if place.notes.labels else merged
    return merged if RANK.keys().isdisjoint(page.tags) else _in_order_of_sections(page, merged)


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
        new = tuple.__new__
        end_of = {formula.texts[1]: formula.texts[0] for formula in self._formulas}
        of_formulas = {n for formula in self._formulas for n in range(*formula.texts)}
        signs = self._nodes.having["sign"]
        letters = (element for element in signs if LETTER.fullmatch(self._details[element]["sign"]))
        initials = {html.first_node(self._page.nodes, element) for element in letters}
        for number in self._nodes.numbers:
            if number in left_out or number in of_formulas:
                continue
            node = self._page.nodes[number]
            spaced = end_of.get(number, number) - last > 1 or node.spaced
            if number in initials or (number in end_of and CLOSING.match(node.text)):
                spaced = False  # behind an initial, or that was white space of the formula
            # What Token() and _PlacedToken() call, in functions of Python.
            token = new(Token, (node.element, node.text, spaced, None, number, "", (0, 0)))
            placed = self._line_of[number], number, node.after, node.after, token
            yield new(_PlacedToken, placed)
            last = number

    def _of_formulas(self) -> Iterator[_PlacedToken]:
        """Formulas in sentences that are content, and those of their own behind or before content."""
        nodes, content = self._page.nodes, self._content
        first_text = end = -1
        for formula, position in zip(self._formulas, self._formula_lines, strict=True):
            start = formula.texts[0]
            # What repeats a formula stands before it, and has the white space.
            first_text = first_text if start == end else start
            end = formula.texts[1]
            is_content = not position.neighbours.isdisjoint(content)
            if position.is_in_sentence:
                is_content = position.neighbours <= content
            if formula.source and (is_content or not content.isdisjoint(range(start, end))):
                kind = "displayed" if formula.is_displayed else "inline"
                kind = kind if formula.is_tex else ""
                spaced = first_text == len(nodes) or nodes[first_text].spaced
                token = Token(
                    formula.parent, formula.source, spaced, formula=kind, stands_for=formula.texts
                )
                first, behind = formula.elements
                yield _PlacedToken(position.line, start - 0.5, first - 1, behind - 1, token)
                end = -1

    def _of_images(self) -> Iterator[_PlacedToken]:
        """Images with an alternative text between content, without formulas, if they are asked for."""
        of_formulas = {n for formula in self._formulas for n in range(*formula.elements)}
        for element in self._nodes.having["alt"] if self._nodes.images else ():
            attributes = self._details[element]
            text = attributes["alt"]
            is_image = self._page.tags[element] == "img" and "sign" not in attributes
            if not is_image or not text.strip() or element in of_formulas:
                continue
            behind = html.first_node(self._page.nodes, element)
            near = {number for number in (behind - 1, behind) if 0 <= number < len(self._line_of)}
            if near and near <= self._content:
                lines_near = {self._line_of[number] for number in near}
                line = lines_near.pop() if len(lines_near) == 1 else self._line_of[behind] - 0.5
                token = Token(element, text, spaced=True, image=attributes.get("src", ""))
                yield _PlacedToken(line, behind - 0.5, element, element, token)

    def _of_check_boxes(self) -> Iterator[_PlacedToken]:
        for element in self._nodes.having["checked"]:
            behind = html.first_node(self._page.nodes, element)
            if behind in self._content:
                text = self._details[element]["checked"]
                token = Token(element, text, spaced=True, image=CHECK_BOX)
                yield _PlacedToken(self._line_of[behind], behind - 0.5, element, element, token)

    def _of_signs(self) -> Iterator[_PlacedToken]:
        """Pictures that stand for signs, beside content in their line, or alone in cells of tables with content."""
        for element in self._nodes.having["sign"]:
            cell = html.nearest_of_tags(self._page, element, {"td", "th"})
            if cell >= 0 and not html.nodes_within(self._page, cell):
                yield from self._sign_in_cell(element, cell)
            else:
                yield from self._sign_in_line(element)

    def _sign_in_cell(self, element: int, cell: int) -> Iterator[_PlacedToken]:
        table = html.nearest_of_tags(self._page, cell, {"table"})
        if table >= 0 and not self._content.isdisjoint(html.nodes_within(self._page, table)):
            attributes, behind = self._details[element], html.first_node(self._page.nodes, element)
            line = (self._line_of[behind - 1] if behind else -1) + cell / len(self._page.tags)
            image = attributes.get("src") if self._nodes.images else None
            token = Token(element, attributes["sign"], spaced=True, image=image)
            yield _PlacedToken(line, behind - 0.5, element, element, token)

    def _sign_in_line(self, element: int) -> Iterator[_PlacedToken]:
        nodes, holder = self._page.nodes, self._holder
        behind = html.first_node(nodes, element)
        for number in (behind - 1, behind):
            if number not in self._content or holder[nodes[number].element] != holder[element]:
                continue
            first, last = sorted((nodes[number].after, element))
            if INLINE.issuperset(self._page.tags[first + 1 : last + 1]):
                token = Token(element, self._details[element]["sign"], spaced=False)
                yield _PlacedToken(self._line_of[number], behind - 0.5, element, element, token)
                break


def _in_order_of_sections(page: Page, merged: Sequence[Line]) -> list[Line]:
    """The lines, those of a table's head first and of its foot last, as browsers show them."""
    sections = html.elements_of_tags(page, *RANK, "tbody", "table")
    section_of = html.enclosing_elements(page, sections)
    first = {(page.parents[n], page.tags[n]): n for n in sorted(sections, reverse=True)}
    rank_of = {n: RANK[tag] for (_, tag), n in first.items() if tag in RANK}
    ordered, ranks = list(merged), list[int]()
    places_of: dict[int, list[int]] = defaultdict(list)
    for n, line in enumerate(merged):
        section = section_of[line.rows[0][0].element]
        is_part = section >= 0 and page.tags[section] != "table"
        places_of[page.parents[section] if is_part else section].append(n)
        ranks.append(rank_of.get(section, 1))
    for places in places_of.values():
        for n, place in zip(places, sorted(places, key=ranks.__getitem__), strict=True):
            ordered[n] = merged[place]
    return ordered


def _with_labels(page: Page, merged: Sequence[Line], notes: Notes) -> list[Line]:
    """The lines, numbers of notes that stand alone before them in the same line."""
    label_of = html.enclosing_elements(page, notes.labels)
    labelled: list[Line] = []
    for line in merged:
        label = labelled[-1] if labelled else line
        words = "".join(token.text for token in label.rows[0])
        is_alone = len(label.rows) == 1 and label is not line and html.is_note_mark(words)
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
        place_of = {token: n for n, token in reversed([*enumerate(tokens)])}
        within = [token for token in tokens if note_of[token.element] >= 0]
        if line.place.verbatim >= 0 or len(within) in (0, len(tokens)):
            yield line
            continue
        rows = ([token for token in row if note_of[token.element] < 0] for row in line.rows)
        yield Line(line.place, [row for row in rows if row])
        place = line.place._replace(heading="")
        for _, members in groupby(within, key=lambda token: note_of[token.element]):
            of_note = _without_second_mark([*members], mark_of)
            before = tokens[max(place_of[of_note[0]] - 1, 0)]
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
    return f"h{min(level, len(HEADINGS))}" if level else ""


def _is_same(place: ElementPlace, other: ElementPlace) -> bool:
    return place is other or (place.blocks == other.blocks and place[2:] == other[2:])


def _goes_on(page: Page, before: _PlacedToken, first: _PlacedToken, place: ElementPlace) -> bool:
    """True if a line is the next row of the same paragraph: one `<br>` parts them."""
    if place.verbatim >= 0:
        return True
    tags = page.tags[before.last + 1 : first.after + 1]
    return tags.count("br") == 1 and all(tag in INLINE or tag == "br" for tag in tags)
