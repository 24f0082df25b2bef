"""Facts about the pages of a run before they are migrated: blocks, verdicts, layout."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from dbce.model import Label, Status, UsageError
from dbce.output import rows_with
from dbce.storage import Folder, SealedFolder, open_parquet, table_path
from dbce.visual import Block, Rect, Segmentation, contents
from dbce.visual.joined import shares_of
from dbce.visual.migrate.roles import LabelledBlock
from dbce.visual.render import open_rendered
from dbce.visual.segment import BLOCKS, DEFAULT, TABLES, BandOptions, segment

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from dbce.archive import Source
    from dbce.output import Row
    from dbce.visual import RenderedPage

STORED = f"{DEFAULT}.parquet"
"""The blocks that are taken if the run has them; else they are made anew."""

FINER = BandOptions(level=2)
"""Options for a page that is one block at first sight: it is cut at level 2 (docs/html5.md)."""

SECTION, ARTICLE = "section", "article"

NEEDED = (
    "record_id",
    "url",
    "fetch_time",
    "warc_filename",
    "warc_record_offset",
    "status",
    "reason",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """The pages of a file: its tables' name, the rows of its pages by record id, where they are read.

    `source` is None if no archive is named that has them.
    """

    name: str
    rows: Mapping[str, Row]
    source: Source | None


def units(run: str, sources: Sequence[Source]) -> list[Unit]:
    """The files of a run, with those pages too that were not rendered.

    Raises:
        UsageError: it has no rendered pages, or none that is in the sources.
    """
    folder, rendered = SealedFolder(run), open_rendered(run)
    by_name = {source.name: source for source in sources}
    units_of_run = []
    tables = {name: _rows(rendered, name) for name in rendered.names("pages/*.parquet")}
    _add_the_rest(tables, folder)
    for name, rows in tables.items():
        files = {row["warc_filename"] for row in rows.values()}
        source = by_name.get(next(iter(files), ""))
        units_of_run.append(Unit(name.removeprefix("pages/"), rows, source and _at(source, rows)))
    if units_of_run and not any(unit.source for unit in units_of_run):
        wanted = sorted(
            {row["warc_filename"] for unit in units_of_run for row in unit.rows.values()}
        )
        raise UsageError(
            f"--archive does not name {', '.join(wanted[:3]) or 'an archive'}, which {run} was "
            "rendered of"
        )
    return units_of_run


def _at(source: Source, rows: Mapping[str, Row]) -> Source:
    """The records of the rows alone."""
    if source.page is not None:
        return source
    offsets = sorted({row["warc_record_offset"] for row in rows.values()})
    return replace(source, offsets=tuple(offsets), piece=None)


def _add_the_rest(tables: Mapping[str, dict[str, Row]], folder: Folder) -> None:
    """Adds the judged pages of the same files that were not rendered, each where its place in the file is."""
    known = {key for rows in tables.values() for key in rows}
    starts = defaultdict(list)
    for name, rows in tables.items():
        first: dict[str, int] = {}
        for row in rows.values():
            file, offset = row["warc_filename"], row["warc_record_offset"]
            first[file] = min(offset, first.get(file, offset))
        for file, offset in first.items():
            starts[file].append((offset, name))
    for name in folder.names("pages/*.parquet"):
        for key, row in _rows(folder, name).items():
            if key in known or row["status"] not in (Status.ANNOTATED, Status.SINGLE):
                continue
            pieces = sorted(starts[row["warc_filename"]])
            before = bisect_right(pieces, row["warc_record_offset"], key=itemgetter(0))
            place = pieces[max(0, before - 1)][1] if pieces else name
            if place in tables:
                tables[place][key] = {**row, "status": "not-rendered", "reason": ""}


def _rows(folder: Folder, name: str) -> dict[str, Row]:
    with open_parquet(folder, name) as table:
        rows = table.read(columns=list(NEEDED)).to_pylist()
    return {row["record_id"]: row for row in rows if row["record_id"]}


class UnitFacts:
    """Blocks and verdicts of the pages of one file."""

    def __init__(self, run: str, unit: Unit) -> None:
        folder = SealedFolder(run)
        self._content = contents(folder, unit.name, unit.rows)
        self._blocks = _stored_blocks(folder, unit.rows)

    def segmentation(self, page: RenderedPage) -> Segmentation:
        """The page in blocks: those that are stored, or new ones; of level 2 if it is one block at first sight."""
        content = self._content.get(page.record_id)
        segmentation = self._blocks.get(page.record_id) or segment(page, content=content)
        return (
            segmentation
            if len(segmentation.blocks) > 1
            else segment(page, DEFAULT, FINER, content=content)
        )

    def labelled(self, page: RenderedPage, segmentation: Segmentation) -> list[LabelledBlock]:
        """The blocks with the characters of content in each, by the verdicts.

        Of a page without verdicts those outside links count. A section that holds no other block, and
        content for the most part, is an article.
        """
        parents = {block.parent for block in segmentation.blocks}
        content = self._content.get(page.record_id) or _outside_links(page)
        shares = shares_of(page, segmentation.blocks, content)
        return [
            LabelledBlock(
                block.parent,
                ARTICLE
                if block.role == SECTION and n not in parents and share.label == Label.CONTENT
                else block.role,
                tuple(page.elements[element].xpath for element in block.elements),
                share.characters * (share.content or 0),
            )
            for n, (block, share) in enumerate(zip(segmentation.blocks, shares, strict=True))
        ]


READ = [name for name in BLOCKS.names if name not in {"fetch_time", "floating"}]
"""Columns that all versions of the table have."""


def _stored_blocks(folder: Folder, record_ids: Collection[str]) -> dict[str, Segmentation]:
    tables = folder.within(TABLES)
    stored = table_path(tables, TABLES, STORED)
    if not tables.exists(stored):
        return {}
    rows = defaultdict(list)
    for row in rows_with(tables, stored, record_ids, READ).to_pylist():
        rows[row["record_id"]].append(row)
    return {key: _segmentation(key, of_page) for key, of_page in rows.items()}


def _segmentation(record_id: str, rows: Sequence[Row]) -> Segmentation:
    blocks = tuple(
        Block(
            row["parent"],
            Rect(row["x"], row["y"], row["w"], row["h"]),
            tuple(row["elements"]),
            *(row["category"], row["role"], row["weight"]),
        )
        for row in rows
    )
    return Segmentation(rows[0]["algorithm"], record_id, blocks)


def _outside_links(page: RenderedPage) -> dict[int, float]:
    """For each text 1 outside of links and 0 in them."""
    linked: list[bool] = []
    for element in page.elements:
        above = element.parent >= 0 and linked[element.parent]
        linked.append(above or element.tag == "a")
    return {text.node: float(not linked[text.parent]) for text in page.texts if text.node >= 0}
