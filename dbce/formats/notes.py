"""Notes and their marks: what leads to a note and back from it, and notes that stand within a sentence."""

import re
from collections.abc import Collection, Iterator
from itertools import compress, count, pairwise
from typing import NamedTuple

from dbce import html
from dbce.html import INLINE, is_note_mark
from dbce.model import WORD_RUN, Page, TextNode, word_lists

WORDS = word_lists("dbce.formats")
NOTE = html.NamePattern(
    r"(?:^|[\s_-]|mso)(?:side|margin|foot|end)-?_?note|(?:^|\s)ltx_(?:note_content|note_mark|tag_note)(?:$|\s)",
    "note",
)
"""Classes of notes, and of their marks: Tufte, WordPress, LaTeXML, Word."""

NOTE_ROLE = html.NamePattern(r"(?:^|\s)(?:tooltip|note|doc-footnote)(?:$|\s)", "tooltip note")
NOTE_WORDS = 4  # words of a note within a sentence, at least; what has fewer is a mark
LONGEST = 1_000  # characters of a text that is asked for, at least: a mark, a label
RAISED_IN = 3  # elements from the text of a mark up to its `<sup>` at most

BACK_CLASSES = frozenset(WORDS["links back"].split())
BACK_ROLE = "doc-backlink"
BACK = re.compile(
    r"\W*(?:(?:back|return|jump (?:up|back))(?: to \w[\w ]{0,40})?|retour|zurück|volver|indietro)\W*",
    re.IGNORECASE,
)
"""Text of a link from a note to its mark."""

CONTROLS = frozenset({"mw-cite-backlink", "mw-editsection", "editsection"})
"""Classes of what Wikipedia sets for those who write, or go back."""


class Notes(NamedTuple):
    """The elements of notes within sentences, of marks that `<sup>` raises or only style does, and of labels: marks that lead back."""

    inline_notes: frozenset[int] = frozenset()
    raised_marks: frozenset[int] = frozenset()
    styled_marks: frozenset[int] = frozenset()
    labels: frozenset[int] = frozenset()


def read_notes(page: Page) -> Notes:
    """The notes of a page that stand in its sentences, and the marks that lead to notes."""
    named = html.elements_like(page.classes, NOTE)
    named |= html.elements_like(page.roles, NOTE_ROLE)
    behind_marks = _hidden_behind_marks(page)
    jumps = {link for link, _ in page.jumps}
    if not (named or behind_marks or any(map(is_note_mark, texts_of(page, jumps).values()))):
        return Notes()  # as of most pages, and of those that lead past their menu
    sups = html.elements_of_tags(page, "sup")
    places = {name: element for element, name in enumerate(page.ids) if name}
    back = {link for link, name in page.jumps if places.get(name, link) < link}
    called = {n for n in named if page.tags[n] in INLINE}.union(*behind_marks)
    texts = texts_of(page, called | sups | jumps)
    notes = {
        n for n in called - sups - jumps if len(WORD_RUN.findall(texts.get(n, ""))) >= NOTE_WORDS
    }
    nearest = html.enclosing_elements(page, notes)
    within = notes - {nearest[page.parents[n]] for n in notes}
    sup_of, link_of = (
        html.enclosing_elements(page, elements) for elements in (sups, jumps | called)
    )
    raised = {sup_of[n] for n in jumps | called} | {n for n in sups if link_of[n] >= 0}
    raised = {n for n in raised & sups if is_note_mark(texts.get(n, ""))}
    glued = {n for n in _glued_links(page, jumps - back) if is_note_mark(texts[n])}
    around_sups = {link_of[page.parents[n]] for n in sups if page.parents[n] >= 0}
    marks = (called | glued) - within - sups - around_sups
    own_texts = texts_of(page, marks, without=within)
    marks = {n for n in marks if sup_of[n] < 0 and is_note_mark(own_texts.get(n, ""))}
    labels = {n for n in back if is_note_mark(texts.get(n, ""))}
    unraised = _in_sentences(page, marks) - back
    return Notes(*map(frozenset, (within, raised, unraised, labels)))


def _hidden_behind_marks(page: Page) -> list[tuple[int, int]]:
    """Raised marks with the hidden elements just behind them in the same line: notes that a click shows."""
    pairs = []
    for element in compress(count(), page.hidden) if "sup" in page.tags else ():
        behind = html.first_node(page.nodes, element)
        if page.tags[element] in INLINE and 0 < behind < len(page.nodes):
            before = page.nodes[behind - 1]
            sup = html.nearest_of_tags(page, before.element, {"sup"}, RAISED_IN)
            if sup >= 0 and is_note_mark(before.text):
                pairs.append((sup, element))
    return pairs


def _behind_texts(
    page: Page, elements: Collection[int]
) -> Iterator[tuple[int, TextNode, TextNode]]:
    """The elements of some that begin behind a text, each with that and its first one."""
    element_of = html.enclosing_elements(page, elements)
    for before, node in pairwise(page.nodes if elements else ()):
        element = element_of[node.element]
        if element >= 0 and element_of[before.element] != element:
            yield element, before, node


def _glued_links(page: Page, links: Collection[int]) -> set[int]:
    """Links to a place further down that begin without white space behind a word."""
    return {
        link
        for link, before, node in _behind_texts(page, links)
        if before.text[-1:].isalnum() and not node.spaced and not node.text[:1].isspace()
    }


def _in_sentences(page: Page, marks: Collection[int]) -> set[int]:
    holder = html.holders(page) if marks else ()
    behind = _behind_texts(page, marks)
    return {mark for mark, before, _ in behind if holder[before.element] == holder[mark]}


def back_links(page: Page) -> set[int]:
    """Links that lead from notes to their marks, and what stands around them."""
    controls = html.elements_of_classes(page, CONTROLS)
    called = html.elements_of_classes(page, BACK_CLASSES)
    roles = html.elements_by(page.roles)
    called.update(n for role, nodes in roles.items() if BACK_ROLE in role for n in nodes)
    jumps = dict(page.jumps)
    texts = texts_of(page, called | jumps.keys())
    controls |= {n for n in called if not is_note_mark(texts.get(n, ""))}
    back = {n for n in jumps if BACK.fullmatch(texts.get(n, ""))}
    places = {name: element for element, name in enumerate(page.ids) if name} if back else {}
    return controls | {n for n in back if places.get(jumps[n], -1) < n}


def texts_of(
    page: Page, elements: Collection[int], without: Collection[int] = ()
) -> dict[int, str]:
    """The text of each of some elements, but what is in those `without`; of one that is longer than LONGEST its beginning."""
    nearest = html.enclosing_elements(page, without)
    texts: dict[int, str] = {}
    for element in elements:
        text = ""
        for n in html.nodes_within(page, element)[:LONGEST]:  # some may be without those
            if nearest[page.nodes[n].element] < element:
                text += page.nodes[n].text[:LONGEST]
            if len(text) >= LONGEST:
                break
        if text:
            texts[element] = text
    return texts
