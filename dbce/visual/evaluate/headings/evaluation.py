"""Headings against gold: matched on each page, scored by the measures of HEPS, page by page and together.

Scores are printed as tables, and as one HTML report with the worst pages.
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
    """A block with its heading, for comparison.

    `heading` is the numbers of its text nodes or, without texts, the XPaths of its images. `block` is the
    numbers of the text nodes in the block or, without texts, that of its heading. `parent` is a place among
    the items of its side, -1 for the content body.
    """

    heading: Key
    block: Key
    parent: int
    optional: bool = False


def gold_items(page: RenderedPage, gold: GoldPage) -> list[Item]:
    """Return the marked headings of a page.

    Raises UsageError: the page has no such body, node or image, or other words: it is another page.
    """
    body = element_at(page, gold.body)
    place_of = {text.node: place for place, text in enumerate(page.texts)}
    headings = [_heading(page, marked, place_of) for marked in gold.headings]
    order_of = {text.node: text.order for text in page.texts}
    ends = [None if marked.end is None else order_of.get(marked.end) for marked in gold.headings]
    blocks = by_level(page, body, headings, ends)
    optional = {h for h, marked in zip(headings, gold.headings, strict=True) if marked.optional}
    items = []
    for block in blocks[1:]:
        nodes = [page.texts[text].node for text in block.heading.texts]
        heading = _key(nodes, [page.elements[image].xpath for image in block.heading.images])
        texts = (text for text in page.texts if block.first <= text.order < block.end)
        nodes_inside = frozenset(text.node for text in texts if text.node >= 0)
        parent = max(block.parent - 1, -1)
        items.append(Item(heading, nodes_inside or heading, parent, block.heading in optional))
    return items


def predicted_items(page: RenderedPage, rows: Sequence[Row]) -> list[Item]:
    """Return the headings of a page in a table; the first row is the content body.

    The table may be by the page's own style sheets, where elements have other places: blocks are identified by
    the numbers of their texts.
    """
    items = []
    for row in rows[1:]:
        heading = _key(row["nodes"], row["images"])
        nodes_inside: Key = frozenset()
        if row["first_node"] is not None:
            span = range(row["first_node"], row["last_node"] + 1)
            nodes_inside = frozenset(text.node for text in page.texts if text.node in span)
        items.append(Item(heading, nodes_inside or heading, max(row["parent"] - 1, -1)))
    return items


def _key(nodes: Iterable[int], images: Iterable[str]) -> Key:
    return frozenset(nodes) - {-1} or frozenset(map(path_without_tbody, images))


def _heading(page: RenderedPage, marked: GoldHeading, place_of: dict[int, int]) -> Heading:
    if missing := [node for node in marked.nodes if node not in place_of]:
        raise UsageError(f"the page has no text node {missing[0]}")
    texts = tuple(place_of[node] for node in marked.nodes)
    words = [" ".join(page.texts[text].text.split()) for text in texts]
    hashes = {digest(between.join(words)) for between in (" ", "")}
    if words and marked.hash and marked.hash not in hashes:
        raise UsageError(f"text node {marked.nodes[0]} has other words than the gold")
    images = tuple(element_at(page, path) for path in marked.images)
    return Heading(texts, images, marked.level)


KINDS = ("heading", "block")


class Counts(NamedTuple):
    """Numbers of one kind on one page, or of pairs: correct, extracted, annotated."""

    correct: int
    extracted: int
    annotated: int

    @property
    def precision(self) -> float | None:
        """Precision; None if nothing was extracted, so that the page does not count."""
        return self.correct / self.extracted if self.extracted else None

    @property
    def recall(self) -> float | None:
        return self.correct / self.annotated if self.annotated else None


def counts(gold: Sequence[Item], predicted: Sequence[Item], kind: str) -> Counts:
    """Return counts of headings or blocks; optional ones of the gold are neither missed nor wrong.

    Each item of the gold matches at most once. The content body does not count.
    """
    required, optional_items = (
        Counter(getattr(item, kind) for item in gold if item.optional == optional)
        for optional in (False, True)
    )
    extracted = Counter(getattr(item, kind) for item in predicted)
    correct = sum((required & extracted).values())
    ignored = sum((optional_items & (extracted - required)).values())
    return Counts(correct, extracted.total() - ignored, required.total())


def relation_counts(
    gold: Sequence[Item], predicted: Sequence[Item], kind: str, relation: Relation
) -> Counts:
    """Return counts of pairs of a correctly extracted item with a related one (H 5.4.6).

    A pair is extracted if it is in the prediction, annotated if in the gold, correct if in both.
    """
    correct = extracted = annotated = 0
    gold_places = {getattr(item, kind): n for n, item in enumerate(gold)}
    for number, item in enumerate(predicted):
        place = gold_places.get(getattr(item, kind))
        if place is None:
            continue
        ours = Counter(getattr(predicted[n], kind) for n in relation(predicted, number))
        theirs = Counter(getattr(gold[n], kind) for n in relation(gold, place))
        correct += sum((ours & theirs).values())
        extracted += ours.total()
        annotated += theirs.total()
    return Counts(correct, extracted, annotated)


def ancestors(items: Sequence[Item], number: int) -> Iterator[int]:
    """Yield the ancestors of an item, but for the content body."""
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
"""Relations: places of the items related to an item; siblings may be in the content body."""


class Means(NamedTuple):
    """Scores of a data set: precision and recall as means over pages that have one, F of the two means."""

    precision: float
    recall: float
    f: float


def means(pages: Iterable[Counts]) -> Means:
    """Return the scores of many pages; means without any page are 0."""
    counts = list(pages)
    precisions = [page.precision for page in counts if page.precision is not None]
    recalls = [page.recall for page in counts if page.recall is not None]
    precision, recall = (sum(values) / max(1, len(values)) for values in (precisions, recalls))
    return Means(precision, recall, harmonic(precision, recall))


@dataclass(frozen=True, slots=True)
class HeadingEvaluationSettings:
    """Settings of an evaluation: the folders whose tables are scored, and the gold.

    `by` is the annotator, "" for the first one of each page; `half` the half of the pages that is
    evaluated, None for all; `group` the field of the gold by which scores are also grouped.
    """

    folders: tuple[str, ...]
    gold: str
    by: str = ""
    half: Half | None = None
    group: str = ""


class HeadingComparison(NamedTuple):
    """A page with the headings of both sides, for a report: (level, words, whether the other side has them)."""

    url: str
    algorithm: str
    gold: tuple[tuple[int, str, bool], ...]
    found: tuple[tuple[int, str, bool], ...]


def evaluate(settings: HeadingEvaluationSettings) -> Evaluation[HeadingComparison]:
    """Return the scores of all tables in the folders against the gold.

    Raises UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_heading_gold(settings.gold, settings.by, settings.group)
    gold_of = {page.record_id: page for page in gold if settings.half in (None, half(page.url))}
    if not gold_of:
        raise UsageError(f"{settings.gold} holds no page of the half {settings.half}")
    rows: list[dict[str, Any]] = []
    compared: list[HeadingComparison] = []
    notes: list[str] = []
    absent: Counter[str] = Counter()
    compared_ids: set[str] = set()
    for folder in settings.folders:
        tables = dict(_tables(folder))
        if not tables:
            raise UsageError(f"{folder} has no table of headings: make one with dbce headings")
        for page in _pages(folder, set(gold_of) - compared_ids):
            compared_ids.add(page.record_id)
            try:
                marked = gold_items(page, gold_of[page.record_id])
            except UsageError as e:
                notes.append(f"{page.url} is left out: {e}")
                continue
            for algorithm, rows_by_page in tables.items():
                table_rows = rows_by_page.get(page.record_id)
                if table_rows is None:
                    absent[algorithm] += 1
                    continue
                predicted = predicted_items(page, table_rows)
                rows.append(_row(gold_of[page.record_id], algorithm, marked, predicted))
                compared.append(_comparison(page, algorithm, marked, table_rows, predicted))
    notes += (f"not in the table of {name}: {count_of(n, 'page')}" for name, n in absent.items())
    if missing := len(gold_of) - len(compared_ids):
        folders = ", ".join(settings.folders)
        notes.append(f"not in {folders}: {count_of(missing, 'page')} of {settings.gold}")
    if not rows:
        raise UsageError(f"no page of {settings.gold} can be compared; {'; '.join(notes)}")
    return Evaluation(pd.DataFrame(rows), tuple(compared), tuple(notes))


