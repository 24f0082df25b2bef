"""The links of a run's pages as a table, each with the verdict on its text."""

from collections.abc import Iterator

import pyarrow as pa

from dbce.adapters.documents import tables_of
from dbce.archive import surt
from dbce.formats import page_links
from dbce.output import JUDGED, PAGES, Manifest, Row, annotated_pages, rows_of
from dbce.storage import Folder, Table

LINK = pa.schema(
    [
        *(PAGES.field(name) for name in ("record_id", "url", "url_surtkey", "fetch_time")),
        ("target", pa.string()),
        ("target_surtkey", pa.string()),
        ("text", pa.string()),
        ("rel", pa.string()),
        ("label", pa.string()),
        ("probability", pa.float32()),
    ]
)
"""A link: the capture that it is on, the URL that it leads to, its text, and what that is."""


def write_links(folder: Folder, _: Manifest, out: Folder) -> int:
    """Write a table for each input with the links of its judged pages; the number of links."""
    number = 0
    for name, base in tables_of(folder):
        with (
            out.create(f"links/{base}.parquet") as stream,
            Table(stream, LINK, pa.Table.from_pylist) as table,
        ):
            for row in _link_rows(folder, name, base):
                table.add(row)
                number += 1
    return number


def _link_rows(folder: Folder, name: str, base: str) -> Iterator[Row]:
    rows = rows_of(folder, name, ("record_id", "url", "url_surtkey", "fetch_time", "status"))
    judged = {row["record_id"]: row for row in rows if row.pop("status") in JUDGED}
    for page in annotated_pages(folder, base):
        if row := judged.get(page.record_id):
            for link in page_links(page.html, page.url):
                key = surt(link.target.partition("#")[0])
                yield row | link._asdict() | {"target_surtkey": key}
