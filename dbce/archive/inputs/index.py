"""The captures that an index lists: CDX, CDXJ and columnar ones."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.inputs.cdx import Listed, layout_of, parse_line
from dbce.archive.inputs.own_outputs import finished_runs, outside
from dbce.archive.inputs.stored_text import page_of_text
from dbce.archive.inputs.uri import find, is_folder, open_binary, special_file
from dbce.model import UsageError
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.archive.inputs.selection import Selection

_COLUMNAR = ".parquet"
_ENDINGS = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", _COLUMNAR)
_NUMBERED = re.compile(r"(?:^|/)cdx-\d+\.gz$")  # part of a ZipNum, as Common Crawl calls it

_GZIP = b"\x1f\x8b"
_PIECE = 256 * 1024  # bytes read at a time
_LONGEST = 1024 * 1024  # bytes; a longer line is none of an index
_NAMED = 3  # bad lines that are named; the others are counted


def is_index(uri: str) -> bool:
    """True if the file is called like an index."""
    return uri.endswith(_ENDINGS) or _NUMBERED.search(uri) is not None


def parquet_files(folder: str) -> list[str]:
    """The files of a columnar index in a folder and below it, sorted; tables of runs there are none."""
    files = [file for file in find(folder) if file.endswith(_COLUMNAR)]
    regular = [file for file in files if not special_file(file)]
    return outside(regular, finished_runs(regular, folder))


def listed(uri: str, selection: Selection) -> Iterator[tuple[str, Listed]]:
    """Line and capture, for every one in an index that may be wanted.

    An index is a file, or a folder of Parquet files. What a line says decides; where it does not say
    enough, the record must be asked. Texts that crawlers stored of pages go with their pages. Lines that do not parse are left out with a warning: one bad line
    of ten million must not cost the others.

    Raises:
        UsageError: the index cannot be read to its end, holds nothing, or no line of it parses.
    """
    good = bad = 0
    first = ""
    for where, line in _entries(uri, selection):
        if isinstance(line, Listed):
            good += 1
            if selection.wants(line.url, line.timestamp, line.mime) or is_text_of(line, selection):
                yield where, line
            continue
        bad += 1
        first = first or f"{where}: {line}"
        if bad <= _NAMED:
            LOG.warning("warning: left out: %s: %s", where, line, extra={"file": uri})
    if not good and first:
        raise UsageError(f"the index {uri} has no line that can be read; {first}")
    # What a columnar index leaves out is not seen here.
    if not good and (selection.takes_all or not _is_columnar(uri)):
        raise UsageError(f"the index {uri} lists no capture")
    if bad > _NAMED:
        counts = bad, bad + good, uri
        LOG.warning("warning: left out: %d of %d lines of %s", *counts, extra={"file": uri})


def is_text_of(line: Listed, selection: Selection) -> bool:
    """True if a line is of a text that a crawler stored of a page whose URL is selected, whatever else is."""
    page = page_of_text(line.url or "")
    return page is not None and selection.wants(page, None, None)


def _is_columnar(uri: str) -> bool:
    return uri.endswith(_COLUMNAR) or is_folder(uri)


def _entries(uri: str, selection: Selection) -> Iterator[tuple[str, Listed | ValueError]]:
    if not _is_columnar(uri):
        yield from _lines(uri)
        return
    from dbce.archive.inputs import columnar  # a slow start, and few archives have such an index

    files = parquet_files(uri) if is_folder(uri) else [uri]
    for row in columnar.rows(files, selection):
        yield uri, row


_HEADER = re.compile(r"!(?!\S* [0-9]{14} )")
"""A line that sorts before those of captures, such as `!meta 0 {}`: a URL may begin so too, and has a
time behind it."""


def _lines(uri: str) -> Iterator[tuple[str, Listed | ValueError]]:
    layout = None
    for number, line in _text_lines(uri):
        declared = layout_of(line)
        layout = declared or layout
        if not line or declared or _HEADER.match(line):
            continue
        try:
            entry: Listed | ValueError = parse_line(line, layout)
        except ValueError as e:
            entry = ValueError(f"{e}: {line[:80]!r}")
        yield f"{uri}, line {number}", entry


def _text_lines(uri: str) -> Iterator[tuple[int, str]]:
    try:
        with open_binary(uri) as file:
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            pieces = _unpacked(file) if packed else iter(lambda: file.read(_PIECE), b"")
            for number, line in enumerate(_split(pieces), 1):
                yield (
                    number,
                    line.decode("utf-8", "surrogateescape").rstrip(),
                )  # file names are bytes
    except (OSError, EOFError, zlib.error) as e:
        raise UsageError(f"cannot read the index {uri}: {e}") from e


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    """The content of a file's gzip members; each ends with a line end, which blocks of a ZipNum lack."""
    packed = file.read(_PIECE)
    while packed:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
        last = b""
        while not member.eof:
            if not packed:
                raise EOFError("it breaks off within a gzip member")
            if piece := member.decompress(packed):
                last = piece
                yield piece
            packed = member.unused_data if member.eof else file.read(_PIECE)
        if not last.endswith(b"\n"):
            yield b"\n"
        packed = (packed or file.read(_PIECE)).lstrip(b"\0")  # padding, as gzip passes over it


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text that comes in pieces."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST:
            raise OSError(f"a line of more than {_LONGEST:,} bytes")
    if rest:
        yield rest
