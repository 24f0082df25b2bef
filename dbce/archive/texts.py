"""What `dbce text` is given: archives, single HTML files and standard input, as captures."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.archive.capture import capture, read
from dbce.archive.identity import parse_date
from dbce.archive.selection import EVERYTHING, Selection
from dbce.archive.source import expand
from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.archive.source import Source
    from dbce.config import Config
    from dbce.model import Capture, Dropped

STDIN = "-"
PAGE_ENDINGS = (".html", ".htm", ".xhtml")
ARCHIVES = {
    b"WARC/": ".warc",
    b"\x1f\x8b": ".warc.gz",
    b"\x28\xb5\x2f\xfd": ".warc.zst",
    b"\x5d\x2a\x4d\x18": ".warc.zst",  # a dictionary comes first
    b"PK\x03\x04": ".wacz",
    b"filedesc:": ".arc",
}
"""How archives begin, and what files of that kind are called; anything else is a page."""


@dataclass(frozen=True, slots=True)
class TextInputs:
    """Captures of pages in memory and of archives, which are read anew each time."""

    pages: tuple[Capture, ...]
    sources: tuple[Source, ...]
    config: Config

    def __iter__(self) -> Iterator[Capture | Dropped]:
        yield from self.pages
        for source in self.sources:
            yield from read(source, self.config.limits, verify=self.config.verify)


@contextmanager
def text_inputs(
    inputs: Sequence[str],
    config: Config,
    selection: Selection = EVERYTHING,
    *,
    warc_base: str | None = None,
    url: str | None = None,
    at: str | None = None,
) -> Iterator[TextInputs]:
    """The captures of the inputs: those of `expand`, HTML files, and `-` for either on standard input.

    `url` and `at` say of the one HTML page among them where it is from and of when; otherwise it has
    its path as URL, and is as old as its file.

    Raises:
        UsageError: an input is missing or of no kind that can be read, or `url` or `at` fits no page.
    """
    with tempfile.TemporaryDirectory(prefix="dbce-") as folder:
        named = [_spooled(Path(folder)) if one == STDIN else one for one in inputs]
        files = [one for one in named if one.lower().endswith(PAGE_ENDINGS)]
        if (url or at) and len(files) != 1:
            raise UsageError(f"--url and --at are for one HTML page, and here are {len(files)}")
        archives = [one for one in named if one not in files]
        sources = expand(archives, warc_base, selection) if archives or not inputs else ()
        yield TextInputs(tuple(_page(one, url, at) for one in files), sources, config)


def _spooled(folder: Path) -> str:
    """Standard input as a file, since it is read twice; its name says of what kind it is."""
    path = folder / "stdin"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with path.open("rb") as file:
        start = file.read(16)
    if not start:
        raise UsageError("standard input is empty; give an archive or an HTML page")
    ending = next((e for magic, e in ARCHIVES.items() if start.startswith(magic)), PAGE_ENDINGS[0])
    return str(path.rename(folder / f"stdin{ending}"))


def _page(name: str, url: str | None, at: str | None) -> Capture:
    if at is not None and parse_date(at) is None:
        raise UsageError(f"--at {at} is no time; give up to 14 digits: YYYYMMDDhhmmss")
    path = Path(name)
    try:
        payload = path.read_bytes()
        changed = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    except OSError as e:
        raise UsageError(f"cannot read {name}: {e.strerror}") from e
    return capture(url or path.name, payload, at or changed.isoformat())
