"""Parts of main text that one asks for besides, or does without: captions, comments, tables, notes and the byline.

What counts as main text differs by purpose: a corpus wants no tables, a reader wants the notes (docs/method.md, Main
text). Verdicts stay as they are; of a judged page other text runs are given out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dbce.formats.leaves import captions_of
from dbce.formats.part import table_rows
from dbce.html import elements_of_tags, enclosing_elements, sums_below
from dbce.metadata import names_byline
from dbce.model import Label, Page, TextRun, UsageError

TEXTS = ("captions", "comments", "tables", "notes", "byline")  # parts that are texts of their own

NAMES = (*TEXTS, "images")

NEVER = frozenset(("unseen", "of-site"))
"""Rules of what no reader sees, and of what is the site's: it is in no part."""

MOST = 0.9  # share of the characters of content that the element has in which parts are looked for
BYLINE = 160  # characters of a byline at most; what is longer presents the author
POSTER = re.compile(r"user-?name|nick-?name", re.IGNORECASE)  # who wrote a post

_NOTES = re.compile(
    r"(?:^|[\s_-])(?:foot|end)?notes?(?:$|[\s_-])|reflist|references", re.IGNORECASE
)
_NOTE_ID = re.compile(r"_?(?:cite_note|ftn|fn|footnote|endnote|note)[-_:.]?\d", re.IGNORECASE)
_NOTE_ROLES = re.compile(r"doc-(?:footnote|endnote)s?")


@dataclass(frozen=True, slots=True)
class MainParts:
    """Parts, of NAMES, that are asked for besides what was judged to be content, and those to leave out."""

    added: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()

    @property
    def images(self) -> bool:
        return "images" in self.added

    @property
    def changes_texts(self) -> bool:
        """Return whether other texts are given out than those that were judged to be content."""
        return not (self.added | self.left_out) <= {"images"}

    def select(self, page: Page, runs: Sequence[TextRun]) -> tuple[TextRun, ...]:
        """The runs of a judged page, content where its text is given out.

        Parts that are asked for are added where they stand in the content: within the innermost element that
        has most of it, and not before its first text or behind its last.
        """
        if not self.changes_texts:
            return tuple(runs)
        added = _choose_parts(page, runs, self.added)
        left_out = _choose_parts(page, runs, self.left_out)
        within = _in_content(page, runs)
        return tuple(
            _relabel(run, Label.CONTENT)
            if is_added and within[run.node] and run.verdict.decided_by not in NEVER
            else _relabel(run, Label.BOILERPLATE)
            if run.verdict.label is Label.CONTENT and is_left_out
            else run
            for run, is_added, is_left_out in zip(runs, added, left_out, strict=True)
        )


AS_JUDGED = MainParts()  # content as classified, without additions and omissions


def main_parts(added: Iterable[str], left_out: Iterable[str]) -> MainParts:
    """Parts by names, which commas may join; UsageError if there is no such part, or one is asked for and left out."""
    of_both = [frozenset(_names(names)) for names in (added, left_out)]
    if both := of_both[0] & of_both[1]:
        raise UsageError(f"{min(both)} is both asked for and left out; name it once")
    return MainParts(*of_both)


def _names(listing: Iterable[str]) -> Iterator[str]:
    listed = [listing] if isinstance(listing, str) else listing
    for name in (name.strip() for names in listed for name in names.split(",")):
        if name not in NAMES:
            raise UsageError(f"there is no part {name!r}; choose of {', '.join(NAMES)}")
        yield name


def _choose_parts(page: Page, runs: Sequence[TextRun], names: frozenset[str]) -> list[bool]:
    finders = {"captions": _captions, "tables": _tables, "notes": _notes, "byline": _bylines}
    roots = {element for name in names & finders.keys() for element in finders[name](page)}
    root_of = enclosing_elements(page, roots)
    return [
        root_of[page.nodes[run.node].element] >= 0
        or ("comments" in names and run.verdict.decided_by == "comment")
        for run in runs
    ]


def _captions(page: Page) -> set[int]:
    return captions_of(page) | elements_of_tags(page, "caption")


def _tables(page: Page) -> Iterator[int]:
    """The tables of two rows of two cells at least that hold no other table."""
    tables = elements_of_tags(page, "table")
    table_of = enclosing_elements(page, tables)
    outer = {-1, *(table_of[page.parents[table]] for table in tables)}
    for table, rows in table_rows(page, table_of).items():
        if table not in outer and sum(len(cells) > 1 for cells in rows.values()) > 1:
            yield table


def _notes(page: Page) -> Iterator[int]:
    for element, (tag, name) in enumerate(zip(page.tags, page.ids, strict=True)):
        is_list = tag in ("ol", "ul", "dl", "section", "div", "aside")
        is_called_so = is_list and _NOTES.search(f"{page.classes[element]} {name}")
        if is_called_so or _NOTE_ID.match(name) or _NOTE_ROLES.search(page.roles[element]):
            yield element


def _bylines(page: Page) -> Iterator[int]:
    sizes = _sums(page, ((node.element, len(node.text)) for node in page.nodes))
    for element, tag in enumerate(page.tags):
        names = f"{page.classes[element]} {page.ids[element]} {page.roles[element]}"
        if sizes[element] <= BYLINE and (
            tag == "time" or names_byline(names) or POSTER.search(names)
        ):
            yield element


def _sums(page: Page, values: Iterable[tuple[int, int]]) -> list[int]:
    of_elements = [0] * len(page.tags)
    for element, value in values:
        of_elements[element] += value
    return sums_below(page.parents, of_elements)


def _in_content(page: Page, runs: Sequence[TextRun]) -> list[bool]:
    """For each text node whether it stands in the content."""
    content = [run for run in runs if run.verdict.label is Label.CONTENT]
    if not content:
        return [False] * len(page.nodes)
    sizes = _sums(page, ((page.nodes[run.node].element, run.end - run.start) for run in content))
    root = max(element for element, size in enumerate(sizes) if size >= MOST * sizes[0])
    inside = enclosing_elements(page, {root})
    first, last = content[0].node, content[-1].node
    return [first <= n <= last and inside[node.element] >= 0 for n, node in enumerate(page.nodes)]


def _relabel(run: TextRun, label: Label) -> TextRun:
    return run._replace(verdict=run.verdict._replace(label=label))
