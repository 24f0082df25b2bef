"""The main texts of a run as documents with record and provenance: JSON lines, a Hugging Face data set."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import count
from typing import Any, BinaryIO, cast

import pyarrow as pa

from dbce.archive import day_of, host, iso, site, timestamp14
from dbce.formats import Chunking, Extract, chunk_format
from dbce.metadata import COLUMNS
from dbce.model import Config, Origin, count_of
from dbce.output import PAGES, Manifest, Row, config_of, extracts, has_text, rows_of, strings
from dbce.storage import Folder, Table, create_table

_STORED = (
    *("record_id", "url", "url_surtkey", "url_host_name", "site", "fetch_time"),
    *("status", "confidence", "expected_f1", "kind", "kind_probability", *COLUMNS),
    *("warc_filename", "warc_record_offset", "warc_record_length", "content_digest"),
    *("text_source", "text_record"),
)

DOCUMENT = pa.schema(
    [
        *strings("id", "text"),
        *(PAGES.field(name) for name in _STORED),
        *strings("dbce_version", "dbce_model", "dbce_config"),
    ]
)
"""A document: an id, the text, its capture as in `pages`, and version, model and configuration."""


def tables_of(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield the names of the files of `pages`, and those of their inputs."""
    for name in folder.names("pages/*.parquet"):
        yield name, name.removeprefix("pages/").removesuffix(".parquet")


def provenance(manifest: Manifest) -> dict[str, str]:
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
        "text_source": page.text_source.value,
        "text_record": page.text_record or None,
        "dbce_version": page.version,
        "dbce_model": page.model or None,
        "dbce_config": config.digest(),
    }


def documents(
    folder: Folder, name: str, manifest: Manifest, *, with_empty: bool = False
) -> Iterator[Row]:
    """Yield the documents of a file of `pages`, in its order; with `with_empty` also those without text."""
    origin = provenance(manifest)
    for row in rows_of(folder, name, (*_STORED, "text")):
        if has_text(row) and (row["text"] or with_empty):
            # No model has classified text that a crawler stored.
            unjudged = {"dbce_model": None} if row.get("text_record") else {}
            yield {"id": row["record_id"], **row, **origin, **unjudged}


def write_documents(
    folder: Folder,
    manifest: Manifest,
    out: Folder,
    ending: str,
    line_of: Callable[[Row], dict[str, Any]],
) -> int:
    """Write a file of JSON lines for each input; return the number of documents."""

    def lines(table: str) -> Iterator[str]:
        for document in documents(folder, table, manifest):
            yield json.dumps(line_of(document), ensure_ascii=False) + "\n"

    return _write(folder, out, ending, lines)


def write_chunks(folder: Folder, manifest: Manifest, out: Folder, chunking: Chunking) -> int:
    """Write a file for each input with the chunks of its texts; return the number of texts."""
    form = chunk_format(chunking)

    def lines(table: str) -> Iterator[str]:
        pages = extracts(folder, manifest, markup=True, sources=True, tables=[table])
        return filter(None, map(form.entry, pages, count(1)))

    return _write(folder, out, "jsonl.gz", lines)


def _write(folder: Folder, out: Folder, ending: str, lines: Callable[[str], Iterator[str]]) -> int:
    """Write the lines of each text of an input into a file, input by input; return the number of texts."""
    number = 0
    for name, base in tables_of(folder):
        with ExitStack() as files:
            stream = files.enter_context(out.create(f"{base}.{ending}"))
            if ending.endswith("gz"):  # no time in the header: equal documents, equal bytes
                compressed = gzip.GzipFile("", "wb", fileobj=stream, mtime=0)
                stream = cast("BinaryIO", files.enter_context(compressed))
            for line in lines(name):
                stream.write(line.encode("utf-8", "replace"))
                number += 1
    return number


def datatrove_document(document: Row) -> dict[str, Any]:
    """Return a document in the form of datatrove: text, id, and all else as metadata, dates as ISO."""
    rest = {
        name: iso(value.astimezone(UTC), "seconds") if isinstance(value, datetime) else value
        for name, value in document.items()
        if name not in {"id", "text"}
    }
    return {"text": document["text"], "id": document["id"], "metadata": rest}


