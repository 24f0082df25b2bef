"""Files and folders by local path or fsspec URI."""

from __future__ import annotations

import os
import posixpath
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast
from urllib.parse import unquote

from fsspec.implementations.local import LocalFileSystem

from dbce.archive.inputs import wacz
from dbce.model import StoreError, UsageError
from dbce.storage import AHEAD, NEAR, fail, filesystem_of, open_stored, speaks_http, special

if TYPE_CHECKING:
    from collections.abc import Iterator

    import fsspec


WEB = ("http://", "https://")
"""The beginnings of places where to ask for each of a thousand files takes minutes."""


def open_binary(uri: str, ahead: int = AHEAD) -> BinaryIO:
    """An open file to read bytes from, also one inside a WACZ (`crawl.wacz/archive/data.warc.gz`).

    Of a remote file `ahead` bytes more than wanted are asked for at a time.

    Raises:
        FileNotFoundError: it is not there.
        StoreError: it cannot be opened; reading from it may raise the same.
    """
    place = file_of(uri)
    file = open_stored(*filesystem_of(place), place, ahead)
    if place == uri:
        return file
    try:
        return wacz.open_member(file, wacz.parts(uri)[1])
    except BaseException:
        file.close()
        raise


def size(uri: str) -> int:
    """The bytes of a file; 0 of one that is compressed inside a WACZ, which is read as a stream.

    Raises:
        FileNotFoundError: it is not there.
        StoreError: the store does not say.
    """
    place = file_of(uri)
    if place != uri:
        member = wacz.parts(uri)[1]
        with open_binary(place, NEAR) as file:
            return dict(wacz.members(file, (member,))).get(member, 0)
    filesystem, path = filesystem_of(uri)
    with _asked(uri):
        return int(filesystem.size(path) or 0)


def normal(uri: str) -> str:
    """One spelling for one place: an absolute path, or the URI as it is."""
    if uri.startswith("file://"):
        uri = uri.removeprefix("file://")
    if "://" in uri:
        return uri.rstrip("/")
    # Windows writes places with another stroke; fsspec and we with this one everywhere.
    return os.path.abspath(uri).replace(os.sep, "/")  # noqa: PTH100 - resolve() would follow links


def path_of(uri: str) -> str:
    """A place without the query that the address of a file on a web server may have."""
    return uri.partition("?")[0] if uri.startswith(WEB) else uri


def modified(uri: str) -> datetime | None:
    """The time of a file's last change (UTC); None where its store does not say.

    Raises:
        StoreError: the store gives no answer.
    """
    filesystem, path = filesystem_of(uri)
    try:
        with _asked(uri):
            moment = cast("datetime", filesystem.modified(path))
    except NotImplementedError:  # fsspec's answer for a kind of store that keeps no such time
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def state(uri: str) -> str:
    """Size and time of change of a file, which tell it from a changed one, as far as its store says.

    "" if it is not there.
    """
    try:
        stored, changed = size(uri), modified(file_of(uri))
    except (OSError, StoreError):
        return ""
    return f"{stored} bytes, changed {changed}"


def parent(uri: str) -> str:
    return posixpath.dirname(uri)


def join(folder: str, name: str) -> str:
    """A name seen from a folder; an absolute path or URI stays as it is. `..` is gone from it."""
    place = normal(name if "://" in name else posixpath.join(folder, name))
    scheme, mark, rest = place.partition("://")
    if not mark or ".." not in rest.split("/"):
        return place
    store, _, path = rest.partition("/")
    return f"{scheme}://{store}{posixpath.normpath(f'/{path}')}"


def is_below(place: str, folder: str) -> bool:
    """True if a place is in a folder or below it; a URI, if both are in the same store.

    A store is what a scheme and a host, or a bucket, name. A URI that goes upwards is below nothing:
    what a server makes of that nobody knows.
    """
    if "://" not in place:
        return "://" not in folder and place.startswith(f"{folder.rstrip('/')}/")
    return _store(place) == _store(folder) and ".." not in unquote(place).split("/")


