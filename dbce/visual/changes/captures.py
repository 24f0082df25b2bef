"""The captures of a run whose snapshots are compared, as data frames, and which of them have to be read for that."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce import output
from dbce.model import Reason, TextSource
from dbce.output import Row
from dbce.quality import replacement_kind
from dbce.storage import Folder, open_parquet

Keys = NDArray[np.uint64]

OF_A_PART = 5_000
"""Captures of which a part of the table is made, about: they are in memory together."""

_ITS_PLACE = ("damage", "words", "words_content")
"""Columns that say whether a capture is the page itself."""

COLUMNS = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "content_digest", "status"),
    *("reason", "original", "truncated", *_ITS_PLACE, "text_source"),
]

_FROM_INDEX = {"surt": "url_surtkey", "timestamp": "fetch_time", "digest": "content_digest"}


class Plan(NamedTuple):
    """URLs whose captures are to be compared: their keys (64-bit hashes), sorted, eight bytes each.

    `several` have more than one capture, `differing` more than one digest among them: the texts of
    others are not read. `singles` counts the URLs with one capture. The table has so many `parts`. `mode` is one of
    `dbce.visual.changes.history.MODES`.
    """

    several: Keys
    differing: Keys
    singles: int
    parts: int
    mode: str


def plan_of(captures_of_files: Iterable[pd.DataFrame], mode: str) -> Plan:
    """Return the plan of captures, as `frame` has them."""
    urls, digests = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for captures in captures_of_files:
        urls.append(keys(captures, "url_surtkey"))
        digests.append(keys(captures, "url_surtkey", "content_digest"))
    every_url = np.concatenate(urls)
    known, counts = np.unique(every_url, return_counts=True)
    several = known[counts > 1]
    _, first = np.unique(np.concatenate(digests), return_index=True)
    of_digests, different = np.unique(every_url[first], return_counts=True)
    compared = int(counts[counts > 1].sum())
    return Plan(
        several,
        of_digests[different > 1],
        int((counts == 1).sum()),
        max(1, -(-compared // OF_A_PART)),
        mode,
    )


def names_of(folder: Folder) -> list[str]:
    """Return the names of the tables of each input file of a run; in a compact index of nights they stand together."""
    names = (*folder.names("pages/*.parquet"), *folder.names(f"{output.INDEX}/*.parquet"))
    return sorted({name.partition("/")[2] for name in names})


def rows_of(captures: pd.DataFrame, chosen: Plan) -> Iterator[Row]:
    """Yield the rows of captures that have others of their URL, from a data frame as `frame` returns it."""
    own = keys(captures, "url_surtkey")
    captures["part"] = (own % np.uint64(chosen.parts)).astype(np.int32)
    judged = captures["status"].isin([str(status) for status in output.JUDGED])
    captures["to_read"] = np.isin(own, chosen.differing) & judged
    # Of captures with the same bytes one is read: the others are compared by it.
    again = captures[captures["to_read"]].duplicated(["url_surtkey", "content_digest"])
    captures.loc[again[again].index, "to_read"] = False
    yield from plain_rows(captures[np.isin(own, chosen.several)])


def plain_rows(captures: pd.DataFrame) -> list[Row]:
    """Return captures as rows of plain values, None where a column has none."""
    plain = captures.astype(object).where(captures.notna(), None)
    return cast("list[Row]", plain.to_dict("records"))


def keys(rows: pd.DataFrame, *columns: str) -> Keys:
    """A 64-bit hash of some columns of each row."""
    texts = rows[columns[0]].fillna("")
    for column in columns[1:]:
        texts = texts + " " + rows[column].fillna("")
    return pd.util.hash_array(texts.to_numpy(object), categorize=False)


def frame(folder: Folder, name: str) -> pd.DataFrame:
    """Return the captures of an input file that have a date, COLUMNS of them; repeated records once.

    `name` is what its tables are called. Column `gone` is the kind of page that stands in the place of the
    capture's own, "" if it is the page itself.
    """
    table = _table(folder, name)
    columns = (table[column].to_pylist() for column in (*_ITS_PLACE, "text_source"))
    captures: pd.DataFrame = table.to_pandas()
    captures["gone"] = [
        # An empty shell whose text its crawler stored has its page after all.
        "" if source == TextSource.CRAWLER else replacement_kind(*signs)
        for *signs, source in zip(*columns, strict=True)
    ]
    once = captures["reason"] != Reason.DUPLICATE_RECORD
    return captures[captures["fetch_time"].notna() & once].reset_index(drop=True)


def _table(folder: Folder, name: str) -> pa.Table:
    """HTML captures of an input file and, if the run keeps an index, the others of it."""
    pages = output.PAGES.empty_table().select(COLUMNS)
    if folder.exists(f"pages/{name}"):
        with open_parquet(folder, f"pages/{name}") as table:
            pages = output.shown_rows(folder, f"pages/{name}", table.read(columns=COLUMNS))
    if not folder.exists(f"{output.INDEX}/{name}"):
        return pages
    wanted = [*_FROM_INDEX, "record_id", "url", "site", "status", "reason", "is_html"]
    with open_parquet(folder, f"{output.INDEX}/{name}") as table:
        others = output.shown_rows(folder, f"{output.INDEX}/{name}", table.read(columns=wanted))
    others = others.filter(pc.and_(pc.invert(others["is_html"]), pc.is_valid(others["surt"])))
    others = others.rename_columns([_FROM_INDEX.get(n, n) for n in others.column_names])
    every = [pages, others.drop_columns(["is_html"])]
    return pa.concat_tables(every, promote_options="default").select(COLUMNS)
