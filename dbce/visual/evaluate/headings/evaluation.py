"""Headings against gold: both found in the same page, scored by the measures of HEPS, and all pages together.

Scores as people read them are tables, and one HTML page with the worst pages.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import pandas as pd

from dbce.model import UsageError, count_of
from dbce.output import Row
from dbce.storage import Folder, read_table
from dbce.visual import RenderedPage
from dbce.visual.evaluate import results
from dbce.visual.evaluate.results import Evaluation, Half, OutputFiles, Table, half
from dbce.visual.headings import (
    TABLES,
    GoldHeading,
    GoldPage,
    Heading,
    by_level,
    digest,
    element_at,
    pages_of,
    path_without_tbody,
    read_heading_gold,
)
from dbce.visual.measure import harmonic
from dbce.visual.render import MANIFEST, RENDERED

Key = frozenset[int | str]


class Item(NamedTuple):
    """A block with its heading, as they are compared.

    `heading` is the numbers of its text nodes, of a heading without texts the XPaths of its images. `block`
    is the numbers of the text nodes in the block, of a block without texts that of its heading. `parent`
    is a place among the items of its side, -1 of the content body.
    """

    heading: Key
    block: Key
    parent: int
    optional: bool = False


def gold_items(page: RenderedPage, gold: GoldPage) -> list[Item]:
    """Return the marked headings of a page.

    Raises UsageError: the page has no such body, node or image, or other words are there: it is another page.
    """
    body = element_at(page, gold.body)
    place_of = {text.node: place for place, text in enumerate(page.texts)}
    headings = [_heading(page, one, place_of) for one in gold.headings]
    order_of = {text.node: text.order for text in page.texts}
    ends = [None if one.end is None else order_of.get(one.end) for one in gold.headings]
    blocks = by_level(page, body, headings, ends)
    optional = {h for h, one in zip(headings, gold.headings, strict=True) if one.optional}
    found = []
    for block in blocks[1:]:
        nodes = [page.texts[text].node for text in block.heading.texts]
        heading = _key(nodes, [page.elements[image].xpath for image in block.heading.images])
        texts = (text for text in page.texts if block.first <= text.order < block.end)
        inside = frozenset(text.node for text in texts if text.node >= 0)
        parent = max(block.parent - 1, -1)
        found.append(Item(heading, inside or heading, parent, block.heading in optional))
    return found


def found_items(page: RenderedPage, rows: Sequence[Row]) -> list[Item]:
    """Return the headings that a table has of a page; the first row is the content body.

    The table may be of the page's own style sheets, where elements have other places: blocks are told by
    the numbers of their texts.
    """
    found = []
    for row in rows[1:]:
        heading = _key(row["nodes"], row["images"])
        inside: Key = frozenset()
        if row["first_node"] is not None:
            span = range(row["first_node"], row["last_node"] + 1)
            inside = frozenset(text.node for text in page.texts if text.node in span)
        found.append(Item(heading, inside or heading, max(row["parent"] - 1, -1)))
    return found


def _key(nodes: Iterable[int], images: Iterable[str]) -> Key:
    return frozenset(nodes) - {-1} or frozenset(map(path_without_tbody, images))


def _heading(page: RenderedPage, one: GoldHeading, place_of: dict[int, int]) -> Heading:
    if missing := [node for node in one.nodes if node not in place_of]:
        raise UsageError(f"the page has no text node {missing[0]}")
    texts = tuple(place_of[node] for node in one.nodes)
    words = [" ".join(page.texts[text].text.split()) for text in texts]
    hashes = {digest(between.join(words)) for between in (" ", "")}
    if words and one.hash and one.hash not in hashes:
        raise UsageError(f"text node {one.nodes[0]} has other words than the gold")
    images = tuple(element_at(page, path) for path in one.images)
    return Heading(texts, images, one.level)


KINDS = ("heading", "block")


class Counts(NamedTuple):
    """Numbers of one kind on one page, or of pairs: correct, extracted, annotated."""

    correct: int
    extracted: int
    annotated: int

    @property
    def precision(self) -> float | None:
        """Precision; None if nothing was extracted: the page does not count then."""
        return self.correct / self.extracted if self.extracted else None

    @property
    def recall(self) -> float | None:
        return self.correct / self.annotated if self.annotated else None


def counts(gold: Sequence[Item], found: Sequence[Item], kind: str) -> Counts:
    """Count headings or blocks; what is optional in the gold is neither missed nor wrong.

    Each marked one is found once at most. The content body does not count.
    """
    wanted, allowed = (
        Counter(getattr(item, kind) for item in gold if item.optional == optional)
        for optional in (False, True)
    )
    extracted = Counter(getattr(item, kind) for item in found)
    correct = sum((wanted & extracted).values())
    spared = sum((allowed & (extracted - wanted)).values())
    return Counts(correct, extracted.total() - spared, wanted.total())


def relation_counts(
    gold: Sequence[Item], found: Sequence[Item], kind: str, relation: Relation
) -> Counts:
    """Count pairs of a correctly extracted item with another that is related to it (H 5.4.6).

    A pair counts as extracted by what was found and as annotated by the gold; it is correct if it is both.
    """
    correct = extracted = annotated = 0
    of_gold = {getattr(item, kind): n for n, item in enumerate(gold)}
    for number, item in enumerate(found):
        place = of_gold.get(getattr(item, kind))
        if place is None:
            continue
        mine = Counter(getattr(found[n], kind) for n in relation(found, number))
        theirs = Counter(getattr(gold[n], kind) for n in relation(gold, place))
        correct += sum((mine & theirs).values())
        extracted += mine.total()
        annotated += theirs.total()
    return Counts(correct, extracted, annotated)


def ancestors(items: Sequence[Item], number: int) -> Iterator[int]:
    """Yield the items that an item is in, without the content body."""
    while (number := items[number].parent) >= 0:
        yield number


def _children(items: Sequence[Item], parent: int) -> list[int]:
    return [n for n, item in enumerate(items) if item.parent == parent]


Relation = Callable[[Sequence[Item], int], Iterable[int]]

RELATIONS: dict[str, Relation] = {
    "ancestors": ancestors,
    "parent": lambda items, at: filter(lambda n: n >= 0, [items[at].parent]),
    "siblings": lambda items, at: (n for n in _children(items, items[at].parent) if n != at),
    "children": _children,
    "descendants": lambda items, at: (n for n in range(len(items)) if at in ancestors(items, n)),
}
"""Items that are related to one, by their places; siblings may be in the content body."""


class Means(NamedTuple):
    """Scores of a data set: precision and recall as means over pages that have one, F of the two means."""

    precision: float
    recall: float
    f: float


def means(pages: Iterable[Counts]) -> Means:
    """Return the scores of many pages; what no page has is 0."""
    known = list(pages)
    precisions = [one.precision for one in known if one.precision is not None]
    recalls = [one.recall for one in known if one.recall is not None]
    precision, recall = (sum(values) / max(1, len(values)) for values in (precisions, recalls))
    return Means(precision, recall, harmonic(precision, recall))


@dataclass(frozen=True, slots=True)
class HeadingEvaluationSettings:
    """Settings of an evaluation: the folders whose tables are measured, and against whose gold.

    `by` is the annotator, "" for the first one of each page; `half` the half of the pages that is looked
    at, None for all; `group` the field of the gold by which scores are also given.
    """

    folders: tuple[str, ...]
    gold: str
    by: str = ""
    half: Half | None = None
    group: str = ""


class HeadingComparison(NamedTuple):
    """A page with the headings of both sides, for a report: (level, words, whether the other side has it)."""

    url: str
    algorithm: str
    gold: tuple[tuple[int, str, bool], ...]
    found: tuple[tuple[int, str, bool], ...]


def evaluate(asked: HeadingEvaluationSettings) -> Evaluation[HeadingComparison]:
    """Scores of all tables in the folders against the gold.

    Raises UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_heading_gold(asked.gold, asked.by, asked.group)
    wanted = {page.record_id: page for page in gold if asked.half in (None, half(page.url))}
    if not wanted:
        raise UsageError(f"{asked.gold} holds no page of the half {asked.half}")
    rows: list[dict[str, Any]] = []
    compared: list[HeadingComparison] = []
    notes: list[str] = []
    absent: Counter[str] = Counter()
    seen: set[str] = set()
    for folder in asked.folders:
        tables = dict(_tables(folder))
        if not tables:
            raise UsageError(f"{folder} has no table of headings: make one with dbce headings")
        for page in _pages(folder, set(wanted) - seen):
            seen.add(page.record_id)
            try:
                marked = gold_items(page, wanted[page.record_id])
            except UsageError as e:
                notes.append(f"{page.url} is left out: {e}")
                continue
            for algorithm, of_pages in tables.items():
                own = of_pages.get(page.record_id)
                if own is None:
                    absent[algorithm] += 1
                    continue
                found = found_items(page, own)
                rows.append(_row(wanted[page.record_id], algorithm, marked, found))
                compared.append(_comparison(page, algorithm, marked, own, found))
    notes += (f"not in the table of {name}: {count_of(n, 'page')}" for name, n in absent.items())
    if missing := len(wanted) - len(seen):
        folders = ", ".join(asked.folders)
        notes.append(f"not in {folders}: {count_of(missing, 'page')} of {asked.gold}")
    if not rows:
        raise UsageError(f"no page of {asked.gold} can be compared; {'; '.join(notes)}")
    return Evaluation(pd.DataFrame(rows), tuple(compared), tuple(notes))


