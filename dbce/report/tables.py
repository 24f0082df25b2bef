"""Reader of the report: a little of every capture, much of the few that it shows."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from dbce.model import Status, UsageError
from dbce.output import INDEX, JUDGED, NODES, PAGES, REJECTS, WholeTable, annotated_pages
from dbce.output.index import CAPTURE
from dbce.storage import open_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.output import Row
    from dbce.storage import Folder

LONG = {"text", "text_signature", "style_sheets", "pictures"}
SUMMARY = [name for name in PAGES.names if name not in LONG]
NODE_COLUMNS = ["record_id", "xpath", "text", "bits", "label", "probability", "decided_by"]
ORDER = [(name, "ascending") for name in ("site", "url_surtkey", "fetch_time", "record_id")]
BATCH = 10_000  # rows of `nodes` in memory


class Shown(NamedTuple):
    """All that a capture page shows: the row of `pages`, the rows of `nodes`, the annotated page."""

    page: Row
    nodes: Sequence[Row]
    html: bytes


class RunTables:
    """The tables of a run, none of them read yet: each is opened once, when it is first asked for.

    On a store to open a table is to list its files, which every figure would do again.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> WholeTable:
        """HTML captures."""
        return WholeTable(self.folder, "pages/*.parquet", PAGES)

    @cached_property
    def nodes(self) -> WholeTable:
        """Text runs."""
        return WholeTable(self.folder, "nodes/*.parquet", NODES)

    @cached_property
    def rejects(self) -> WholeTable:
        """Rejected captures and damaged places."""
        return WholeTable(self.folder, "rejects/*.parquet", REJECTS)

    @cached_property
    def index(self) -> WholeTable:
        """Captures of an archive, with their signatures; without rows if the run keeps no index."""
        return WholeTable(self.folder, f"{INDEX}/*.parquet", CAPTURE)


def summaries(tables: RunTables) -> pa.Table:
    """`pages` without the texts, by site, URL and time: about half a kilobyte a capture."""
    return tables.pages.to_table(columns=SUMMARY).sort_by(ORDER)


def with_status(pages: pa.Table, *statuses: Status) -> pa.Table:
    """The captures of which this became."""
    return pages.filter(_is_one_of(pages["status"], statuses))


def judged(pages: pa.Table) -> pa.Table:
    """The captures that have verdicts."""
    return with_status(pages, *JUDGED)


def by_record(pages: pa.Table, record_ids: Iterable[str]) -> dict[str, Row]:
    """Rows by record id."""
    found = pages.filter(_is_one_of(pages["record_id"], sorted(set(record_ids))))
    return {row["record_id"]: row for row in found.to_pylist()}


def rejected(tables: RunTables, limit: int) -> list[Row]:
    """The first rejected captures and damaged places, by file and offset."""
    rows: list[Row] = tables.rejects.head(limit).to_pylist()
    return rows


def first_of_each(sites: Sequence[str], limit: int) -> list[int]:
    """`limit` places in a sorted list of sites, as many of one site as of another where it can be.

    Of each site they are the first; returned in rising order.
    """
    rank: Counter[str] = Counter()
    ranked = []
    for place, site in enumerate(sites):
        ranked.append((rank[site], place))
        rank[site] += 1
    return sorted(place for _, place in sorted(ranked)[:limit])


def shown(folder: Folder, record_ids: frozenset[str]) -> Iterator[Shown]:
    """The captures of these ids, in the order of the files; one file at a time is open.

    A unit writes its pages, nodes and annotated pages in one order (dbce.output.unit_writer).
    """
    wanted = pa.array(sorted(record_ids), pa.string())
    for name in folder.names("pages/*.parquet"):
        mine = judged(
            WholeTable(folder, name, PAGES).to_table(where=ds.field("record_id").isin(wanted))
        )
        if not len(mine):
            continue
        own = frozenset(mine["record_id"].to_pylist())
        base = name.removeprefix("pages/").removesuffix(".parquet")
        documents = (page for page in annotated_pages(folder, base) if page.record_id in own)
        nodes = _nodes(folder, f"nodes/{base}.parquet", pa.array(sorted(own), pa.string()))
        for page, (owner, rows), document in zip(mine.to_pylist(), nodes, documents, strict=True):
            if not page["record_id"] == owner == document.record_id:
                raise UsageError(f"the files of {base} do not belong together; run dbce again")
            yield Shown(page, rows, document.html)


def _nodes(folder: Folder, name: str, wanted: pa.Array) -> Iterator[tuple[str, list[Row]]]:
    with open_parquet(folder, name) as table:
        batches = table.iter_batches(BATCH, columns=NODE_COLUMNS)
        rows = chain.from_iterable(
            batch.filter(pc.is_in(batch["record_id"], value_set=wanted)).to_pylist()
            for batch in batches
        )
        for owner, group in groupby(rows, itemgetter("record_id")):
            yield owner, list(group)


def share(row: Row) -> float | None:
    """Share of the words that are content; None where nothing was judged."""
    return row["words_content"] / row["words"] if row["words"] else None


def _is_one_of(column: pa.ChunkedArray, values: Iterable[str]) -> pa.ChunkedArray:
    return pc.is_in(column, value_set=pa.array([str(value) for value in values], pa.string()))
