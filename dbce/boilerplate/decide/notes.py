"""Small texts that go with what they stand beside: notes with their marks, labels with their boxes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby, pairwise

from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.decide import tree
from dbce.html import (
    RAW_TEX,
    TEX_HEADS,
    elements_by,
    first_node,
    nearest_of_tags,
    nodes_that_may_begin,
    nodes_within,
    subtree_end,
)
from dbce.model import Page

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


def note_marks(page: Page, marks: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """First text nodes of the marks of each note, by its element, which stands behind them."""
    notes: dict[int, list[int]] = {}
    back = {link for link, _ in page.jumps}
    for node, place in marks:
        note = nearest_of_tags(page, place, HOLDERS, NEAR)
        if (term := nearest_of_tags(page, place, {"dt"}, NEAR)) >= 0 > note:
            behind = subtree_end(page.parents, term)
            note = behind if page.tags[behind : behind + 1] == ("dd",) else note
        if note < 0:
            box = page.parents[place] if place in back else place
            note = box if page.tags[box] in tree.BOXES else -1
        if note >= 0:
            notes.setdefault(note, []).append(node)
    return notes


EQUATION_NUMBER = re.compile(r"^\([\w.]{1,8}\)[\s¶#]*|\s*\([\w.]{1,8}\)[\s¶#]*$")


def formula_lines(lines: LineValues, kept: Sequence[bool]) -> Iterator[int]:
    """Lines of TeX alone, or numbered, between lines that stay: pages of a template may share a formula."""
    likely = {lines.of_node[n] for n in nodes_that_may_begin(lines.page, TEX_HEADS)}
    texts = ((line, lines.text(line)) for line in sorted(likely))
    formulas = [
        line
        for line, text in texts
        if ("$" in text or "\\" in text)
        and RAW_TEX.fullmatch(EQUATION_NUMBER.sub("", " ".join(text.split())))
    ]
    for _, group in groupby(enumerate(formulas), key=lambda pair: pair[1] - pair[0]):
        row = [line for _, line in group]
        before, behind = row[0] - 1, row[-1] + 1
        if before >= 0 and behind < len(kept) and kept[before] and kept[behind]:
            yield from row


def note_labels(
    lines: LineValues, marks: Iterable[tuple[int, int]], kept: Sequence[bool]
) -> Iterator[int]:
    """Lines that are the number of a note alone, before a note that stays with its mark: headings of Texinfo."""
    page = lines.page
    for mark, place in marks:
        first = first_node(page.nodes, place)
        text = page.nodes[first].text.strip() if first < len(page.nodes) else ""
        if BRACKETED.fullmatch(text) or RAISED.fullmatch(text):
            line = lines.of_node[first]
            if kept[lines.of_node[mark]] and line + 1 < len(kept) and kept[line + 1]:
                yield line


def marks_with_places(page: Page) -> Iterator[tuple[int, int]]:
    """The first text node of each mark, and the place further down that it leads to.

    A mark is a number, a letter or a sign in a link to another place of the page, in brackets or raised, or a number close
    to a word in a link to one that leads back: style raises both.
    """
    if not page.jumps:
        return
    back = {page.ids[link] for link, _ in page.jumps}
    hidden = {*compress(page.ids, page.hidden)}
    leading = [
        (node, link, name)
        for link, name in page.jumps
        if (node := _mark_in(page, link, leads_back=name in back, shows=name in hidden)) >= 0
    ]
    places = elements_by(page.ids) if leading else {}
    for node, link, name in leading:
        # Of several of a name the first, as browsers have it. What leads back from a note to its mark is marked by letters, too.
        if (place := places.get(name, [-1])[0]) > link:
            yield node, place


def _mark_in(page: Page, link: int, *, leads_back: bool, shows: bool) -> int:
    """First text node of a link that is a mark, else -1; what it leads to may lead back, or be hidden until it is shown."""
    inside = nodes_within(page, link)[:PIECES]
    first = inside[0] if inside else -1
    text = "".join(page.nodes[n].text for n in inside).strip()
    if not inside or len(page.nodes[first].text) > LONGEST:
        return -1
    if BRACKETED.fullmatch(text):
        return first
    raised = RAISED.fullmatch(text) and (
        nearest_of_tags(page, link, {"sup"}, NEAR) >= 0
        or page.tags[page.nodes[first].element] == "sup"
        or ((shows or (leads_back and text.isdecimal())) and _is_close(page, first))
    )
    return first if raised else -1


def _is_close(page: Page, number: int) -> bool:
    """True if a text node stands behind a word, or its stop, without white space."""
    before = page.nodes[number - 1].text[-1:] if number else ""
    node = page.nodes[number]
    is_apart = node.spaced or node.text[:1].isspace() or before.isspace()
    return not (is_apart or not before or before.isdecimal())


def keep_notes_with_marks(
    lines: LineValues,
    marks: Iterable[tuple[int, int]],
    structures: tree.Structures,
    kept: list[bool],
) -> None:
    """Keep notes with a kept mark, drop notes with none; an article is no note."""
    marked = {
        note: any(kept[lines.of_node[number]] for number in numbers)
        for note, numbers in note_marks(lines.page, marks).items()
    }
    places = structures.places if marked else {}
    for box in marked.keys() - places.keys():
        of_box = {lines.of_node[n] for n in nodes_within(lines.page, box)}
        if sum(lines.words[line] for line in of_box) <= tree.BOX_WORDS:
            for line in of_box:
                kept[line] = marked[box]  # also what a click has to open
    notes = {places[n]: its for n, its in marked.items() if n in places}
    notes = {place: its for place, its in notes.items() if structures.words[place] <= tree.LARGE}
    if not notes:
        return
    stays: list[bool | None] = []
    for place, outer in enumerate(structures.outer):
        stays.append(its := notes.get(place, stays[outer] if outer >= 0 else None))
        if its is not None:
            structures.kept[place] = its
    of_lines = zip(structures.of_line, structures.levels, strict=True)
    for line, (place, level) in enumerate(of_lines):
        if place >= 0 and not level and (its := stays[place]) is not None:
            kept[line] = its


# Boxes keep their labels: the "Warning" of a notice, the "Weight" of a pair that is no table, the number of an equation. All
# pages of a site share those.
CONTROLS = frozenset(("a", "button", "label", "summary"))
"""Elements whose text does something, and so is no label."""


def keep_labels(lines: LineValues, kept: list[bool]) -> None:
    """Keep labels of boxes of which all else, and more, stays; a number in brackets may be the end of its box."""
    before = False
    for line, (stays, behind) in enumerate(pairwise([*kept, False])):
        is_beside = not stays and (behind or before) and lines.words[line] <= tree.LABEL_WORDS
        if is_beside and lines.shown[line] and not lines.aside[line]:
            kept[line] = behind and _is_rest_kept(lines, kept, line, line + 1)
            if before and not kept[line] and BRACKETED.fullmatch(lines.text(line).strip()):
                kept[line] = _is_rest_kept(lines, kept, line, line - 1)
        before = kept[line]


def _is_rest_kept(lines: LineValues, kept: Sequence[bool], label: int, neighbour: int) -> bool:
    """True if all but the label is kept of the innermost box that holds it and its neighbour, and that is not large."""
    page, element = lines.page, lines.elements
    box = element[label]
    while box >= 0 and not tree.is_below(page, element[neighbour], box):
        if page.tags[box] in CONTROLS:
            return False
        box = page.parents[box]
    if box < 0 or page.tags[box] not in tree.BOXES:
        return False
    words = lines.words[label]
    for some in (range(label + 1, len(element)), range(label - 1, -1, -1)):
        for line in some:
            if not tree.is_below(page, element[line], box):
                break
            words += lines.words[line]
            if words > tree.BOX_WORDS or not kept[line]:
                return False
    return words > 2 * lines.words[label]
