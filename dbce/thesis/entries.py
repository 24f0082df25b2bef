"""Entries and their bodies between the stages: kept by file in stage 1, and compared by bucket in one process."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa

from dbce.model import Annotation, Config, Cross, Reason, Repeat, fault_detail
from dbce.storage import ROWS_AT_ONCE, WORK, Folder, Table, open_parquet, stem
from dbce.thesis.annotation import crosses, merged_crosses
from dbce.thesis.grouping import Entry, buckets
from dbce.thesis.merging import annotate_cross, merge_annotations

ENTRIES = f"{WORK}/thesis"  # folder of what stage 1 keeps of entries, a file an archive file

ENTRY = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("site", pa.string()),
        ("surt", pa.string()),
        ("timestamp", pa.timestamp("us", tz="UTC")),
        ("signature", pa.binary()),
        ("body", pa.string()),
    ]
)
"""The place of a capture, its entry and its sanitised body."""

Row = dict[str, Any]


@contextmanager
def keep_entries(folder: Folder, unit: str) -> Iterator[Callable[[int, Entry, str], None]]:
    with (
        folder.create(f"{ENTRIES}/{stem(unit)}.parquet") as stream,
        Table[Row](stream, ENTRY, pa.Table.from_pylist, ROWS_AT_ONCE) as table,
    ):

        def keep(number: int, entry: Entry, body: str) -> None:
            row = {name: getattr(entry, name) for name in Entry.__dataclass_fields__}
            row["signature"] = entry.signature.tobytes()
            table.add(row | {"name": unit, "number": number, "body": body})

        yield keep


def entry_of(row: Row) -> Entry:
    signature = np.frombuffer(row["signature"], dtype=np.uint32)
    return Entry(row["record_id"], row["site"], row["surt"], row["timestamp"], signature)


def read_entries(folder: Folder, unit: str) -> Iterator[Row]:
    with open_parquet(folder, f"{ENTRIES}/{stem(unit)}.parquet") as table:
        for batch in table.iter_batches(ROWS_AT_ONCE):
            yield from batch.to_pylist()


def compare(
    entries: Sequence[Entry], body_of: Callable[[str], str], config: Config
) -> Iterator[tuple[str, Annotation | Repeat]]:
    """The annotation of every entry that has *up* in a bucket, by record id, or how comparing it fails."""
    for record_id, of_entry in crosses_by_entry(entries, config).items():
        members = {member for cross in of_entry for member in cross.members if member}
        bodies = {member: body_of(member) for member in sorted(members)}
        yield record_id, _merge_crosses(record_id, bodies, of_entry, config)


def crosses_by_entry(entries: Sequence[Entry], config: Config) -> dict[str, list[Cross]]:
    """The distinct crosses that are merged of each entry with *up*, the strongest first."""
    distinct: defaultdict[str, set[Cross]] = defaultdict(set)
    for bucket in buckets(entries, config):
        for cross in crosses(bucket):
            distinct[cross.cur].add(cross)
    return {cur: merged_crosses(of_entry, config) for cur, of_entry in distinct.items()}


def _merge_crosses(
    record_id: str, bodies: Mapping[str, str], distinct: Iterable[Cross], config: Config
) -> Annotation | Repeat:
    try:
        return merge_annotations(((c, annotate_cross(bodies, c, config)) for c in distinct), config)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return Repeat(Reason.FAULT, fault_detail(e, record_id))