def _tables(folder: str) -> Iterator[tuple[str, dict[str, list[Row]]]]:
    """Yield the rows of each table of a folder by page, with its name."""
    tables = Folder(folder).subfolder(TABLES)
    for name in tables.names(f"{TABLES}/*.parquet"):
        rows = read_table(tables, name).to_pylist()
        rows_by_page = {key: list(group) for key, group in groupby(rows, itemgetter("record_id"))}
        yield posixpath.basename(name).removesuffix(".parquet"), rows_by_page


def _pages(folder: str, record_ids: set[str]) -> Iterator[RenderedPage]:
    """Yield selected pages of a folder, as rendered, or else by their style sheets."""
    is_rendered = Folder(folder).subfolder(RENDERED).exists(MANIFEST)
    for page, _ in pages_of(folder, "rendered" if is_rendered else "sheets").read():
        if page.record_id.strip("<>") in record_ids:
            yield page


def _row(gold: GoldPage, algorithm: str, marked: list[Item], ours: list[Item]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "url": gold.url,
        "record_id": gold.record_id,
        "group": gold.group,
        "algorithm": algorithm,
    }
    for kind in KINDS:
        row |= _columns(kind, counts(marked, ours, kind))
        for name, relation in RELATIONS.items():
            row |= _columns(f"{kind}_{name}", relation_counts(marked, ours, kind, relation))
    return row


