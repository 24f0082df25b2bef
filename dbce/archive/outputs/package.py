"""A WACZ: a WARC file, its index and the texts of its pages in one zip, as players read it.

The form is that of https://specs.webrecorder.net/wacz/1.1.1/. The index is compressed in blocks and
has an index of its own, as py-wacz writes it: for one page a player reads a few kilobytes of it.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from io import BytesIO
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any, BinaryIO, cast
from zipfile import ZIP64_LIMIT, ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from dbce.archive.records.identity import iso, parse_date
from dbce.model import StoreError, UsageError

_VERSION = "1.1.1"  # of the specification
_ZIPPED_AT = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say: equal inputs, equal bytes
_BLOCK = 1024  # lines of the index that are compressed together; py-wacz takes as many
_PIECE = 1024 * 1024  # bytes copied at a time
_MANIFEST, _DIGEST = "datapackage.json", "datapackage-digest.json"
_PAGES = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": True}
_NO_DATA = b"\xbc\xdb\0\0"  # an extra field of no known kind, and empty


def write_package(
    stream: BinaryIO,
    warc: BinaryIO,
    lines: Iterable[str],
    pages: Iterable[Mapping[str, Any]],
    *,
    name: str,
    software: str,
) -> None:
    """Writes a package of a WARC file, its CDXJ lines and its pages to an open stream; equal arguments give equal bytes.

    The stream is only written on, never sought in. `pages` are rows of the table that a run has of them. `name` is the base name of the WARC file, which ends in `.warc.gz`,
    `software` what made all this.
    """
    index, blocks = _index(sorted(lines))
    with _Package(stream) as package, TemporaryFile() as texts:
        package.add(f"archive/{name}", warc)
        package.add("indexes/index.cdx.gz", BytesIO(index))
        package.add("indexes/index.idx", BytesIO(blocks), ZIP_DEFLATED)
        texts.write(_json_line(_PAGES))
        for page in pages:
            entry = {"id": page["record_id"], "url": page["url"], "ts": iso(page["fetch_time"])}
            texts.write(_json_line(entry | {"title": page["title"] or "", "text": page["text"]}))
        package.add("pages/pages.jsonl", cast("BinaryIO", texts), ZIP_DEFLATED)
        about = {"profile": "data-package", "wacz_version": _VERSION}
        title = name.removesuffix(".warc.gz")
        package.add_manifest(about | {"title": title, "software": software})


def add_texts(
    source: BinaryIO, stream: BinaryIO, text_of: Callable[[str, datetime | None], str | None]
) -> int:
    """Write a package of somebody's with main texts in its lists of pages; the number of pages that get one.

    All else is as it was, but for the digests and for a signature, which would be of another file. `text_of` is
    asked for the text of a URL at a time.
    Raises UsageError: the source is no package.
    """
    count = 0
    try:
        with ZipFile(source) as original, _Package(stream) as package:
            manifest = json.loads(original.read(_MANIFEST))
            for info in original.infolist():
                if info.is_dir() or info.filename in (_MANIFEST, _DIGEST):
                    continue
                with original.open(info) as file, TemporaryFile() as pages:
                    if not re.fullmatch(r"pages/[^/]+\.jsonl", info.filename):
                        package.add(info.filename, cast("BinaryIO", file), info.compress_type)
                        continue
                    for line in file:
                        entry, is_told = _with_text(json.loads(line), text_of)
                        pages.write(_json_line(entry))
                        count += is_told
                    package.add(info.filename, cast("BinaryIO", pages), info.compress_type)
            package.add_manifest(manifest)
    except (BadZipFile, KeyError, ValueError, zlib.error) as e:
        raise UsageError(f"it is no WACZ ({e})") from e
    return count


def _with_text(
    entry: dict[str, Any], text_of: Callable[[str, datetime | None], str | None]
) -> tuple[dict[str, Any], bool]:
    """A line of a list of pages with the main text of its page, where there is one; the first line is a header."""
    if "url" not in entry:
        return entry | {"hasText": True}, False
    text = text_of(entry["url"], parse_date(str(entry.get("ts", ""))))
    return (entry, False) if text is None else (entry | {"text": text}, True)


def verify_package(stream: BinaryIO) -> None:
    """Reads a package once; a StoreError if it is none, or a file is not what its manifest says of it."""
    try:
        with ZipFile(stream) as stored:
            seals = json.loads(stored.read(_DIGEST))
            manifest = stored.read(_MANIFEST)
            whole = seals["hash"] == _sha256(manifest) and all(
                _is_sealed(stored, resource) for resource in json.loads(manifest)["resources"]
            )
    except (BadZipFile, KeyError, ValueError, zlib.error) as e:
        raise StoreError(f"{_OTHERWISE} ({e})") from e
    if not whole:
        raise StoreError(_OTHERWISE)


_OTHERWISE = (
    "a package does not read back as it was written; see what is wrong with the file system"
)


def _is_sealed(stored: ZipFile, resource: dict[str, Any]) -> bool:
    with stored.open(resource["path"]) as file:
        digest = hashlib.file_digest(cast("Any", file), "sha256").hexdigest()
        return (resource["hash"], resource["bytes"]) == (f"sha256:{digest}", file.tell())


class _Package(AbstractContextManager["_Package"]):
    """A zip that grows by files, and knows their digests."""

    def __init__(self, stream: BinaryIO) -> None:
        # What can only be written on: zipfile then gives the same bytes on all streams.
        unseekable = SimpleNamespace(write=stream.write, flush=stream.flush)
        self._zip = ZipFile(cast("BinaryIO", unseekable), "w")
        self._resources: list[dict[str, str | int]] = []

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def add(self, path: str, source: BinaryIO, compression: int = ZIP_STORED) -> None:
        size = source.seek(0, 2)
        source.seek(0)
        digest = hashlib.sha256()
        with self._zip.open(_zip_info(path, size, compression), "w") as file:
            while piece := source.read(_PIECE):
                digest.update(piece)
                file.write(piece)
        self._resources.append(
            {
                # The Frictionless specification allows these characters alone.
                "name": re.sub(r"[^a-z0-9._-]", "-", path.rpartition("/")[2].lower()),
                "path": path,
                "hash": f"sha256:{digest.hexdigest()}",
                "bytes": size,
            }
        )

    def add_manifest(self, about: Mapping[str, Any]) -> None:
        """Adds what says of all files what they are, behind `about` itself, and the digest of that."""
        manifest = {**about, "resources": self._resources}
        text = json.dumps(manifest, indent=1).encode()
        digest = {"path": _MANIFEST, "hash": _sha256(text)}
        for path, data in ((_MANIFEST, text), (_DIGEST, json.dumps(digest).encode())):
            self._zip.writestr(_zip_info(path, len(data), ZIP_DEFLATED), data)


def _zip_info(path: str, size: int, compression: int) -> ZipInfo:
    info = ZipInfo(path, _ZIPPED_AT)
    info.compress_type = compression
    info.create_system = 3  # Unix, wherever this runs
    info.external_attr = 0o644 << 16
    info.file_size = size
    if size * 1.05 > ZIP64_LIMIT:
        # From here on zipfile puts an extra field before the file, but not always into the
        # directory; wabac.js finds the file by the latter alone unless that has one too.
        info.extra = _NO_DATA
    return info


def _index(lines: list[str]) -> tuple[bytes, bytes]:
    """Sorted CDXJ lines in compressed blocks, and the index of these."""
    blocks = bytearray()
    head = json.dumps({"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})
    entries = [f"!meta 0 {head}\n"]
    for start in range(0, len(lines), _BLOCK):
        of_block = lines[start : start + _BLOCK]
        block = zlib.compress("".join(f"{line}\n" for line in of_block).encode(), wbits=31)
        place = {"offset": len(blocks), "length": len(block), "digest": _sha256(block)}
        entries.append(f"{of_block[0].partition(' {')[0]} {json.dumps(place)}\n")
        blocks += block
    return bytes(blocks), "".join(entries).encode()


def _json_line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
