"""Blocks and verdicts (docs/segmentation.md): segmentation as a job of the engine, and two tables of the verdicts on blocks.

For each block of one file: its share of content, and its importance. Over all files: the pages that share a
template, and the blocks of one page that correspond to blocks of another.
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
from dbce.visual.measure import atoms, centre_of, importances, members, normalise
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
"""Columns of the verdicts on a block."""

SHARES = pa.schema(
    [
        *segment.BLOCK_KEY,
        ("role", pa.string()),
        *columns(pa.float64(), *Rect._fields),
        *SHARE,
        ("xpath", pa.string()),
    ]
)
"""Row of a block with verdicts, before all files are joined."""

BLOCK_VERDICTS = pa.schema(
    [*segment.BLOCK_KEY, ("template", pa.string()), *SHARE, ("on_pages", pa.float64())]
)
"""Row of a block, as in the table of blocks; `on_pages` is the share of the template's pages that have it."""

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
"""Row of a block of a template, sorted by site; numbers are medians over its pages, `role` is the most
frequent, `url` and `xpath` are those of an example."""


def templates(pages: Iterable[Row]) -> dict[str, str]:
    """Return the template of every capture, by record id: the least id of its connected component.

    `pages` are rows of `pages`; captures are connected if one is a neighbour of the other in a comparison
    (`up`, `down`), or its snapshot (`prev`, `next`).
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
    index = {name: n for n, name in enumerate(names)}
    ends = [[index[edge[side]] for edge in edges] for side in (0, 1)]
    graph = coo_array(([True] * len(edges), ends), shape=(len(names), len(names)))
    _, groups = connected_components(graph, directed=False)
    first_ids: dict[int, str] = {}
    groups_of = zip(names, groups.tolist(), strict=True)
    return {name: first_ids.setdefault(group, name) for name, group in groups_of}


WIDE = 0.6  # minimum share of the page's width of a block that spans its columns
COLUMNS = ("left", "middle", "right")
"""Names of the thirds of a page; a block is in the one that contains its centre."""


def block_places(page: RenderedPage, blocks: Sequence[Block]) -> list[str]:
    """Return the place of each block in the template: a hash of the paths of its elements, its role and its column.

    A path consists of tags and classes from the root (`dbce.html.template_hash`), and equal paths count once: a
    list is the same block however many items it has. Order does not matter: the posts of a thread share a
    place, and an added or removed post moves no other. Role and column distinguish parts without classes.
    A block without elements is "".
    """
    hashes: list[int] = []
    for element in page.elements:
        above = hashes[element.parent] if element.parent >= 0 else 0
        hashes.append(template_hash(element.tag, element.attributes.get("class", ""), above))
    places = []
    for block in blocks:
        paths = sorted({str(hashes[element]) for element in block.elements})
        position = _column(block.rect, page.size[0])
        places.append(stable_id("block", block.role, position, *paths) if paths else "")
    return places


def _column(rect: Rect, width: float) -> str:
    if rect.w >= WIDE * width:
        return "wide"
    third = (rect.x + rect.w / 2) * len(COLUMNS) // width
    return COLUMNS[int(max(0, min(third, len(COLUMNS) - 1)))]


class JoinCounts(NamedTuple):
    """Numbers of joined pages with verdicts, of templates, and of the blocks of these."""

    pages: int
    templates: int
    blocks: int


def join(run: str, place: Folder, table: str, files: Sequence[str]) -> JoinCounts:
    """Join the blocks of all files with the verdicts of a run, and write both tables; return their counts.

    Raises:
        UsageError: there is no finished run.
        StoreError: stored data differ from what was written.
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
    pages_of_template = blocks.groupby("template")["record_id"].nunique()
    pages_at_place = blocks.groupby(["template", "place"])["record_id"].transform("nunique")
    # Without any template, pandas maps strings to strings.
    blocks["on_pages"] = pages_at_place / blocks["template"].map(pages_of_template).astype(float)
    block_map = _block_map(blocks)
    _write(place, f"verdicts/{table}", blocks, BLOCK_VERDICTS)
    _write(place, f"map/{table}", block_map, BLOCK_MAP)
    return JoinCounts(blocks["record_id"].nunique(), len(pages_of_template), len(block_map))


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


