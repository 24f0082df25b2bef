"""Decisions over structures: what people read as one thing is kept or dropped as one.

Lines are judged one by one; people read headlines, tables, lists and sections. The thesis propagates labels from
texts to the elements around them (section 2.4); here the elements that set a table, a list or a heading decide for
their texts. Each line has a gain: how much its words are worth to the expected F1 of the page if they are kept,
probability less cut (Lipton, Elkan and Naryanaswamy, 2014). A structure is kept if the gains of its words add up to
more than nothing, and then:

- a row, an item or a paragraph is kept whole or dropped whole;
- a table, a list, a figure, a quotation or a code block is one decision, from which only parts differ that are
  clearly of another kind (APART), such as an advertisement among items;
- what stands in the same place of repeated siblings, such as posts or cards, is judged together;
- a note stays where its mark stays and goes where that goes (`dbce.boilerplate.notes`);
- a heading goes where its section has text and nothing of that stays;
- the headline, the first heading that the page's title names, and the standfirst below it always stay
  (`dbce.boilerplate.opening`).

Tables that lay out a page and lists of whole articles are no structures, but hold some.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dbce.boilerplate.notes import marks
from dbce.boilerplate.opening import opening_lines
from dbce.html import KIND

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from dbce.boilerplate.line_values import LineValues
    from dbce.metadata import Opening
    from dbce.model import Page

WHOLE = frozenset("table ul ol menu dir dl figure pre blockquote".split())
"""Structures that are one decision."""

LISTED = frozenset("table ul ol dl".split())
"""Structures that a heading just before them names."""

PARTS = frozenset("tr li dt dd p caption figcaption".split())
"""Parts that are never kept by halves."""

_LEVELS = {f"h{level}": level for level in range(1, 7)} | dict.fromkeys(WHOLE | PARTS, 0)
_NOWHERE = -1 << 3

APART = 0.3
"""Gain a word from which on a part is of another kind than its structure. Between .15 and .4 it makes no difference on
fundus, misinfo, chinese and cleanportaleval, of which the model learned nothing."""

ALL_OF_IT = float("inf")
"""The same within a part, of which nothing is apart."""

LABELS = 3
"""Rows with a label and a value from which on a table is one of these."""

LEAN = 0.1
"""Gain a word by which such a table may fail and stays: its words are names and numbers, of which a model is unsure."""

SIBLINGS = frozenset(("div", "article", "section"))
"""Elements that are posts and cards where there are several of one class side by side."""

REPEATED = 3
"""Siblings of one class from which on they are repeated, and not before and after."""

LARGE = 200
"""Words of a part from which on it is an article rather than an item or a row: its own parts decide."""


class Decision(NamedTuple):
    """The decision on a page: whether each line is kept, and the structure that it was decided on with.

    `element` is the index of the structure's element for each line, -1 where the line was decided on alone;
    `kinds` are the kinds of these structures.
    """

    kept: list[bool]
    element: list[int]
    kinds: dict[int, str]


def decide(page: Page, lines: LineValues, opening: Opening) -> Decision:
    """Return which lines of a page are kept, and with what."""
    inside = _inside(page)
    element = [-1] * len(lines.gains)
    for node, line in zip(reversed(page.nodes), reversed(lines.of_node), strict=True):
        element[line] = node.element
    of_lines = (
        _parted(_NOWHERE if aside else inside[e])
        for e, aside in zip(element, lines.aside, strict=True)
    )
    innermost, levels = map(list, zip(*of_lines, strict=True))
    lines = replace(lines, gains=_together(page, lines, element))
    kept = [gain >= 0 for gain in lines.gains]
    structures = _structures(page, lines, innermost, levels, inside)
    if apart := _columns_apart(page, lines, element, structures):
        innermost = [-1 if line in apart else own for line, own in enumerate(innermost)]
        structures = _structures(page, lines, innermost, levels, inside)
    _decide_structures(page, structures, lines, kept)
    _keep_header_rows(structures, kept)
    kept = [stays and not aside for stays, aside in zip(kept, lines.aside, strict=True)]
    _keep_notes_with_marks(page, lines, structures, kept)
    _decide_headings(lines, kept, levels, partial(_names_structure, structures, innermost))
    for line in opening_lines(page, lines, levels, opening):
        kept[line] = True
    of_line = [
        _heading(page, e) if level else _unit(structures, own)
        for e, own, level in zip(element, innermost, levels, strict=True)
    ]
    return Decision(kept, of_line, {e: KIND[page.tags[e]] for e in of_line if e >= 0})


def _heading(page: Page, element: int) -> int:
    """The element of the heading that an element is in."""
    while not _LEVELS.get(page.tags[element]):
        element = page.parents[element]
    return element


def _unit(structures: dict[int, _Structure], element: int) -> int:
    """The outermost structure around one that was decided on as one with it, and as it; -1 if none was."""
    if element < 0 or structures[element].is_open:
        return -1
    while (outer := structures[element].parent) >= 0 and not structures[outer].is_open:
        if structures[outer].kept != structures[element].kept:
            break
        element = outer
    return element


def _together(page: Page, lines: LineValues, element: Sequence[int]) -> Sequence[float]:
    """The gains of lines; those in one place of repeated siblings have their mean: posters of posts, names on cards.

    What is clearly of another kind than the most of them keeps its own.
    """
    unsure = [line for line, gain in enumerate(lines.gains) if -APART <= gain <= APART]
    slot_of = _Slots(page, _repeated(page)) if unsure else None
    if slot_of is None or all(slot_of(element[line])[0] < 0 for line in unsure):
        return lines.gains
    slots: dict[int, list[int]] = {}
    siblings: dict[int, set[int]] = {}
    for line, e in enumerate(element):
        slot, sibling = slot_of(e)
        if slot >= 0 and not lines.aside[line]:
            slots.setdefault(slot, []).append(line)
            siblings.setdefault(slot, set()).add(sibling)
    gains = list(lines.gains)
    for slot, of_slot in slots.items():
        if len(siblings[slot]) >= REPEATED and len({gains[line] >= 0 for line in of_slot}) > 1:
            words = sum(lines.words[line] for line in of_slot)
            mean = sum(lines.words[line] * gains[line] for line in of_slot) / max(words, 1e-9)
            for line in of_slot:
                if _choice(gains[line], mean >= 0, APART) == (mean >= 0):
                    gains[line] = mean
    return gains


def _repeated(page: Page) -> set[tuple[int, str, str]]:
    """The parent, tag and classes of siblings that are repeated."""
    steps = zip(page.parents, page.tags, page.classes, strict=True)
    of_siblings = Counter([step for step in steps if step[1] in SIBLINGS])
    return {step for step, number in of_siblings.items() if number >= REPEATED}


class _Slots:
    """The place of elements in the outermost of repeated siblings around them, as a number, and that sibling.

    The same number stands for the same path of tags and classes from siblings of one kind.
    """

    def __init__(self, page: Page, repeated: Collection[tuple[int, str, str]]) -> None:
        self._page = page
        self._repeated = repeated
        self._known = {-1: (-1, -1)}
        self._numbers: dict[tuple[int, str, str, bool], int] = {}

    def __call__(self, element: int) -> tuple[int, int]:
        if not self._repeated:
            return -1, -1
        path = []
        while element not in self._known:
            path.append(element)
            element = self._page.parents[element]
        slot, sibling = self._known[element]
        for below in reversed(path):
            own = self._page.tags[below], self._page.classes[below]
            if slot >= 0:
                slot = self._number((slot, *own, True))
            elif ((parent := self._page.parents[below]), *own) in self._repeated:
                slot, sibling = self._number((parent, *own, False)), below
            self._known[below] = slot, sibling
        return slot, sibling

    def _number(self, step: tuple[int, str, str, bool]) -> int:
        return self._numbers.setdefault(step, len(self._numbers))


def _inside(page: Page) -> list[int]:
    """For each element, as one number, the structure or part that it is in and the level of its heading (`_parted`)."""
    inside: list[int] = []
    # One look at the tag of each element: all else here is done for each line or structure, of which there are fewer.
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        above = inside[parent] if parent >= 0 else _NOWHERE
        level = _LEVELS.get(tag)
        if level is None:
            inside.append(above)
        elif level:
            inside.append(above & ~7 | level)
        else:
            inside.append(element << 3 | above & 7)
    return inside


def _parted(inside: int) -> tuple[int, int]:
    """(the element of the structure or part, -1 for none; the level of the heading, 0 for none)."""
    return inside >> 3, inside & 7


@dataclass(slots=True)
class _Structure:
    """A structure or part: the lines that stand in no other inside of it, and sums over all of its lines."""

    tag: str
    parent: int
    own: list[int]
    words: float = 0.0
    gain: float = 0.0
    longest_part: float = 0.0
    holds_whole: bool = False
    holds_table: bool = False
    kept: bool = False

    def take(self, other: _Structure) -> None:
        """Count a structure that it holds."""
        self.words += other.words
        self.gain += other.gain
        self.holds_whole |= other.holds_whole or other.tag in WHOLE
        self.holds_table |= other.holds_table or other.tag == "table"
        self.longest_part = max(
            self.longest_part, other.words if other.tag == "tr" else other.longest_part
        )

    @property
    def is_open(self) -> bool:
        """Return whether it is decided by what it holds: a part that is an article, a table that is a layout."""
        if self.tag in PARTS:
            return self.words > LARGE or self.holds_whole
        return self.tag == "table" and (self.holds_table or self.longest_part > LARGE)


def _structures(
    page: Page,
    lines: LineValues,
    innermost: Sequence[int],
    levels: Sequence[int],
    inside: Sequence[int],
) -> dict[int, _Structure]:
    """The structures that hold lines, by element, in document order; headings count as no part of one."""
    found: dict[int, _Structure] = {}
    for line, (own, level) in enumerate(zip(innermost, levels, strict=True)):
        if level or own < 0:
            continue
        element = own
        while element >= 0 and element not in found:
            outside = inside[page.parents[element]] >> 3 if page.parents[element] >= 0 else -1
            found[element] = _Structure(page.tags[element], outside, [])
            element = outside
        structure = found[own]
        structure.own.append(line)
        structure.words += lines.words[line]
        structure.gain += lines.words[line] * lines.gains[line]
    structures = dict(sorted(found.items()))
    for structure in reversed(structures.values()):
        if structure.parent >= 0:
            structures[structure.parent].take(structure)
    return structures


def _columns_apart(
    page: Page, lines: LineValues, element: Sequence[int], structures: Mapping[int, _Structure]
) -> set[int]:
    """The lines of columns that are clearly no content, such as buttons and stars, of tables that stay without them."""
    dropped = {
        e: structure.gain
        for e, structure in structures.items()
        if structure.tag == "table" and structure.gain < 0 and not structure.is_open
    }
    if not dropped:
        return set()
    columns: dict[tuple[int, int], list[int]] = {}
    place = _columns(page)
    for line, cell in enumerate(element):
        while cell >= 0 and cell not in place:
            cell = page.parents[cell]  # noqa: PLW2901 - a climb
        row = structures.get(page.parents[cell]) if cell >= 0 else None
        if row and row.tag == "tr" and row.parent in dropped and not lines.aside[line]:
            columns.setdefault((row.parent, place[cell]), []).append(line)
    apart: dict[int, set[int]] = {}
    for (table, _), column in columns.items():
        words = sum(lines.words[line] for line in column)
        gain = sum(lines.words[line] * lines.gains[line] for line in column)
        if (
            gain < -APART * words
            and len({page.parents[element[line]] for line in column}) >= REPEATED
        ):
            apart.setdefault(table, set()).update(column)
            dropped[table] -= gain
    return {line for table, column in apart.items() if dropped[table] > 0 for line in column}


def _columns(page: Page) -> dict[int, int]:
    """For each cell of a table its place in its row."""
    place: dict[int, int] = {}
    cells: Counter[int] = Counter()
    for element, (tag, row) in enumerate(zip(page.tags, page.parents, strict=True)):
        if tag in ("td", "th"):
            place[element] = cells[row]
            cells[row] += 1
    return place


def _tables_with_labels(page: Page, structures: Mapping[int, _Structure]) -> set[int]:
    """The tables of labels with values, such as infoboxes: LABELS rows at least with a header cell and another."""
    if "th" not in page.tags:
        return set()
    cells = list(zip(page.tags, page.parents, strict=True))
    both = {row for tag, row in cells if tag == "th"} & {row for tag, row in cells if tag == "td"}
    rows = Counter(structures[row].parent for row in both if row in structures)
    return {table for table, number in rows.items() if number >= LABELS}


def _decide_structures(
    page: Page, structures: dict[int, _Structure], lines: LineValues, kept: list[bool]
) -> None:
    """Decide from the outside in: what is around a structure tells how sure its own gain must be to differ."""
    told: dict[int, tuple[bool | None, float]] = {-1: (None, 0.0)}
    with_labels = _tables_with_labels(page, structures)
    for element, structure in structures.items():
        outer, apart = told[structure.parent]
        if structure.is_open:
            its = (outer if structure.tag in PARTS else None), APART
        else:
            lean = LEAN if element in with_labels else 0.0
            whole = _choice(structure.gain / max(structure.words, 1e-9) + lean, outer, apart)
            structure.kept = whole
            is_one = structure.tag in PARTS or element in with_labels
            its = whole, ALL_OF_IT if is_one else APART
        told[element] = its
        for line in structure.own:
            kept[line] = _choice(lines.gains[line], *its)


def _keep_notes_with_marks(
    page: Page, lines: LineValues, structures: dict[int, _Structure], kept: list[bool]
) -> None:
    """Keep the notes of which a mark is kept, and drop those of which none is; an article is no note."""
    notes = {
        note: any(kept[lines.of_node[number]] for number in numbers)
        for note, numbers in marks(page).items()
        if note in structures and structures[note].words <= LARGE
    }
    if not notes:
        return
    told: dict[int, bool | None] = {-1: None}
    for element, structure in structures.items():
        told[element] = its = notes.get(element, told[structure.parent])
        if its is not None:
            structure.kept = its
            for line in structure.own:
                kept[line] = its and not lines.aside[line]


def _keep_header_rows(structures: Mapping[int, _Structure], kept: list[bool]) -> None:
    """Keep the first row of a table with as many cells as the next one if that stays: "Poster", "Date".

    All pages of a forum have the same, and by itself such a row is what pages share.
    """
    rows: dict[int, list[_Structure]] = {}
    for structure in structures.values():
        if structure.tag == "tr" and len(structure.own) > 1:
            rows.setdefault(structure.parent, []).append(structure)
    for table, (header, *others) in rows.items():
        is_data = table >= 0 and not structures[table].is_open and others
        if (
            is_data
            and len(header.own) == len(others[0].own)
            and all(map(kept.__getitem__, others[0].own))
        ):
            for line in header.own:
                kept[line] = True


def _choice(gain: float, outer: bool | None, apart: float) -> bool:
    """Return whether something is kept by its gain a word, inside of what is kept, dropped or open (None)."""
    if outer is None:
        return gain >= 0
    return gain >= -apart if outer else gain > apart


def _names_structure(
    structures: Mapping[int, _Structure], innermost: Sequence[int], line: int
) -> bool:
    """Return whether a table or list of several lines that is one decision begins just behind a line."""
    if line + 2 >= len(innermost):
        return False
    outside, first, second = (set(_around(structures, innermost[n])) for n in range(line, line + 3))
    return any(
        structures[e].tag in LISTED and not structures[e].is_open
        for e in first.intersection(second) - outside
    )


def _around(structures: Mapping[int, _Structure], element: int) -> Iterator[int]:
    """A structure, and those that it is in."""
    while element in structures:
        yield element
        element = structures[element].parent


def _decide_headings(
    lines: LineValues, kept: list[bool], levels: Sequence[int], names: Callable[[int], bool]
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    Those just before a table or list that stays, as `names` tells of a line, name it: they are kept unless they are
    clearly of another kind. Headings that follow each other stay as they are: such as a title and its subtitle.
    """
    places = [line for line, level in enumerate(levels) if level]
    deeper: list[
        tuple[int, bool]
    ] = []  # headings behind, by level, and whether they or what is below them stays
    ends = [*places[1:], len(levels)][: len(places)]
    for line, after in zip(reversed(places), reversed(ends), strict=True):
        below = False
        while deeper and deeper[-1][0] > levels[line]:
            below |= deeper.pop()[1]
        has_text = after > line + 1
        follows = not has_text and after < len(levels)
        stays = below or (follows and levels[after] <= levels[line]) or any(kept[line + 1 : after])
        if kept[line]:
            kept[line] = stays
        elif has_text and kept[line + 1] and lines.shown[line] and not lines.aside[line]:
            kept[line] = lines.gains[line] >= -APART and names(line)
        deeper.append((levels[line], kept[line] or below))
