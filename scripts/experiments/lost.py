"""Why are headings and lists of the gold lost?

    python -m scripts.experiments.lost HELD_OUT [--set NAME]...

HELD_OUT is what `make train` held out: gains of lines by models that never saw their domain, which are decided over
structures. Headings are lines of `h1` to `h6` that the gold has. Of those that are lost the gold has no line of the
section at all (alone), the model judges all lines of the section that the gold has boilerplate (judged), rules drop what
the model would keep of it (rules), or something of the section stays (without it). A list of the gold is one of two
lines or more of which it has .7; lost is one that does not keep half of these. The model judges all of them boilerplate,
after a line of the gold that stays (alone) or none (with others), or some; rules drop one that the model would keep.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from dbce import html
from dbce.evaluate.results import table
from dbce.html import enclosing_elements
from dbce.model import Config, Label
from scripts.experiments.sets import SETS, call, compared_sets, read_gains, set_parser
from scripts.experiments.structures import HEADINGS
from scripts.experiments.systems import judged_by_gains, shares_of_gold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from dbce.model import Page, TextRun
    from scripts.experiments.sets import Archive, Gains

SECTIONS = ("alone", "judged", "rules", "without it")
LISTS = ("with others", "alone", "in part", "rules")
HEADER = (
    *("set", "headings", "lost", *SECTIONS),
    *("lists", "lost", *LISTS),
)

LISTED = frozenset(("ul", "ol", "dl"))
OF_GOLD = 0.7  # part of a list's lines that the gold has
BEFORE = 3  # lines before a list that may introduce it


def kept_lines(page: Page, runs: Iterable[TextRun]) -> set[int]:
    """The lines of a page of which something is content."""
    of_node = html.lines(page, html.holders(page))
    return {of_node[run.node] for run in runs if run.verdict.label is Label.CONTENT}


def levels(page: Page) -> list[int]:
    """For each line of a page the level of its heading, 0 for none."""
    of_node = html.lines(page, html.holders(page))
    of_line = [0] * (of_node[-1] + 1)
    for node, line in zip(page.nodes, of_node, strict=True):
        element = node.element
        while element >= 0 and page.tags[element] not in HEADINGS:
            element = page.parents[element]
        of_line[line] = int(page.tags[element][1]) if element >= 0 else 0
    return of_line


def headings(
    levels: Sequence[int], wanted: Collection[int], likely: Collection[int], kept: Collection[int]
) -> Iterator[str]:
    """For each heading that is wanted why it is lost, "" if it is kept; `likely` are the lines that the model would keep."""
    for line in sorted(wanted):
        if not levels[line]:
            continue
        behind = range(line + 1, len(levels))
        end = next((n for n in behind if 0 < levels[n] <= levels[line]), len(levels))
        section = {n for n in range(line + 1, end) if n in wanted}
        if line in kept:
            yield ""
        elif not section:
            yield "alone"
        elif section.isdisjoint(likely):
            yield "judged"
        else:
            yield "rules" if section.isdisjoint(kept) else "without it"


def lists(
    of_lists: Collection[Sequence[int]],
    wanted: Collection[int],
    likely: Collection[int],
    kept: Collection[int],
) -> Iterator[str]:
    """For each list that is wanted why it is lost, "" if it is kept."""
    for lines in of_lists:
        in_gold = {line for line in lines if line in wanted}
        if len(lines) < 2 or len(in_gold) < OF_GOLD * len(lines):
            continue
        before = {n for n in range(lines[0] - BEFORE, lines[0]) if n in wanted}
        if 2 * len(in_gold.intersection(kept)) >= len(in_gold):
            yield ""
        elif in_gold.isdisjoint(likely):
            yield "with others" if before.isdisjoint(kept) else "alone"
        else:
            yield "rules" if 2 * len(in_gold.intersection(likely)) > len(in_gold) else "in part"


def lines_of_lists(page: Page) -> list[list[int]]:
    """Lines whose innermost list is the same, in order."""
    lists = {element for element, tag in enumerate(page.tags) if tag in LISTED}
    nearest = enclosing_elements(page, lists)
    found: dict[int, dict[int, None]] = defaultdict(dict)
    for node, line in zip(page.nodes, html.lines(page, html.holders(page)), strict=True):
        if nearest[node.element] >= 0:
            found[nearest[node.element]][line] = None
    return [[*lines] for lines in found.values()]


def lost_row(name: str, archive: Archive, gains: Mapping[str, Gains]) -> list[object]:
    """The row of a set."""
    known = {page.page: gains[page.page] for page in archive.gold if page.page in gains}
    shares = {page: of for page, _, of in shares_of_gold(archive, Config()) if page in known}
    sections, of_lists = Counter[str](), Counter[str]()
    for page_id, document, runs in judged_by_gains(archive, known):
        page = document.page
        wanted = {n for n, share in enumerate(shares[page_id].tolist()) if share > 0.5}
        likely = {n for n, gain in enumerate(known[page_id].of_lines) if gain >= 0}
        kept = kept_lines(page, runs)
        sections.update(headings(levels(page), wanted, likely, kept))
        of_lists.update(lists(lines_of_lists(page), wanted, likely, kept))
    return [name, *_counts(sections, SECTIONS), *_counts(of_lists, LISTS)]


def _counts(found: Counter[str], why: Sequence[str]) -> list[int]:
    return [found.total(), found.total() - found[""], *(found[name] for name in why)]


def main(arguments: Sequence[str]) -> None:
    """Print a row for each set that was learned from."""
    parser = set_parser("lost", __doc__.partition("\n")[0], SETS)
    parser.add_argument("held_out", help="what dbce train held out")
    options = parser.parse_args(arguments)
    gains = read_gains(options.held_out)
    rows = [lost_row(name, archive, gains) for name, archive in compared_sets(SETS, options.set)]
    print(table(HEADER, [row for row in rows if row[1]]))


if __name__ == "__main__":
    call(main)
