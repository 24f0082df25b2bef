"""Stored files and folders on any file system that fsspec knows: read from anywhere, and written whole or not at all."""

from __future__ import annotations

import errno
import glob
import hashlib
import os
import stat
import tempfile
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import DEFAULT_BUFFER_SIZE, BufferedReader, FileIO, RawIOBase, UnsupportedOperation
from shutil import copyfileobj
from typing import Any, BinaryIO, NamedTuple, Never, cast
from uuid import uuid4

import fsspec
from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem
from fsspec.spec import AbstractBufferedFile

from dbce.model import StoreError, UsageError, interrupts_kept, missing_extra, speakable

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


class RawFile(RawIOBase):
    """A file that is read through another, from which `_read` takes up to so many bytes, and which is closed with it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()

    @abstractmethod
    def _read(self, count: int) -> bytes:
        """Up to so many bytes from the place where the file stands; none at its end."""


class StoredFile(RawFile):
    """An open file; a failure of the store, in the middle too, is a StoreError.

    Only a file that is not there stays an OSError: that is no failure, and lasts.
    """

    def __init__(self, file: Any, uri: str) -> None:
        super().__init__(file)
        self._uri = uri

    def _read(self, count: int) -> bytes:
        try:
            return cast("bytes", self._file.read(count))
        except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
            fail(self._uri, e)

    def seek(self, offset: int, whence: int = 0) -> int:
        try:  # which asks no store for anything
            return int(self._file.seek(offset, whence))
        except ValueError as e:  # what fsspec says where files say EINVAL
            raise OSError(errno.EINVAL, str(e)) from e

    def tell(self) -> int:
        return int(self._file.tell())


def open_stored(uri: str, ahead: int = AHEAD) -> BufferedReader:
    """The open file. Of a remote one `ahead` bytes more than wanted are asked for at a time.

    Raises:
        FileNotFoundError: it is not there.
        UnsupportedOperation: it is a fifo, a socket or a device.
        StoreError: it cannot be opened.
    """
    filesystem, path = filesystem_of(uri)
    try:
        if isinstance(filesystem, LocalFileSystem):
            if kind := special(path):
                raise UnsupportedOperation(f"{uri} is {kind}, which is never opened")  # noqa: TRY301 - as of a folder
            return buffered_reader(StoredFile(FileIO(path), uri), _BUFFER)
        file = filesystem.open(path, "rb", block_size=ahead, cache_type="readahead")
        if speaks_http(filesystem) and not _reads_by_range(file):
            file = _fetch(filesystem, path)
    except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
        fail(uri, e)
    return buffered_reader(StoredFile(file, uri), _BUFFER)


def buffered_reader(raw: RawIOBase, size: int = DEFAULT_BUFFER_SIZE) -> BufferedReader:
    """A buffered file; a Ctrl-C that came while Python asked the file where it stands is a KeyboardInterrupt here."""
    with interrupts_kept():
        return BufferedReader(raw, size)


def special(path: str) -> str | None:
    """Return the kind of a local path, links followed, that blocks or acts on opening, as "a fifo"; else None."""
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


def _fetch(filesystem: AbstractFileSystem, path: str) -> Any:
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
    """Raises what a store's error means: an OSError where there is no such file for good, else a StoreError."""
    if _is_excuse(error) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    if isinstance(error, (FileNotFoundError, IsADirectoryError, UnsupportedOperation, StoreError)):
        raise error
    strerror = error.strerror if isinstance(error, OSError) else None
    message = " ".join(str(strerror or error or type(error).__name__).split())
    raise StoreError(f"{uri} cannot be read: {message}; fix that") from error


def _is_excuse(error: Exception) -> bool:
    """Return whether a missing file is only fsspec's word for a server that gave no answer."""
    cause = error.__cause__ if isinstance(error, FileNotFoundError) else None
    of_http = type(cause).__module__.partition(".")[0] == "aiohttp"
    return of_http and getattr(cause, "status", None) not in _GONE


