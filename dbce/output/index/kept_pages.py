"""The pages that stage 1 has parsed, kept for stage 3, so that the archive is read once.

A file an archive file, one row a capture that can be compared, in the order of the file. Columns of
many pages stand and are compressed together. It lies with what only a run's own stages read. After a power cut it may be cut
short, which its digest tells: then the archive is read again. Waiting for the disk would cost more than that.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pyarrow as pa

from dbce import html
from dbce.model import LOG, Capture, DateSource, Origin, Page, StoreError, text_node
from dbce.output.rows import TIME, Row, columns, strings
from dbce.storage import WORK, Digest, Folder, file_digest, stem

KEPT = pa.schema(
    [
        ("number", pa.int64()),
        ("timestamp", TIME),
        *strings("about", "tags", "classes", "ids", "roles"),
        *columns(pa.binary(), "parents", "hidden", "unseen", "of_site", "places"),
        ("texts", pa.string()),
        *columns(pa.binary(), "html", "marks"),
    ]
)
"""`about` is JSON: what is known of the capture, and all of the page that is not listed by element or text. Of lists of
texts one is behind the other, with `BETWEEN`; `places` has element, position, after and spaced of all text nodes, column
by column, `html` and `marks` are of the skeleton."""

OF_CAPTURE = (
    *("record_id", "url", "surt", "digest", "content_type", "truncated", "dated_by"),
    "http_status",
)

BETWEEN = "\0"  # which no parsed text holds

LISTS = ("tags", "classes", "ids", "roles", "texts")

CHARACTERS = 500_000  # of the pages that are compressed together, at least

PLAIN = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)


class _NotKeptError(Exception):
    """A page of the file cannot be kept, so none is."""


@contextmanager
def keep_pages(
    work: Folder, unit: str, state: str
) -> Iterator[Callable[[int, Capture, html.Document], None]]:
    """Open the file in which the pages of a unit are kept; pages come in order, and are used up.

    `state` says in which state the archive file is read. What is kept is there when the block ends,
    if all could be kept.
    """
    schema = KEPT.with_metadata({"state": state})
    with suppress(_NotKeptError), work.create(kept_file(unit), lasting=False) as stream:
        with pa.ipc.new_file(stream, schema, options=PLAIN) as table:
            pages = _Pages(table, schema)
            yield pages.add
            pages.write()
        if not pages.complete:
            raise _NotKeptError


class _Pages:
    def __init__(self, table: pa.ipc.RecordBatchFileWriter, schema: pa.Schema) -> None:
        self.complete = True
        self._table, self._schema = table, schema
        self._rows: list[Row] = []
        self._characters = 0

    def add(self, number: int, capture: Capture, document: html.Document) -> None:
        """Add a page; after one that cannot be kept none is."""
        if not self.complete:
            return
        try:
            row = _row(number, capture, document.canonical())
        except Exception:  # noqa: BLE001 - whatever it is, it shows again when the page is judged
            self.complete = False
            return
        self._rows.append(row)
        self._characters += len(row["html"]) + len(row["texts"])
        if self._characters > CHARACTERS:
            self.write()

    def write(self) -> None:
        rows, self._rows, self._characters = self._rows, [], 0
        if not self.complete or not rows:
            return
        try:
            batch = pa.RecordBatch.from_pylist(rows, self._schema)
        except Exception:  # noqa: BLE001 - some text is none: whoever reads the page again says so
            self.complete = False
            return
        self._table.write_batch(batch)


def read_kept_pages(
    work: Folder, unit: str, state: str, digest: Digest
) -> Iterator[tuple[int, Capture, html.Canonical]] | None:
    """The pages that were kept of a unit, in order: number, capture without its payload, document.

    None if there are none, the archive file is in another state now, or what was kept has another `digest` than then.
    """
    if not work.exists(kept_file(unit)):
        return None
    if file_digest(work, kept_file(unit)) != digest:
        LOG.warning(
            "warning: %s is damaged, so the archive is read again", work.full_path(kept_file(unit))
        )
        return None
    with _open_table(work, unit) as table:
        as_now = table.schema.equals(KEPT.with_metadata({"state": state}), check_metadata=True)
    return _read(work, unit) if as_now else None


def _read(work: Folder, unit: str) -> Iterator[tuple[int, Capture, html.Canonical]]:
    try:
        with _open_table(work, unit) as table:
            for n in range(table.num_record_batches):
                batch = table.get_batch(n)
                for number in range(len(batch)):
                    yield _page(batch.slice(number, 1).to_pylist()[0])
    except (pa.ArrowInvalid, OSError) as e:
        raise StoreError(
            f"the pages that were kept in {work.full_path(kept_file(unit))} cannot be read ({e}); remove it"
        ) from e


@contextmanager
def _open_table(work: Folder, unit: str) -> Iterator[pa.ipc.RecordBatchFileReader]:
    options = pa.ipc.IpcReadOptions(use_threads=False)
    with (
        work.fs.open(work.full_path(kept_file(unit)), "rb") as stream,
        pa.ipc.open_file(stream, options=options) as table,
    ):
        yield table


def kept_file(unit: str) -> str:
    return f"{WORK}/kept/{stem(unit)}.arrow"


def _row(number: int, capture: Capture, document: html.Canonical) -> Row:
    page = document.page
    *places, texts = zip(*page.nodes, strict=True)
    lists = {name: getattr(page, name) for name in LISTS[:-1]} | {"texts": texts}
    joined = {name: BETWEEN.join(values) for name, values in lists.items()}
    if any(joined[name].count(BETWEEN) != max(len(lists[name]) - 1, 0) for name in lists):
        raise ValueError("a text holds NUL")
    about = (
        *([getattr(capture, name) for name in OF_CAPTURE], capture.origin, document.charset),
        *(document.declared_metadata, document.source, page.title, page.jumps),
        *(list(document.markup.details.items()), document.markup.formulas),
        *(document.size, document.walked),
    )
    return {
        "number": number,
        "timestamp": capture.timestamp,
        "about": json.dumps(about, default=_values),
        "parents": _bytes(page.parents),
        "hidden": bytes(page.hidden),
        "unseen": _bytes(sorted(page.unseen)),
        "of_site": _bytes(sorted(page.of_site)),
        "places": b"".join(map(_bytes, places)),
        "html": document.skeleton.html,
        "marks": document.skeleton.places,
    } | joined


def _values(value: Any) -> list[Any]:
    """The fields of a value of a data class, without their names."""
    return [getattr(value, one.name) for one in fields(value)]


def _page(row: Row) -> tuple[int, Capture, html.Canonical]:
    of_capture, origin, charset, declared, source, title, jumps, *others = json.loads(row["about"])
    details, formulas, size, walked = others
    of_page = html.DeclaredMetadata(*_tuples(declared))
    moments = tuple(html.Moment(*one) for one in of_page.times)
    markup = html.Markup(dict(details), [html.Formula(*one) for one in _tuples(formulas)])
    known = dict(zip(OF_CAPTURE, of_capture, strict=True))
    known |= {"dated_by": DateSource(known["dated_by"]), "origin": Origin(*origin)}
    capture = Capture(**known, timestamp=row["timestamp"], payload=b"")
    tags, classes, ids, roles, texts = (row[name].split(BETWEEN) for name in LISTS)
    element, position, after, spaced = np.frombuffer(row["places"], "<i4").reshape(4, -1).tolist()
    nodes = zip(element, position, after, map(bool, spaced), texts, strict=True)
    page = Page(
        *(tuple(tags), tuple(_numbers(row["parents"])), tuple(classes), tuple(ids), tuple(roles)),
        hidden=tuple(map(bool, row["hidden"])),
        nodes=tuple(map(text_node, nodes)),
        title=title,
        jumps=_tuples(jumps),
        unseen=frozenset(_numbers(row["unseen"])),
        of_site=frozenset(_numbers(row["of_site"])),
    )
    document = html.Canonical(
        *(page, html.Charset(*charset), replace(of_page, times=moments)),
        *(html.SourceSigns(*_tuples(source)), html.Skeleton(row["html"], row["marks"]), markup),
        *(size, walked),
    )
    return row["number"], capture, document


def _bytes(numbers: Sequence[int]) -> bytes:
    return np.fromiter(numbers, "<i4", len(numbers)).tobytes()


def _numbers(data: bytes) -> list[int]:
    numbers: list[int] = np.frombuffer(data, dtype="<i4").tolist()
    return numbers


def _tuples(value: Any) -> Any:
    """A value of JSON, with a tuple for each list."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
