"""Documents as a Hugging Face data set: Parquet shards, and a card that says where they are from.

`datasets.load_dataset(DIR)` opens it, without a network.
"""

from collections import Counter
from contextlib import ExitStack
from datetime import datetime

import pyarrow as pa

from dbce.adapters.documents import DOCUMENT, documents, provenance, tables_of
from dbce.archive import day_of
from dbce.output import Manifest, Row
from dbce.storage import Folder, Table

SHARD_BYTES = 500_000_000  # of text, compressed about a third; the hub advises files below 5 GB

SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
"""The hub's words for the number of documents of a data set."""

LISTED = 50  # sites and archive files that a card names one by one


class _Account:
    """What a card says of the documents that it comes with."""

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

    @property
    def total(self) -> int:
        """Number of documents."""
        return self.files.total()


def write_corpus(folder: Folder, manifest: Manifest, out: Folder, license_name: str) -> int:
    """Write the shards and the card; the number of documents. `license_name` is what the card says."""
    account = _Account()
    with ExitStack() as shards:
        table, held = _shard(shards, out, 0), 0
        number = 0
        for name, _ in tables_of(folder):
            for document in documents(folder, name, manifest):
                if held >= SHARD_BYTES:
                    shards.close()
                    number, held = number + 1, 0
                    table = _shard(shards, out, number)
                table.add(document)
                account.add(document)
                held += len(document["text"].encode())
    out.write("README.md", _card(account, manifest, license_name).encode())
    return account.total


def _shard(shards: ExitStack, out: Folder, number: int) -> Table[Row]:
    stream = shards.enter_context(out.create(f"data/train-{number:05}.parquet"))
    return shards.enter_context(Table(stream, DOCUMENT, pa.Table.from_pylist))


def _card(account: _Account, manifest: Manifest, license_name: str) -> str:
    """The card: what the hub reads, between two lines of dashes, and what people read."""
    origin = provenance(manifest)
    size = next((words for limit, words in SIZES if account.total < limit), "n>1M")
    head = [
        *("---", "configs:", "- config_name: default", "  data_files:"),
        *("  - split: train", "    path: data/train-*.parquet"),
        f"license: {license_name or 'unknown'}",
        *(["language:"] if account.languages else []),
        *(f"- {one}" for one in sorted(account.languages)),
        *("task_categories:", "- text-generation", "size_categories:", f"- {size}"),
        *("tags:", "- web-archive", "---"),
    ]
    dates = ", captured {} to {}".format(*map(day_of, account.times)) if account.times else ""
    licence = (
        f"They are given out under `{license_name}`, as whoever made this data set says."
        if license_name
        else "Nobody has said under which licence they are given out; find out before you do."
    )
    settings = [
        f"{name} = {value}" for name, value in manifest["config"].items() if name != "limits"
    ]
    return "\n\n".join(
        [
            "\n".join(head),
            f"# Main texts of {len(account.files):,} archive files",
            f"{account.total:,} texts of {len(account.sites):,} sites{dates}; {account.characters:,} characters.",
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


def _counts(what: str, counted: Counter[str]) -> str:
    """A table of the most frequent, and how many others there are."""
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    rows = [f"| {name} | {number:,} |" for name, number in ranked[:LISTED]]
    more = [f"| {len(ranked) - LISTED:,} others | |"] if len(ranked) > LISTED else []
    return "\n".join([f"| {what} | texts |", "|---|---|", *rows, *more])
