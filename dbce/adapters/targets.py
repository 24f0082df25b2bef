"""Export formats of a run, by name: archives, bags and links here, corpora and lines elsewhere."""

import json
import posixpath
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial

import pyarrow as pa

from dbce import storage
from dbce.adapters import documents
from dbce.archive import PlainText, TextWriter, add_texts, open_binary, surt, verify, verify_package
from dbce.formats import Chunking, page_links
from dbce.model import MissingExtra, Origin, UsageError
from dbce.output import JUDGED, PAGES, Manifest, annotated_pages, package, rows_of, strings
from dbce.storage import WORK, Folder

# A link: its capture, its target URL, its text, and the verdict on that.
LINK = pa.schema(
    [
        *(PAGES.field(name) for name in ("record_id", "url", "url_surtkey", "fetch_time")),
        *strings("target", "target_surtkey", "text", "rel", "label"),
        ("probability", pa.float32()),
    ]
)


def write_links(folder: Folder, _: Manifest, out: Folder) -> int:
    """Write a table for each input with the links of its judged pages; return the number of links."""
    number = 0
    for name, base in documents.tables_of(folder):
        rows = rows_of(folder, name, ("record_id", "url", "url_surtkey", "fetch_time", "status"))
        judged = {row["record_id"]: row for row in rows if row.pop("status") in JUDGED}
        path = f"links/{base}.parquet"
        with storage.create_table(out, path, LINK, pa.Table.from_pylist) as table:
            pages = (page for page in annotated_pages(folder, base) if page.record_id in judged)
            for page in pages:
                for link in page_links(page.html, page.url):
                    key = surt(link.target.partition("#")[0])
                    table.add(judged[page.record_id] | link._asdict() | {"target_surtkey": key})
                    number += 1
    return number


