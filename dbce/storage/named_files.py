"""Files that a user names, on any store: read as JSON lines, and written whole or not at all."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import fsspec
from fsspec.implementations.local import LocalFileSystem

from dbce.model import StoreError, UsageError
from dbce.storage.folder import Folder, filesystem_of, special

Made = TypeVar("Made")


def json_objects(uri: str, what: str = "gold labels") -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and object of every line that is not blank; `what` names in UsageErrors what the file holds."""
    try:
        with fsspec.open(uri, "rt", encoding="utf-8", compression="infer") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    fields = json.loads(line)
                except ValueError as e:
                    raise UsageError(f"{uri}, line {number}: not JSON ({e})") from e
                if not isinstance(fields, dict):
                    raise UsageError(f"{uri}, line {number}: not a JSON object")
                yield number, fields
    except UnicodeDecodeError as e:
        raise UsageError(f"{uri} is not UTF-8 text: {e}") from e
    except OSError as e:
        raise UsageError(f"cannot read the {what} {uri}: {e.strerror or e}") from e


def read_json_objects(
    uri: str, parse: Callable[[dict[str, Any]], Made], what: str = "gold labels"
) -> Iterator[Made]:
    """Yield what `parse` makes of each object of a file; what it says by a ValueError is said of the line.

    Raises UsageError: as `json_objects`, or a line is not of the kind.
    """
    for number, fields in json_objects(uri, what):
        try:
            made = parse(fields)
        except ValueError as e:
            raise UsageError(f"{uri}, line {number}: {e}") from e
        yield made


def check_writable(uri: str) -> None:
    """Do nothing if a file can be written at a place, as far as that shows before: of a store, whether its bucket is there.

    Raises:
        UsageError: it is a folder, or in none that exists.
        StoreError: the store does not answer.
    """
    fs, path = filesystem_of(uri)
    in_bucket = not path.startswith("/") and "/" in path
    try:
        holder = path.partition("/")[0] if in_bucket else path.rpartition("/")[0] or "/"
        is_possible = not fs.isdir(path) and fs.isdir(holder)
    except Exception as e:  # every kind of store has its own errors
        raise StoreError(f"cannot write {uri}: {' '.join(str(e).split())}") from e
    if not is_possible:
        raise UsageError(f"cannot write {uri}; name a file in an existing folder")


def write_file(uri: str, content: str | bytes) -> None:
    """Write a file that a user named, text as UTF-8: whole or not at all, but into a pipe or a device as it comes.

    Raises:
        UsageError: it cannot be written, or is a folder.
        StoreError: the disk is full.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        fs, path = filesystem_of(uri)
        if isinstance(fs, LocalFileSystem):
            path = os.path.realpath(path)  # a link stays one
        if not path.rpartition("/")[2] or fs.isdir(path):
            raise UsageError(f"{uri} is a folder; name a file")
        if special(path):
            with fs.open(path, "wb") as stream:
                stream.write(data)
        else:
            folder, _, name = path.rpartition("/")
            Folder(fs.unstrip_protocol(folder or "/")).write(name, data)
    except OSError as e:
        failed = StoreError if e.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} else UsageError
        raise failed(f"cannot write {uri}: {e.strerror or e}") from e