def _tables(folder: str) -> Iterator[tuple[str, dict[str, list[Row]]]]:
    """Yield the rows of each table of a folder by page, with its name."""
    tables = Folder(folder).subfolder(TABLES)
    for name in tables.names(f"{TABLES}/*.parquet"):
        rows = read_table(tables, name).to_pylist()
        of_pages = {key: list(own) for key, own in groupby(rows, itemgetter("record_id"))}
        yield posixpath.basename(name).removesuffix(".parquet"), of_pages


def _pages(folder: str, wanted: set[str]) -> Iterator[RenderedPage]:
    """Yield the pages of a folder that are wanted, as they were rendered, or else as the run has them."""
    is_rendered = Folder(folder).subfolder(RENDERED).exists(MANIFEST)
    for page, _ in pages_of(folder, "rendered" if is_rendered else "sheets").read():
        if page.record_id.strip("<>") in wanted:
            yield page


def _row(gold: GoldPage, algorithm: str, marked: list[Item], found: list[Item]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "url": gold.url,
        "record_id": gold.record_id,
        "group": gold.group,
        "algorithm": algorithm,
    }
    for kind in KINDS:
        row |= _columns(kind, counts(marked, found, kind))
        for name, relation in RELATIONS.items():
            row |= _columns(f"{kind}_{name}", relation_counts(marked, found, kind, relation))
    return row


