"""The content of a finished run's pages again, from its tables and its annotated archives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dbce import html
from dbce.archive import read_annotated
from dbce.config import Limits
from dbce.errors import UsageError
from dbce.formats import Extract, content_of
from dbce.metadata import COLUMNS, Metadata
from dbce.model import Status
from dbce.output.read import rows_of
from dbce.output.schemas import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive import Annotated
    from dbce.formats import Part
    from dbce.output.folder import Folder
    from dbce.output.rows import Row

IDENTITY = ("record_id", "url", "url_surtkey", "fetch_time", "status", "text")
NO_LIMITS = Limits(
    **dict.fromkeys(("payload_bytes", "elements", "texts", "words"), 1 << 62), depth=1 << 12
)
"""Of pages that a run has judged and marked nothing is too large."""


def extracts(folder: Folder, *, markup: bool, images: bool = False) -> Iterator[Extract]:
    """What was taken out of every judged page, input by input, in file order; see `Extract`.

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
            page = next(annotated, None)
            if page is None or page.record_id != row["record_id"]:
                raise UsageError(f"{archive} does not have {row['record_id']}; run dbce again")
            yield replace(_extract(row), blocks=_blocks(page, images=images))


def _extract(row: Row) -> Extract:
    return Extract(
        record_id=row["record_id"],
        url=row["url"],
        surt=row["url_surtkey"],
        timestamp=row["fetch_time"],
        status=Status(row["status"]),
        metadata=Metadata(**{name: row.get(name) for name in COLUMNS}),
        text=row["text"],
    )


def _blocks(page: Annotated, *, images: bool) -> tuple[Part, ...]:
    """The content that is marked as such in an annotated page."""
    document = html.load(page.html, "text/html; charset=utf-8", NO_LIMITS)
    pieces = html.marked_pieces(document.page, document.handles)
    details = html.read_details(document, NO_LIMITS)
    return content_of(document.page, pieces, details, page.url, images=images)
