"""Finding lines of a sorted CDXJ file by bisection: a few reads, however long it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.inputs.uri import open_binary

if TYPE_CHECKING:
    from collections.abc import Iterator


def lines_of(uri: str, surt: str, timestamp: str) -> Iterator[tuple[str, int]]:
    """(file name, offset) of all lines with this sort key and 14-digit timestamp.

    Raises:
        OSError: the file cannot be read.
    """
    key = f"{surt} {timestamp} ".encode()
    with open_binary(uri) as file:
        file.seek(_first(file, key))
        for line in file:
            if not line.startswith(key):
                return
            fields = json.loads(line[len(key) :])
            yield str(fields["filename"]), int(fields["offset"])


def _first(file: BinaryIO, key: bytes) -> int:
    """Where the first line begins that is not less than the key."""
    low, high = 0, file.seek(0, 2)
    while low < high:
        middle = (low + high) // 2
        file.seek(max(0, middle - 1))
        if middle:
            file.readline()  # the line that begins before, or its end
        start = file.tell()
        line = file.readline()
        if line and line < key:
            low = start + len(line)
        else:
            high = middle
    return low
