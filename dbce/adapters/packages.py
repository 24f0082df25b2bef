"""Main texts as archives: WET files with their CDXJ, and WACZ, of the run's own or with texts put into those of others."""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from dbce.adapters.documents import documents, made_by
from dbce.archive import PlainText, TextWriter, add_texts, open_binary, surt, verify, verify_package
from dbce.model import Origin, UsageError
from dbce.output import package

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from dbce.output import Manifest
    from dbce.storage import Folder

INDEX = "index.cdxj"

NIGHT = "%2F"
"""What stands between a night and a file of it in the names of a nightly archive."""


def write_wet_files(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a WET file for each input, and beside them the sorted CDXJ of all; the number of texts."""
    origin = made_by(manifest)
    every: list[str] = []
    for table in folder.names("pages/*.parquet"):
        base = table.removeprefix("pages/").removesuffix(".parquet")
        name = f"{base}.dbce.warc.wet.gz"
        lines: list[str] = []
        with out.create(name, partial(verify, lines=lines)) as stream:
            texts = TextWriter(stream, name, origin["dbce_config"], origin["dbce_version"])
            for row in documents(folder, table, manifest, with_empty=True):
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
        every += lines
    out.write(INDEX, "".join(f"{line}\n" for line in sorted(every)).encode())
    return len(every)


def write_packages(folder: Folder, _: Manifest, out: Folder) -> int:
    """Write a WACZ of the annotated pages of each input, with their main texts; the number of texts."""
    count = 0
    for table in folder.names("pages/*.parquet"):
        base = table.removeprefix("pages/").removesuffix(".parquet")
        night, mark, name = base.rpartition(NIGHT)
        index = folder.read(f"warc/{night}{mark}{INDEX}").decode().splitlines()
        lines = [
            line
            for line in index
            if json.loads(line.split(" ", 2)[2])["filename"].startswith(f"{name}.dbce.")
        ]
        count += package(folder, base, lines, out, f"{base}.dbce.wacz")
    return count


class _Texts:
    """The main texts of a run by URL and time."""

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        self._of_url: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
        for table in folder.names("pages/*.parquet"):
            for row in documents(folder, table, manifest):
                self._of_url[row["url_surtkey"]].append((row["fetch_time"], row["text"]))

    def nearest(self, url: str, time: datetime | None) -> str | None:
        """Return the text of the capture of a URL nearest to a time; None if there is none."""
        captures = self._of_url.get(surt(url), [])
        if not captures:
            return None
        return min(captures, key=lambda one: (abs(one[0] - (time or one[0])), one[0]))[1]


def put_texts(folder: Folder, manifest: Manifest, out: Folder, packages: Sequence[str]) -> int:
    """Write packages of others again, with the run's texts in their lists of pages; the number of texts.

    Raises:
        UsageError: one cannot be read, is no package, or lists no page that the run has.
    """
    texts = _Texts(folder, manifest)
    return sum(_put(texts, uri, out) for uri in packages)


def _put(texts: _Texts, uri: str, out: Folder) -> int:
    try:
        source = open_binary(uri)
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e
    with source, out.create(posixpath.basename(uri), verify_package) as stream:
        try:
            count = add_texts(source, stream, texts.nearest)
        except UsageError as e:
            raise UsageError(f"{uri} cannot get texts: {e}") from e
        if not count:
            raise UsageError(
                f"{uri} lists no page that the run has; give the package that was read"
            )
    return count