def _store(uri: str) -> str:
    scheme, mark, rest = uri.partition("://")
    return f"{scheme}{mark}{rest.partition('/')[0]}".lower() if mark else ""


def special_file(uri: str) -> str | None:
    """The kind of a place on a local disk that is neither file nor folder ("a fifo"); else None."""
    place = file_of(uri)
    filesystem, path = filesystem_of(place)
    if not isinstance(filesystem, LocalFileSystem):
        return None
    leads_nowhere = Path(path).is_symlink() and not Path(path).exists()
    return "a link that leads nowhere" if leads_nowhere else special(path)


def file_of(uri: str) -> str:
    """The file that a place is in: of what is inside a WACZ the WACZ, of any other the place itself."""
    place, member = wacz.parts(uri)
    return uri if not member or is_folder(place) else place


def exists(uri: str) -> bool:
    """True if there is such a file or folder; of what is inside a WACZ, if there is the WACZ."""
    place = file_of(uri)
    filesystem, path = filesystem_of(place)
    with _asked(place):
        if not speaks_http(filesystem):
            return bool(filesystem.exists(path))
    return _header(filesystem, path) is not None


def check_there(uri: str) -> None:
    """Do nothing if a file is there that was there before.

    Raises:
        StoreError: it has vanished, which says nothing about what it holds.
    """
    if not exists(uri):
        raise StoreError(
            f"{uri} has vanished; finished work is kept: bring it back, then continue with --resume"
        )


def is_folder(uri: str) -> bool:
    filesystem, path = filesystem_of(uri)
    if speaks_http(filesystem):
        header = _header(filesystem, path)
        if header is None or header.get("mimetype", "text/html") != "text/html":
            return False
    with _asked(uri):
        return bool(filesystem.isdir(path))


def _header(filesystem: fsspec.AbstractFileSystem, path: str) -> dict[str, object] | None:
    """The answer of an HTTP server on a file, without the file, which fsspec would ask for; None: gone."""
    try:
        with _asked(path):
            return dict(filesystem.info(path))
    except FileNotFoundError:
        return None


def find(folder: str) -> list[str]:
    """All files below a folder, sorted.

    Raises:
        UsageError: a folder cannot be read.
    """
    filesystem, path = filesystem_of(folder)
    try:
        with _asked(folder):
            files = [
                f"{place}/{name}"
                for place, _, names in filesystem.walk(path, on_error="raise")
                for name in names
            ]
    except (FileNotFoundError, StoreError) as e:
        if isinstance(filesystem, LocalFileSystem):
            raise UsageError(f"cannot read the folder {folder}: {e.__cause__ or e}") from e
        raise
    return sorted(_as_given(filesystem, file) for file in files)


def glob(pattern: str) -> list[str]:
    """The files that match a pattern, sorted."""
    filesystem, path = filesystem_of(pattern)
    with _asked(pattern):
        return sorted(_as_given(filesystem, file) for file in filesystem.glob(path))


def read_names(uri: str) -> str:
    """The text of a small file of names, which are bytes (`dbce.model.byte_names`).

    Raises:
        UsageError: it is missing, or holds what no name does.
    """
    try:
        with open_binary(uri) as file:
            return file.read().decode("utf-8", "surrogateescape")
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e}") from e


@contextmanager
def _asked(uri: str) -> Iterator[None]:
    """Lets a store's errors in the block be errors of this project."""
    try:
        yield
    except (
        NotImplementedError
    ):  # fsspec's answer for what a kind of store cannot tell: no failure of it
        raise
    except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
        fail(uri, e)


def _as_given(filesystem: fsspec.AbstractFileSystem, path: str) -> str:
    full = filesystem.unstrip_protocol(path)
    return str(full).removeprefix("file://")
