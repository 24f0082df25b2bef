"""Decisions over structures: what people read as one unit is kept or dropped as one.

Lines are classified one by one; people read headlines, tables, lists and sections. The thesis propagates labels from
texts to the elements around them (section 2.4); here the elements that set a table, a list or a heading decide for
their texts. Each line has a gain: how much its words are worth to the expected F1 of the page if they are kept,
probability less cut (Lipton, Elkan and Naryanaswamy, 2014). A structure is kept if the gains of its words add up to
more than nothing; docs/method.md has all rules in their order. Tables that lay out a page (`layout_parts`) and lists of
whole articles are no structures, but hold some.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.decide import tree
from dbce.boilerplate.decide.tree import APART, LARGE, Structure
from dbce.html import (
    KIND,
    elements_of_classes,
    enclosing_elements,
    first_node,
    nodes_within,
    subtree_mask,
)
from dbce.metadata import Opening, letters, names_page, title_keys
from dbce.model import Page

ALL_OF_IT = float("inf")  # APART inside a structure: nothing in it differs


class Decision(NamedTuple):
    """Decision on a page: whether each line is kept, and the element of the structure it was decided with, -1 if alone; kinds of these structures."""

    kept: list[bool]
    element: list[int]
    kinds: dict[int, str]


def decide(lines: LineValues, opening: Opening) -> Decision:
    """Return which lines of a page are kept, and with which structure each was decided."""
    page = lines.page
    inside = tree.containers(page)
    element = [-1] * len(lines.gains)
    for node, line in zip(reversed(page.nodes), reversed(lines.of_node), strict=True):
        element[line] = node.element
    of_line = [
        tree.NOWHERE if aside else inside[e] for e, aside in zip(element, lines.aside, strict=True)
    ]
    innermost, levels = [own >> 3 for own in of_line], [own & 7 for own in of_line]
    lines = replace(lines, elements=element)
    lines = replace(lines, gains=sibling_gains(lines))
    kept = [gain >= 0 for gain in lines.gains]
    structures = tree.structures_of(lines, innermost, levels, inside)
    for layout in layout_parts(lines, structures):
        structures[layout].is_open = True
    _decide_structures(structures, lines, levels, kept)
    kept = [stays and not aside for stays, aside in zip(kept, lines.aside, strict=True)]
    keep_notes_with_marks(lines, structures, kept)
    headings = {line: level for line, level in enumerate(levels) if level}
    gains = mean_gain_by_style(lines, headings_before_text(lines, kept, headings))
    naming = {line for line in gains if _names_structure(structures, innermost, line)}
    decide_headings(lines, gains, naming, kept, headings)
    keep_labels(lines, kept)
    opened = [*opening_lines(lines, headings, opening)]
    for line in (*opened, *note_labels(lines, kept), *callout_lines(lines)):
        kept[line] = True
    for line in further_articles(lines, headings, opened[:1]):
        kept[line] = False
    units = {
        own: _deciding_structure(structures, own)
        for own in dict.fromkeys(innermost)
        if own in structures
    }
    decided_with = [
        tree.heading_of(page, e) if level else units.get(own, -1)
        for e, own, level in zip(element, innermost, levels, strict=True)
    ]
    for line in second_copies(lines, decided_with, kept):
        kept[line] = False
    kinds = {e: KIND[page.tags[e]] for e in dict.fromkeys(decided_with) if e >= 0}
    return Decision(kept, decided_with, kinds)


def _deciding_structure(structures: dict[int, Structure], element: int) -> int:
    """Outermost structure that was decided as one with a structure, and alike; -1 if the inner one is open."""
    if structures[element].is_open:
        return -1
    while (outer := structures[element].parent) >= 0 and not structures[outer].is_open:
        if structures[outer].kept != structures[element].kept:
            break
        element = outer
    return element


def _decide_structures(
    structures: dict[int, Structure], lines: LineValues, levels: Sequence[int], kept: list[bool]
) -> None:
    """Decide from the outside in: the outer structure sets the gain from which an inner one differs."""
    limits: dict[int, tuple[bool | None, float]] = {-1: (None, 0.0)}
    for element, structure in structures.items():
        outer, apart = limits[structure.parent]
        if structure.is_open:
            # What stands in a cell stays as surely as its table.
            is_row = structure.tag == "tr" and structure.words <= LARGE
            its = (outer if structure.tag in tree.PARTS else None), apart if is_row else APART
        else:
            if outer is None and (structure.tag in tree.LISTED or structure.tag == "figure"):
                outer, apart = neighbours_verdict(lines, levels, structure)
            structure.kept = tree.choice(structure.gain / max(structure.words, 1e-9), outer, apart)
            its = structure.kept, ALL_OF_IT if structure.is_one else APART
        limits[element] = outer, apart = its
        # As `choice` has it, which is called for no single line: there are many.
        for line in structure.own:
            gain = lines.gains[line]
            kept[line] = gain > apart if outer is False else gain >= (-apart if outer else 0)


# Repeated siblings, such as posts and cards: lines in the same place of each are decided together.

SIBLINGS = frozenset(("div", "article", "section"))
"""Elements that are posts or cards where siblings share a class."""

REPEATED = 3  # minimum siblings of one class that count as repeated


def sibling_gains(lines: LineValues) -> Sequence[float]:
    """Gains of lines, averaged over the same place of repeated siblings: authors of posts, names on cards.

    A line clearly of another kind than most of them keeps its own gain.
    """
    page, element = lines.page, lines.elements
    unsure = [line for line, gain in enumerate(lines.gains) if -APART <= gain <= APART]
    if not unsure or not (repeated := _repeated_siblings(page)):
        return lines.gains
    nearest = enclosing_elements(page, repeated)
    sibling_of = enclosing_elements(page, {n for n in repeated if nearest[page.parents[n]] < 0})
    if all(sibling_of[element[line]] < 0 for line in unsure):
        return lines.gains
    groups: dict[int, list[int]] = {}
    for line, e in enumerate(element):
        if (sibling := sibling_of[e]) >= 0 and not lines.aside[line]:
            groups.setdefault(repeated[sibling], []).append(line)
    gains = list(lines.gains)
    slot_of = _Slots(page, repeated, sibling_of)
    for group in groups.values():
        if not _differ(gains, group):
            continue
        slots: dict[int, list[int]] = {}
        for line in group:
            slots.setdefault(slot_of(element[line]), []).append(line)
        for of_slot in slots.values():
            siblings = {sibling_of[element[line]] for line in of_slot}
            if len(siblings) >= REPEATED and _differ(gains, of_slot):
                _take_mean(lines, gains, of_slot)
    return gains


def _differ(gains: Sequence[float], some: Sequence[int]) -> bool:
    return len({gains[line] >= 0 for line in some}) > 1


def _take_mean(lines: LineValues, gains: list[float], of_slot: Sequence[int]) -> None:
    """Give lines their mean gain, except those clearly of another kind."""
    words = sum(lines.words[line] for line in of_slot)
    mean = sum(lines.words[line] * gains[line] for line in of_slot) / max(words, 1e-9)
    for line in of_slot:
        if tree.choice(gains[line], mean >= 0, APART) == (mean >= 0):
            gains[line] = mean


def _repeated_siblings(page: Page) -> dict[int, int]:
    """Repeated siblings, each with the first of them."""
    likely = [element for element, tag in enumerate(page.tags) if tag in SIBLINGS]
    # Most parents have one or two: to count numbers first costs less than to hash the names of all.
    numbers = Counter([page.parents[element] for element in likely])
    of_step: dict[tuple[int, str, str], list[int]] = {}
    for element in likely:
        parent = page.parents[element]
        if numbers[parent] >= REPEATED:
            step = parent, page.tags[element], page.classes[element]
            of_step.setdefault(step, []).append(element)
    several = (siblings for siblings in of_step.values() if len(siblings) >= REPEATED)
    return {element: siblings[0] for siblings in several for element in siblings}


class _Slots:
    """Numbers for places in repeated siblings: one for each path of tags and classes from siblings of one kind."""

    def __init__(self, page: Page, repeated: Mapping[int, int], sibling_of: Sequence[int]) -> None:
        self._page = page
        self._known = {e: first for e, first in repeated.items() if sibling_of[e] == e}
        self._below: dict[tuple[int, str, str], int] = {}

    def __call__(self, element: int) -> int:
        page = self._page
        path = []
        while element not in self._known:
            path.append(element)
            element = page.parents[element]
        slot = self._known[element]
        for below in reversed(path):
            step = slot, page.tags[below], page.classes[below]
            # Behind the numbers of siblings, which are elements.
            slot = self._below.setdefault(step, len(page.tags) + len(self._below))
            self._known[below] = slot
        return slot


# Tables that lay out a page: a row has the menu in one cell, the text in another.

CELLS = frozenset(("td", "th"))
FEW_ROWS = 2  # maximum rows of a table with paragraphs that are parts of one layout

LABEL_WORDS = 4  # maximum words of a label, such as "Warning" or "Weight"


@dataclass(slots=True)
class _Cell:
    """Sums over the lines of a cell, and whether one of them is in a link."""

    lines: int = 0
    texts: int = 0
    words: float = 0.0
    gain: float = 0.0
    has_links: bool = False

    def is_other(self) -> bool:
        is_label = self.lines == 1 and self.words <= LABEL_WORDS and not self.has_links
        return self.gain < 0 and not is_label


def layout_parts(lines: LineValues, structures: Mapping[int, Structure]) -> set[int]:
    """Rows, and their tables, of which one cell is clearly content and another, which is more than a label, is none.

    Of a table of two rows with paragraphs the other cell may be in the other row.

    A table is one of data where rows with cells of one line each have most of its words: there a cell is a name, a
    number or a remark, and all pages of a site may share it.
    """
    if "td" not in lines.page.tags:
        return set()
    parts: set[int] = set()
    of_rows = _cells_of_rows(lines)
    simple: dict[int, float] = {}
    together: dict[int, list[_Cell]] = {}
    for row, cells in of_rows.items():
        if row not in structures or (table := structures[row].parent) not in structures:
            continue
        if len(cells) > 1 and all(cell.lines == 1 for cell in cells):
            simple[table] = simple.get(table, 0.0) + structures[row].words
        if structures[table].holds_paragraph and structures[table].rows <= FEW_ROWS:
            # One text alone is the heading of the other row.
            together.setdefault(table, []).extend(cell for cell in cells if cell.texts > 1)
    for row, own in of_rows.items():
        if row not in structures or (table := structures[row].parent) not in structures:
            continue
        is_data = 2 * simple.get(table, 0.0) >= structures[table].words
        if not is_data and _differ_in_kind(own):
            parts.update((row, table))
    parts.update(table for table, cells in together.items() if _differ_in_kind(cells))
    return parts


def _differ_in_kind(cells: Iterable[_Cell]) -> bool:
    has_text = any(cell.gain > APART * cell.words for cell in cells)
    return has_text and any(cell.is_other() for cell in cells)


def _cells_of_rows(lines: LineValues) -> dict[int, list[_Cell]]:
    """Cells with lines, by the element of their row."""
    page = lines.page
    cells: dict[int, _Cell] = {}
    for line, its in enumerate(lines.elements):
        own, has_links = its, False
        while own >= 0 and page.tags[own] not in CELLS:
            has_links |= page.tags[own] == "a"
            own = page.parents[own]
        if own >= 0:
            cell = cells.setdefault(own, _Cell())
            cell.lines += 1
            cell.texts += len(lines.nodes(line))
            cell.words += lines.words[line]
            cell.gain += lines.words[line] * lines.gains[line]
            cell.has_links |= has_links
    rows: dict[int, list[_Cell]] = {}
    for own, cell in cells.items():
        rows.setdefault(page.parents[own], []).append(cell)
    return rows


# Tables and lists go with what stands on both sides of them, unless they are clearly of another
# kind.

SURE = 0.3  # gain per word of neighbours that are certainly content

BETWEEN = 0.2
"""Loss per word up to which a table or list between two such lines stays: links and numbers of the text."""

ALONE = 0.1  # minimum gain per word of a list that stays between dropped lines


def neighbours_verdict(
    lines: LineValues, levels: Sequence[int], structure: Structure
) -> tuple[bool | None, float]:
    """Verdict of the lines around a figure, or a table or list of several lines, and the gain from which its own differs.

    True is content, False boilerplate, None neither.
    """
    before, behind = structure.first - 1, structure.last + 1
    is_figure = structure.tag == "figure"
    is_line = structure.last == structure.first and not is_figure
    if is_line or before < 0 or behind == len(lines.gains):
        return None, 0.0
    around = lines.gains[before], lines.gains[behind]
    if min(around) > SURE and not levels[before]:
        return True, BETWEEN
    if max(around) < 0 and structure.tag != "table" and not is_figure:
        return False, ALONE
    return None, 0.0


# Notes and their marks: small links such as [19], and the items or paragraphs further down that
# they lead to.

HOLDERS = frozenset("li p dd tr".split())
"""Elements of notes: the innermost one around the target of the link."""

_SIGN = r"(?:\d{1,4}|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§]+)"
BRACKETED = re.compile(rf"\[\s*{_SIGN}\s*\]|\(\s*{_SIGN}\s*\)", re.IGNORECASE)
RAISED = re.compile(_SIGN, re.IGNORECASE)
PIECES = 3  # texts of a mark: [, 19 and ] at most
LONGEST = 16  # characters of one of them, white space included
NEAR = 3  # elements from a link to what raises it, or from a place to the note that holds it


def note_marks(page: Page) -> dict[int, list[int]]:
    """First text nodes of the marks of each note, by its element, which stands behind them.

    A mark is a number, a letter or a sign in a link to another place of the page, in brackets or raised, or a number close
    to a word in a link to one that leads back: style raises both.
    """
    notes: dict[int, list[int]] = {}
    back = {link for link, _ in page.jumps}
    for node, place in _marks_with_places(page):
        note = _nearest_ancestor(page, place, HOLDERS)
        if note < 0:
            box = page.parents[place] if place in back else place
            note = box if page.tags[box] in BOXES else -1
        if note >= 0:
            notes.setdefault(note, []).append(node)
    return notes


def note_labels(lines: LineValues, kept: Sequence[bool]) -> Iterator[int]:
    """Lines that are the number of a note alone, before a note that stays with its mark: headings of Texinfo."""
    page = lines.page
    for mark, place in _marks_with_places(page):
        first = first_node(page.nodes, place)
        text = page.nodes[first].text.strip() if first < len(page.nodes) else ""
        if BRACKETED.fullmatch(text) or RAISED.fullmatch(text):
            line = lines.of_node[first]
            if kept[lines.of_node[mark]] and line + 1 < len(kept) and kept[line + 1]:
                yield line


def _marks_with_places(page: Page) -> Iterator[tuple[int, int]]:
    """The first text node of each mark, and the place further down that it leads to."""
    back = {page.ids[link] for link, _ in page.jumps}
    leading = [
        (node, link, name)
        for link, name in page.jumps
        if (node := _mark_in(page, link, leads_back=name in back)) >= 0
    ]
    wanted = {name for _, _, name in leading}
    places: dict[str, int] = {}
    for element, name in enumerate(page.ids) if wanted else ():
        if name in wanted:
            places.setdefault(name, element)
    for node, link, name in leading:
        # What leads back from a note to its mark is marked by letters, too.
        if (place := places.get(name, -1)) > link:
            yield node, place


def _mark_in(page: Page, link: int, *, leads_back: bool) -> int:
    """First text node of a link that is a mark, else -1; what it leads to may lead back."""
    first = first_node(page.nodes, link)
    if first == len(page.nodes) or len(page.nodes[first].text) > LONGEST:
        return -1
    text = ""
    for node in page.nodes[first : first + PIECES]:
        if not _is_below(page, node.element, link):
            break
        text += node.text
    text = text.strip()
    if BRACKETED.fullmatch(text):
        return first
    raised = RAISED.fullmatch(text) and (
        _nearest_ancestor(page, link, {"sup"}) >= 0
        or page.tags[page.nodes[first].element] == "sup"
        or (leads_back and text.isdecimal() and _is_close(page, first))
    )
    return first if raised else -1


def _is_close(page: Page, number: int) -> bool:
    """True if a text node stands behind a word, or its stop, without white space."""
    before = page.nodes[number - 1].text[-1:] if number else ""
    node = page.nodes[number]
    is_apart = node.spaced or node.text[:1].isspace() or before.isspace()
    return not (is_apart or not before or before.isdecimal())


def _is_below(page: Page, element: int, ancestor: int) -> bool:
    while element > ancestor:
        element = page.parents[element]
    return element == ancestor


def _nearest_ancestor(page: Page, element: int, tags: frozenset[str] | set[str]) -> int:
    """Nearest element with one of some tags, the element itself or not far above; -1 if there is none."""
    for _ in range(NEAR):
        if element < 0 or page.tags[element] in tags:
            return element
        element = page.parents[element]
    return -1


def keep_notes_with_marks(
    lines: LineValues, structures: dict[int, Structure], kept: list[bool]
) -> None:
    """Keep notes with a kept mark, drop notes with none; an article is no note."""
    marked = {
        note: any(kept[lines.of_node[number]] for number in numbers)
        for note, numbers in note_marks(lines.page).items()
    }
    for box in marked.keys() - structures.keys():
        own = {lines.of_node[n] for n in nodes_within(lines.page, box)}
        if sum(lines.words[line] for line in own) <= BOX_WORDS:
            for line in own:
                kept[line] = marked[box]  # also what a click has to open
    notes = {
        n: its for n, its in marked.items() if n in structures and structures[n].words <= LARGE
    }
    if not notes:
        return
    stays: dict[int, bool | None] = {-1: None}
    for element, structure in structures.items():
        stays[element] = its = notes.get(element, stays[structure.parent])
        if its is not None:
            structure.kept = its
            for line in structure.own:
                kept[line] = its and not lines.aside[line]


# Boxes keep their labels: the "Warning" of a notice, the "Weight" of a pair that is no table, the number of an equation. All
# pages of a site share those.

BOXES = frozenset("div aside section blockquote figure fieldset details".split())
"""Elements that are boxes where they hold few words."""

BOX_WORDS = 60  # maximum words of a box

CONTROLS = frozenset(("a", "button", "label", "summary"))
"""Elements whose text does something, and so is no label."""


def keep_labels(lines: LineValues, kept: list[bool]) -> None:
    """Keep labels of boxes of which all else, and more, stays; a number in brackets may be the end of its box."""
    for line in range(len(kept)):
        if kept[line] or lines.words[line] > LABEL_WORDS:
            continue
        if not lines.shown[line] or lines.aside[line]:
            continue
        for neighbour in (line + 1, line - 1):
            if not (0 <= neighbour < len(kept) and kept[neighbour]):
                continue
            if neighbour > line or BRACKETED.fullmatch(lines.text(line).strip()):
                rest = _rest_of_box(lines, line, neighbour)
                kept[line] |= bool(rest) and all(map(kept.__getitem__, rest))


def _rest_of_box(lines: LineValues, label: int, neighbour: int) -> list[int]:
    """Lines of the innermost box that holds a label and its neighbour, without the label; none if it is large."""
    page, element = lines.page, lines.elements
    box = element[label]
    while box >= 0 and not _is_below(page, element[neighbour], box):
        if page.tags[box] in CONTROLS:
            return []
        box = page.parents[box]
    if box < 0 or page.tags[box] not in BOXES:
        return []
    rest: list[int] = []
    words = lines.words[label]
    for some in (range(label + 1, len(element)), range(label - 1, -1, -1)):
        for line in some:
            if not _is_below(page, element[line], box):
                break
            words += lines.words[line]
            if words > BOX_WORDS:
                return []
            rest.append(line)
    return rest if words > 2 * lines.words[label] else []


CALLOUTS = frozenset(
    "admonition alert callout caution hint important note notice tip warning".split()
)
"""Classes of callouts: small boxes of notices within a text."""


def callout_lines(lines: LineValues) -> Iterator[int]:
    """Lines of callouts just behind text beyond doubt, below the same element, of which one fails by BETWEEN at most."""
    page, element = lines.page, lines.elements
    boxes = {n for n in elements_of_classes(page, CALLOUTS) if page.tags[n] in BOXES}
    if not boxes:
        return
    of_box: dict[int, list[int]] = {}
    box_of = enclosing_elements(page, boxes)
    for line, own in enumerate(element):
        if (box := box_of[own]) >= 0 and not lines.aside[line]:
            of_box.setdefault(box, []).append(line)
    for box, some in of_box.items():
        before = some[0] - 1
        if (
            before >= 0
            and lines.gains[before] > SURE
            and _is_below(page, element[before], page.parents[box])
            and sum([lines.words[line] for line in some]) <= BOX_WORDS
            and max([lines.gains[line] for line in some]) >= -BETWEEN
        ):
            yield from some


# Headings go with what they name: a section of which something stays, or the table or list just
# behind them.
#
# Those that a page sets alike are judged together: of one name alone, "Overview", a model is
# often unsure.

LEAN_OF_HEADINGS = 0.03  # loss per word up to which a heading stays with the text behind it

LEAN_ON_SURE = 0.2
"""The same before a line that is certainly content: all pages of a template may share the heading."""

APART_ON_SURE = 0.4
"""Loss per word from which a heading before such a line is clearly of another kind, as APART elsewhere."""


def headings_before_text(
    lines: LineValues, kept: Sequence[bool], headings: Iterable[int]
) -> list[int]:
    return [
        line
        for line, after in pairwise((*headings, len(kept)))
        if after > line + 1 and kept[line + 1] and lines.shown[line] and not lines.aside[line]
    ]


def mean_gain_by_style(lines: LineValues, some: Sequence[int]) -> dict[int, float]:
    """Mean gain of the headings that share tag, classes and the parent's tag and classes, for each heading."""
    page = lines.page
    of_kind: dict[tuple[str, ...], list[int]] = {}
    for line in some:
        own = tree.heading_of(page, lines.elements[line])
        outer = page.parents[own]
        kind = page.tags[own], page.classes[own], page.tags[outer], page.classes[outer]
        of_kind.setdefault(kind, []).append(line)
    means = {
        kind: sum([lines.gains[line] for line in same]) / len(same)
        for kind, same in of_kind.items()
    }
    return {line: means[kind] for kind, same in of_kind.items() for line in same}


