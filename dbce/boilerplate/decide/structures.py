"""Decisions over structures: what people read as one unit is kept or dropped as one.

Lines are classified one by one; people read headlines, tables, lists and sections. The thesis propagates labels from
texts to the elements around them (section 2.4); here the elements that set a table, a list or a heading decide for
their texts. Each line has a gain: how much its words are worth to the expected F1 of the page if they are kept,
probability less cut (Lipton, Elkan and Naryanaswamy, 2014). A structure is kept if the gains of its words add up to
more than nothing; docs/method.md has all rules in their order. Tables that lay out a page (`layout_parts`) and lists of
whole articles are no structures, but hold some.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.decide import article, notes, tree
from dbce.boilerplate.decide.tree import APART, LARGE, SURE, Structures
from dbce.html import (
    HEADINGS,
    NamePattern,
    elements_like,
    elements_of_tags,
    enclosing_elements,
    holders,
    nearest_of_tags,
    subtree_end,
    with_inline_elements,
)
from dbce.html import lines as html_lines
from dbce.kernel import compiled
from dbce.metadata import Opening

# Limits of the parts of a structure by its verdict, and whether it is one: then nothing in it differs.
LIMITS = [[tree.limit(stays, apart) for apart in (APART, inf)] for stays in (False, True)]


def decide(lines: LineValues, opening: Opening) -> tuple[list[bool], list[int]]:
    """Return whether each line of a page is kept, and the element of the structure it was decided with, -1 if alone."""
    page, gains = lines.page, gains_of_sentences(lines, sibling_gains(lines))
    lines = lines if gains is lines.gains else replace(lines, gains=gains)
    kept = [gain >= 0 and not aside for gain, aside in zip(lines.gains, lines.aside, strict=True)]
    structures = tree.structures_of(lines)
    for layout in layout_parts(lines, structures):
        structures.is_open[layout] = True
    for post in tree.posts(lines, structures):
        structures.is_one[post] = False
    _decide_structures(structures, lines, kept)
    marks = [*notes.marks_with_places(page)]
    notes.keep_notes_with_marks(lines, marks, structures, kept)
    levels = structures.levels
    headings = {line: level for line, level in enumerate(levels) if level}
    means = mean_gain_by_style(lines, headings_before_text(lines, kept, headings))
    decide_headings(lines, means, partial(_names_structure, structures), kept, headings)
    notes.keep_labels(lines, kept)
    opened = [*article.opening_lines(lines, headings, opening)]
    labels = notes.note_labels(lines, marks, kept)
    for line in (*opened, *notes.formula_lines(lines, kept), *labels, *callout_lines(lines)):
        kept[line] = True
    for line in article.beside_article(lines, headings, opened[:1], kept, opening):
        kept[line] = False
    units = _deciding_elements(structures)
    decided_with = [
        nearest_of_tags(page, e, HEADINGS) if level else units[structure]
        for e, structure, level in zip(lines.elements, structures.of_line, levels, strict=True)
    ]
    bars = article.link_bars(lines, structures)
    for line in (*bars, *article.second_copies(lines, decided_with, kept)):
        kept[line] = False
    return kept, decided_with


def _deciding_elements(structures: Structures) -> list[int]:
    """Elements of the outermost structures that were decided as one with each, and alike; -1 for open ones, and at the end for none."""
    elements: list[int] = []
    is_open, kept = structures.is_open, structures.kept
    columns = structures.element, structures.outer, is_open, kept
    for element, outer, opened, stays in zip(*columns, strict=True):
        is_alone = outer < 0 or is_open[outer] or kept[outer] != stays
        elements.append(-1 if opened else element if is_alone else elements[outer])
    return [*elements, -1]


def _decide_structures(structures: Structures, lines: LineValues, kept: list[bool]) -> None:
    """Decide from the outside in: the outer structure sets the gain from which an inner one differs."""
    limits: list[tuple[bool | None, float, float]] = []
    columns = structures.outer, structures.tag, structures.words, structures.gain
    of_each = zip(*columns, structures.is_open, structures.is_one, strict=True)
    for place, (around, tag, words, gain, is_open, is_one) in enumerate(of_each):
        outer, apart, least = limits[around] if around >= 0 else (None, 0.0, 0.0)
        if is_open:
            # What stands in a cell stays as surely as its table.
            is_row = tag == "tr" and words <= LARGE
            its = (outer if tag in tree.PARTS else None), apart if is_row else APART
            limits.append(tree.limit(*its))
            continue
        if outer is None and tag in SURROUNDED:
            _, _, least = tree.limit(*neighbours_verdict(lines, structures, place))
        structures.kept[place] = stays = gain / (words or 1) >= least
        limits.append(LIMITS[stays][is_one])
    of_lines = zip(kept, structures.of_line, structures.levels, lines.gains, strict=True)
    kept[:] = [
        stays if level or innermost < 0 else gain >= limits[innermost][2]
        for stays, innermost, level, gain in of_lines
    ]


# Repeated siblings, such as posts and cards: lines in the same place of each are decided together.

REPEATED = 3  # minimum siblings of one class that count as repeated


def sibling_gains(lines: LineValues) -> Sequence[float]:
    """Gains of lines, averaged over the same place of repeated siblings: authors of posts, names on cards.

    A line clearly of another kind than most of them keeps its own gain.
    """
    page = lines.page
    siblings, places = compiled.repeated_siblings(
        page.tags, page.classes, page.parents, tree.SIBLINGS, lines.elements, REPEATED
    )
    of_lines = zip(siblings, lines.gains, strict=True)
    if not any(sibling >= 0 and -APART <= gain <= APART for sibling, gain in of_lines):
        return lines.gains
    of_places: dict[int, list[int]] = {}
    for line, (place, aside) in enumerate(zip(places, lines.aside, strict=True)):
        if place >= 0 and not aside:
            of_places.setdefault(place, []).append(line)
    gains = list(lines.gains)
    for of_place in of_places.values():
        if len(of_place) >= REPEATED and len({siblings[line] for line in of_place}) >= REPEATED:
            _take_mean(lines, gains, of_place)
    return gains


def _take_mean(lines: LineValues, gains: list[float], of_place: Sequence[int]) -> None:
    """Give lines, of which some gain and some do not, their mean gain, except those clearly of another kind."""
    if len({gains[line] >= 0 for line in of_place}) == 1:
        return
    words = sum(lines.words[line] for line in of_place)
    mean = sum(lines.words[line] * gains[line] for line in of_place) / max(words, 1e-9)
    _, _, least = tree.limit(mean >= 0, APART)
    for line in of_place:
        if (gains[line] >= least) == (mean >= 0):
            gains[line] = mean


# Lines that are one to browsers: custom elements part them, which may be anything.


def gains_of_sentences(lines: LineValues, gains: Sequence[float]) -> Sequence[float]:
    """Gains of lines, averaged over those between which only custom elements stand that browsers set inline."""
    page = with_inline_elements(lines.page)
    if page is lines.page:  # as of most pages
        return gains
    parts: dict[int, set[int]] = {}
    for whole, line in zip(html_lines(page, holders(page)), lines.of_node, strict=True):
        parts.setdefault(whole, set()).add(line)
    gains = list(gains)
    for some in parts.values():
        if len(some) > 1:
            words = sum(lines.words[line] for line in some)
            mean = sum(lines.words[line] * gains[line] for line in some) / max(words, 1e-9)
            for line in some:
                gains[line] = mean
    return gains


# Tables that lay out a page: a row has the menu in one cell, the text in another.

FEW_ROWS = 2  # maximum rows of a table with paragraphs that are parts of one layout


def layout_parts(lines: LineValues, structures: Structures) -> set[int]:
    """Places of rows, and their tables, of which one cell is clearly content and another, which is more than a label, is none.

    Of a table of two rows with paragraphs the other cell may be in the other row.

    A table is one of data where rows with cells of one line each have most of its words: there a cell is a name, a
    number or a remark, and all pages of a site may share it.
    """
    if not elements_of_tags(lines.page, "td"):
        return set()
    table_of, places, words = structures.outer, structures.places, structures.words
    of_cells = ((places.get(row, -1), cells) for row, cells in _cells_of_rows(lines).items())
    of_rows = {row: cells for row, cells in of_cells if row >= 0 and table_of[row] >= 0}
    simple: dict[int, float] = {}
    together: dict[int, list[list[int]]] = {}
    for row, cells in of_rows.items():
        table = table_of[row]
        if len(cells) > 1 and all(len(cell) == 1 for cell in cells):
            simple[table] = simple.get(table, 0.0) + words[row]
        if structures.holds_paragraph[table] and structures.rows[table] <= FEW_ROWS:
            # One text alone is the heading of the other row.
            several = (cell for cell in cells if len(cell) > 1 or len(lines.nodes(cell[0])) > 1)
            together.setdefault(table, []).extend(several)
    parts: set[int] = set()
    for row, cells in of_rows.items():
        table = table_of[row]
        is_data = 2 * simple.get(table, 0.0) >= words[table]
        if not is_data and _differ_in_kind(lines, cells):
            parts.update((row, table))
    parts.update(table for table, cells in together.items() if _differ_in_kind(lines, cells))
    return parts


def _differ_in_kind(lines: LineValues, cells: Iterable[Sequence[int]]) -> bool:
    """Return whether one cell is clearly content, and another is none and no mere label, which has no link."""
    has_text = has_other = False
    for cell in cells:
        words = sum(lines.words[line] for line in cell)
        gain = sum(lines.words[line] * lines.gains[line] for line in cell)
        has_text |= gain > APART * words
        inner = nearest_of_tags(lines.page, lines.elements[cell[0]], {"a", *tree.CELLS})
        is_text = len(cell) == 1 and lines.page.tags[inner] != "a"
        is_label = is_text and words <= tree.LABEL_WORDS
        has_other |= gain < 0 and not is_label
    return has_text and has_other


def _cells_of_rows(lines: LineValues) -> dict[int, list[list[int]]]:
    """Lines of the cells that have some, by the element of their row."""
    cell_of = enclosing_elements(lines.page, elements_of_tags(lines.page, *tree.CELLS))
    rows: dict[int, dict[int, list[int]]] = {}
    for line, element in enumerate(lines.elements):
        if (cell := cell_of[element]) >= 0:
            rows.setdefault(lines.page.parents[cell], {}).setdefault(cell, []).append(line)
    return {row: [*cells.values()] for row, cells in rows.items()}


# Tables and lists go with what stands on both sides of them, unless they are clearly of another
# kind.

SURROUNDED = frozenset((*tree.LISTED, "figure", "pre", "address"))
LISTS = frozenset(("ul", "ol"))

BETWEEN = 0.2
"""Loss per word up to which a table or list between two such lines stays: links and numbers of the text."""

BETWEEN_OWN = 0.5
"""The same where one of its lines gains OWN: all pages of a template may share its header, its labels, the rest of its code."""

OF_TEXT = 0.6
"""The same of a small one behind such a line, a part of which no other page has: all pages of a template may share its labels."""

OWN = 0.05  # gain of a line that is content by itself, or of a heading that keeps the list below it
ALONE = 0.1  # minimum gain per word of a list that stays between dropped lines


def neighbours_verdict(
    lines: LineValues, structures: Structures, place: int
) -> tuple[bool | None, float]:
    """Verdict of the lines around a figure, code, or a table or list of several lines, and the gain from which its own differs.

    True is content, False boilerplate, None neither.
    """
    first, tag, element = structures.first[place], structures.tag[place], structures.element[place]
    before, behind = first - 1, structures.last[place] + 1
    is_figure = tag == "figure"
    is_line = behind == first + 1 and not is_figure
    has_own = not is_line and any(lines.own[first:behind])
    if not is_line and not is_figure and _is_led(lines, structures, place):
        return True, OF_TEXT if has_own else BETWEEN
    if has_own and _is_of_text(lines, structures, place):
        return True, OF_TEXT
    is_code = tree.is_code(lines.page, element)
    if is_code and tree.gain_around_code(lines, before, behind) > SURE:
        return True, BETWEEN_OWN
    if is_line or before < 0 or behind == len(lines.gains):
        return None, 0.0
    around = lines.gains[before], lines.gains[behind]
    if min(around) > SURE and not structures.levels[before]:
        return True, BETWEEN_OWN if max(lines.gains[first:behind]) > OWN else BETWEEN
    if max(around) < 0 and tag != "table" and not is_figure:
        return False, ALONE
    return None, 0.0


def _is_of_text(lines: LineValues, structures: Structures, place: int) -> bool:
    """Return whether a small structure, and no list of links, stands in one box with text beyond doubt just above it, or above its heading."""
    page, before, element = lines.page, structures.first[place] - 1, structures.element[place]
    if before > 0 and structures.levels[before] and lines.gains[before] <= SURE:
        before -= 1
    end = subtree_end(page.parents, element)
    return (
        before >= 0
        and lines.gains[before] > SURE
        and structures.words[place] <= tree.BOX_WORDS
        and tree.is_below(page, lines.elements[before], page.parents[element])
        and (page.tags[element] not in LISTS or "a" not in page.tags[element:end])
    )


def _is_led(lines: LineValues, structures: Structures, place: int) -> bool:
    """Return whether a small structure stands just below a heading that is content, and that below text beyond doubt: sources, downloads."""
    heading = structures.first[place] - 1
    return (
        heading > 0
        and structures.levels[heading] > 1
        and lines.gains[heading] > OWN
        and lines.gains[heading - 1] > SURE
        and structures.words[place] <= tree.BOX_WORDS
    )


_CALLOUTS = "admonition alert callout caution hint important note notice tip warning"
CALLOUTS = NamePattern(
    rf"(?<!\w)(?:{_CALLOUTS.replace(' ', '|')})(?:-(?:block|box|card))?(?!\S)", _CALLOUTS
)
"""Ends of the classes of callouts: small boxes of notices within a text. So are `details` that have text beyond doubt."""


def callout_lines(lines: LineValues) -> Iterator[int]:
    """Lines of callouts just behind text beyond doubt, below the same element, of which one fails by BETWEEN at most, or is beyond doubt in `details`."""
    page, element = lines.page, lines.elements
    named = elements_like(page.classes, CALLOUTS)
    boxes = {n for n in named if page.tags[n] in tree.BOXES}
    details = elements_of_tags(page, "details")
    if not boxes and not details:  # as on most pages
        return
    of_box: dict[int, list[int]] = {}
    box_of = enclosing_elements(page, boxes | details)
    for line, holder in enumerate(element):
        if (box := box_of[holder]) >= 0 and not lines.aside[line]:
            of_box.setdefault(box, []).append(line)
    for box, some in of_box.items():
        before = some[0] - 1
        limit = SURE if box in details else -BETWEEN
        if (
            before >= 0
            and lines.gains[before] > SURE
            and tree.is_below(page, element[before], page.parents[box])
            and sum([lines.words[line] for line in some]) <= tree.BOX_WORDS
            and max([lines.gains[line] for line in some]) >= limit
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
        heading = nearest_of_tags(page, lines.elements[line], HEADINGS)
        outer = page.parents[heading]
        kind = page.tags[heading], page.classes[heading], page.tags[outer], page.classes[outer]
        of_kind.setdefault(kind, []).append(line)
    means = {
        kind: sum([lines.gains[line] for line in same]) / len(same)
        for kind, same in of_kind.items()
    }
    return {line: means[kind] for kind, same in of_kind.items() for line in same}


def decide_headings(
    lines: LineValues,
    gains: Mapping[int, float],
    names: Callable[[int], bool],
    kept: list[bool],
    headings: dict[int, int],
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    `gains` are those of headings just before text that stays: they are kept if they fail by LEAN_OF_HEADINGS at most, or
    LEAN_ON_SURE, or if they are not clearly of another kind and one `names` a table or list there, or before text of which all
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
                and (all(kept[line + 1 : after]) or level == titles == 1 or names(line))
            )
        elif kept[line]:
            follows = after == line + 1 < len(kept)
            stays = below or (follows and headings[after] <= level)
            kept[line] = stays or any(kept[line + 1 : after])
        deeper.append((level, below or kept[line] or any(kept[line + 1 : after])))
        after = line


def _names_structure(structures: Structures, line: int) -> bool:
    """Return whether a table or list of several lines, decided as one, begins just behind a line."""
    of_lines = structures.of_line[line : line + 3]
    if len(of_lines) < 3 or min(of_lines[1:]) < 0:
        return False
    outside, first, second = (set(structures.ancestors(structure)) for structure in of_lines)
    inside = first.intersection(second) - outside
    tags = (structures.tag[place] for place in inside if not structures.is_open[place])
    return not tree.LISTED.isdisjoint(tags)
