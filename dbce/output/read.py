"""Reading a finished run: its tables, the captures of a URL, and the content of its pages again."""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby
from operator import itemgetter

import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from dbce import formats, html
from dbce.archive import (
    AnnotatedPage,
    lines_of,
    read_annotated,
    read_annotated_at,
    surt,
    timestamp14,
)
from dbce.boilerplate import page_evidence, with_dial
from dbce.metadata import COLUMNS, Metadata, describe
from dbce.model import NOT_JUDGED, Config, InputError, Limits, Origin, Status, UsageError, override
from dbce.output.nights import Manifest, home_of
from dbce.output.rows import JUDGED, NODES, Row, fits, is_first_record, text_runs
from dbce.output.whole_tables import run_table, shown_rows
from dbce.storage import Folder, open_parquet

ROWS = 256  # rows of a table that are in memory at a time, where all are gone through


def rows_of(folder: Folder, name: str, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of a table's file that count, in order; columns that it does not have are left out. `record_id` is one.

    Few at a time are in memory, for texts may be long.
    """
    with open_parquet(folder, name) as table:
        known = [column for column in columns if column in table.schema_arrow.names]
        for batch in table.iter_batches(ROWS, columns=known):
            yield from shown_rows(folder, name, pa.Table.from_batches([batch])).to_pylist()


def find_snapshots(folder: Folder, surt: str) -> list[Row]:
    """The rows of `pages` of one URL, by its sort key, earliest first.

    A record stored twice is one snapshot; one without a readable date is none.
    """
    where = (pc.field("url_surtkey") == surt) & is_first_record()
    rows = _matching_rows(folder, "pages", where)
    dated = (row for row in rows if row["fetch_time"] is not None)
    return sorted(dated, key=lambda row: (row["fetch_time"], row["record_id"]))


def find_pages(folder: Folder, record_ids: Sequence[str]) -> dict[str, Row]:
    wanted = pa.array(record_ids, pa.string())
    where = pc.field("record_id").isin(wanted) & is_first_record()
    return {row["record_id"]: row for row in _matching_rows(folder, "pages", where)}


def node_rows(folder: Folder, record_id: str) -> list[Row]:
    """The rows of `nodes` of one capture, in document order."""
    return _matching_rows(folder, "nodes", pc.field("record_id") == record_id)


def table_at(folder: Folder, name: str, start: int, count: int) -> pa.Table:
    """Return `count` rows of a table's file from `start` on; only the row groups that hold them are read."""
    with open_parquet(folder, name) as table:
        sizes = [table.metadata.row_group(n).num_rows for n in range(table.metadata.num_row_groups)]
        ends = list(accumulate(sizes))
        first, last = bisect_right(ends, start), bisect_left(ends, start + count)
        before = ends[first - 1] if first else 0
        groups = table.read_row_groups(list(range(first, min(last + 1, len(sizes)))))
        return groups.slice(start - before, count)


def annotated_pages(folder: Folder, base: str) -> Iterator[AnnotatedPage]:
    """The annotated pages of an input, by the base of its outputs' names, in the order of the file.

    Raises UsageError: the archive is damaged.
    """
    name = f"warc/{base}.dbce.warc.gz"
    folder.check(name)
    try:
        yield from read_annotated(folder.fs.unstrip_protocol(folder.full_path(name)))
    except InputError as e:
        raise UsageError(f"{folder.full_path(name)} is damaged: {e.detail}") from e


def annotated_page(folder: Folder, page: Row) -> bytes:
    """The annotated HTML of a judged capture, by its row of `pages`.

    Raises:
        UsageError: the run's archive does not have it.
        InputError: its record is damaged.
    """
    folder = home_of(folder, page)
    folder.check("warc/index.cdxj")
    index = folder.fs.unstrip_protocol(folder.full_path("warc/index.cdxj"))
    try:
        for file, offset in lines_of(index, page["url_surtkey"], timestamp14(page["fetch_time"])):
            name = f"warc/{posixpath.basename(file)}"
            folder.check(name)
            uri = folder.fs.unstrip_protocol(folder.full_path(name))
            try:
                annotated = read_annotated_at(uri, offset)
            except InputError:
                folder.check(name, verify=True)  # is it the file?
                raise
            if annotated.record_id == page["record_id"]:
                return annotated.html
    except OSError as e:
        raise UsageError(f"cannot read {index}: {e.strerror or e}") from e
    raise UsageError(f"{folder.uri}/warc does not have {page['record_id']}; run dbce again")


def config_of(manifest: Manifest) -> Config:
    """The configuration that a run was made with, as far as this version knows its settings."""
    stored = manifest["config"]
    return override(Config(), stored | {"limits": override(Limits(), stored["limits"])})


def _matching_rows(folder: Folder, kind: str, condition: pc.Expression) -> list[Row]:
    """Rows of a table; of a nightly archive each with the `night` that it is of."""
    matching: list[Row] = []
    for tables in run_table(folder, kind).files:
        more = {"night": tables.part} if tables.part else {}
        with tables.scanner(where=condition) as scanner:
            matching += [row | more for row in scanner.to_table().to_pylist()]
    return matching


NEAREST = 3  # URLs that are proposed
MOST = 1_000_000  # URLs that are looked at: some hundred MB
NEAR = 75  # similarity of the sort keys, 0 to 100, from which on a URL may be meant


def snapshots_of(folder: Folder, url: str) -> list[Row]:
    """The captures of a URL, the earliest first; of none UsageError, which names the URLs that are most like it."""
    rows = find_snapshots(folder, surt(url))
    if not rows:
        raise no_such_url(folder, url)
    return rows


def no_such_url(folder: Folder, url: str) -> UsageError:
    """Return the error that a run does not have a URL; it names what was probably meant."""
    nearest = nearest_urls(folder, url)
    if not nearest:
        meant = f"dbce list {folder.uri} lists its URLs"
    elif len(nearest) == 1:
        meant = f"did you mean {nearest[0]}?"
    else:
        meant = f"did you mean {', '.join(nearest[:-1])} or {nearest[-1]}?"
    return UsageError(f"{folder.uri} holds no page {url}; {meant}")


def nearest_urls(folder: Folder, url: str) -> list[str]:
    """Return the URLs of a run whose sort keys are most like that of a URL, the most alike first.

    One that is the same with a scheme in front is the only one. URLs of the same site come before all others.
    """
    key = surt(url if "://" in url else f"http://{url}")
    of_site = pc.starts_with(pc.field("url_surtkey"), key.partition(")")[0])
    for where in (of_site, None):
        urls: dict[str, str] = {}
        for batch in run_table(folder, "pages").batches(["url_surtkey", "url"], where):
            urls |= dict(zip(*(column.to_pylist() for column in batch.columns), strict=True))
            if len(urls) > MOST:
                break
        if key in urls:
            return [urls[key]]
        near = process.extract(
            key, sorted(urls), scorer=fuzz.ratio, limit=NEAREST, score_cutoff=NEAR
        )
        if near:
            return [urls[name] for name, *_ in near]
    return []


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
    parts: formats.MainParts = formats.AS_JUDGED,
    headings: formats.Headings | None = None,
    sources: bool = False,
    dial: Config | None = None,
    tables: Sequence[str] | None = None,
) -> Iterator[formats.Extract]:
    """Yield the extract of every judged page, input by input, in file order; see `Extract`.

    `manifest` is the run's; `tables` are files of its `pages`, by default all. `headings` is that of `dbce.formats.annotated_content`; with `sources` blocks have theirs. `dial` is the run's
    configuration with another dial; that and `parts` give out other texts than the run, and judge nothing again.
    Raises UsageError: the run's archive does not have the pages that its tables name.
    """
    shows_images = parts.images and not markup  # which are in no text of a run
    is_chosen = parts.changes_texts or shows_images or dial is not None
    origin = {"version": manifest["versions"]["dbce"], "model": config_of(manifest).model_name}
    for name in folder.names("pages/*.parquet") if tables is None else tables:
        rows = (row for row in rows_of(folder, name, (*IDENTITY, *COLUMNS)) if has_text(row))
        if not markup and not is_chosen:
            yield from (_extract(row, origin) for row in rows)
            continue
        base = name.removeprefix("pages/").removesuffix(".parquet")
        annotated = annotated_pages(folder, base)
        of_pages = groupby(
            rows_of(folder, f"nodes/{base}.parquet", NODES.names), key=itemgetter("record_id")
        )
        for row in rows:
            if row.get("text_source") in NOT_JUDGED:
                yield _extract(row, origin, markup=markup)
                continue
            page = next((p for p in annotated if p.record_id == row["record_id"]), None)
            if page is None:
                archive = folder.full_path(f"warc/{base}.dbce.warc.gz")
                raise UsageError(f"{archive} does not have {row['record_id']}; run dbce again")
            extract, page_html = _extract(row, origin), page.html
            if is_chosen:
                its_rows = next(list(rows) for name, rows in of_pages if name == row["record_id"])
                page_html, extract = _with_other_content(
                    page_html, extract, row, its_rows, parts=parts, dial=dial
                )
            if not markup:
                yield extract
                continue
            content = formats.annotated_content(
                page_html,
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
    return row["status"] in JUDGED or row.get("text_source") in NOT_JUDGED


def _with_other_content(
    annotated: bytes,
    extract: formats.Extract,
    row: Row,
    rows: Sequence[Row],
    *,
    parts: formats.MainParts,
    dial: Config | None,
) -> tuple[bytes, formats.Extract]:
    """An annotated page and its extract, with other texts as content; UsageError if it reads otherwise by now."""
    document = html.load(html.strip(annotated), "text/html; charset=utf-8", formats.NO_LIMITS)
    page = document.page
    if not fits(page, rows):
        raise UsageError(f"{row['record_id']} has changed since it was judged; run dbce again")
    runs = text_runs(rows)
    if dial is not None:
        runs = with_dial(page, runs, dial, page_evidence(row["url"], document, None, dial).opening)
    runs = parts.select(page, runs)
    markup = document.markup(to_format=parts.images)
    text = formats.judged_text(page, runs, markup, images=parts.images)
    # Of a page that names no language it is detected in the text.
    metadata = describe(document.declared_metadata, page, row["url"], row["fetch_time"], text)
    skeleton = html.skeleton(document.root, page, document.handles)
    marked = html.annotated_html(skeleton, page, runs)
    return marked, replace(extract, text=text, metadata=metadata)


def _extract(row: Row, origin: Mapping[str, str], *, markup: bool = False) -> formats.Extract:
    extract = formats.Extract(
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
    if row.get("text_source") not in NOT_JUDGED:
        return extract
    return formats.with_stored_text(extract, row["text"], row["text_record"], markup=markup)
