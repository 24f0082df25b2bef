"""Files of the index: one for each archive file, or few that hold what many did, sorted by site."""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dbce.archive import RecordIds
from dbce.model import Config, Origin, Reason, Stage, Status, StoreError, fault_detail
from dbce.output import COMPACTED, compact_in, indexes
from dbce.output.index.rows import CAPTURE, NUMBERS, recipe, rows_of_sites, unit_rows
from dbce.output.rows import Row
from dbce.storage import Folder, open_parquet, read_table, seal, stem

ROWS = 2000  # rows of a row group at most
BYTES = 8 << 20  # of sketches in a row group, about: what a writer holds at once

STORED = {
    "compression": "zstd",
    "write_page_checksum": True,
    "use_dictionary": ["name", "site", "status", "reason", "stage", "detail"],
    "write_statistics": ["number", "site", "surt"],
    # So many bytes are compressed together: pages of one template have most words in common.
    "data_page_size": 4 << 20,
}


def write_unit(index: Folder, name: str, rows: Iterable[Row], config: Config) -> int:
    """Write the captures of the unit called `name`, one row each; return their number.

    Raises StoreError: what is stored is not what was written.
    """
    schema = CAPTURE.with_metadata(recipe(config))
    numbered = (row | {"name": name, "number": number} for number, row in enumerate(rows))

    def groups() -> Iterator[pa.Table]:
        while group := list(_group(numbered)):
            yield _table(group, schema)

    return write_groups(index, f"{stem(name)}.parquet", groups(), schema)


def _group(rows: Iterator[Row]) -> Iterator[Row]:
    size = 0
    for row in islice(rows, ROWS):
        yield row
        size += sum(len(row.get(name) or b"") for name in NUMBERS)
        if size >= BYTES:
            return


def _table(rows: list[Row], schema: pa.Schema) -> pa.Table:
    """The rows as a table; a row that no table can hold says only where its record stands, and why."""
    try:
        return pa.Table.from_pylist(rows, schema)
    except Exception:  # noqa: BLE001 - one of the rows, which is told below
        return pa.Table.from_pylist([_holdable(row, schema) for row in rows], schema)


def _holdable(row: Row, schema: pa.Schema) -> Row:
    try:
        pa.RecordBatch.from_pylist([row], schema)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this row
        place = {name: row[name] for name in ("name", "number", "offset", "length")}
        detail = fault_detail(e, Origin(row["name"], row["offset"], row["length"]))
        nothing = {"record_id": "", "url": "", "surt": "", "digest": "", "is_html": False}
        fault = {"status": Status.REJECTED, "reason": Reason.FAULT, "stage": Stage.READ}
        return place | nothing | fault | {"detail": detail}
    return row


def write_groups(index: Folder, file: str, groups: Iterable[pa.Table], schema: pa.Schema) -> int:
    """Write a file of the index from its row groups; return the number of its rows.

    The file takes its name when all of it is written, and found to be stored.
    Raises StoreError: what is stored is not what was written.
    """
    written = 0

    def check(stored: BinaryIO) -> None:
        stored_rows = pq.ParquetFile(stored).metadata.num_rows
        if stored_rows != written:
            raise StoreError(
                f"{index.full_path(file)} holds {stored_rows} rows where {written} were written"
            )

    with index.create(file, check) as stream, pq.ParquetWriter(stream, schema, **STORED) as table:
        for group in groups:
            table.write_table(group)
            written += len(group)
    return written


# Many small files of an index made few, sorted by site: who asks for some sites reads little.
#
# What is made compact lies in a folder beside those of the nights, `compact-000031` of 31 nights,
# and counts from the moment that its list of nights is there. What it replaces is removed after
# that. So at any moment either the one or the other is whole, and every reader asks `indexes`
# which it is.

PART = 50_000  # captures of a file: some 500 MB while they are sorted
MOST = 500  # files that are open at once at most; of an index that needs more, they are larger
SAMPLE = 100  # captures of each file that are looked at to tell where the next begins

SORTED = ("site", "surt", "timestamp", "record_id", "name", "number")
"""The order of the captures in all files together."""

DRAFT = "_parts"


@dataclass(frozen=True, slots=True)
class Compaction:
    """Numbers of a compaction: nights, those added this time, files before and after, captures."""

    nights: int
    added: int
    before: int
    after: int
    captures: int


def make_compact(index: Folder, nights: Sequence[str]) -> Compaction | None:
    """Merge the nights' files into the compact index; None if there is none to add.

    All rows are read and written twice. What a call that died has left is removed.
    Raises StoreError: the files are of several recipes, or what is stored is not what was written.
    """
    _remove_replaced(index)
    _, covered = compact_in(index)
    added = [night for night in nights if night not in covered]
    if not added:
        return None
    old = [
        (folder, name) for folder in indexes(index, nights) for name in folder.names("*.parquet")
    ]
    together = sorted(covered.union(added))
    new = index.subfolder(f"compact-{len(together):06}")
    rows, schema = _rows_and_schema(old)
    bounds = _bounds(old, rows)
    _scatter(old, new, bounds, schema)
    written = [
        write_groups(new, f"part-{part:05}.parquet", _sorted_groups(new, part), schema)
        for part in range(len(bounds) + 1)
    ]
    if sum(written) != rows:
        raise StoreError(f"{new.uri} holds {sum(written)} captures where there were {rows}")
    new.remove(DRAFT)
    text = json.dumps(together)
    seal(
        new, [""], new.take_digests(), last=COMPACTED, data=text.encode(), copies={COMPACTED: text}
    )
    _remove_replaced(index)
    return Compaction(len(together), len(added), len(old), len(written), rows)


