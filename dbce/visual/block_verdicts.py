"""Blocks and verdicts (docs/segmentation.md): segmentation as a job of the engine, and two tables of what verdicts say of blocks.

Of each block of one file: the share of it that is content, and how much of the page's middle it covers. Of all files:
which pages share a template, and which blocks of one page correspond to blocks of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import pyarrow as pa

from dbce.archive import Source
from dbce.engine import Stage, TableJob, Workers, work_without_progress
from dbce.html import template_hash
from dbce.model import ROLES, Label, Progress, count_words, files, stable_id
from dbce.output import Row, columns, open_run, rows_of, strings
from dbce.storage import Folder, SealedFolder, create_table, read_table, tidy
from dbce.visual import Block, Rect, RenderedPage, contents, has_area, is_judged, segment, union
from dbce.visual.measure import atoms, importances, members, normalise
from dbce.visual.render import rendered_ids, rendered_names, rendered_pages

if TYPE_CHECKING:
    import pandas as pd

SHARE = (
    ("place", pa.string()),
    ("words", pa.int32()),
    ("content", pa.float64()),
    ("label", pa.string()),
    ("importance", pa.float64()),
)
"""Columns of what verdicts say of a block."""

SHARES = pa.schema(
    [
        *segment.BLOCK_KEY,
        ("role", pa.string()),
        *columns(pa.float64(), *Rect._fields),
        *SHARE,
        ("xpath", pa.string()),
    ]
)
"""A row a block with verdicts, before those of all files are together."""

BLOCK_VERDICTS = pa.schema(
    [*segment.BLOCK_KEY, ("template", pa.string()), *SHARE, ("on_pages", pa.float64())]
)
"""A row a block, as in the table of blocks; `on_pages` is the share of the template's pages that have it."""

BLOCK_MAP = pa.schema(
    [
        *strings("site", "template", "algorithm", "place"),
        ("pages", pa.int32()),
        ("on_pages", pa.float64()),
        ("role", pa.string()),
        *columns(pa.float64(), "content", "importance", *Rect._fields),
        *strings("url", "xpath"),
    ]
)
"""A row a block of a template, those of a site together; numbers are medians over its pages, `role` is the
most frequent, `url` and `xpath` say where one of them stands."""


