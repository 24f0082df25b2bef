"""Data for the figures of a report: a row for each capture, and sums over all text runs.

Sums are made while the tables are read, batch by batch: `nodes` is never in memory as a whole.
"""

from collections.abc import Mapping
from functools import cached_property

import pandas as pd
import pyarrow as pa
import pyarrow.acero as ac
import pyarrow.compute as pc

from dbce.model import ROLES, UNSPACED_LETTERS, Label
from dbce.output import INDEX, JUDGED, NODES, PAGES, REJECTS, TableFiles, WholeTable
from dbce.output.index import CAPTURE
from dbce.storage import Folder

LABELS = tuple(label.value for label in Label)

OF_PAGE = LABELS[:2]
"""Labels by which the words of a page are parted: what is content, and all else that a reader sees."""

WORD = rf"[{UNSPACED_LETTERS}]|[\pL\pM\pN_]+"
"""A word, as `dbce.model` has it, in the syntax of Arrow (RE2)."""

OF_CAPTURES = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "warc_filename"),
    *("warc_record_offset", "truncated", "status"),
    *("cross_bits", *ROLES[1:], "confidence", "title", "words", "words_content"),
]

OF_RUNS = ("record_id", "bits", "label", "decided_by", "probability", "text")

BINS = 20  # equal parts of the probabilities, from 0 to 1


class RunTables:
    """Tables of a run, opened once, when they are first asked for: on a store that is to list files, which takes time."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> WholeTable:
        return WholeTable(self.folder, "pages/*.parquet", PAGES)

    @cached_property
    def nodes(self) -> WholeTable:
        return WholeTable(self.folder, "nodes/*.parquet", NODES)

    @cached_property
    def rejects(self) -> WholeTable:
        return WholeTable(self.folder, "rejects/*.parquet", REJECTS)

    @cached_property
    def index(self) -> WholeTable:
        return WholeTable(self.folder, f"{INDEX}/*.parquet", CAPTURE)


def captures(tables: RunTables) -> pd.DataFrame:
    """One row for each HTML capture, by site, URL and time.

    Columns: those of `pages` in OF_CAPTURES, `judged`, `year` (null without a date), and for each
    label of OF_PAGE the number of words that have it, 0 where nothing was judged. Half a kilobyte a row.
    """
    found: pd.DataFrame = tables.pages.to_table(columns=OF_CAPTURES).to_pandas()
    found["judged"] = found["status"].isin([str(status) for status in JUDGED])
    found["year"] = found["fetch_time"].dt.year.astype("Int64")
    found["content"] = (
        found.pop("words_content").where(found["judged"], 0).fillna(0).astype("int64")
    )
    words = found.pop("words").where(found["judged"], 0).fillna(0).astype("int64")
    found["boilerplate"] = words - found["content"]
    return found.sort_values(
        ["site", "url_surtkey", "fetch_time", "record_id"], kind="stable", ignore_index=True
    )


def rejects(tables: RunTables) -> pd.DataFrame:
    found: pd.DataFrame = tables.rejects.to_table().to_pandas()
    return found.sort_values(["file", "offset"], kind="stable", ignore_index=True)


def text_runs(tables: RunTables) -> pd.DataFrame:
    """Runs and words by bits, label, deciding rule and part of the probabilities (0 to BINS - 1)."""
    part = pc.floor(pc.field("probability") * pc.scalar(float(BINS))).cast(pa.int32())
    keys = {name: pc.field(name) for name in ("bits", "label", "decided_by")}
    keys["part"] = pc.min_element_wise(part, pa.scalar(BINS - 1, pa.int32()))
    values = {**keys, "words": pc.count_substring_regex(pc.field("text"), pattern=WORD)}
    parts = [_sums_of(files, values) for files in tables.nodes.files]
    every: pd.DataFrame = pa.concat_tables(parts).to_pandas()
    return every.groupby(list(keys), as_index=False)[["runs", "words"]].sum()


def _sums_of(files: TableFiles, values: Mapping[str, pc.Expression]) -> pa.Table:
    shown = files.shown_condition
    counted = [] if shown is None else [ac.Declaration("filter", ac.FilterNodeOptions(shown))]
    needed = {name: pc.field(name) for name in OF_RUNS}
    plan = ac.Declaration.from_sequence(
        [
            ac.Declaration("scan", ac.ScanNodeOptions(files.stored, columns=needed)),
            *counted,
            ac.Declaration("project", ac.ProjectNodeOptions(list(values.values()), list(values))),
            ac.Declaration(
                "aggregate",
                ac.AggregateNodeOptions(
                    [("words", "hash_count", None, "runs"), ("words", "hash_sum", None, "words")],
                    keys=[name for name in values if name != "words"],
                ),
            ),
        ]
    )
    return plan.to_table()
