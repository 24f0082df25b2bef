"""A run as lists: its HTML captures, their URLs, their sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import Reason
from dbce.output.schemas import JUDGED, PAGES, TIME
from dbce.output.whole_tables import WholeTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from dbce.output.rows import Row
    from dbce.storage import Folder

_COLUMNS = [
    "record_id",
    "url",
    "url_surtkey",
    "site",
    "fetch_time",
    "content_digest",
    "text_digest",
    "original",
    "status",
    "reason",
    "title",
    "kind",
    "kind_probability",
    "expected_f1",
]

_ORDER = [(name, "ascending") for name in ("site", "url_surtkey", "fetch_time", "record_id")]

_SPAN = [("fetch_time", "min"), ("fetch_time", "max")]


def list_captures(folder: Folder, whole: Folder, surt: str | None = None) -> Iterator[Row]:
    """Yield the captures of a run, or of the URL of a sort key, by site, URL and time.

    `whole` is the run without a selection: when a text was first seen is known of all captures.
    """
    for batch in _captures(folder, whole, surt).to_batches(1_000):
        for row in batch.to_pylist():
            yield {
                "timestamp": row["fetch_time"],
                "text_first_seen": row["text_first_seen"],
                "text_last_changed": row["text_last_changed"],
                "status": row["status"],
                "reason": row["reason"],
                "kind": row["kind"],
                "url": row["url"],
                "title": row["title"],
                "kind_probability": row["kind_probability"],
                "expected_f1": row["expected_f1"],
                "record_id": row["record_id"],
            }


def list_urls(folder: Folder, whole: Folder) -> Iterator[Row]:
    """Yield the URLs of a run: captures, those with verdicts, different payloads and texts, and the time that they span."""
    counted = [
        *_SPAN,
        ("record_id", "count"),
        ("judged", "sum"),
        ("content_digest", "count_distinct"),
        ("text_digest", "count_distinct"),
        ("text_last_changed", "max"),
    ]
    groups = _captures(folder, whole).group_by(["site", "url_surtkey"], use_threads=False)
    for row in groups.aggregate([("url", "first"), *counted]).to_pylist():
        yield {
            "captures": row["record_id_count"],
            "judged": row["judged_sum"],
            "different": row["content_digest_count_distinct"],
            "texts": row["text_digest_count_distinct"],
            "first": row["fetch_time_min"],
            "last": row["fetch_time_max"],
            "text_last_changed": row["text_last_changed_max"],
            "url": row["url_first"],
        }


def list_sites(folder: Folder, whole: Folder) -> Iterator[Row]:
    """Yield the sites of a run: URLs, captures, those with verdicts, and the time that they span."""
    counted = [*_SPAN, ("record_id", "count"), ("judged", "sum"), ("url_surtkey", "count_distinct")]
    for row in (
        _captures(folder, whole).group_by("site", use_threads=False).aggregate(counted).to_pylist()
    ):
        yield {
            "urls": row["url_surtkey_count_distinct"],
            "captures": row["record_id_count"],
            "judged": row["judged_sum"],
            "first": row["fetch_time_min"],
            "last": row["fetch_time_max"],
            "site": row["site"],
        }


def _captures(folder: Folder, whole: Folder, surt: str | None = None) -> pa.Table:
    """Return the captures by site, URL and time, records that are stored twice once; half a kilobyte each."""
    where = pc.field("reason").is_null() | (pc.field("reason") != Reason.DUPLICATE_RECORD)
    if surt is not None:
        where &= pc.field("url_surtkey") == surt
    rows = WholeTable(folder, "pages/*.parquet", PAGES).to_table(_COLUMNS, where).sort_by(_ORDER)
    every = rows
    if whole is not folder:
        table = WholeTable(whole, "pages/*.parquet", PAGES)
        every = table.to_table(_COLUMNS, where).sort_by(_ORDER)
    times = dict(zip(every["record_id"].to_pylist(), _text_times(every), strict=True))
    of_rows = [times[record_id] for record_id in rows["record_id"].to_pylist()]
    judged = pc.is_in(rows["status"], value_set=pa.array([str(status) for status in JUDGED]))
    return (
        rows.append_column("judged", judged.cast(pa.int64()))
        .append_column("text_first_seen", pa.array([first for first, _ in of_rows], TIME))
        .append_column("text_last_changed", pa.array([changed for _, changed in of_rows], TIME))
    )


def _text_times(rows: pa.Table) -> Iterator[tuple[datetime | None, datetime | None]]:
    """Yield of each capture when its URL first had its text, and when it last had another before.

    Captures are by URL and time. One that repeats another has the text of that; one without a text changes nothing.
    """
    names = ("record_id", "url_surtkey", "fetch_time", "original", "text_digest")
    columns = [rows[name].to_pylist() for name in names]
    digests = dict(zip(columns[0], columns[-1], strict=True))
    seen: dict[str, datetime] = {}
    url, last, since = None, None, None
    for _, key, time, original, own in zip(*columns, strict=True):
        if key != url:
            url, last, since, seen = key, None, None, {}
        digest = own or digests.get(original or "")
        if digest is None or time is None:
            yield None, None
            continue
        if digest != last:
            last, since = digest, time
        yield seen.setdefault(digest, time), since
