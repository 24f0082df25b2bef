"""Rendered pages cut into blocks: one file, which is what one process does at a time, and the tables of all files.

The columns of tables are explained in docs/segmentation.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import fault_detail
from dbce.output import TIME, Row
from dbce.storage import WORK, Folder, Table, open_parquet, stem
from dbce.visual import RenderedPage, Segmentation, contents
from dbce.visual.render import RenderedFolder, rendered_ids, rendered_pages
from dbce.visual.segment.boxes import Options
from dbce.visual.segment.overlay import overlay
from dbce.visual.segment.registry import segment

BLOCKS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("fetch_time", TIME),
        ("algorithm", pa.string()),
        ("block", pa.int32()),
        ("parent", pa.int32()),
        ("terminal", pa.bool_()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("w", pa.float64()),
        ("h", pa.float64()),
        ("category", pa.string()),
        ("role", pa.string()),
        ("floating", pa.bool_()),
        ("weight", pa.float64()),
        ("elements", pa.list_(pa.int32())),
        ("xpaths", pa.list_(pa.string())),
    ]
)
"""A row a block, in reading order, parents before children; the first of a page is the page itself."""

OWN = ("parent", "category", "role", "floating", "weight")
"""The columns that are fields of a block."""

REJECTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("algorithm", pa.string()),
        ("detail", pa.string()),
    ]
)
"""A row a page that could not be cut."""


def block_rows(page: RenderedPage, segmentation: Segmentation) -> list[Row]:
    """The rows of a page."""
    parents = {block.parent for block in segmentation.blocks}
    return [
        {
            "record_id": page.record_id,
            "url": page.url,
            "fetch_time": page.timestamp,
            "algorithm": segmentation.algorithm,
            "block": n,
            "terminal": n not in parents,
            **block.rect._asdict(),
            **{name: getattr(block, name) for name in OWN},
            "elements": block.elements,
            "xpaths": [page.elements[element].xpath for element in block.elements],
        }
        for n, block in enumerate(segmentation.blocks)
    ]


TABLES = "blocks"
"""The folder of the tables, beside that of the rendered pages, and in it that of the blocks."""


@dataclass(frozen=True, slots=True)
class SegmentSettings:
    """An algorithm and its options, with which the rendered pages of the folder `run` are cut.

    With `overlays`, a folder, the blocks are drawn there.
    """

    run: str
    algorithm: str
    options: Options
    overlays: str | None = None

    @property
    def table(self) -> str:
        """The name of the tables: the algorithm, and each option that is not the default."""
        changed = (
            f"{field.name}-{getattr(self.options, field.name)}"
            for field in fields(self.options)
            if getattr(self.options, field.name) != field.default
        )
        return ".".join([self.algorithm, *changed, "parquet"])

    def digest(self) -> str:
        """Name that differs between two different segmentations; where they are drawn does not count."""
        return self.table

    def optional_outputs(self) -> tuple[str, ...]:
        """Optional outputs; a segmentation has none."""
        return ()


def part(kind: str, file: str) -> str:
    """Path at which a table of one kind waits for those of the other files."""
    return f"{WORK}/{kind}/{file}"


def cut_file(settings: SegmentSettings, place: Folder, file: str) -> None:
    """Cut the pages of a file of rendered pages.

    A page that the algorithm fails on is a row of the rejects. Where a run has judged the file, its
    verdicts are known to the algorithm.

    Raises:
        StoreError: what is stored is not what was written.
    """
    content = contents(Folder(settings.run), file, rendered_ids(settings.run, file))
    shot = RenderedFolder(settings.run, file) if settings.overlays else None
    cut = 0
    with ExitStack() as files:
        # The blocks first: what is entered last takes its name first, and the blocks say that all is there.
        streams = [
            files.enter_context(place.create(part(kind, file))) for kind in ("blocks", "rejects")
        ]
        blocks = files.enter_context(Table(streams[0], BLOCKS, _concatenated_rows))
        rejects = files.enter_context(Table(streams[1], REJECTS, _concatenated_rows))
        for page in rendered_pages(settings.run, file):
            try:
                segmented = segment(
                    *(page, settings.algorithm, settings.options),
                    content=content.get(page.record_id),
                )
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                rejects.add([_reject(page, settings.algorithm, e)])
                continue
            blocks.add(block_rows(page, segmented), len(segmented.blocks))
            if shot:
                picture = overlay(page, segmented, shot.picture(page.record_id).uri)
                _draw(settings, picture, f"{stem(file.removesuffix('.parquet'))}.{cut:04}")
            cut += 1


def _concatenated_rows(parts: list[list[Row]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(list(chain.from_iterable(parts)), schema)


def _reject(page: RenderedPage, algorithm: str, error: Exception) -> Row:
    detail = fault_detail(error, page.record_id)
    return {
        "record_id": page.record_id,
        "url": page.url,
        "algorithm": algorithm,
        "detail": detail,
    }


def _draw(settings: SegmentSettings, picture: str, name: str) -> None:
    drawn = Folder(settings.overlays or "")
    drawn.write(f"{name}-{settings.algorithm}.svg", picture.encode())


@dataclass(frozen=True, slots=True)
class SegmentationCounts:
    """Pages cut and rejected, and blocks that hold no other."""

    pages: int
    rejected: int
    blocks: int


def gather(settings: SegmentSettings, place: Folder, files: Sequence[str]) -> SegmentationCounts:
    """Make one table of those of all files, the rejects first: the blocks say that all is there."""
    parts = [part("rejects", file) for file in files]
    rejects = _merge_parts(place, f"rejects/{settings.table}", REJECTS, parts)
    rejected = sum(rows.num_rows for rows in rejects)
    pages = blocks = 0
    parts = [part("blocks", file) for file in files]
    for rows in _merge_parts(place, f"{TABLES}/{settings.table}", BLOCKS, parts):
        pages += pc.sum(pc.equal(rows["block"], 0)).as_py() or 0
        blocks += pc.sum(rows["terminal"]).as_py() or 0
    return SegmentationCounts(pages, rejected, blocks)


def _merge_parts(
    folder: Folder, name: str, schema: pa.Schema, parts: Sequence[str]
) -> Iterator[pa.Table]:
    """The parts one by one, while they become one table, which takes its name after the last."""
    with folder.create(name) as stream, Table(stream, schema, _concatenated_tables) as table:
        for part_name in parts:
            with open_parquet(folder, part_name) as file:
                rows = file.read()
            table.add(rows, rows.num_rows)
            yield rows


def _concatenated_tables(parts: list[pa.Table], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables(parts).cast(schema)
