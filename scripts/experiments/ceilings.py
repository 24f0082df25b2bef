"""What can decisions over structures win, and why do some structures come out in part?

    python -m scripts.experiments.ceilings [--halves FOLDER] [--set NAME]... [--compared]

The first table decides on verdicts that cannot be better: every line is content if more than half of its words are in
the gold (lines), and then by all rules (rules). Structures are counted as `structures` counts them. The last columns are
headings that the gold has and the rules drop even so, and those of them of whose section the gold has no line.

The second table takes the verdicts of the model, or with FOLDER those of the light models of `comparing halves`, each
of domains that it has not seen, and asks of each structure that came out in part for its lines: of `elsewhere` none is
kept, for its words stand in other lines, `part` is kept in part, `whole` is kept whole though the words of some of its
items are others in the text, and `not found` are those of which the page's lines do not have the words in a row.

With `--compared` there is one table instead: the structures that a page has whole when it is judged alone, and those of
them that comparing breaks, by kind. A heading is broken if it goes and the text behind it stays, any other structure if
only a part of its lines stays. Tables and lists are those whose cells or items have a line each; notices are known by class.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import html
from dbce.evaluate.results import table
from dbce.formats import judged_text
from dbce.model import Config
from scripts.experiments.comparing import by_models
from scripts.experiments.lost import headings, kept_lines, levels
from scripts.experiments.sets import (
    SETS,
    Gains,
    add_title,
    call,
    compared_sets,
    set_parser,
)
from scripts.experiments.structures import HEADER, STUMP, WHOLE, key, row, scored_pages
from scripts.experiments.systems import (
    judged_by_gains,
    judged_by_method,
    shares_of_gold,
    texts_of_gains,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.model import Page
    from scripts.experiments.sets import Archive
    from scripts.experiments.structures import ScoredPage, Structure

SURE = 0.5
"""Gain of a line that the gold has; what it does not have loses as much."""

SHORT = 20
"""Letters and digits that may stand beside each key of a structure, of items that are too short to be asked for."""

NOTICE = re.compile(
    r"(?i)(?:^|[ _-])(?:admonition|alert|callout|caution|hint|important|note|notice|tip|warning)(?:$|[ _-])"
)
"""Classes of notices."""

KINDS = {"table": "table", "ul": "list", "ol": "list", "dl": "dl", "pre": "code"} | {
    "figure": "figure",
    "blockquote": "quote",
}
LISTED = ("table", "list", "dl")
PARTS = frozenset("td th li dt dd".split())

SEVERAL = 1.5
"""Lines for each cell or item from which on a table or list lays out a page or holds articles."""

CAUSES = ("elsewhere", "part", "whole", "not found")


def gains_of_gold(archive: Archive) -> dict[str, Gains]:
    """Gains of the lines of each page with gold, as surely as the gold has them."""
    return {
        page: Gains([SURE if share > 0.5 else -SURE for share in shares.tolist()], [])
        for page, _, shares in shares_of_gold(archive, Config())
    }


def ceiling_rows(name: str, archive: Archive, pages: Sequence[ScoredPage]) -> list[list[object]]:
    """The row of lines and that of rules."""
    gains = gains_of_gold(archive)
    on_lines = texts_of_gains(archive, gains, by_structures=False)
    texts, lost, over_nothing = {}, 0, 0
    for page_id, document, runs in judged_by_gains(archive, gains):
        page, markup = document.page, document.markup(to_format=False)
        texts[page_id] = judged_text(page, runs, markup)
        wanted = {n for n, gain in enumerate(gains[page_id].of_lines) if gain > 0}
        why = Counter(headings(levels(page), wanted, (), kept_lines(page, runs)))
        lost += why.total() - why[""]
        over_nothing += why["alone"]
    return [
        [name, "lines", *row(pages, on_lines), "", ""],
        [name, "rules", *row(pages, texts), lost, over_nothing],
    ]


def stump_row(
    name: str, archive: Archive, pages: Sequence[ScoredPage], halves: Path | None
) -> list[object]:
    """The structures of a set that are asked for, those in part, and these by cause."""
    by_id = {page.page: page for page in pages}
    every, causes = 0, Counter[str]()
    for part, config in by_models(archive, halves):
        for one in judged_by_method(part, config.method, config):
            if page := by_id.get(one.capture.record_id):
                of_gold, of_text = key(page.gold), key(one.text)
                texts = texts_of_lines(one.page)
                kept = kept_lines(one.page, one.runs)
                for structure in page.structures:
                    is_headline = structure.kind == "headline"
                    if not is_headline and STUMP < structure.share(of_gold) < WHOLE:
                        continue
                    every += 1
                    if STUMP < structure.share(of_text) < WHOLE:
                        causes[cause(structure, texts, kept)] += 1
    stumps = causes.total()
    return [name, every, stumps, *(causes[name] for name in CAUSES), stumps / max(1, every)]


def texts_of_lines(page: Page) -> list[str]:
    """The letters and digits of each line of a page."""
    of_node = html.lines(page, html.holders(page))
    texts = [""] * (of_node[-1] + 1)
    for node, line in zip(page.nodes, of_node, strict=True):
        texts[line] += key(node.text)
    return texts


def cause(structure: Structure, texts: Sequence[str], kept: set[int]) -> str:
    """Why a text has a structure in part, by the lines that have it."""
    ends = list(accumulate(map(len, texts)))
    places = list(_places(structure.keys, "".join(texts)))
    if not places:
        return "not found"
    found = []
    for start, end in places:
        lines = range(bisect_right(ends, start), bisect_left(ends, end) + 1)
        found.append([line in kept for line in lines if texts[line]])
    if any(any(of_place) and not all(of_place) for of_place in found):
        return "part"
    return "whole" if any(any(of_place) for of_place in found) else "elsewhere"


def _places(keys: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Where a text has all keys in a row, but for what is too short to be one: start and end."""
    room = sum(map(len, keys)) + SHORT * len(keys)
    start = text.find(keys[0])
    while start >= 0:
        end = start + len(keys[0])
        for later_key in keys[1:]:
            at = text.find(later_key, end, start + room)
            if at < 0:
                break
            end = at + len(later_key)
        else:
            yield start, end
        start = text.find(keys[0], start + 1)


