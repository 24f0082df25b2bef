"""The scores of tables of headings: a row for each page and method."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from dbce.model import UsageError
from dbce.progress import count_of
from dbce.storage import Folder, open_parquet, table_names, table_path
from dbce.visual.evaluate.halves import half
from dbce.visual.evaluate.headings.located import found_items, gold_items
from dbce.visual.evaluate.headings.scores import KINDS, RELATIONS, Counts, counts, related
from dbce.visual.headings import TABLES, pages_of, read_heading_gold
from dbce.visual.render import MANIFEST, RENDERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.evaluate.halves import Half
    from dbce.visual.evaluate.headings.located import Item
    from dbce.visual.headings import GoldPage


@dataclass(frozen=True, slots=True)
class AskedScores:
    """Settings of an evaluation: the folders whose tables are measured, and against whose gold.

    `by` is the annotator, "" for the first one of each page; `half` the half of the pages that is looked
    at, None for all; `group` the field of the gold by which scores are also given.
    """

    folders: tuple[str, ...]
    gold: str
    by: str = ""
    half: Half | None = None
    group: str = ""


class Compared(NamedTuple):
    """A page with the headings of both sides, for a report: (level, words, whether the other side has it)."""

    url: str
    algorithm: str
    gold: tuple[tuple[int, str, bool], ...]
    found: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Scores and what they are of.

    `table` has a row for each page and method: `correct`, `extracted` and `annotated` of `heading` and
    `block`, and the same of their relations (docs/headings.md). `pages` are those compared; `notes` say
    what of gold and tables could not be used.
    """

    table: pd.DataFrame
    pages: tuple[Compared, ...]
    notes: tuple[str, ...]


def evaluate(asked: AskedScores) -> Evaluation:
    """Scores of all tables in the folders against the gold.

    Raises:
        UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_heading_gold(asked.gold, asked.by, asked.group)
    wanted = {page.record_id: page for page in gold if asked.half in (None, half(page.url))}
    if not wanted:
        raise UsageError(f"{asked.gold} holds no page of the half {asked.half}")
    rows: list[dict[str, Any]] = []
    compared: list[Compared] = []
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
                compared.append(
                    _compared(page, algorithm, (wanted[page.record_id], marked), own, found)
                )
    notes += (f"not in the table of {name}: {count_of(n, 'page')}" for name, n in absent.items())
    if missing := len(wanted) - len(seen):
        notes.append(
            f"not in {', '.join(asked.folders)}: {count_of(missing, 'page')} of {asked.gold}"
        )
    if not rows:
        raise UsageError(f"no page of {asked.gold} can be compared; {'; '.join(notes)}")
    return Evaluation(pd.DataFrame(rows), tuple(compared), tuple(notes))


def _tables(folder: str) -> Iterator[tuple[str, dict[str, list[Row]]]]:
    """The rows of each table of a folder by page, with its name."""
    tables = Folder(folder).within(TABLES)
    for name in table_names(tables, TABLES):
        with open_parquet(tables, table_path(tables, TABLES, name)) as table:
            rows = table.read().to_pylist()
        of_pages = groupby(rows, key=lambda row: row["record_id"])
        yield name.removesuffix(".parquet"), {record: list(own) for record, own in of_pages}


def _pages(folder: str, wanted: set[str]) -> Iterator[RenderedPage]:
    """The pages of a folder that are wanted, as they were rendered, or else as the run has them."""
    is_rendered = Folder(folder).within(RENDERED).exists(MANIFEST)
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
            row |= _columns(f"{kind}_{name}", related(marked, found, kind, relation))
    return row


def _columns(name: str, found: Counts) -> dict[str, int]:
    return {f"{name}_{field}": value for field, value in found._asdict().items()}


def _compared(
    page: RenderedPage,
    algorithm: str,
    gold: tuple[GoldPage, list[Item]],
    rows: list[Row],
    found: list[Item],
) -> Compared:
    said = {text.node: " ".join(text.text.split()) for text in page.texts}

    def words(item: Item) -> str:
        inside = sorted(item.heading, key=str)
        return " ".join(said.get(one, "") if isinstance(one, int) else one for one in inside)

    known, correct = {i.heading for i in gold[1]}, {i.heading for i in found}
    return Compared(
        url=page.url,
        algorithm=algorithm,
        gold=tuple(
            (_depth(gold[1], n), words(item), item.heading in correct)
            for n, item in enumerate(gold[1])
        ),
        found=tuple(
            (_depth(found, n), row["heading"], item.heading in known)
            for n, (item, row) in enumerate(zip(found, rows[1:], strict=True))
        ),
    )


def _depth(items: list[Item], number: int) -> int:
    return 1 + (0 if items[number].parent < 0 else _depth(items, items[number].parent))
