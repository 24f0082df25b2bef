"""The content of a finished run's pages again, from its tables and its annotated archives."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, cast

from dbce import html
from dbce.boilerplate import dialled
from dbce.formats import (
    AS_JUDGED,
    NO_LIMITS,
    Extract,
    MainParts,
    judged_text,
    marked_content,
    with_stored_text,
)
from dbce.metadata import COLUMNS, Metadata, declared_opening, describe
from dbce.model import Origin, Status, TextSource, UsageError
from dbce.output.read import annotated_pages, config_of, rows_of
from dbce.output.runs import fits, text_runs
from dbce.output.schemas import JUDGED, NODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.formats import Headings
    from dbce.model import Config
    from dbce.output.nights import Manifest
    from dbce.output.rows import Row
    from dbce.storage import Folder

ORIGIN = ("warc_filename", "warc_record_offset", "warc_record_length")
IDENTITY = (
    *("record_id", "url", "url_surtkey", "fetch_time", "content_digest"),
    *(*ORIGIN, "status", "text", "text_source", "text_record"),
)


def extracts(
    folder: Folder,
    manifest: Manifest,
    *,
    markup: bool,
    parts: MainParts = AS_JUDGED,
    headings: Headings | None = None,
    sources: bool = False,
    dial: Config | None = None,
) -> Iterator[Extract]:
    """Yield the extract of every judged page, input by input, in file order; see `Extract`.

    `manifest` is the run's. `headings` is that of `dbce.formats.marked_content`; with `sources` blocks have theirs. `dial` is the run's
    configuration with another dial; that and `parts` give out other texts than the run, and judge nothing again.

    Raises:
        UsageError: the run's archive does not have the pages that its tables name.
    """
    shows_images = parts.images and not markup  # which are in no text of a run
    is_chosen = parts.changes_texts or shows_images or dial is not None
    origin = {"version": manifest["versions"]["dbce"], "model": config_of(manifest).model_name}
    for name in folder.names("pages/*.parquet"):
        rows = (row for row in rows_of(folder, name, (*IDENTITY, *COLUMNS)) if has_text(row))
        if not markup and not is_chosen:
            yield from (_extract(row, origin) for row in rows)
            continue
        base = name.removeprefix("pages/").removesuffix(".parquet")
        annotated = annotated_pages(folder, base)
        of_pages = groupby(rows_of(folder, f"nodes/{base}.parquet", NODES.names), key=_record_id)
        for row in rows:
            if row.get("text_source") == TextSource.CRAWLER:
                yield _extract(row, origin, markup=markup)
                continue
            page = next((one for one in annotated if one.record_id == row["record_id"]), None)
            if page is None:
                archive = folder.at(f"warc/{base}.dbce.warc.gz")
                raise UsageError(f"{archive} does not have {row['record_id']}; run dbce again")
            extract, shown = _extract(row, origin), page.html
            if is_chosen:
                its_rows = next(list(rows) for name, rows in of_pages if name == row["record_id"])
                shown, extract = _chosen(shown, extract, row, its_rows, parts=parts, dial=dial)
            if not markup:
                yield extract
                continue
            content = marked_content(
                shown,
                page.url,
                images=parts.images,
                headings=headings,
                sources=sources,
                text=None if parts.images else extract.text,
            )
            text = content.text if parts.images else extract.text
            yield replace(extract, blocks=content.blocks, title=content.title, text=text)


def has_text(row: Row) -> bool:
    """Return whether a capture has a main text, by its row of `pages`: it was judged, or its crawler stored one."""
    return row["status"] in JUDGED or row.get("text_source") == TextSource.CRAWLER


def _chosen(
    annotated: bytes,
    extract: Extract,
    row: Row,
    rows: Sequence[Row],
    *,
    parts: MainParts,
    dial: Config | None,
) -> tuple[bytes, Extract]:
    """An annotated page and its extract, with other texts as content.

    Raises:
        UsageError: the page does not read as it did when it was judged.
    """
    document = html.load(html.strip(annotated), "text/html; charset=utf-8", NO_LIMITS)
    page = document.page
    if not fits(page, rows):
        raise UsageError(f"{row['record_id']} has changed since it was judged; run dbce again")
    runs = text_runs(rows)
    if dial is not None:
        runs = dialled(page, runs, dial, declared_opening(document.declared))
    runs = parts.of(page, runs)
    markup = html.read_markup(document.root, page, document.elements, to_format=parts.images)
    text = judged_text(page, runs, markup, images=parts.images)
    # Of a page that names no language it is detected in the text.
    metadata = describe(document.declared, page, row["url"], row["fetch_time"], text)
    marked = html.annotate(document.root, page, document.handles, runs)
    return marked, replace(extract, text=text, metadata=metadata)


def _record_id(row: Row) -> str:
    return cast("str", row["record_id"])


def _extract(row: Row, origin: Mapping[str, str], *, markup: bool = False) -> Extract:
    extract = Extract(
        record_id=row["record_id"],
        url=row["url"],
        surt=row["url_surtkey"],
        timestamp=row["fetch_time"],
        status=Status(row["status"]),
        metadata=Metadata(**{name: row.get(name) for name in COLUMNS}),
        text=row["text"],
        origin=Origin(*(row[name] for name in ORIGIN)),
        digest=row["content_digest"],
        version=origin["version"],
        model=origin["model"],
    )
    if row.get("text_source") != TextSource.CRAWLER:
        return extract
    return with_stored_text(extract, row["text"], row["text_record"], markup=markup)
