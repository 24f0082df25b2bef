"""The content of a finished run's pages again, from its tables and its annotated archives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.archive import read_annotated
from dbce.formats import Extract, marked_content
from dbce.metadata import COLUMNS, Metadata
from dbce.model import Origin, Status, UsageError
from dbce.output.read import rows_of
from dbce.output.schemas import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.formats import Headings
    from dbce.output.rows import Row
    from dbce.storage import Folder

ORIGIN = ("warc_filename", "warc_record_offset", "warc_record_length")
IDENTITY = ("record_id", "url", "url_surtkey", "fetch_time", *ORIGIN, "status", "text")


def extracts(
    folder: Folder,
    *,
    markup: bool,
    images: bool = False,
    headings: Headings | None = None,
    sources: bool = False,
) -> Iterator[Extract]:
    """Yield the extract of every judged page, input by input, in file order; see `Extract`.

    `headings` is that of `dbce.formats.marked_content`; with `sources` blocks have theirs.

    Raises:
        UsageError: the run's archive does not have the pages that its tables name.
    """
    for name in folder.names("pages/*.parquet"):
        rows = (
            row for row in rows_of(folder, name, (*IDENTITY, *COLUMNS)) if row["status"] in JUDGED
        )
        if not markup:
            yield from map(_extract, rows)
            continue
        base = name.removeprefix("pages/").removesuffix(".parquet")
        archive = folder.fs.unstrip_protocol(folder.at(f"warc/{base}.dbce.warc.gz"))
        annotated = read_annotated(archive)
        for row in rows:
            page = next((one for one in annotated if one.record_id == row["record_id"]), None)
            if page is None:
                raise UsageError(f"{archive} does not have {row['record_id']}; run dbce again")
            content = marked_content(
                page.html,
                page.url,
                images=images,
                headings=headings,
                text=row["text"] if sources else None,
            )
            yield replace(_extract(row), blocks=content.blocks, title=content.title)


def _extract(row: Row) -> Extract:
    return Extract(
        record_id=row["record_id"],
        url=row["url"],
        surt=row["url_surtkey"],
        timestamp=row["fetch_time"],
        status=Status(row["status"]),
        metadata=Metadata(**{name: row.get(name) for name in COLUMNS}),
        text=row["text"],
        origin=Origin(*(row[name] for name in ORIGIN)),
    )
