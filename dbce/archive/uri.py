"""Files and folders by local path or fsspec URI."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING, BinaryIO, cast

import fsspec
from fsspec.core import url_to_fs

from dbce.errors import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


def open_binary(uri: str, mode: str = "rb") -> AbstractContextManager[BinaryIO]:
    """An open file to read or write bytes.

    Raises:
        OSError: it cannot be opened.
    """
    return cast("AbstractContextManager[BinaryIO]", fsspec.open(uri, mode).open())


def normal(uri: str) -> str:
    """One spelling for one place: an absolute path, or the URI as it is."""
    if uri.startswith("file://"):
        uri = uri.removeprefix("file://")
    return uri.rstrip("/") if "://" in uri else os.path.abspath(uri)  # noqa: PTH100 - resolve() would follow links


def parent(uri: str) -> str:
    return posixpath.dirname(uri)


def join(folder: str, name: str) -> str:
    """A name seen from a folder; an absolute path or URI stays as it is."""
    return normal(name if "://" in name else posixpath.join(folder, name))


def exists(uri: str) -> bool:
    filesystem, path = _filesystem(uri)
    return bool(filesystem.exists(path))


def is_folder(uri: str) -> bool:
    filesystem, path = _filesystem(uri)
    return bool(filesystem.isdir(path))


def find(folder: str) -> list[str]:
    """All files below a folder, sorted.

    Raises:
        UsageError: a folder cannot be read.
    """
    filesystem, path = _filesystem(folder)
    try:
        files = [
            f"{place}/{name}"
            for place, _, names in filesystem.walk(path, on_error="raise")
            for name in names
        ]
    except OSError as e:
        raise UsageError(f"cannot read the folder {folder}: {e.strerror or e}") from e
    return sorted(_as_given(filesystem, file) for file in files)


def glob(pattern: str) -> list[str]:
    """The files that match a pattern, sorted."""
    filesystem, path = _filesystem(pattern)
    return sorted(_as_given(filesystem, file) for file in filesystem.glob(path))


def read_text(uri: str) -> str:
    """The text of a small file.

    Raises:
        UsageError: it is missing or is not UTF-8.
    """
    try:
        with open_binary(uri) as file:
            return file.read().decode("utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"cannot read {uri}: {e}") from e


def _filesystem(uri: str) -> tuple[fsspec.AbstractFileSystem, str]:
    try:
        filesystem, path = url_to_fs(uri)
    except (ImportError, ValueError) as e:
        raise UsageError(f"cannot open {uri}: {e}") from e
    return filesystem, path


def _as_given(filesystem: fsspec.AbstractFileSystem, path: str) -> str:
    full = filesystem.unstrip_protocol(path)
    return str(full).removeprefix("file://")
