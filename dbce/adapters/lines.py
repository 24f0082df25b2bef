"""Documents as JSON lines, a file for each input: for Solr and for datatrove."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from dbce.adapters.documents import documents
from dbce.archive import timestamp14

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbce.output import Manifest, Row
    from dbce.storage import Folder


def write_solr(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a file of JSON lines for each input, as `bin/solr post` takes them; the number of documents."""
    return _write(folder, manifest, out, "jsonl", _for_solr)


def write_datatrove(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a file for each input that datatrove's `JsonlReader` reads; the number of documents."""
    return _write(folder, manifest, out, "jsonl.gz", for_datatrove)


def _write(
    folder: Folder,
    manifest: Manifest,
    out: Folder,
    ending: str,
    line_of: Callable[[Row], dict[str, Any]],
) -> int:
    count = 0
    for name in folder.names("pages/*.parquet"):
        base = name.removeprefix("pages/").removesuffix(".parquet")
        with out.create(f"{base}.{ending}") as stream:
            # No time in the header: equal documents, equal bytes.
            packed = (
                gzip.GzipFile("", "wb", fileobj=stream, mtime=0) if ending.endswith("gz") else None
            )
            target = cast("BinaryIO", packed or stream)
            for document in documents(folder, name, manifest):
                line = json.dumps(line_of(document), ensure_ascii=False)
                target.write(line.encode("utf-8", "replace") + b"\n")
                count += 1
            if packed:
                packed.close()
    return count


def for_datatrove(document: Row) -> dict[str, Any]:
    """Return a document as datatrove has it: text, id, and all else as metadata, dates as ISO."""
    rest = {name: _plain(value) for name, value in document.items() if name not in {"id", "text"}}
    return {"text": document["text"], "id": document["id"], "metadata": rest}


def _plain(value: object) -> object:
    return _iso(value) if isinstance(value, datetime) else value


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _for_solr(document: Row) -> dict[str, Any]:
    """Return a document by the field names of webarchive-discovery, which SolrWayback reads."""
    time: datetime = document["fetch_time"]
    fields = {
        "id": document["id"],
        "url": document["url"],
        "url_norm": document["url_surtkey"],
        "host": document["url_host_name"],
        "domain": document["site"],
        "crawl_date": _iso(time),
        "crawl_year": time.year,
        "wayback_date": timestamp14(time),
        "title": document["title"],
        "author": document["author"],
        "content_language": document["language"],
        "content": document["text"],
        "hash": document["content_digest"],
        "source_file": document["warc_filename"],
        "source_file_offset": document["warc_record_offset"],
        **{name: document[name] for name in ("dbce_version", "dbce_model", "dbce_config")},
        "dbce_text_source": document.get("text_source"),
    }
    return {name: value for name, value in fields.items() if value is not None}
