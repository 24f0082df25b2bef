"""The blocks of one file's pages, joined with the verdicts on their texts.

Of each block: the share of it that is content, and how much of the page's middle it covers.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from dbce.model import Label
from dbce.output import rows_of
from dbce.storage import Folder, SealedFolder, Table
from dbce.visual import Block, Rect, contents
from dbce.visual.joined.folder import block_places
from dbce.visual.joined.schema import SHARES
from dbce.visual.measure import Atoms, has_area, importances, members, normalise, union
from dbce.visual.render import rendered_ids, rendered_pages
from dbce.visual.segment import BLOCKS, part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.output import Row
    from dbce.visual import RenderedPage

HALF = 0.5
"""The share of content from which on a block is content."""


class BlockShare(NamedTuple):
    """A block with verdicts.

    `characters` are those of texts in it that have a verdict; `content` is the share of them that is
    content, None if there are none, and `label` what most of them are, "" then. `importance` is that of
    Sanoja's thesis (3.2.3) among the terminal blocks of the page; a block that holds others has theirs.
    """

    characters: int
    content: float | None
    label: str
    importance: float


def shares_of(
    page: RenderedPage, blocks: Sequence[Block], content: Mapping[int, float]
) -> list[BlockShare]:
    """For each block of a page what the verdicts say of it.

    `content` is the share of each text node that is content, by its number in `nodes`. A text is in the
    blocks that have its centre.
    """
    normal = [normalise(block.rect, page.size) for block in blocks]
    places, told = [], []
    for text in page.texts:
        box = union(filter(has_area, text.rects))
        if box and text.node in content:
            left, top, right, bottom, *_ = normalise(box, page.size)
            characters = len(" ".join(text.text.split()))
            places.append(((left + right) / 2, (top + bottom) / 2, characters))
            told.append(content[text.node])
    texts = Atoms(*np.array(places, np.float64).reshape(-1, 3).T)
    inside = members(texts, normal)
    counts = (texts.weights @ inside).tolist()
    of_content = (texts.weights * np.array(told)) @ inside
    sums = zip(counts, of_content.tolist(), _importances(page, blocks), strict=True)
    return [_share(round(count), good, weight) for count, good, weight in sums]


def _share(characters: int, of_content: float, importance: float) -> BlockShare:
    if not characters:
        return BlockShare(0, None, "", importance)
    content = round(of_content / characters, 4)
    label = Label.CONTENT if content >= HALF else Label.BOILERPLATE
    return BlockShare(characters, content, label, importance)


def _importances(page: RenderedPage, blocks: Sequence[Block]) -> list[float]:
    parents = {block.parent for block in blocks}
    terminal = [n for n in range(len(blocks)) if n not in parents]
    visible = min(1.0, page.viewport[1] / max(1, page.size[1]))
    own = importances([normalise(blocks[n].rect, page.size) for n in terminal], visible)
    sums = [0.0] * len(blocks)
    for n, importance in zip(terminal, own, strict=True):
        at = n
        while at >= 0:
            sums[at] += importance
            at = blocks[at].parent
    return sums


def share_file(run: str, place: Folder, file: str) -> None:
    """Write what the verdicts of a run say of the blocks that `cut_file` left of a file.

    Raises:
        StoreError: what is stored is not what was written.
    """
    with (
        place.create(part("shares", file)) as stream,
        Table(stream, SHARES, pa.Table.from_pylist) as table,
    ):
        for row in _shares(run, place, file):
            table.add(row)


def _shares(run: str, place: Folder, file: str) -> Iterator[Row]:
    """The rows of all pages with verdicts; the blocks of pages are in the order of the pages."""
    content = contents(SealedFolder(run), file, rendered_ids(run, file))
    pages = iter(rendered_pages(run, file)) if content else iter(())
    rows = rows_of(place, part("blocks", file), BLOCKS.names)
    for record_id, of_page in groupby(rows, lambda row: row["record_id"]):
        page = next((page for page in pages if page.record_id == record_id), None)
        if page and record_id in content:
            yield from _of_page(page, list(of_page), content[record_id])


def _of_page(page: RenderedPage, rows: list[Row], content: dict[int, float]) -> Iterator[Row]:
    blocks = [
        Block(
            row["parent"],
            Rect(row["x"], row["y"], row["w"], row["h"]),
            tuple(row["elements"]),
            *(row["category"], row["role"], row["weight"]),
        )
        for row in rows
    ]
    shares = shares_of(page, blocks, content)
    for row, share, place in zip(rows, shares, block_places(page, blocks), strict=True):
        kept = {name: row[name] for name in SHARES.names if name in row}
        xpath = next(iter(row["xpaths"]), "")
        yield kept | share._asdict() | {"place": place, "xpath": xpath}
