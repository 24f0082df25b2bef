"""One file of rendered pages, cut into blocks: what one process does at a time."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.model import fault_detail
from dbce.storage import Folder, Table, stem
from dbce.visual import contents
from dbce.visual.render import RenderedFolder, rendered_ids, rendered_pages
from dbce.visual.segment.overlay import overlay
from dbce.visual.segment.registry import segment
from dbce.visual.segment.schema import BLOCKS, REJECTS, block_rows

if TYPE_CHECKING:
    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.segment.boxes import Options
TABLES = "blocks"
"""The folder of the tables, beside that of the rendered pages."""


@dataclass(frozen=True, slots=True)
class SegmentationJob:
    """The rendered pages of the folder at `uri` are cut by an algorithm; with `overlays`, a folder, drawn there."""

    uri: str
    algorithm: str
    options: Options
    overlays: str | None = None

    @property
    def table(self) -> str:
        """What the tables are called: the algorithm, and each option that is not the default."""
        changed = (
            f"{field.name}-{getattr(self.options, field.name)}"
            for field in fields(self.options)
            if getattr(self.options, field.name) != field.default
        )
        return ".".join([self.algorithm, *changed, "parquet"])

    @property
    def parts(self) -> str:
        """The folder of the tables of one file each, until those of all files are together."""
        return f"{TABLES}/{self.table}.parts"


def part(kind: str, cutting: SegmentationJob, file: str) -> str:
    """Where a table of one kind waits for those of the other files."""
    return f"{cutting.parts}/{kind}/{file}"


def cut_file(cutting: SegmentationJob, file: str) -> None:
    """Cuts the pages of a file of rendered pages.

    A page that the algorithm fails on is a row of the rejects. Where a run has judged the file, its
    verdicts are known to the algorithm.

    Raises:
        StoreError: what is stored is not what was written.
    """
    folder = Folder(cutting.uri)
    content = contents(folder, file, rendered_ids(cutting.uri, file))
    shot = RenderedFolder(cutting.uri, file) if cutting.overlays else None
    cut = 0
    with ExitStack() as files:
        streams = [
            files.enter_context(folder.create(part(kind, cutting, file)))
            for kind in ("blocks", "rejects")
        ]
        blocks = files.enter_context(Table(streams[0], BLOCKS, _joined))
        rejects = files.enter_context(Table(streams[1], REJECTS, _joined))
        for page in rendered_pages(cutting.uri, file):
            try:
                found = segment(
                    *(page, cutting.algorithm, cutting.options), content=content.get(page.record_id)
                )
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                rejects.add([_reject(page, cutting.algorithm, e)])
                continue
            blocks.add(block_rows(page, found), len(found.blocks))
            if shot:
                picture = overlay(page, found, shot.screenshot(page.record_id))
                _draw(cutting, picture, f"{stem(file.removesuffix('.parquet'))}.{cut:04}")
            cut += 1


def _joined(parts: list[list[Row]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(list(chain.from_iterable(parts)), schema)


def _reject(page: RenderedPage, algorithm: str, error: Exception) -> Row:
    detail = fault_detail(error, page.record_id)
    return {
        "record_id": page.record_id,
        "url": page.url,
        "algorithm": algorithm,
        "detail": detail,
    }


def _draw(cutting: SegmentationJob, picture: str, name: str) -> None:
    drawn = Folder(cutting.overlays or "")
    drawn.write(f"{name}-{cutting.algorithm}.svg", picture.encode())
