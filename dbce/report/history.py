"""Templates of a site and when it used them, found again from the signatures of its captures.

A template is here a set of captures of one site that hang together: any two that share a bucket and
whose signatures are at least as similar as the run's threshold are of one template, and so is what
hangs on either. A design that changes little by little stays one template, a redesign begins a new
one.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dbce.boilerplate import bands_and_rows
from dbce.output import INDEX
from dbce.report.measures import RunTables

Numbers = NDArray[np.int64]
Signatures = NDArray[np.uint32]


def templates(tables: RunTables, captures: pd.DataFrame, threshold: float) -> pd.Series | None:
    """Return the template of each judged capture: 1, 2, ... within its site, in the order of first captures.

    `captures` has the columns `record_id`, `site`, `fetch_time` and `judged`; the result has its
    index, without what was not judged. None where the run keeps no index of its own, as the nights of
    an archive, or not of all its files.
    """
    if not tables.folder.names(f"{INDEX}/*.parquet"):
        return None
    judged = captures[captures["judged"]]
    by_time = judged.sort_values(["site", "fetch_time", "record_id"], kind="stable")
    signatures = _signatures(tables, by_time["record_id"])
    if signatures is None:
        return None
    sites = pd.factorize(by_time["site"])[0]
    component = component_numbers(signatures, sites, threshold)
    # Counted from 1 within each site, in the order of the rows.
    numbers = by_time[["site"]].assign(component=component)
    first = numbers.drop_duplicates()
    counted = (first.groupby("site").cumcount() + 1).to_numpy()
    return numbers["component"].map(pd.Series(counted, first["component"])).astype("Int64")


def _signatures(tables: RunTables, record_ids: pd.Series) -> Signatures | None:
    """A row for each record id; the first of several records of one id, None if one is missing."""
    kept = tables.index.to_table(
        columns=["record_id", "signature"], where=pc.field("signature").is_valid()
    )
    order = pd.Index(kept["record_id"].to_pandas())
    first = pd.Series(np.arange(len(order)), order)[~order.duplicated()]
    if not record_ids.isin(first.index).all():
        return None
    column = kept["signature"].take(first[record_ids].to_numpy()).combine_chunks()
    values = np.frombuffer(b"".join(column.to_pylist()), np.dtype("<u4"))
    return values.reshape(len(record_ids), -1)


def component_numbers(signatures: Signatures, sites: Numbers, threshold: float) -> Numbers:
    """Return the number of the component of each signature.

    Of each bucket only captures that follow each other are compared, so the work grows with captures times bands.
    """
    pairs = list(_similar_pairs(signatures, sites, threshold))
    left, right = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    size = len(signatures)
    graph = coo_array((np.ones(len(left), np.bool_), (left, right)), shape=(size, size))
    found: Numbers = connected_components(graph, directed=False)[1].astype(np.int64)
    return found


def _similar_pairs(
    signatures: Signatures, sites: Numbers, threshold: float
) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of rows that share a bucket and are similar enough, band by band."""
    bands, rows = bands_and_rows(threshold, signatures.shape[1])
    for band in range(bands):
        keys = np.column_stack((sites, signatures[:, band * rows : (band + 1) * rows]))
        order = np.lexsort(keys.T[::-1])
        keys = keys[order]
        same = np.flatnonzero((keys[1:] == keys[:-1]).all(axis=1))
        left, right = order[same], order[same + 1]
        similar = (signatures[left] == signatures[right]).mean(axis=1) >= threshold
        yield left[similar], right[similar]