def _columns(name: str, counted: Counts) -> dict[str, int]:
    return {f"{name}_{field}": value for field, value in counted._asdict().items()}


def _comparison(
    page: RenderedPage, algorithm: str, gold: list[Item], rows: list[Row], predicted: list[Item]
) -> HeadingComparison:
    text_of = {text.node: " ".join(text.text.split()) for text in page.texts}

    def words(item: Item) -> str:
        parts = sorted(item.heading, key=str)
        return " ".join(text_of.get(part, "") if isinstance(part, int) else part for part in parts)

    wordings = [row["heading"] for row in rows[1:]]
    sides = _side(gold, list(map(words, gold)), predicted), _side(predicted, wordings, gold)
    return HeadingComparison(page.url, algorithm, *sides)


def _side(
    items: list[Item], wordings: list[str], other_items: list[Item]
) -> tuple[tuple[int, str, bool], ...]:
    other_headings = {item.heading for item in other_items}
    return tuple(
        (1 + sum(1 for _ in ancestors(items, n)), words, item.heading in other_headings)
        for n, (item, words) in enumerate(zip(items, wordings, strict=True))
    )


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """Yield the tables: methods (H table 5), methods by group if there are several, and relations (H table 7)."""
    yield method_table(scores)
    if len(set(scores["group"])) > 1:
        for group, group_scores in scores.groupby("group"):
            table = method_table(group_scores)
            yield table._replace(title=f"{table.title}: {group}")
    yield relation_table(scores)


def method_table(scores: pd.DataFrame) -> Table:
    """Return P, R and F of headings and of blocks, for each method."""
    rows = [
        {"method": algorithm, **_score_columns(pages), "pages": len(pages)}
        for algorithm, pages in scores.groupby("algorithm", sort=False)
    ]
    return Table("Headings and blocks found exactly, means over pages", pd.DataFrame(rows))


def relation_table(scores: pd.DataFrame) -> Table:
    """Return P, R and F of items related to correctly found headings and blocks, over all pairs."""
    rows = [
        {"method": algorithm, "relation": relation, **_score_columns(pages, relation)}
        for algorithm, pages in scores.groupby("algorithm", sort=False)
        for relation in RELATIONS
    ]
    return Table("Related headings and blocks, over pairs", pd.DataFrame(rows))


def _score_columns(scores: pd.DataFrame, relation: str = "") -> dict[str, float]:
    means_by_name: dict[str, float] = {}
    for kind in KINDS:
        name = f"{kind}_{relation}" if relation else kind
        columns = scores[[f"{name}_{field}" for field in Counts._fields]]
        pages = [Counts(*map(int, row)) for row in columns.itertuples(index=False)]
        counted = [Counts(*map(sum, zip(*pages, strict=True)))] if relation else pages
        names = (f"{letter}_{kind[0].upper()}" for letter in "PRF")
        means_by_name |= zip(names, means(counted), strict=True)
    return means_by_name


WORST = 10  # pages shown of each method


class WorstPage(NamedTuple):
    """A page with errors: numbers of headings that were found, missed and wrong."""

    page: HeadingComparison
    correct: int
    missed: int
    wrong: int


def render(evaluation: Evaluation[HeadingComparison], gold: str) -> str:
    names = evaluation.table["algorithm"].unique()
    worst_pages = {name: list(worst(evaluation, name)) for name in names}
    return results.results_html("headings", evaluation, gold, tables, worst_pages)


def worst(evaluation: Evaluation[HeadingComparison], algorithm: str) -> Iterator[WorstPage]:
    """Yield the worst pages of a method: those with most headings missed or wrong, ties by URL."""
    worst_pages = []
    for page in evaluation.pages:
        if page.algorithm == algorithm:
            missed = sum(not is_shared for *_, is_shared in page.gold)
            wrong = sum(not is_shared for *_, is_shared in page.found)
            worst_pages.append(WorstPage(page, len(page.gold) - missed, missed, wrong))
    worst_pages.sort(key=lambda p: (-p.missed - p.wrong, p.page.url))
    yield from worst_pages[:WORST]


def main_report(settings: HeadingEvaluationSettings, files: OutputFiles) -> str:
    """Score tables of headings, write the requested files, and return the text to print. Raises UsageError as `evaluate`."""
    evaluation = evaluate(settings)
    html = partial(render, evaluation, settings.gold)
    return results.report_results(files, evaluation, tables, method_table, html)
