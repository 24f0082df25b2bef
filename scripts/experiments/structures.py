"""Do the structures of a page come out whole, decided on lines and on structures?

    python -m scripts.experiments.structures [--held-out FILE] [--set NAME]...

Word scores forgive a table that lost its labels and a heading that lost its section; readers don't. Here each structure
of a page is asked for by itself:

    headline   the first heading that <title> begins with or for the most part consists of; on every page that has one,
               whether the gold has it or not: gold sets differ in it, readers don't
    heading    any other h1 to h6
    paragraph  p, blockquote, figcaption, caption and pre that hold none of these and no other block (INNER)
    table      a table with two rows and two columns at least that holds no other
    list       ul, ol and dl with two items at least that hold no other

A text is compared by its letters and digits alone. A heading or paragraph is there if it stands in the text in one
piece; a table or list is whole from WHOLE of its rows or items on, and a stump from STUMP on. Whole is asked of what
the gold has whole; of that of which the gold has nothing, whatever is there intrudes; broken is the share of stumps
of both. F1 is that of bags of words, over pages, lines that say the headline left out of text and gold.

Of sets that the model learned from, pages are decided on by what models that never saw their sites made of their lines:
FILE, as `make train` writes it. Without it they are marked: there probabilities are surer than on other pages.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from dbce import html
from dbce.evaluate.results import table
from dbce.evaluate.scores import score_page, words
from dbce.model import Capture, Config, InputError
from scripts.experiments.sets import (
    SETS,
    call,
    compared_sets,
    is_trained_on,
    judged_captures,
    read_gains,
    select_pages,
    set_parser,
)
from scripts.experiments.systems import texts_of_gains, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from scripts.experiments.sets import Archive, Texts

LEAST = 6
"""Letters and digits of what is asked for."""

WHOLE, STUMP = 0.95, 0.05

HALF = 20
"""Letters and digits of half a paragraph from which on it is a stump."""

ENOUGH = 30
"""Structures of a kind in the gold from which on a share is told."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARAGRAPHS = ("p", "blockquote", "figcaption", "caption", "pre")
LISTS = ("ul", "ol", "dl")
INNER = frozenset((*HEADINGS, *PARAGRAPHS, *LISTS, "table", "div", "section", "article"))
UNSEEN = frozenset("script style noscript template head select textarea".split())
KINDS = ("headline", "heading", "paragraph", "table", "list")
HEADER = ("set", "system", "pages", *KINDS, "intruding headings", "broken", "F1")

_WORDS = re.compile(r"\w+")


