"""Data for the figures of a report: a row for each capture, sums over all text runs, and the templates of a site.

Sums are made while the tables are read, batch by batch: `nodes` is never in memory as a whole.
"""

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dbce.boilerplate import bands_and_rows
from dbce.model import ROLES, UNSPACED_LETTERS, Hashes, Label
from dbce.output import INDEX, JUDGED, WholeTable, run_table
from dbce.output.index import CAPTURE
from dbce.storage import Folder

LABELS = tuple(label.value for label in Label)

OF_PAGE = LABELS[:2]
"""Labels of the words of a page: content, and all else that a reader sees."""

WORD = rf"[{UNSPACED_LETTERS}]|(?:_|[^{UNSPACED_LETTERS}\pZ\pC\pP\pS\pM])+"
"""A word, as `dbce.model` has it, in the syntax of Arrow (RE2)."""

OF_CAPTURES = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "warc_filename"),
    *("warc_record_offset", "truncated", "status"),
    *("cross_bits", *ROLES[1:], "confidence", "title", "words", "words_content"),
]

BINS = 20  # equal parts of the probabilities, from 0 to 1


def captures(folder: Folder) -> pd.DataFrame:
    """Return a row for each HTML capture, by site, URL and time.

    Columns: those of `pages` in OF_CAPTURES, `judged`, `year` (null without a date), and for each
    label of OF_PAGE the number of words that have it, 0 where nothing was judged. Half a kilobyte a row.
    """
    frame: pd.DataFrame = run_table(folder, "pages").to_table(columns=OF_CAPTURES).to_pandas()
    judged = frame["judged"] = frame["status"].isin([str(status) for status in JUDGED])
    frame["year"] = frame["fetch_time"].dt.year.astype("Int64")
    frame["content"] = frame.pop("words_content").where(judged, 0).fillna(0).astype("int64")
    words = frame.pop("words").where(judged, 0).fillna(0).astype("int64")
    frame["boilerplate"] = words - frame["content"]
    return frame.sort_values(
        ["site", "url_surtkey", "fetch_time", "record_id"], kind="stable", ignore_index=True
    )


def text_runs(nodes: WholeTable) -> pd.DataFrame:
    """Return numbers of text runs and words by bits, label, deciding rule and bin of the probability (0 to BINS - 1)."""
    part = pc.floor(pc.field("probability") * pc.scalar(float(BINS))).cast(pa.int32())
    keys = {name: pc.field(name) for name in ("bits", "label", "decided_by")}
    keys["part"] = pc.min_element_wise(part, pa.scalar(BINS - 1, pa.int32()))
    values = {**keys, "words": pc.count_substring_regex(pc.field("text"), pattern=WORD)}
    aggregates = [("words", "count"), ("words", "sum")]
    empty = nodes.to_table(values, pc.scalar(False))
    batches = chain([empty], (pa.table(batch) for batch in nodes.batches(values)))
    sums = [batch.group_by(list(keys)).aggregate(aggregates) for batch in batches]
    totals: pd.DataFrame = pa.concat_tables(sums).to_pandas()
    names = {"words_count": "runs", "words_sum": "words"}
    return totals.groupby(list(keys), as_index=False)[list(names)].sum().rename(columns=names)


Numbers = NDArray[np.int64]


def templates(folder: Folder, captures: pd.DataFrame, threshold: float) -> pd.Series | None:
    """Return the template of each judged capture: 1, 2, ... within its site, in the order of first captures.

    `captures` has the columns `record_id`, `site`, `fetch_time` and `judged`; the result has its
    index, without what was not judged. None where nothing was, or the run keeps no index of its own, as the nights of
    an archive, or not of all its files.
    """
    judged = captures[captures["judged"]]
    if judged.empty or not folder.names(f"{INDEX}/*.parquet"):
        return None
    by_time = judged.sort_values(["site", "fetch_time", "record_id"], kind="stable")
    signatures = _signatures(folder, by_time["record_id"])
    if signatures is None:
        return None
    sites = pd.factorize(by_time["site"])[0]
    component = component_numbers(signatures, sites, threshold)
    # Counted from 1 within each site, in the order of the rows.
    numbers = by_time[["site"]].assign(component=component)
    first = numbers.drop_duplicates()
    counted = (first.groupby("site").cumcount() + 1).to_numpy()
    return numbers["component"].map(pd.Series(counted, first["component"])).astype("Int64")


def _signatures(folder: Folder, record_ids: pd.Series) -> Hashes | None:
    """Return the signature of each record id as a row, the first of several with one id; None if any is missing."""
    index = WholeTable(folder, f"{INDEX}/*.parquet", CAPTURE)
    signed = pc.field("signature").is_valid()
    indexed = index.to_table(columns=["record_id", "signature"], where=signed)
    order = pd.Index(indexed["record_id"].to_pandas())
    first = pd.Series(np.arange(len(order)), order)[~order.duplicated()]
    if not record_ids.isin(first.index).all():
        return None
    column = indexed["signature"].take(first[record_ids].to_numpy()).combine_chunks()
    values = np.frombuffer(b"".join(column.to_pylist()), np.dtype("<u4"))
    return values.reshape(len(record_ids), -1)


def component_numbers(signatures: Hashes, sites: Numbers, threshold: float) -> Numbers:
    """Return the number of the component of each signature.

    Only consecutive captures of a bucket are compared, so the work grows with captures times bands.
    """
    pairs = list(_similar_pairs(signatures, sites, threshold))
    left, right = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    size = len(signatures)
    graph = coo_array((np.ones(len(left), np.bool_), (left, right)), shape=(size, size))
    components: Numbers = connected_components(graph, directed=False)[1].astype(np.int64)
    return components


def _similar_pairs(
    signatures: Hashes, sites: Numbers, threshold: float
) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield pairs of rows that share a bucket and reach the threshold, band by band."""
    bands, rows = bands_and_rows(threshold, signatures.shape[1])
    for band in range(bands):
        keys = np.column_stack((sites, signatures[:, band * rows : (band + 1) * rows]))
        order = np.lexsort(keys.T[::-1])
        keys = keys[order]
        same = np.flatnonzero((keys[1:] == keys[:-1]).all(axis=1))
        left, right = order[same], order[same + 1]
        similar = (signatures[left] == signatures[right]).mean(axis=1) >= threshold
        yield left[similar], right[similar]