CONTENT = 0.5  # minimum share of content for a block to be content


class BlockShare(NamedTuple):
    """A block with verdicts.

    `words` is the number of those with a verdict in it; `content` their share of content, None if there
    are none, and `label` that of most of them, "" then. `importance` is that of Sanoja's thesis (3.2.3)
    among the terminal blocks of the page; a block that holds others has the sum of theirs.
    """

    words: int
    content: float | None
    label: str
    importance: float


def shares_of(
    page: RenderedPage, blocks: Sequence[Block], content: Mapping[int, float]
) -> list[BlockShare]:
    """Return the verdicts on each block of a page.

    `content` is the share of each text node that is content, by its number in `nodes`. A text is in the
    blocks that contain its centre.
    """
    places, content_shares = [], []
    for text in page.texts:
        box = union(filter(has_area, text.rects))
        if box and text.node in content:
            places.append((*centre_of(box, page.size), count_words(text.text)))
            content_shares.append(content[text.node])
    texts = atoms(places)
    membership = members(texts, [normalise(block.rect, page.size) for block in blocks])
    counts = (texts.weights @ membership).tolist()
    content_words = (texts.weights * np.array(content_shares)) @ membership
    shares = []
    sums = zip(counts, content_words.tolist(), _importances(page, blocks), strict=True)
    for words, content_count, importance in sums:
        share: float | None = None
        label = ""
        if words:
            share = round(content_count / words, 4)
            label = Label.CONTENT if share >= CONTENT else Label.BOILERPLATE
        shares.append(BlockShare(round(words), share, label, importance))
    return shares


def _importances(page: RenderedPage, blocks: Sequence[Block]) -> list[float]:
    parents = {block.parent for block in blocks}
    terminal = [n for n in range(len(blocks)) if n not in parents]
    visible = min(1.0, page.viewport[1] / max(1, page.size[1]))
    values = importances([normalise(blocks[n].rect, page.size) for n in terminal], visible)
    sums = [0.0] * len(blocks)
    for n, importance in zip(terminal, values, strict=True):
        place = n
        while place >= 0:
            sums[place] += importance
            place = blocks[place].parent
    return sums


def share_file(run: str, place: Folder, file: str) -> None:
    """Write the verdicts of a run on the blocks that `cut_file` wrote for a file; it may raise StoreError, as that."""
    content = contents(SealedFolder(run), file, rendered_ids(run, file))
    pages = iter(rendered_pages(run, file) if content else ())
    rows = rows_of(place, segment.part("blocks", file), segment.BLOCKS.names)
    path = segment.part("shares", file)
    with create_table(place, path, SHARES, pa.Table.from_pylist) as table:
        for record_id, page_rows in groupby(rows, lambda row: row["record_id"]):
            # The blocks are in the order of the pages.
            page = next((page for page in pages if page.record_id == record_id), None)
            if page and record_id in content:
                for row in _page_rows(page, list(page_rows), content[record_id]):
                    table.add(row)


def _page_rows(page: RenderedPage, rows: list[Row], content: dict[int, float]) -> Iterator[Row]:
    blocks = list(map(segment.block_of, rows))
    shares = shares_of(page, blocks, content)
    for row, share, place in zip(rows, shares, block_places(page, blocks), strict=True):
        columns = {name: row[name] for name in SHARES.names if name in row}
        xpath = next(iter(row["xpaths"]), "")
        yield columns | share._asdict() | {"place": place, "xpath": xpath}


class SegmentationAccount(NamedTuple):
    """Numbers of segmented and rejected pages and of terminal blocks; `joined` is None if no run has judged the pages."""

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
        """Paths of the tables; the first is written last."""
        kinds = (segment.TABLES, "rejects", "verdicts", "map")
        return tuple(f"{kind}/{self.settings.table}" for kind in kinds)

    def work(self, place: Folder, _sources: tuple[Source, ...], workers: Workers) -> list[str]:
        """Segment every file that is not done yet, and join its verdicts; return the names of the files."""
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
        counts = segment.gather(place, names, self.settings.table)
        tidy(place)
        return SegmentationAccount(*counts, joined)
