"""Which captures a CDX or CDXJ file lists: file names and offsets."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

from dbce.archive.uri import open_binary
from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDINGS = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")

# The letters of a CDX header: V is the offset in the stored file, g its name.
_LAYOUTS = {9: "N b a m s k r V g", 11: "N b a m s k r M S V g"}


def locations(uri: str) -> Iterator[tuple[int, str, int]]:
    """Line number, file name and offset of every capture that an index lists.

    CDXJ lines are told by their JSON, whatever the file is called.

    Raises:
        UsageError: a line does not parse, or the file cannot be read.
    """
    layout: list[str] | None = None
    separator = " "
    for number, line in _lines(uri):
        if line.split(maxsplit=1)[:1] == ["CDX"]:
            separator = line[0] if line[0] in " \t" else " "
            layout = line.split()[1:]
            continue
        if not line.strip() or line.startswith("!"):  # blank, or the header of a CDXJ
            continue
        try:
            if layout is None and "{" in line:
                name, offset = _from_json(line)
            else:
                name, offset = _from_fields(line, separator, layout)
        except (ValueError, KeyError, TypeError, OverflowError) as e:
            raise UsageError(
                f"{uri}, line {number} is no line of a CDX (9 or 11 fields) "
                f"or CDXJ index: {line[:80]!r}"
            ) from e
        yield number, name, offset


def _lines(uri: str) -> Iterator[tuple[int, str]]:
    try:
        with open_binary(uri) as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            with gzip.open(file) if packed else file as text:
                for number, line in enumerate(text, 1):
                    yield number, line.decode("utf-8", "replace").rstrip("\r\n")
    except (OSError, EOFError) as e:
        raise UsageError(f"cannot read the index {uri}: {e}") from e


def _from_json(line: str) -> tuple[str, int]:
    fields = json.loads(line[line.index("{") :])
    return _checked(str(fields["filename"]), int(fields["offset"]))


def _from_fields(line: str, separator: str, layout: list[str] | None) -> tuple[str, int]:
    fields = line.split(separator)
    letters = layout or _LAYOUTS[len(fields)].split()
    if len(fields) != len(letters):
        raise ValueError(line)
    return _checked(fields[letters.index("g")], int(fields[letters.index("V")]))


def _checked(name: str, offset: int) -> tuple[str, int]:
    if not name or offset < 0:
        raise ValueError(name)
    return name, offset
