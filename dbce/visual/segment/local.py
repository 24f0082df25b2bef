"""The pages that `dbce render` left, cut into blocks: a table beside them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from dbce.errors import fault_detail
from dbce.output import Folder, Table
from dbce.visual.render import RenderedFolder, open_rendered, read_rendered
from dbce.visual.segment.overlay import overlay
from dbce.visual.segment.registry import segment
from dbce.visual.segment.stored import BLOCKS, REJECTS, block_rows

if TYPE_CHECKING:
    from dbce.output import Row
    from dbce.visual import RenderedPage, Segmentation
    from dbce.visual.segment.boxes import Options

TABLES = "blocks"
"""The folder of the tables, beside that of the rendered pages."""


class Pictures(NamedTuple):
    """Where screenshots are, and where they go with blocks on them."""

    shot: RenderedFolder
    drawn: Folder


@dataclass(frozen=True, slots=True)
class Segmented:
    """What was done: pages cut and rejected, blocks that hold no other, and the table they are in."""

    pages: int
    rejected: int
    blocks: int
    table: str


def segment_folder(
    uri: str, algorithm: str, options: Options, overlays: str | None = None
) -> Segmented:
    """Cuts all rendered pages of a folder; the table takes its name when all are cut.

    A page that an algorithm fails on is a row of `blocks/rejects/`. With `overlays`, the name of a
    folder, each page's blocks are drawn on its screenshot there.

    Raises:
        UsageError: no finished rendering is there.
        StoreError: what is stored is not what was written.
    """
    open_rendered(uri)
    folder = Folder(uri).within(TABLES)
    name = f"{label(algorithm, options)}.parquet"
    pictures = Pictures(RenderedFolder(uri), Folder(overlays)) if overlays else None
    cut = rejected = count = 0
    with ExitStack() as files:
        streams = [files.enter_context(folder.create(n)) for n in (name, f"rejects/{name}")]
        blocks = files.enter_context(Table(streams[0], BLOCKS, _joined))
        rejects = files.enter_context(Table(streams[1], REJECTS, _joined))
        for page in read_rendered(uri):
            try:
                found = segment(page, algorithm, options)
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                rejects.add([_reject(page, algorithm, e)])
                rejected += 1
                continue
            blocks.add(block_rows(page, found), len(found.blocks))
            if pictures:
                _draw(pictures, page, found, cut)
            count += len(found.terminal)
            cut += 1
    return Segmented(cut, rejected, count, folder.at(name))


def label(algorithm: str, options: Options) -> str:
    """What the table of an algorithm is called: its name, and each option that is not the default."""
    changed = (
        f"{field.name}-{getattr(options, field.name)}"
        for field in fields(options)
        if getattr(options, field.name) != field.default
    )
    return ".".join([algorithm, *changed])


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


def _draw(pictures: Pictures, page: RenderedPage, found: Segmentation, number: int) -> None:
    algorithm = found.algorithm.partition("(")[0]
    picture = overlay(page, found, pictures.shot.screenshot(page.record_id))
    pictures.drawn.write(f"{number:04}-{algorithm}.svg", picture.encode())