def _columns(name: str, found: Counts) -> dict[str, int]:
    return {f"{name}_{field}": value for field, value in found._asdict().items()}


def _comparison(
    page: RenderedPage, algorithm: str, gold: list[Item], rows: list[Row], found: list[Item]
) -> HeadingComparison:
    said = {text.node: " ".join(text.text.split()) for text in page.texts}

    def words(item: Item) -> str:
        inside = sorted(item.heading, key=str)
        return " ".join(said.get(one, "") if isinstance(one, int) else one for one in inside)

    wordings = [row["heading"] for row in rows[1:]]
    sides = _side(gold, list(map(words, gold)), found), _side(found, wordings, gold)
    return HeadingComparison(page.url, algorithm, *sides)


def _side(
    items: list[Item], wordings: list[str], others: list[Item]
) -> tuple[tuple[int, str, bool], ...]:
    known = {item.heading for item in others}
    return tuple(
        (1 + sum(1 for _ in ancestors(items, n)), words, item.heading in known)
        for n, (item, words) in enumerate(zip(items, wordings, strict=True))
    )


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """Methods (H table 5), methods by group if there are some, and relations (H table 7)."""
    yield method_table(scores)
    if len(set(scores["group"])) > 1:
        for group, of_group in scores.groupby("group"):
            table = method_table(of_group)
            yield table._replace(title=f"{table.title}: {group}")
    yield relation_table(scores)


def method_table(scores: pd.DataFrame) -> Table:
    """P, R and F of headings and of blocks, for each method."""
    rows = [
        {"method": algorithm, **_score_columns(of_one), "pages": len(of_one)}
        for algorithm, of_one in scores.groupby("algorithm", sort=False)
    ]
    return Table("Headings and blocks found exactly, means over pages", pd.DataFrame(rows))


def relation_table(scores: pd.DataFrame) -> Table:
    """P, R and F of what is related to correctly found headings and blocks, over all pairs."""
    rows = [
        {"method": algorithm, "relation": relation, **_score_columns(of_one, relation)}
        for algorithm, of_one in scores.groupby("algorithm", sort=False)
        for relation in RELATIONS
    ]
    return Table("Related headings and blocks, over pairs", pd.DataFrame(rows))


def _score_columns(scores: pd.DataFrame, relation: str = "") -> dict[str, float]:
    found: dict[str, float] = {}
    for kind in KINDS:
        name = f"{kind}_{relation}" if relation else kind
        columns = scores[[f"{name}_{field}" for field in Counts._fields]]
        pages = [Counts(*map(int, row)) for row in columns.itertuples(index=False)]
        counted = [Counts(*map(sum, zip(*pages, strict=True)))] if relation else pages
        names = (f"{letter}_{kind[0].upper()}" for letter in "PRF")
        found |= zip(names, means(counted), strict=True)
    return found


WORST = 10  # pages that are shown of each method


class WorstPage(NamedTuple):
    """A page to look at, with how many of its headings were found, missed and invented."""

    page: HeadingComparison
    correct: int
    missed: int
    wrong: int


def render(evaluation: Evaluation[HeadingComparison], gold: str) -> str:
    names = evaluation.table["algorithm"].unique()
    shown = {name: list(worst(evaluation, name)) for name in names}
    return results.results_html("headings", evaluation, gold, tables, shown)


def worst(evaluation: Evaluation[HeadingComparison], algorithm: str) -> Iterator[WorstPage]:
    """Yield the pages that a method is worst on: those with most headings missed or invented, of equals by URL."""
    found = []
    for page in evaluation.pages:
        if page.algorithm == algorithm:
            missed = sum(not there for *_, there in page.gold)
            wrong = sum(not there for *_, there in page.found)
            found.append(WorstPage(page, len(page.gold) - missed, missed, wrong))
    found.sort(key=lambda one: (-one.missed - one.wrong, one.page.url))
    yield from found[:WORST]


def main_report(asked: HeadingEvaluationSettings, wanted: OutputFiles) -> str:
    """Score tables of headings, write the files that are asked for; the text to print. Raises UsageError as `evaluate`."""
    found = evaluate(asked)
    html = partial(render, found, asked.gold)
    return results.report_results(wanted, found, tables, method_table, html)