def _remove_replaced(index: Folder) -> None:
    """Remove the folders that the compact one replaces, and unfinished ones."""
    current, covered = compact_in(index)
    made = {name.split("/")[0] for name in index.names("compact-*")}
    for name in sorted(made.union(covered) - {current}):
        index.remove(name)


def _rows_and_schema(files: Sequence[tuple[Folder, str]]) -> tuple[int, pa.Schema]:
    rows, recipes = 0, {}
    for folder, name in files:
        with open_parquet(folder, name) as table:
            rows += table.metadata.num_rows
            metadata = table.schema_arrow.metadata or {}
        recipes[tuple(sorted(metadata.items()))] = folder.full_path(name)
    if len(recipes) > 1:
        raise StoreError(f"{' and '.join(recipes.values())} are of several recipes")
    return rows, CAPTURE.with_metadata(dict(*recipes))


def _tables(files: Sequence[tuple[Folder, str]], columns: Sequence[str]) -> Iterator[pa.Table]:
    for folder, name in files:
        with open_parquet(folder, name) as table:
            for group in range(table.metadata.num_row_groups):
                yield table.read_row_group(group, columns=list(columns))


def _keys(table: pa.Table) -> list[str]:
    """Return site and URL of every row, as one text; "" sorts first, of rows that have none."""
    columns = [pc.fill_null(table[name], "") for name in SORTED[:2]]
    keys: list[str] = pc.binary_join_element_wise(*columns, "\0").to_pylist()
    return keys


def _bounds(files: Sequence[tuple[Folder, str]], rows: int) -> list[str]:
    """The keys that the second file and all further ones begin with, from a sample of the keys."""
    parts = min(MOST, -(-rows // PART))
    if parts < 2:
        return []
    step = max(1, rows // (parts * SAMPLE))
    keys: list[str] = []
    seen = 0
    for table in _tables(files, SORTED[:2]):
        keys += _keys(table)[-seen % step :: step]
        seen += len(table)
    keys.sort()
    return sorted({keys[part * len(keys) // parts] for part in range(1, parts)})


def _scatter(
    files: Sequence[tuple[Folder, str]], new: Folder, bounds: Sequence[str], schema: pa.Schema
) -> None:
    """Write every row to the draft of the file that it will be in."""
    with ExitStack() as stack:
        drafts = []
        for part in range(len(bounds) + 1):
            stream = stack.enter_context(new.create(_draft(part)))
            drafts.append(stack.enter_context(pq.ParquetWriter(stream, schema, **STORED)))
        for table in _tables(files, CAPTURE.names):
            place = pa.array([bisect_right(bounds, key) for key in _keys(table)])
            for part in pc.unique(place).to_pylist():
                rows = table.filter(pc.equal(place, part))
                drafts[part].write_table(rows.replace_schema_metadata(schema.metadata))


def _sorted_groups(new: Folder, part: int) -> Iterator[pa.Table]:
    with open_parquet(new, _draft(part)) as draft:
        table = draft.read()
    order = pc.sort_indices(table, [(name, "ascending") for name in SORTED])
    lengths = (pc.fill_null(pc.binary_length(table[name]), 0).to_numpy() for name in NUMBERS)
    filled = np.cumsum(sum(lengths)[order], dtype=np.int64)
    start = 0
    while start < len(table):
        before = filled[start - 1] if start else 0
        full = int(np.searchsorted(filled, before + BYTES)) + 1
        group = order[start : min(start + ROWS, full)]
        yield table.take(group)
        start += len(group)


def _draft(part: int) -> str:
    return f"{DRAFT}/{part}.parquet"


# Record ids that captures of several files share, or of several pieces of one: who gets another.

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
            if (new_id := ids.id_of(*of_row)) != row["record_id"] and unit:
                renamed[unit][place] = new_id
        made = {hash(new_id) for of_unit in renamed.values() for new_id in of_unit.values()}
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
                column = pa.array([ids.get(n, record_id) for n, record_id in pairs], pa.string())
                yield group.set_column(place, "record_id", column)

        write_groups(folder, name, groups(), table.schema_arrow)


def _id_hashes(index: Folder, unit: str) -> NDArray[np.int64]:
    ids = _column(index, unit, "record_id").to_pylist()
    return np.fromiter(map(hash, filter(None, ids)), np.int64)


def _column(index: Folder, unit: str, name: str) -> pa.ChunkedArray:
    return read_table(index, f"{stem(unit)}.parquet", [name])[name]


def _has_one_of(hashes: Collection[int], batch: pa.RecordBatch) -> pa.Array:
    return pa.array([bool(i) and hash(i) in hashes for i in batch["record_id"].to_pylist()])