def write_bag(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a bag (BagIt, RFC 8493) of a run or a nightly archive, and verify it; return the number of judged captures.

    Raises:
        MissingExtra: the library is not installed.
        UsageError: the folder is in an object store, or captures are selected.
    """
    try:
        import bagit
    except ModuleNotFoundError as e:
        raise MissingExtra("a bag", "bag") from e
    if not out.renames:
        raise UsageError(f"a bag is made on a disk, and {out.uri} is none; name a folder")
    if getattr(folder, "selection", None) is not None:
        raise UsageError("a bag has a whole run; leave out the selection")
    run, place = Folder(folder.uri), out.subfolder(f"{WORK}/bag")
    for path in sorted(run.fs.find(run.path)):
        name = run.name_of(path)
        if name != storage.LOCK and "/." not in f"/{name}" and not path.startswith(f"{out.path}/"):
            run.copy(name, place)
    judged: int = sum(manifest["captures"][status] for status in JUDGED)
    bag_info = {
        "External-Description": f"Main content of {judged} archived pages, told from boilerplate",
        "Bagging-Software": f"dbce {manifest['versions']['dbce']}",
    }
    bagit.make_bag(place.path, bag_info, checksums=["sha256"])
    *rest, first = sorted(place.entries(), key=lambda name: name == "bagit.txt")
    storage.move_all(place, out, [*rest, first])  # the declaration last: without it it is no bag
    return judged


INDEX = "index.cdxj"

NIGHT = "%2F"  # separator of a night and its file in the names of a nightly archive


def write_wet_files(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a WET file for each input, and the sorted CDXJ of all; return the number of texts."""
    origin = documents.provenance(manifest)
    all_lines: list[str] = []
    for table, base in documents.tables_of(folder):
        name = f"{base}.dbce.warc.wet.gz"
        lines: list[str] = []
        with out.create(name, partial(verify, lines=lines)) as stream:
            texts = TextWriter(stream, name, origin["dbce_config"], origin["dbce_version"])
            for row in documents.documents(folder, table, manifest, with_empty=True):
                place = row["warc_filename"], row["warc_record_offset"], row["warc_record_length"]
                text = PlainText(
                    *(row["id"], row["url"], row["url_surtkey"], row["fetch_time"], row["text"]),
                    origin=Origin(*place),
                    digest=row["content_digest"] or "",
                    model=row["dbce_model"] or "",
                    text_record=row.get("text_record"),
                )
                lines.append(texts.write(text))
            texts.close()
        all_lines += lines
    out.write(INDEX, "".join(f"{line}\n" for line in sorted(all_lines)).encode())
    return len(all_lines)


def write_packages(folder: Folder, _: Manifest, out: Folder) -> int:
    """Write a WACZ of the annotated pages of each input, with their main texts; return the number of texts."""
    count = 0
    for _table, base in documents.tables_of(folder):
        night, mark, name = base.rpartition(NIGHT)
        index = folder.read(f"warc/{night}{mark}{INDEX}").decode().splitlines()
        stored = f"{name}.dbce."
        lines = [
            line
            for line in index
            if json.loads(line.split(" ", 2)[2])["filename"].startswith(stored)
        ]
        count += package(folder, base, lines, out, f"{base}.dbce.wacz")
    return count


def put_texts(folder: Folder, manifest: Manifest, out: Folder, packages: Sequence[str]) -> int:
    """Write copies of packages with the run's texts in their lists of pages; return the number of texts.

    Raises UsageError: one cannot be read, is no package, or lists no page that the run has.
    """
    texts: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for table, _ in documents.tables_of(folder):
        for row in documents.documents(folder, table, manifest):
            texts[row["url_surtkey"]].append((row["fetch_time"], row["text"]))

    def nearest(url: str, time: datetime | None) -> str | None:
        captures = texts.get(surt(url), [])
        ranked = sorted(captures, key=lambda c: (abs(c[0] - (time or c[0])), c[0]))
        return ranked[0][1] if ranked else None

    return sum(_write_package(nearest, uri, out) for uri in packages)


def _write_package(
    nearest: Callable[[str, datetime | None], str | None], uri: str, out: Folder
) -> int:
    try:
        source = open_binary(uri)
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e
    with source, out.create(posixpath.basename(uri), verify_package) as stream:
        try:
            count = add_texts(source, stream, nearest)
        except UsageError as e:
            raise UsageError(f"{uri} cannot get texts: {e}") from e
        if not count:
            raise UsageError(
                f"{uri} lists no page that the run has; give the package that was read"
            )
    return count


@dataclass(frozen=True, slots=True)
class Wish:
    """An export format with its options: the licence on a card, packages that get texts, the size of chunks."""

    to: str
    license: str = ""
    packages: Sequence[str] = ()
    chunking: Chunking | None = None


def export(folder: Folder, manifest: Manifest, out: Folder, wish: Wish) -> int:
    """Write a finished run in a format into an empty folder; return the number of texts, or of links.

    An interrupted export of the same is overwritten.
    Raises UsageError: the folder has something in it, there is no text, or the format has no licence, no packages or
    no chunks.
    """
    for value, to, message in (
        (wish.license, "huggingface", "--license is for the card of huggingface; leave it out"),
        (wish.packages, "wacz", "--archive is for packages; leave it out"),
        (wish.chunking, "chunks", "--size and --tokenizer are for chunks; leave them out"),
    ):
        if value and wish.to != to:
            raise UsageError(f"{message} with --to {wish.to}")
    note = asdict(wish) | {"run": manifest["config_digest"], "selected": manifest.get("selected")}
    note["packages"] = list(wish.packages)
    if out.entries() and storage.read_note(out, storage.BEGUN, dict) != note:
        raise UsageError(f"{out.uri} is not empty; name another folder")
    with storage.folder_lock(out):
        storage.write_note(out, storage.BEGUN, note)
        try:
            count = _write_target(folder, manifest, out, wish)
        except UsageError:
            storage.tidy(out)
            raise
        storage.tidy(out)
        return count


def _write_target(folder: Folder, manifest: Manifest, out: Folder, wish: Wish) -> int:
    writers: dict[str, Callable[[Folder, Manifest, Folder], int]] = {
        "huggingface": partial(documents.write_corpus, license_name=wish.license),
        "datatrove": partial(
            documents.write_documents, ending="jsonl.gz", line_of=documents.datatrove_document
        ),
        "chunks": partial(documents.write_chunks, chunking=wish.chunking or Chunking()),
        "links": write_links,
        "solr": partial(documents.write_documents, ending="jsonl", line_of=documents.solr_document),
        "wet": write_wet_files,
        "wacz": partial(put_texts, packages=wish.packages) if wish.packages else write_packages,
        "bag": write_bag,
    }
    return writers[wish.to](folder, manifest, out)
