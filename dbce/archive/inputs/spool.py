"""Standard input as a file: a run reads twice, and what comes through a pipe can be read once."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dbce.archive.inputs.file_kinds import lz4_sentence
from dbce.archive.records import looks_html
from dbce.model import StoreError, UsageError

if TYPE_CHECKING:
    from typing import BinaryIO

STANDARD_INPUT = "-"

_HEAD = 4 * 1024  # bytes that tell what comes
_ENDINGS = (
    (b"\x1f\x8b", ".warc.gz"),
    (b"\x28\xb5\x2f\xfd", ".warc.zst"),
    (b"\x5d\x2a\x4d\x18", ".warc.zst"),  # the dictionary that such a file may begin with
    (b"PK\x03\x04", ".wacz"),
)
_LZ4 = b"\x04\x22\x4d\x18"  # not read, but told by a sentence that helps

_spooled: list[TemporaryDirectory[str]] = []


def spooled(stream: BinaryIO | None = None) -> str:
    """The path of a file that holds all of standard input, with an ending that says what it is.

    It stays until `remove_spooled`, or until the process ends.

    Raises:
        UsageError: nothing comes, or what cannot be read.
        StoreError: there is no room for it.
    """
    stream = stream or sys.stdin.buffer
    if stream.isatty():
        raise UsageError("standard input is a terminal; pipe an archive into it, or name a file")
    head = stream.read(_HEAD)
    if not head:
        raise UsageError("nothing came on standard input; an archive or an HTML page was expected")
    if head.startswith(_LZ4):
        raise UsageError(lz4_sentence("standard input"))
    ending = next((ending for magic, ending in _ENDINGS if head.startswith(magic)), "")
    folder = TemporaryDirectory(prefix="dbce-")
    _spooled.append(folder)
    path = f"{folder.name}/stdin{ending or ('.html' if looks_html(head) else '.warc')}"
    try:
        with Path(path).open("wb") as file:
            file.write(head)
            copyfileobj(stream, file)
    except OSError as e:
        raise StoreError(
            f"standard input cannot be kept in {folder.name}: {e.strerror or e}; make room, or let "
            "TMPDIR name a folder that has some"
        ) from e
    return path


def is_spooled(path: str) -> bool:
    """True if the file is that in which standard input is kept."""
    return any(path.startswith(f"{folder.name}/") for folder in _spooled)


def remove_spooled() -> None:
    """Removes the files in which standard input is kept."""
    while _spooled:
        _spooled.pop().cleanup()