def templates(pages: Iterable[Row]) -> dict[str, str]:
    """Return the template of every capture, by record id: the least id of those that hang together.

    `pages` are rows of `pages`; captures hang together where one is a neighbour of the other in a
    comparison (`up`, `down`), or its snapshot (`prev`, `next`).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = [
        (row["record_id"], other)
        for row in pages
        for other in (row["record_id"], *(row[role] for role in ROLES[1:]))
        if other
    ]
    names = sorted({name for edge in edges for name in edge})
    number = {name: n for n, name in enumerate(names)}
    ends = [[number[edge[side]] for edge in edges] for side in (0, 1)]
    graph = coo_array(([True] * len(edges), ends), shape=(len(names), len(names)))
    _, groups = connected_components(graph, directed=False)
    least: dict[int, str] = {}
    groups_of = zip(names, groups.tolist(), strict=True)
    return {name: least.setdefault(group, name) for name, group in groups_of}


WIDE = 0.6  # share of the page's width from which on a block stands in no column of it
COLUMNS = ("left", "middle", "right")
"""Names of the thirds of a page, of which a block is in the one that has its centre."""


def block_places(page: RenderedPage, blocks: Sequence[Block]) -> list[str]:
    """Return the place of each block in the template: a hash of the paths of its elements, its role and its column.

    A path is that of tags and classes from the root (`dbce.html.template_hash`), and equal paths count once: a
    list is the same block however many items it has. Order is no part of it: the posts of a thread share a
    place, and a post that comes or goes moves no other. Role and column tell parts apart
    that have no classes. A block without elements is "".
    """
    of_element: list[int] = []
    for element in page.elements:
        above = of_element[element.parent] if element.parent >= 0 else 0
        of_element.append(template_hash(element.tag, element.attributes.get("class", ""), above))
    places = []
    for block in blocks:
        paths = sorted({str(of_element[element]) for element in block.elements})
        position = _column(block.rect, page.size[0])
        places.append(stable_id("block", block.role, position, *paths) if paths else "")
    return places


def _column(rect: Rect, width: float) -> str:
    if rect.w >= WIDE * width:
        return "wide"
    third = (rect.x + rect.w / 2) * len(COLUMNS) // width
    return COLUMNS[int(max(0, min(third, len(COLUMNS) - 1)))]


class JoinCounts(NamedTuple):
    """Numbers of things that were joined: pages with verdicts, templates, and the blocks of these."""

    pages: int
    templates: int
    blocks: int


def join(run: str, place: Folder, table: str, files: Sequence[str]) -> JoinCounts:
    """Join the blocks of all files with what the verdicts of a run say of them: two tables.

    Raises:
        UsageError: there is no finished run.
        StoreError: what is stored is not what was written.
    """
    import pandas as pd

    folder, _ = open_run(run)
    shares = (read_table(place, segment.part("shares", file)) for file in files)
    blocks = pd.concat(rows.to_pandas() for rows in shares)
    pages = [
        row
        for name in folder.names("pages/*.parquet")
        for row in rows_of(folder, name, ("record_id", "site", *ROLES[1:]))
    ]
    blocks["template"] = blocks["record_id"].map(templates(pages))
    blocks["site"] = blocks["record_id"].map({row["record_id"]: row["site"] for row in pages})
    of_template = blocks.groupby("template")["record_id"].nunique()
    at_place = blocks.groupby(["template", "place"])["record_id"].transform("nunique")
    # Where no page has a template, pandas maps texts to texts.
    blocks["on_pages"] = at_place / blocks["template"].map(of_template).astype(float)
    block_map = _block_map(blocks)
    _write(place, f"verdicts/{table}", blocks, BLOCK_VERDICTS)
    _write(place, f"map/{table}", block_map, BLOCK_MAP)
    return JoinCounts(blocks["record_id"].nunique(), len(of_template), len(block_map))


def _write(folder: Folder, name: str, rows: pd.DataFrame, schema: pa.Schema) -> None:
    with create_table(folder, name, schema, pa.Table.from_batches) as table:
        for batch in pa.Table.from_pandas(rows, schema, preserve_index=False).to_batches():
            table.add(batch, len(batch))


def _block_map(blocks: pd.DataFrame) -> pd.DataFrame:
    placed = blocks[blocks["place"] != ""]
    groups = placed.groupby(["site", "template", "algorithm", "place"])
    medians = groups[["on_pages", "content", "importance", *Rect._fields]].median()
    medians["pages"] = groups["record_id"].nunique()
    medians["role"] = groups["role"].agg(lambda roles: str(roles.mode().iloc[0]))
    first = groups[["url", "xpath"]].first()
    joined = medians.join(first).reset_index()
    return joined.sort_values(["site", "template", "y", "x", "place"], kind="stable")


CONTENT = 0.5  # the share of content from which on a block is content


class BlockShare(NamedTuple):
    """A block with verdicts.

    `words` are those of texts in it that have a verdict; `content` is the share of them that is
    content, None if there are none, and `label` what most of them are, "" then. `importance` is that of
    Sanoja's thesis (3.2.3) among the terminal blocks of the page; a block that holds others has theirs.
    """

    words: int
    content: float | None
    label: str
    importance: float


def shares_of(
    page: RenderedPage, blocks: Sequence[Block], content: Mapping[int, float]
) -> list[BlockShare]:
    """Return what the verdicts say of each block of a page.

    `content` is the share of each text node that is content, by its number in `nodes`. A text is in the
    blocks that have its centre.
    """
    places, told = [], []
    for text in page.texts:
        box = union(filter(has_area, text.rects))
        if box and text.node in content:
            left, top, right, bottom, *_ = normalise(box, page.size)
            words = count_words(text.text)
            places.append(((left + right) / 2, (top + bottom) / 2, words))
            told.append(content[text.node])
    texts = atoms(places)
    inside = members(texts, [normalise(block.rect, page.size) for block in blocks])
    counts = (texts.weights @ inside).tolist()
    of_content = (texts.weights * np.array(told)) @ inside
    shares = []
    sums = zip(counts, of_content.tolist(), _importances(page, blocks), strict=True)
    for words, good, importance in sums:
        share: float | None = None
        label = ""
        if words:
            share = round(good / words, 4)
            label = Label.CONTENT if share >= CONTENT else Label.BOILERPLATE
        shares.append(BlockShare(round(words), share, label, importance))
    return shares


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
    """Write what the verdicts of a run say of the blocks that `cut_file` left of a file; as that, it may raise StoreError."""
    content = contents(SealedFolder(run), file, rendered_ids(run, file))
    pages = iter(rendered_pages(run, file) if content else ())
    rows = rows_of(place, segment.part("blocks", file), segment.BLOCKS.names)
    path = segment.part("shares", file)
    with create_table(place, path, SHARES, pa.Table.from_pylist) as table:
        for record_id, of_page in groupby(rows, lambda row: row["record_id"]):
            # The blocks are in the order of the pages.
            page = next((page for page in pages if page.record_id == record_id), None)
            if page and record_id in content:
                for row in _page_rows(page, list(of_page), content[record_id]):
                    table.add(row)


def _page_rows(page: RenderedPage, rows: list[Row], content: dict[int, float]) -> Iterator[Row]:
    blocks = list(map(segment.block_of, rows))
    shares = shares_of(page, blocks, content)
    for row, share, where in zip(rows, shares, block_places(page, blocks), strict=True):
        kept = {name: row[name] for name in SHARES.names if name in row}
        xpath = next(iter(row["xpaths"]), "")
        yield kept | share._asdict() | {"place": where, "xpath": xpath}


class SegmentationAccount(NamedTuple):
    """Pages cut and rejected, blocks that hold no other; `joined` is None where no run has judged the pages."""

    pages: int
    rejected: int
    blocks: int
    joined: JoinCounts | None


@dataclass(frozen=True, slots=True)
class SegmentationJob(TableJob):
    """The rendered pages of a folder cut into blocks, and the blocks joined with the verdicts on their texts."""

    part: ClassVar = segment.TABLES

    settings: segment.SegmentSettings

    @property
    def kind(self) -> str:
        return f"segmentation by {self.settings.table.removesuffix('.parquet')}"

    @property
    def out(self) -> str:
        return self.settings.run

    @property
    def outputs(self) -> tuple[str, ...]:
        """Tables, the first of which is written last."""
        kinds = (segment.TABLES, "rejects", "verdicts", "map")
        return tuple(f"{kind}/{self.settings.table}" for kind in kinds)

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> list[str]:
        """Cut every file that is not cut yet, and ask the verdicts; the names of the files."""
        names = rendered_names(self.out)
        judged = is_judged(Folder(self.out))
        progress = Progress(self.settings.table, stages=1 + judged)
        todo = {name: name for name in names if not place.exists(segment.part("blocks", name))}
        cut = work_without_progress(partial(segment.cut_file, self.settings, place))
        workers.do(Stage(1, "segment", f"cutting pages of {files(len(todo))}", todo, cut), progress)
        if judged:
            todo = {name: name for name in names if not place.exists(segment.part("shares", name))}
            share = work_without_progress(partial(share_file, self.out, place))
            joining = f"joining verdicts of {files(len(todo))}"
            workers.do(Stage(2, "join", joining, todo, share), progress)
        return names

    def finish(
        self, place: Folder, _sources: tuple[Source, ...], names: list[str]
    ) -> SegmentationAccount:
        joined = None
        if is_judged(Folder(self.out)):
            joined = join(self.out, place, self.settings.table, names)
        counts = segment.gather(self.settings, place, names)
        tidy(place)
        return SegmentationAccount(*counts, joined)
