"""Record ids that captures of several files share, or of several pieces of one: who gets another."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce.archive import RecordIds
from dbce.model import Config
from dbce.output.index.rows import rows_of_sites, unit_rows
from dbce.output.index.write import write_groups
from dbce.output.rows import Row
from dbce.storage import Folder, open_parquet, read_table, stem

Place = TypeVar("Place")  # what tells a capture from others of its unit

_COLUMNS = ("number", "record_id", "url", "timestamp", "digest")
_AT_ONCE = 8  # files that are read at a time: of a store, each is a wait


def new_ids(
    index: Folder, units: Sequence[str], known: Sequence[Folder], config: Config
) -> dict[str, dict[int, str]]:
    """By unit and number, the captures of some units with the record id of another one, and what they are called instead.

    Units are gone through in the order of their names, after what is `known` of their sites.
    """
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        hashes = list(pool.map(partial(_id_hashes, index), units))
    every, times = np.unique(np.concatenate([*hashes, np.empty(0, np.int64)]), return_counts=True)
    shared = set(every[times > 1].tolist())
    of_units = (pc.unique(_column(index, unit, "site")).to_pylist() for unit in units if known)
    sites = set(filter(None, chain.from_iterable(of_units)))

    def known_rows(columns: Sequence[str], hashes: Collection[int]) -> Iterator[Row]:
        for earlier in known:
            kept = partial(_has_one_of, hashes)
            yield from rows_of_sites(earlier, sites, config, columns, kept)

    new = set(every.tolist()) if known else ()
    shared.update(hash(row["record_id"]) for row in known_rows(["record_id"], new))

    def captures(hashes: Collection[int]) -> Iterator[tuple[str, int, Row]]:
        for row in known_rows(_COLUMNS, hashes):
            yield "", 0, row
        kept = partial(_has_one_of, hashes)
        for unit in sorted(units):
            for row in unit_rows(index, unit, _COLUMNS, kept):
                yield unit, row["number"], row

    return ids_of_their_own(shared, captures)


def ids_of_their_own(
    shared: set[int], captures: Callable[[Collection[int]], Iterable[tuple[str, Place, Row]]]
) -> dict[str, dict[Place, str]]:
    """By unit and place of a capture there, the record id that it gets.

    `shared` are hashes of ids that several captures have, and `captures` yields unit, place and identity of those with
    some of them, in the order in which one of them keeps its id. Of the unit "" none is named.
    """
    renamed: defaultdict[str, dict[Place, str]] = defaultdict(dict)
    while shared:
        ids = RecordIds()
        renamed.clear()
        for unit, place, row in captures(shared):
            of_row = row["record_id"], row["url"], row["timestamp"], row["digest"] or ""
            if (own := ids.id_of(*of_row)) != row["record_id"] and unit:
                renamed[unit][place] = own
        made = {hash(own) for of_unit in renamed.values() for own in of_unit.values()}
        made.update(map(hash, ids.keepers))
        if made <= shared:
            break
        shared |= made  # others may have these from whoever read their file
    return renamed


def rename(folder: Folder, name: str, ids: Mapping[int, str]) -> None:
    """Give the captures of a file, by their numbers there, other record ids; all else stays as it is.

    Raises StoreError: what is stored is not what was written.
    """
    with open_parquet(folder, name) as table:
        place = table.schema_arrow.names.index("record_id")

        def groups() -> Iterator[pa.Table]:
            for number in range(table.metadata.num_row_groups):
                group = table.read_row_group(number)
                pairs = zip(
                    group["number"].to_pylist(), group["record_id"].to_pylist(), strict=True
                )
                own = pa.array([ids.get(n, record_id) for n, record_id in pairs], pa.string())
                yield group.set_column(place, "record_id", own)

        write_groups(folder, name, groups(), table.schema_arrow)


def _id_hashes(index: Folder, unit: str) -> NDArray[np.int64]:
    ids = _column(index, unit, "record_id").to_pylist()
    return np.fromiter(map(hash, filter(None, ids)), np.int64)


def _column(index: Folder, unit: str, name: str) -> pa.ChunkedArray:
    return read_table(index, f"{stem(unit)}.parquet", [name])[name]


def _has_one_of(hashes: Collection[int], batch: pa.RecordBatch) -> pa.Array:
    return pa.array([bool(i) and hash(i) in hashes for i in batch["record_id"].to_pylist()])
