"""The main texts of a run as documents, each with the record that it is from and what made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.archive import host, site
from dbce.metadata import COLUMNS
from dbce.model import Origin
from dbce.output import JUDGED, PAGES, config_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.formats import Extract
    from dbce.model import Config
    from dbce.output import Manifest, Row
    from dbce.storage import Folder

_STORED = (
    *("record_id", "url", "url_surtkey", "url_host_name", "site", "fetch_time"),
    *("status", "confidence", "expected_f1", "kind", "kind_probability", *COLUMNS),
    *("warc_filename", "warc_record_offset", "warc_record_length", "content_digest"),
)

DOCUMENT = pa.schema(
    [
        ("id", pa.string()),
        ("text", pa.string()),
        *(PAGES.field(name) for name in _STORED),
        *((name, pa.string()) for name in ("dbce_version", "dbce_model", "dbce_config")),
    ]
)
"""A document: an id, the text, what `pages` has of its capture, and version, model and configuration."""


def made_by(manifest: Manifest) -> dict[str, str]:
    """Return the version, the model and the digest of the configuration that a run was made with."""
    return {
        "dbce_version": manifest["versions"]["dbce"],
        "dbce_model": config_of(manifest).model_name,
        "dbce_config": manifest["config_digest"],
    }


def document_of(page: Extract, config: Config) -> Row:
    """Return the document of a page that was extracted in one step; its `confidence` and kind are not known."""
    origin = page.origin or Origin("", 0, 0)
    return {
        "id": page.record_id,
        "text": page.text,
        "record_id": page.record_id,
        "url": page.url,
        "url_surtkey": page.surt,
        "url_host_name": host(page.url),
        "site": site(page.url, config.site_by),
        "fetch_time": page.timestamp,
        "status": page.status.value,
        **page.metadata.row(),
        "warc_filename": origin.filename,
        "warc_record_offset": origin.offset,
        "warc_record_length": origin.length,
        "content_digest": page.digest,
        "dbce_version": page.version,
        "dbce_model": page.model,
        "dbce_config": config.digest(),
    }


def documents(
    folder: Folder, name: str, manifest: Manifest, *, with_empty: bool = False
) -> Iterator[Row]:
    """Yield the documents of a file of `pages`, in its order; with `with_empty` also those without text."""
    origin = made_by(manifest)
    for row in rows_of(folder, name, (*_STORED, "text")):
        if row["status"] in JUDGED and (row["text"] or with_empty):
            yield {"id": row["record_id"], **row, **origin}