def filesystem_of(uri: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """The file system of a place, and what the place is called there; a UsageError if none such is known or installed."""
    if uri.startswith("/") and "::" in uri:  # a path, behind which fsspec would look
        return LocalFileSystem(), uri
    try:
        filesystem, path = url_to_fs(uri)
    except (ImportError, ValueError) as e:
        raise missing_extra(uri, e) or UsageError(f"cannot open {uri}: {e}") from e
    except OSError as e:  # of Hadoop's client, at the length of all places where it looked for Java
        detail = str(e).partition("dlopen(")[0].strip()
        if uri.startswith("hdfs"):
            detail += "; it needs Java (JAVA_HOME), Hadoop's libhdfs.so (HADOOP_HOME), and CLASSPATH as `hadoop classpath --glob` prints it"
        raise UsageError(f"cannot open {uri}: {detail}") from e
    return filesystem, path


# Files appear whole or not at all: a file is on the disk before it takes its name, and its name
# before the call that wrote it ends. What one file says of another, as a mark says that a unit is
# done, holds after a power cut too, if the disk keeps what it has confirmed. An object store has a whole file or none when the call
# that closes it ends; dbce adds nothing to what it promises.


class Digest(NamedTuple):
    """The size of a file in bytes, and its SHA-256 in hexadecimal digits."""

    size: int
    sha256: str


class Folder:
    """A folder by its path or URI; names are relative to it.

    Raises UsageError: no such file system is known or installed; or its name is no UTF-8, as that of an archive may
    be, but the libraries that read tables know no other.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.fs, self.path = filesystem_of(uri)
        self._written: dict[str, Digest] = {}
        if speakable(self.path) != self.path:
            raise UsageError(f"the folder {self.path} has a name that is no UTF-8; give it another")

    def full_path(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"

    def name_of(self, path: str) -> str:
        return path[len(self.path.rstrip("/")) + 1 :]

    @property
    def renames(self) -> bool:
        """Return whether a whole folder can be moved at once; elsewhere its files are copied one after the other."""
        return "file" in self.fs.protocol  # one name, or several

    @contextmanager
    def create(
        self, name: str, check: Callable[[BinaryIO], None] | None = None, *, lasting: bool = True
    ) -> Iterator[BinaryIO]:
        """A stream to a new file that takes its name when the block ends without an error.

        Until then it has a name with a leading dot, which readers of Parquet folders pass over, and which no other process
        uses that writes the same file. `check` reads what is stored before it takes its name, and raises if that is not what
        was written; its size is checked always. What is not `lasting` may be cut short or gone after a power cut: its reader
        must see that, and do without it. Raises StoreError: it is stored with another size than it was written with.
        """
        folder, _, base = self.full_path(name).rpartition("/")
        draft = f"{folder}/.{base[:50]}.{uuid4().hex}.draft"
        self.make(folder)
        try:
            with self.fs.open(draft, "wb") as stream:
                writer = _HashingWriter(stream)
                try:
                    yield cast("BinaryIO", writer)
                except BaseException:
                    self._abort(stream)
                    raise
                digest = writer.digest()
                if self.renames and lasting:
                    stream.flush()
                    os.fsync(stream.fileno())
            self._check_size(draft, digest.size)
            if check is not None:
                with self.fs.open(draft, "rb") as stream:
                    check(cast("BinaryIO", stream))
        except BaseException:
            with suppress(OSError):  # what went wrong before is what matters
                self.fs.rm_file(draft)
            raise
        self.fs.mv(draft, self.full_path(name))
        self._written[name] = digest
        if lasting:
            self.sync(folder)

    def _abort(self, stream: Any) -> None:
        """End an upload to a store, which would else store what was written of the file, or keep its parts."""
        if not self.renames and isinstance(stream, AbstractBufferedFile):
            with suppress(Exception):  # what went wrong before is what matters
                stream.discard()
            stream.closed = True

    def take_digests(self) -> dict[str, Digest]:
        """The digests of the files written through this object since the last call, by name."""
        written, self._written = self._written, {}
        return written

    def make(self, path: str) -> None:
        """Make a folder, by its full path, and those above it; their names are on the disk when the call ends."""
        missing = self.missing(path) if self.renames else []  # elsewhere each is a request
        self.fs.makedirs(path, exist_ok=True)
        for made in missing:
            self.sync(made.rpartition("/")[0])

    def sync(self, path: str) -> None:
        """Wait until the names in a folder, by its full path, are on the disk; on stores that have no folders, do nothing."""
        if not self.renames or os.name == "nt":  # where a folder cannot be opened
            return
        handle = os.open(path or "/", os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as e:
            if e.errno not in {errno.EINVAL, errno.ENOTSUP}:  # there is nothing to wait for
                raise
        finally:
            os.close(handle)

    def _check_size(self, path: str, written: int) -> None:
        stored = self.fs.size(path)
        if stored != written:
            raise StoreError(
                f"{path} was stored with {stored} of {written} bytes; see what is wrong with the file system"
            )

    def remove_drafts(self) -> None:
        """Removes what processes that died have left of files they were writing."""
        for draft in self.fs.glob(f"{glob.escape(self.path.rstrip('/'))}/**/.*.draft"):
            self.fs.rm_file(draft)

    def write(self, name: str, data: bytes) -> None:
        with self.create(name) as stream:
            stream.write(data)

    def create_once(self, name: str, data: bytes) -> bool:
        """Writes a file if it is not there yet; whether this call did: of several callers a local disk and S3 let one win."""
        self.fs.makedirs(self.path, exist_ok=True)
        try:
            stream = self.fs.open(self.full_path(name), "xb")
        except FileExistsError:
            return False
        try:
            with stream:
                stream.write(data)
        except FileExistsError:  # some file systems find out when they close it
            return False
        except BaseException:
            self.remove(name)
            raise
        return True

    def read(self, name: str) -> bytes:
        """All bytes of a file; OSErrors are passed on."""
        return cast("bytes", self.fs.cat_file(self.full_path(name)))

    def check(self, name: str, *, verify: bool = False) -> None:
        """Raise a UsageError if a file is not as written, by its size and, if it is small or to `verify`, its digest."""

    def copy(self, name: str, target: Folder, new_name: str = "") -> None:
        with (
            self.fs.open(self.full_path(name), "rb") as old,
            target.create(new_name or name) as new,
        ):
            copyfileobj(old, new, 1 << 20)

    def entries(self) -> list[str]:
        if not self.fs.exists(self.path):
            return []
        paths = self.fs.ls(self.path, detail=False)
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def names(self, pattern: str) -> list[str]:
        """The names that match a glob pattern, sorted; drafts are not among them."""
        paths = self.fs.glob(f"{glob.escape(self.path.rstrip('/'))}/{pattern}")
        return sorted(name for name in map(self.name_of, paths) if "/." not in f"/{name}")

    def exists(self, name: str) -> bool:
        return bool(self.fs.exists(self.full_path(name)))

    def subfolder(self, name: str) -> Folder:
        return Folder(f"{self.uri.rstrip('/')}/{name}")

    def missing(self, path: str | None = None) -> list[str]:
        """Paths of a folder, by default this one, and of those above it that are not there; the innermost first."""
        paths, place = [], (path or self.path).rstrip("/")
        while place and not self.fs.exists(place):
            paths.append(place)
            place = place.rpartition("/")[0]
        return paths

    def is_possible(self) -> bool:
        """Return whether this is a folder or can become one: no file is in its place or above."""
        missing = self.missing()
        place = (missing[-1] if missing else f"{self.path.rstrip('/')}/").rpartition("/")[0]
        return not place or bool(self.fs.isdir(place))

    def remove(self, name: str) -> None:
        """Removes a file or a whole folder, if it is there."""
        if self.fs.exists(self.full_path(name)):
            self.fs.rm(self.full_path(name), recursive=True)


class _HashingWriter:
    """A new file that is hashed while it is written, from front to back."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._sha256 = hashlib.sha256()
        self._size = 0

    def write(self, data: Any) -> int:
        self._sha256.update(data)
        self._size += memoryview(data).nbytes
        return int(self._stream.write(data))

    def digest(self) -> Digest:
        return Digest(self._size, self._sha256.hexdigest())

    def seekable(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        if name in {"seek", "truncate", "writelines"}:
            raise AttributeError(f"{name}: a file with a digest is written from front to back")
        return getattr(self._stream, name)