def key(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return "".join(_WORDS.findall(text.lower())).replace("_", "")


class Structure(NamedTuple):
    """A structure of a page: its kind, and the keys of its items, or its own."""

    kind: str
    keys: tuple[str, ...]

    def share(self, text: str) -> float:
        """Share of it that the key of a text has; a paragraph of which a half is there counts as a half."""
        there = sum(item in text for item in self.keys) / len(self.keys)
        half = len(self.keys[0]) // 2
        if self.kind == "paragraph" and not there and half >= HALF:
            return 0.5 * (self.keys[0][:half] in text or self.keys[0][half:] in text)
        return there


def text_of(element: Element) -> str:
    """The text of an element, without what no reader sees."""
    if not isinstance(element.tag, str) or element.tag in UNSEEN:
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += [" ", text_of(child), " " if child.tag == "br" else "", child.tail or ""]
    return "".join(parts)


def structures(root: Element) -> Iterator[Structure]:
    """All structures of a page that are asked for."""
    headline = ""
    for element in root.iter(*HEADINGS, *PARAGRAPHS, *LISTS, "table"):
        if next(element.iterancestors(*UNSEEN), None) is not None:
            continue
        if element.tag in HEADINGS:
            own_key = key(text_of(element))
            if not headline and names_page(root, own_key):
                headline = own_key
                yield Structure("headline", (own_key,))
            elif len(own_key) >= LEAST and own_key != headline:
                yield Structure("heading", (own_key,))
        elif element.tag in PARAGRAPHS:
            own_key = key(text_of(element))
            if len(own_key) >= LEAST and not _holds(element, *INNER):
                yield Structure("paragraph", (own_key,))
        else:
            yield from _listed_structure(element)


def names_page(root: Element, heading: str) -> bool:
    """Return whether the title of a page begins with a heading, or is that for the most part."""
    title = key(root.findtext(".//title") or "")
    is_most = 2 * len(heading) >= len(title) or title.startswith(heading)
    return len(heading) >= LEAST and heading in title and is_most


def _listed_structure(element: Element) -> Iterator[Structure]:
    """A table or a list, if it is one of several items and holds no other."""
    is_table = element.tag == "table"
    if _holds(element, *(("table",) if is_table else LISTS)):
        return
    parts = list(element.iter("tr")) if is_table else list(element.iterchildren("li", "dt", "dd"))
    if is_table and not any(len(list(tr.iterchildren("td", "th"))) > 1 for tr in parts):
        return
    keys = tuple(own_key for own_key in map(key, map(text_of, parts)) if len(own_key) >= LEAST)
    if len(parts) > 1 and len(keys) > 1:
        yield Structure("table" if is_table else "list", keys)


def _holds(element: Element, *tags: str) -> bool:
    return next(element.iterdescendants(*tags), None) is not None


@dataclass(slots=True)
class Tally:
    """Structures by kind: how many the gold has whole, and how many of these and of the others a text has."""

    wanted: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    intruding: Counter[str] = field(default_factory=Counter)
    stumps: int = 0

    def add(self, other: Tally) -> None:
        """Add the counts of another page or set."""
        self.wanted.update(other.wanted)
        self.whole.update(other.whole)
        self.others.update(other.others)
        self.intruding.update(other.intruding)
        self.stumps += other.stumps

    def count(self, structure: Structure, gold: str, text: str) -> None:
        """Count a structure by the keys of gold and text; what the gold has in part is not asked."""
        kind, found = structure.kind, structure.share(text)
        wanted = 1.0 if kind == "headline" else structure.share(gold)
        if STUMP < wanted < WHOLE:
            return
        self.stumps += STUMP < found < WHOLE
        if wanted >= WHOLE:
            self.wanted[kind] += 1
            self.whole[kind] += found >= WHOLE
        else:
            self.others[kind] += 1
            self.intruding[kind] += found > STUMP

    def shares(self) -> list[float]:
        """Share that is whole, of each kind; of headings that intrude; of all that are broken."""
        kinds = [_share(self.whole[kind], self.wanted[kind]) for kind in KINDS]
        every = self.wanted.total() + self.others.total()
        intruding = _share(self.intruding["heading"], self.others["heading"])
        return [*kinds, intruding, self.stumps / max(1, every)]


def _share(part: int, whole: int) -> float:
    return part / whole if whole >= ENOUGH else float("nan")


class ScoredPage(NamedTuple):
    """A page with words in the gold: its record, gold text, and structures."""

    page: str
    gold: str
    structures: list[Structure]


def scored_pages(archive: Archive) -> list[ScoredPage]:
    """The pages of an archive, and what is asked of each."""
    gold = {page.page: page.text for page in archive.gold if words(page.text)}
    pages = (
        (capture, _structures_of(capture))
        for capture in judged_captures(select_pages(archive, gold))
    )
    return [ScoredPage(one.record_id, gold[one.record_id], found) for one, found in pages if found]


def row(pages: Sequence[ScoredPage], texts: Texts) -> list[float]:
    """(pages, shares of a tally ..., F1) of texts."""
    tally, scores = Tally(), []
    for page in pages:
        its_tally, f1 = page_score(page, texts.get(page.page, ""))
        tally.add(its_tally)
        scores.append(f1)
    return [len(scores), *tally.shares(), sum(scores) / max(1, len(scores))]


def page_score(page: ScoredPage, text: str) -> tuple[Tally, float]:
    """The structures of the text of a page, counted, and its F1."""
    tally, of_gold, of_text = Tally(), key(page.gold), key(text)
    for structure in page.structures:
        tally.count(structure, of_gold, of_text)
    headline = next((s.keys[0] for s in page.structures if s.kind == "headline"), "")
    counts = score_page(_without_line(page.gold, headline), _without_line(text, headline))
    return tally, 2 * counts.bag / max(1, counts.gold + counts.predicted)


def _structures_of(capture: Capture) -> list[Structure] | None:
    try:
        document = html.load(capture.payload, capture.content_type, Config().limits)
    except InputError:
        return None
    return list(structures(document.root))


def _without_line(text: str, headline: str) -> str:
    return "\n".join(line for line in text.split("\n") if not headline or key(line) != headline)


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the table, two rows a set."""
    parser = set_parser("structures", "Whole structures.", SETS, held_out=True)
    options = parser.parse_args(arguments)
    gains = read_gains(options.held_out)
    rows: list[list[object]] = []
    for name, archive in compared_sets(SETS, options.set):
        pages = scored_pages(archive)
        its_gains = {page.page: gains[page.page] for page in pages if page.page in gains}
        mark = "" if its_gains or not is_trained_on(name) else "*"
        for decide in ("lines", "structures"):
            if its_gains:
                texts = texts_of_gains(archive, its_gains, by_structures=decide == "structures")
            else:
                texts = texts_of_method(archive, Config().method, Config(decide=decide))
            rows.append([f"{name}{mark}", decide, *row(pages, texts)])
    if rows:
        print(table(HEADER, rows))
        print("\n* learned from")


if __name__ == "__main__":
    call(main)
