"""The blocks of a folder that is a run too, joined with its verdicts: two tables beside them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa

from dbce.model import Label
from dbce.output import Folder, Table, open_parquet, open_run
from dbce.visual import Block, Rect
from dbce.visual.joined.shares import shares_of
from dbce.visual.joined.stored import BLOCK_MAP, BLOCK_VERDICTS
from dbce.visual.joined.templates import block_places, templates
from dbce.visual.render import rendered_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dbce.output import Row
    from dbce.visual import RenderedPage

    Contents = dict[str, dict[int, float]]

JOINED = ("blocks/verdicts", "blocks/map")
"""The folders of the tables."""

NEIGHBOURS = ["record_id", "site", "up", "down", "prev", "next"]

ROWS = 20_000
"""Rows of a table that are read at a time."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What was joined: pages with verdicts, templates, and the blocks of these."""

    pages: int
    templates: int
    blocks: int


def join_folder(uri: str, name: str) -> Joined:
    """Joins the blocks in `blocks/NAME` with the verdicts of the run in the same folder.

    Raises:
        UsageError: there is no finished run, or no finished rendering.
        StoreError: what is stored is not what was written.
    """
    folder, _ = open_run(uri)
    pages = list(_rows(folder, "pages", NEIGHBOURS))
    template = templates(pages)
    blocks = pd.DataFrame(_joined(uri, folder, name, template))
    blocks["site"] = blocks["record_id"].map({row["record_id"]: row["site"] for row in pages})
    of_template = blocks.groupby("template")["record_id"].nunique()
    at_place = blocks.groupby(["template", "place"])["record_id"].transform("nunique")
    blocks["on_pages"] = at_place / blocks["template"].map(of_template)
    found = _block_map(blocks)
    with ExitStack() as files:
        for kind, rows, schema in (
            (JOINED[0], blocks, BLOCK_VERDICTS),
            (JOINED[1], found, BLOCK_MAP),
        ):
            stream = files.enter_context(folder.create(f"{kind}/{name}"))
            table = files.enter_context(Table(stream, schema, pa.Table.from_batches))
            for batch in pa.Table.from_pandas(rows, schema, preserve_index=False).to_batches():
                table.add(batch, len(batch))
    return Joined(blocks["record_id"].nunique(), len(of_template), len(found))


def _joined(uri: str, folder: Folder, name: str, template: Mapping[str, str]) -> Iterator[Row]:
    """The rows of all pages with verdicts; the table of blocks has its pages in the same order."""
    blocks = _by_page(folder, name)
    record_id, rows = next(blocks, ("", []))
    for file, pages in rendered_files(uri):
        content = node_content(folder, file)
        for page in pages:
            if page.record_id != record_id:  # it could not be cut
                continue
            if page.record_id in content:
                yield from _of_page(page, rows, content[page.record_id], template)
            record_id, rows = next(blocks, ("", []))


def _of_page(
    page: RenderedPage, rows: list[Row], content: dict[int, float], template: Mapping[str, str]
) -> Iterator[Row]:
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
        kept = {
            key: row[key]
            for key in (*Rect._fields, "record_id", "url", "algorithm", "block", "role")
        }
        own = {"template": template[page.record_id], "place": place}
        yield kept | own | share._asdict() | {"xpath": next(iter(row["xpaths"]), "")}


def _block_map(blocks: pd.DataFrame) -> pd.DataFrame:
    """The blocks of templates: those of one place together."""
    placed = blocks[blocks["place"] != ""]
    groups = placed.groupby(["site", "template", "algorithm", "place"])
    found = groups[["on_pages", "content", "importance", *Rect._fields]].median()
    found["pages"] = groups["record_id"].nunique()
    found["role"] = groups["role"].agg(lambda roles: str(roles.mode().iloc[0]))
    first = groups[["url", "xpath"]].first()
    joined = found.join(first).reset_index()
    return joined.sort_values(["site", "template", "y", "x", "place"], kind="stable")


def node_content(folder: Folder, file: str) -> Contents:
    """The share of every text node that is content, by capture and number; `file` as in `nodes/`."""
    if not folder.exists(f"nodes/{file}"):
        return {}
    with open_parquet(folder, f"nodes/{file}") as table:
        runs = table.read(columns=["record_id", "node", "start", "end", "label"]).to_pandas()
    runs["length"] = runs["end"] - runs["start"]
    runs["content"] = runs["length"].where(runs["label"] == Label.CONTENT, 0)
    sums = runs.groupby(["record_id", "node"], sort=False)[["length", "content"]].sum()
    share = (sums["content"] / sums["length"]).reset_index(name="share")
    return {
        str(record_id): dict(zip(of_page["node"].tolist(), of_page["share"].tolist(), strict=True))
        for record_id, of_page in share.groupby("record_id", sort=False)
    }


def _by_page(folder: Folder, name: str) -> Iterator[tuple[str, list[Row]]]:
    """The rows of the table of blocks, page by page: the first block of each is the page itself."""
    rows: list[Row] = []
    for row in _of_file(folder, f"blocks/{name}", None):
        if row["block"] == 0 and rows:
            yield rows[0]["record_id"], rows
            rows = []
        rows.append(row)
    if rows:
        yield rows[0]["record_id"], rows


def _rows(folder: Folder, kind: str, columns: list[str]) -> Iterator[Row]:
    for name in folder.names(f"{kind}/*.parquet"):
        yield from _of_file(folder, name, columns)


def _of_file(folder: Folder, name: str, columns: list[str] | None) -> Iterator[Row]:
    with open_parquet(folder, name) as table:
        for batch in table.iter_batches(ROWS, columns=columns):
            yield from batch.to_pylist()
