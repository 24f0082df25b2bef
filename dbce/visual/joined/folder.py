"""The blocks of a folder that is a run too, joined with its verdicts: two tables beside them.

For these it is asked which pages share a template, and which blocks of one page correspond to blocks of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dbce.html import place
from dbce.model import stable_id
from dbce.output import open_run, rows_of
from dbce.storage import Folder, Table, open_parquet
from dbce.visual import Rect
from dbce.visual.joined.schema import BLOCK_MAP, BLOCK_VERDICTS
from dbce.visual.segment import part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.output import Row
    from dbce.visual import Block, RenderedPage


def templates(pages: Iterable[Row]) -> dict[str, str]:
    """The template of every capture, by record id: the least id of those that hang together.

    `pages` are rows of `pages`; captures hang together where one is a neighbour of the other in a
    comparison (`up`, `down`), or its snapshot (`prev`, `next`).
    """
    edges: list[tuple[str, str]] = []
    for row in pages:
        own = row["record_id"]
        edges += ((own, other) for role in ("up", "down", "prev", "next") if (other := row[role]))
        edges.append((own, own))
    names = sorted({name for edge in edges for name in edge})
    number = {name: n for n, name in enumerate(names)}
    ends = [[number[edge[side]] for edge in edges] for side in (0, 1)]
    graph = coo_array(([True] * len(edges), ends), shape=(len(names), len(names)))
    _, groups = connected_components(graph, directed=False)
    least: dict[int, str] = {}
    return {
        name: least.setdefault(int(group), name) for name, group in zip(names, groups, strict=True)
    }


WIDE = 0.6
"""Share of the page's width from which on a block stands in no column of it."""

COLUMNS = ("left", "middle", "right")
"""Names of the thirds of a page, of which a block is in the one that has its centre."""


def block_places(page: RenderedPage, blocks: Sequence[Block]) -> list[str]:
    """For each block its place in the template: a hash of the paths of its elements, its role and its column.

    A path is that of tags and classes from the root (`dbce.html.place`), and equal paths count once: a
    list is the same block however many items it has. Order is no part of it: the posts of a thread share a
    place, and a post that comes or goes moves no other. Role and column tell parts apart
    that have no classes. A block without elements is "".
    """
    of_element: list[int] = []
    for element in page.elements:
        above = of_element[element.parent] if element.parent >= 0 else 0
        of_element.append(place(element.tag, element.attributes.get("class", ""), above))
    places = []
    for block in blocks:
        paths = sorted({str(of_element[element]) for element in block.elements})
        position = _column(block.rect, page.size[0])
        places.append(stable_id("block", block.role, position, *paths) if paths else "")
    return places


def _column(rect: Rect, width: float) -> str:
    if rect.w >= WIDE * width:
        return "wide"
    third = int((rect.x + rect.w / 2) * len(COLUMNS) // width) if width else 0
    return COLUMNS[max(0, min(third, len(COLUMNS) - 1))]


JOINED = ("verdicts", "map")
"""The folders of the tables, in that of the blocks."""

NEIGHBOURS = ("record_id", "site", "up", "down", "prev", "next")
"""Columns of `pages`."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Numbers of things that were joined: pages with verdicts, templates, and the blocks of these."""

    pages: int
    templates: int
    blocks: int


def join(run: str, place: Folder, table: str, files: Sequence[str]) -> Joined:
    """Join the blocks of all files with what the verdicts of a run say of them: two tables.

    Raises:
        UsageError: there is no finished run.
        StoreError: what is stored is not what was written.
    """
    folder, _ = open_run(run)
    blocks = pd.concat([_read(place, part("shares", file)) for file in files])
    pages = [
        row for name in folder.names("pages/*.parquet") for row in rows_of(folder, name, NEIGHBOURS)
    ]
    blocks["template"] = blocks["record_id"].map(templates(pages))
    blocks["site"] = blocks["record_id"].map({row["record_id"]: row["site"] for row in pages})
    of_template = blocks.groupby("template")["record_id"].nunique()
    at_place = blocks.groupby(["template", "place"])["record_id"].transform("nunique")
    blocks["on_pages"] = at_place / blocks["template"].map(of_template)
    block_map = _block_map(blocks)
    for kind, rows, schema in zip(
        JOINED, (blocks, block_map), (BLOCK_VERDICTS, BLOCK_MAP), strict=True
    ):
        _write(place, f"{kind}/{table}", rows, schema)
    return Joined(blocks["record_id"].nunique(), len(of_template), len(block_map))


def _read(folder: Folder, name: str) -> pd.DataFrame:
    with open_parquet(folder, name) as table:
        rows: pd.DataFrame = table.read().to_pandas()
    return rows


def _write(folder: Folder, name: str, rows: pd.DataFrame, schema: pa.Schema) -> None:
    with folder.create(name) as stream, Table(stream, schema, pa.Table.from_batches) as table:
        for batch in pa.Table.from_pandas(rows, schema, preserve_index=False).to_batches():
            table.add(batch, len(batch))


def _block_map(blocks: pd.DataFrame) -> pd.DataFrame:
    """The blocks of templates: those of one place together."""
    placed = blocks[blocks["place"] != ""]
    groups = placed.groupby(["site", "template", "algorithm", "place"])
    medians = groups[["on_pages", "content", "importance", *Rect._fields]].median()
    medians["pages"] = groups["record_id"].nunique()
    medians["role"] = groups["role"].agg(lambda roles: str(roles.mode().iloc[0]))
    first = groups[["url", "xpath"]].first()
    joined = medians.join(first).reset_index()
    return joined.sort_values(["site", "template", "y", "x", "place"], kind="stable")
