"""The pages that stage 1 has parsed, kept for stage 3, so that the archive is read once.

A file an archive file, one row a capture that can be compared, in the order of the file. Many pages are
compressed together. It lies with what only a run's own stages read. After a power cut it may be cut
short, which its digest tells: then the archive is read again. Waiting for the disk would cost more than that.
"""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from io import BytesIO
from typing import Any

import pyarrow as pa

from dbce import html
from dbce.model import LOG, Capture, DateSource, Origin, StoreError, page_of_columns
from dbce.storage import WORK, Digest, Folder, file_digest, stem

KEPT = pa.schema([("page", pa.binary())])
"""Number, capture without its payload and document of a page, pickled."""

BYTES = 500_000  # of the pages that are compressed together, at least

PLAIN = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)

VALUES = {
    (value.__module__, value.__qualname__): value
    for value in (
        *(Capture, DateSource, Origin, datetime, timedelta, timezone, page_of_columns),
        *(html.Canonical, html.Charset, html.DeclaredMetadata, html.Formula, html.Markup),
        *(html.Moment, html.Skeleton, html.SourceSigns),
    )
}
"""All that pickled pages may name: others may write to the folder, and nothing of theirs is to run."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in VALUES:
            raise pickle.UnpicklingError(f"{module}.{name} is no value of a page")
        return VALUES[module, name]


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
        self._pages: list[bytes] = []

    def add(self, number: int, capture: Capture, document: html.Document) -> None:
        """Add a page; after one that cannot be kept none is."""
        if not self.complete:
            return
        try:
            values = number, replace(capture, payload=b""), document.canonical()
            data = pickle.dumps(values, pickle.HIGHEST_PROTOCOL)
        except Exception:  # noqa: BLE001 - whatever it is, it shows again when the page is judged
            self.complete = False
            return
        self._pages.append(data)
        if sum(map(len, self._pages)) > BYTES:
            self.write()

    def write(self) -> None:
        if self.complete and self._pages:
            batch = pa.RecordBatch.from_arrays([self._pages], schema=self._schema)
            self._table.write_batch(batch)
        self._pages = []


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
                for page in batch.column(0):
                    yield _Unpickler(BytesIO(page.as_buffer())).load()
    except (pa.ArrowInvalid, pickle.UnpicklingError, OSError) as e:
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