def decide_headings(
    lines: LineValues,
    gains: Mapping[int, float],
    naming: Collection[int],
    kept: list[bool],
    headings: dict[int, int],
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    `gains` are those of headings just before text that stays: they are kept if they fail by LEAN_OF_HEADINGS at most, or
    LEAN_ON_SURE, or if they are not clearly of another kind and are `naming` a table or list there, or before text of which all
    stays, or the only `h1` of them. `headings` have their levels, in order. Headings that follow each other stay as they are:
    such as a title and its subtitle.
    """
    titles = [headings[line] for line in gains].count(1)
    # Headings behind, by level, and whether they or what is below them stays.
    deeper: list[tuple[int, bool]] = []
    after = len(kept)
    for line, level in reversed(headings.items()):
        below = False
        while deeper and deeper[-1][0] > level:
            below |= deeper.pop()[1]
        if line in gains:
            gain = gains[line]
            is_before_sure = lines.gains[line + 1] > SURE
            lean = LEAN_ON_SURE if is_before_sure else LEAN_OF_HEADINGS
            kept[line] = gain >= -lean or (
                gain >= -(APART_ON_SURE if is_before_sure else APART)
                and (all(kept[line + 1 : after]) or level == titles == 1 or line in naming)
            )
        elif kept[line]:
            follows = after == line + 1 < len(kept)
            stays = below or (follows and headings[after] <= level)
            kept[line] = stays or any(kept[line + 1 : after])
        deeper.append((level, below or kept[line] or any(kept[line + 1 : after])))
        after = line


def _names_structure(
    structures: Mapping[int, Structure], innermost: Sequence[int], line: int
) -> bool:
    """Return whether a table or list of several lines, decided as one, begins just behind a line."""
    if line + 2 >= len(innermost):
        return False
    outside, first, second = (
        set(tree.enclosing_structures(structures, innermost[n])) for n in range(line, line + 3)
    )
    return any(
        structures[e].tag in tree.LISTED and not structures[e].is_open
        for e in first.intersection(second) - outside
    )


# The opening of a page, which is content always: the headline, and the standfirst below it.
#
# The headline is the first heading that one of the page's titles names, the standfirst the first
# text soon behind it that its description begins with. Sites set both in places of their
# template; what they say is the page's own.

SOON = 20
"""Lines searched for the standfirst behind the headline: byline, date, share bar and caption may be between."""

LEAST, MOST = 40, 60
"""Letters and digits that a standfirst shares with the beginning of a description: minimum, and number compared."""


def opening_lines(lines: LineValues, headings: Collection[int], opening: Opening) -> Iterator[int]:
    """Lines of headline and standfirst, if the page has them."""
    keys = title_keys({*opening.titles, lines.page.title})
    named = (n for n, text in _texts(lines, headings) if names_page(text, keys))
    headline = next(named, None)
    if headline is not None:
        yield headline
        soon = range(headline + 1, min(headline + 1 + SOON, len(lines.gains)))
        yield from standfirst(lines, [n for n in soon if n not in headings], opening)


ARTICLE_WORDS = 50  # minimum words of the article of the headline, where others are told from it


def further_articles(
    lines: LineValues, headings: Mapping[int, int], headline: Sequence[int]
) -> list[int]:
    """Lines of `<article>` beside that of the headline, if there is one, with a heading of its level: they have pages of their own.

    One whose heading has the headline in it, such as "Re: ...", is an answer. Siblings without the tag are often sections.
    """
    page, element = lines.page, lines.elements
    articles = {n for n, tag in enumerate(page.tags) if tag == "article"} if headline else set()
    if len(articles) < 2:  # as on most pages
        return []
    nearest = enclosing_elements(page, articles)
    article_of = enclosing_elements(page, {n for n in articles if nearest[page.parents[n]] < 0})
    own = article_of[element[headline[0]]]
    words = sum(lines.words[line] for line, its in enumerate(element) if article_of[its] == own)
    if own < 0 or words < ARTICLE_WORDS:
        return []
    first: dict[int, int] = {}
    for line in sorted(headings):
        first.setdefault(article_of[element[line]], line)
    first = {article: line for article, line in first.items() if article not in (own, -1)}
    texts = {line: letters(text) for line, text in _texts(lines, [*headline, *first.values()])}
    others = {
        article
        for article, line in first.items()
        if headings[line] <= headings[headline[0]] and texts[headline[0]] not in texts.get(line, "")
    }
    return [line for line, its in enumerate(element) if article_of[its] in others]


SENTENCE = 8
"""Minimum words of a sentence that tells a copy; labels and lines of code repeat themselves."""

SENTENCE_ENDS = tuple('.!?…:。！？।"”»')

COPY_WORDS = 20  # minimum words of the sentences in a copy, of which it has two at least

REPEATING = frozenset(("blockquote", "pre", "code"))
"""Elements that repeat what stands above on purpose."""

CONTAINERS = BOXES | SIBLINGS | CELLS
"""Elements of which a copy has others than what it repeats; in one, an author repeats it."""


def second_copies(
    lines: LineValues, decided_with: Sequence[int], kept: Sequence[bool]
) -> list[int]:
    """Kept lines that stand above in the same order: a version for print, or a box for each kind of visitor.

    Of a hidden and a visible copy it is the hidden one. A structure of which a part is no copy stays.
    """
    page, element = lines.page, lines.elements
    stays = [line for line, its in enumerate(kept) if its]
    sentences = {
        n: letters(lines.text(line))
        for n, line in enumerate(stays)
        if lines.words[line] >= SENTENCE
        and lines.nodes(line)[-1].text.rstrip().endswith(SENTENCE_ENDS)
    }
    first: dict[str, int] = {}
    repeats = [(n, at) for n, key in sentences.items() if (at := first.setdefault(key, n)) < n]
    if not repeats:  # as on most pages
        return []
    keys = [letters(lines.text(line)) for line in stays]
    box_of = enclosing_elements(page, {n for n, tag in enumerate(page.tags) if tag in CONTAINERS})
    meant = subtree_mask(page.parents, (n for n, tag in enumerate(page.tags) if tag in REPEATING))
    copies: set[int] = set()
    end = 0
    for n, at in repeats:
        here, above = element[stays[n]], element[stays[at]]
        if n < end or meant[here] or meant[above] or box_of[here] == box_of[above]:
            continue
        ahead = _number_alike(keys, range(at, n), range(n, len(keys)))
        lowest = max(end, at + ahead)
        before = _number_alike(keys, range(at - 1, -1, -1), range(n - 1, lowest - 1, -1))
        original, copy = (stays[place - before : place + ahead] for place in (at, n))
        told = [lines.words[stays[m]] for m in range(n - before, n + ahead) if m in sentences]
        if len(told) > 1 and sum(told) >= COPY_WORDS:
            is_instead = lines.shown[copy[0]] and not lines.shown[original[0]]
            copies.update(original if is_instead else copy)
            end = n + ahead
    torn = {decided_with[line] for line in stays if line not in copies} - {-1}
    return [line for line in copies if decided_with[line] not in torn]


def _number_alike(keys: Sequence[str], some: range, others: range) -> int:
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: keys[pair[0]] == keys[pair[1]], pairs))


def standfirst(lines: LineValues, behind: Sequence[int], opening: Opening) -> Iterator[int]:
    """First of some lines that begins like a description of the page, if there is one."""
    keys = {letters(text)[:MOST] for text in {*opening.descriptions}}
    begins = [key for key in keys if len(key) >= LEAST]
    for line, text in _texts(lines, behind if begins else ()):
        own = letters(text)[:MOST] if len(text) >= LEAST else ""
        if len(own) >= LEAST and any(key.startswith(own) or own.startswith(key) for key in begins):
            yield line
            return


def _texts(lines: LineValues, wanted: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Visible lines that are no asides, with their texts, in order."""
    for line in wanted:
        if lines.shown[line] and not lines.aside[line]:
            yield line, lines.text(line)