def line_structures(page: Page) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Kind and lines of the structures of several lines on a page; a heading has the line behind it."""
    of_node = html.lines(page, html.holders(page))
    lines: dict[tuple[str, int], set[int]] = defaultdict(set)
    parts: dict[int, set[int]] = defaultdict(set)
    for node, line in zip(page.nodes, of_node, strict=True):
        element, part = node.element, -1
        while element >= 0 and not (kind := _kind(page, element)):
            part = element if part < 0 and page.tags[element] in PARTS else part
            element = page.parents[element]
        if element >= 0:
            lines[kind, element].add(line)
            parts[element].add(part)
    for (kind, element), members in lines.items():
        is_simple = kind not in LISTED or 1 < len(parts[element]) >= len(members) / SEVERAL
        if len(members) > 1 and is_simple:
            yield kind, tuple(sorted(members))
    of_line = levels(page)
    for line, (level, behind) in enumerate(pairwise(of_line)):
        if level and not behind:
            yield "heading", (line, line + 1)


def _kind(page: Page, element: int) -> str:
    """Kind of the structure that an element is, or nothing."""
    tag = page.tags[element]
    is_notice = tag in ("div", "aside", "section") and NOTICE.search(page.classes[element])
    return "notice" if is_notice else KINDS.get(tag, "")


def is_broken(kind: str, lines: Sequence[int], kept: set[int]) -> bool:
    """Return whether a part of a structure stays; a heading without its text is none."""
    stays = [line in kept for line in lines]
    return any(stays) and not all(stays) and not (kind == "heading" and stays[0])


def compared_rows(name: str, archive: Archive, halves: Path | None) -> list[list[object]]:
    """For each kind the structures that are whole in pages judged alone, and those that comparing breaks."""
    whole, broken = Counter[str](), Counter[str]()
    for part, config in by_models(archive, halves):
        by_itself = judged_by_method(replace(part, annotations={}), config.method, config)
        alone = {one.capture.record_id: kept_lines(one.page, one.runs) for one in by_itself}
        for one in judged_by_method(part, config.method, config):
            kept = kept_lines(one.page, one.runs)
            for kind, lines in line_structures(one.page):
                if alone[one.capture.record_id].issuperset(lines):
                    whole[kind] += 1
                    broken[kind] += is_broken(kind, lines, kept)
    return [[name, kind, number, broken[kind]] for kind, number in sorted(whole.items())]


def main(arguments: Sequence[str] = ()) -> None:
    """Prints both tables."""
    parser = set_parser("ceilings", "Limits of decisions.", SETS)
    parser.add_argument(
        "--halves", type=Path, metavar="FOLDER", help="what `comparing halves` wrote"
    )
    about = "what comparing breaks of pages that are whole alone"
    parser.add_argument("--compared", action="store_true", help=about)
    options = parser.parse_args(arguments)
    if options.compared:
        found: list[list[object]] = []
        for name, archive in compared_sets(SETS, options.set):
            found += compared_rows(name, archive, options.halves)
        print(table(("set", "structure", "whole alone", "broken by comparing"), found))
        return
    rows: list[list[object]] = []
    stumps: list[list[object]] = []
    for name, archive in compared_sets(SETS, options.set):
        pages = scored_pages(archive)
        rows += ceiling_rows(name, archive, pages)
        stumps.append(stump_row(name, archive, pages, options.halves))
    if rows:
        lost = ("headings lost", "over nothing")
        print(add_title("Verdicts of the gold", table((*HEADER, *lost), rows)))
        header = ("set", "structures", "in part", *CAUSES, "share")
        print(add_title("Structures in part", table(header, stumps)))


if __name__ == "__main__":
    call(main)