def solr_document(document: Row) -> dict[str, Any]:
    """Return a document by the field names of webarchive-discovery, which `bin/solr post` and SolrWayback read."""
    time: datetime = document["fetch_time"]
    fields = {
        "id": document["id"],
        "url": document["url"],
        "url_norm": document["url_surtkey"],
        "host": document["url_host_name"],
        "domain": site(document["url"], "domain"),
        "crawl_date": iso(time.astimezone(UTC), "seconds"),
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


# A Hugging Face data set: Parquet shards, and a card with their provenance;
# `datasets.load_dataset(DIR)` opens it, without a network.

SHARD_BYTES = 500_000_000  # of text, compressed about a third; the hub advises files below 5 GB

SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
"""Size categories of the hub, each with its upper limit of documents."""

LISTED = 50  # sites and archive files that a card lists


class _Account:
    """Statistics of the documents of a data set, for its card."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.sites: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.times: list[datetime] = []
        self.characters = 0

    def add(self, document: Row) -> None:
        self.files[document["warc_filename"]] += 1
        self.sites[document["site"]] += 1
        if document["language"]:
            self.languages[document["language"].partition("-")[0].lower()] += 1
        time = document["fetch_time"]
        self.times = [min([*self.times, time]), max([*self.times, time])]
        self.characters += len(document["text"])


def write_corpus(folder: Folder, manifest: Manifest, out: Folder, license_name: str) -> int:
    """Write the shards and the card, with its licence; return the number of documents."""
    account = _Account()
    with ExitStack() as shards:
        table, size = _shard(shards, out, 0), 0
        number = 0
        for name, _ in tables_of(folder):
            for document in documents(folder, name, manifest):
                if size >= SHARD_BYTES:
                    shards.close()
                    number, size = number + 1, 0
                    table = _shard(shards, out, number)
                table.add(document)
                account.add(document)
                size += len(document["text"].encode())
    out.write("README.md", _card(account, manifest, license_name).encode())
    return account.files.total()


def _shard(shards: ExitStack, out: Folder, number: int) -> Table[Row]:
    path = f"data/train-{number:05}.parquet"
    return shards.enter_context(create_table(out, path, DOCUMENT, pa.Table.from_pylist))


def _card(account: _Account, manifest: Manifest, license_name: str) -> str:
    """Return the card: metadata for the hub between two lines of dashes, then text for people."""
    origin, number = provenance(manifest), account.files.total()
    size = next((words for limit, words in SIZES if number < limit), "n>1M")
    head = [
        *("---", "configs:", "- config_name: default", "  data_files:"),
        *("  - split: train", "    path: data/train-*.parquet"),
        f"license: {license_name or 'unknown'}",
        *(["language:"] if account.languages else []),
        *(f"- {language}" for language in sorted(account.languages)),
        *("task_categories:", "- text-generation", "size_categories:", f"- {size}"),
        *("tags:", "- web-archive", "---"),
    ]
    dates = ", captured {} to {}".format(*map(day_of, account.times)) if account.times else ""
    licence = (
        f"They are given out under `{license_name}`, as whoever made this data set says."
        if license_name
        else "No licence was specified; clarify this before publishing."
    )
    settings = [f"{key} = {value}" for key, value in manifest["config"].items() if key != "limits"]
    return "\n\n".join(
        [
            "\n".join(head),
            f"# Main texts of {count_of(len(account.files), 'archive file')}",
            f"{count_of(number, 'text')} of {count_of(len(account.sites), 'site')}{dates}; {account.characters:,} characters.",
            "## Sources",
            "Each text names its record: `record_id`, `warc_filename`, `warc_record_offset`, `content_digest`.",
            _counts("archive file", account.files),
            _counts("site", account.sites),
            "## Licences",
            f"The texts belong to those who wrote the pages. {licence}",
            "## Method",
            (
                f"dbce {origin['dbce_version']} with the model `{origin['dbce_model']}` compared each page with pages of "
                "its template and with its earlier and later snapshots, and kept what is content. Configuration "
                f"`{origin['dbce_config']}`:"
            ),
            "\n".join(["```", *settings, "```"]),
            "Pages without main text are left out. `confidence` is the mean chance of a verdict to be right.\n",
        ]
    )


def _counts(kind: str, counts: Counter[str]) -> str:
    """Return a table of the most frequent, and the number of others."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [f"| {name} | {number:,} |" for name, number in ranked[:LISTED]]
    more = [f"| {len(ranked) - LISTED:,} others | |"] if len(ranked) > LISTED else []
    return "\n".join([f"| {kind} | texts |", "|---|---|", *rows, *more])
