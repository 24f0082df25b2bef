"""A stored file to read, wherever it lies: what fails there is told from what is damaged in it."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from io import DEFAULT_BUFFER_SIZE, BufferedReader, FileIO, RawIOBase, UnsupportedOperation
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any, Never

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from dbce.model import StoreError, UsageError, missing_extra
from dbce.progress import heard

if TYPE_CHECKING:
    import fsspec
    from fsspec import AbstractFileSystem

AHEAD = 4 * 1024 * 1024  # bytes asked of a store at once by who reads from front to back
NEAR = 256 * 1024  # the same by who reads single records; most have less
_BUFFER = 64 * 1024  # bytes read from a local disk at once
_GONE = (404, 410)  # what an HTTP server says of a file that it does not have
_SPECIAL = {
    stat.S_IFIFO: "a fifo",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class Stored(RawIOBase):
    """An open file; a failure of the store, in the middle too, is a StoreError.

    Only a file that is not there stays an OSError: that is no failure, and lasts.
    """

    def __init__(self, file: Any, uri: str) -> None:
        self._file = file
        self._uri = uri

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
            fail(self._uri, e)
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        try:  # which asks no store for anything
            return int(self._file.seek(offset, whence))
        except ValueError as e:  # what fsspec says where files say EINVAL
            raise OSError(errno.EINVAL, str(e)) from e

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        self._file.close()
        super().close()


def open_stored(
    filesystem: AbstractFileSystem, path: str, uri: str, ahead: int = AHEAD
) -> BufferedReader:
    """The open file. Of a remote one `ahead` bytes more than wanted are asked for at a time.

    Raises:
        FileNotFoundError: it is not there.
        UnsupportedOperation: it is a fifo, a socket or a device.
        StoreError: it cannot be opened.
    """
    try:
        if isinstance(filesystem, LocalFileSystem):
            if kind := special(path):
                raise UnsupportedOperation(f"{uri} is {kind}, which is never opened")  # noqa: TRY301 - as of a folder
            return buffered(Stored(FileIO(path), uri), _BUFFER)
        file = filesystem.open(path, "rb", block_size=ahead, cache_type="readahead")
        if speaks_http(filesystem) and not _reads_by_range(file):
            file = _fetched(filesystem, path)
    except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
        fail(uri, e)
    return buffered(Stored(file, uri), _BUFFER)


def buffered(raw: RawIOBase, size: int = DEFAULT_BUFFER_SIZE) -> BufferedReader:
    """A file that is read through a buffer of `size` bytes.

    Raises:
        KeyboardInterrupt: a Ctrl-C came while Python asked the file where it stands, and was dropped there.
    """
    with heard():
        return BufferedReader(raw, size)


def special(path: str) -> str | None:
    """Return the kind of a local path that blocks or acts on opening, as "a fifo"; else None.

    Links are followed.
    """
    try:
        return _SPECIAL.get(stat.S_IFMT(os.stat(path).st_mode))  # noqa: PTH116 - a plain string
    except (OSError, ValueError):  # it is not there; no path has such signs
        return None


def speaks_http(filesystem: AbstractFileSystem) -> bool:
    return "http" in tuple(filesystem.protocol)


def _reads_by_range(file: Any) -> bool:
    """Return whether the server gives any part of the file; servers need not."""
    try:
        if file.seek(0, 2):
            file.seek(-1, 2)
            file.read(1)
        file.seek(0)
    except ValueError:  # what fsspec says of such a server
        return False
    return True


def _fetched(filesystem: AbstractFileSystem, path: str) -> Any:
    """A copy of the whole file, which is gone when it is closed."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - who reads it closes it
    try:
        with filesystem.open(path, "rb", block_size=0) as stream:
            copyfileobj(stream, copy)
        copy.seek(0)
    except BaseException:
        copy.close()
        raise
    return copy


def fail(uri: str, error: Exception) -> Never:
    """Raises what a store's error means.

    Raises:
        OSError: there is no such file, for good.
        StoreError: anything else, in one sentence.
    """
    if _is_excuse(error) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    if isinstance(error, (FileNotFoundError, IsADirectoryError, UnsupportedOperation, StoreError)):
        raise error
    strerror = error.strerror if isinstance(error, OSError) else None
    said = " ".join(str(strerror or error or type(error).__name__).split())
    raise StoreError(
        f"{uri} cannot be read: {said}; finished work is kept: fix that, then continue with --resume"
    ) from error


def _is_excuse(error: Exception) -> bool:
    """Return whether a missing file is only fsspec's word for a server that gave no answer."""
    cause = error.__cause__ if isinstance(error, FileNotFoundError) else None
    of_http = type(cause).__module__.partition(".")[0] == "aiohttp"
    return of_http and getattr(cause, "status", None) not in _GONE


def filesystem_of(uri: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """The file system that a place is on, and what the place is called there.

    Raises:
        UsageError: no such file system is known, or what it needs is not installed.
    """
    try:
        filesystem, path = url_to_fs(uri)
    except (ImportError, ValueError) as e:
        raise missing_extra(uri, e) or UsageError(f"cannot open {uri}: {e}") from e
    return filesystem, path
