"""Input files: by local path or fsspec URI, inside a WACZ or through a pipe; and which are not to be read."""

import os
import posixpath
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from itertools import compress
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import BinaryIO, cast
from urllib.parse import unquote

from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

from dbce import storage
from dbce.archive.inputs.wacz import ENDING, members, open_member, parts
from dbce.archive.records.answer import looks_html
from dbce.archive.records.record import Record, records
from dbce.model import LOG, StoreError, UsageError

# The beginnings of places where to ask for each of a thousand files takes minutes.
WEB = ("http://", "https://")


def open_binary(uri: str, ahead: int = storage.AHEAD) -> BinaryIO:
    """An open file to read bytes from, also one inside a WACZ (`crawl.wacz/archive/data.warc.gz`).

    Of a remote file `ahead` bytes more than wanted are asked for at a time.

    Raises:
        FileNotFoundError: it is not there.
        StoreError: it cannot be opened; reading from it may raise the same.
    """
    place = file_of(uri)
    file = storage.open_stored(place, ahead)
    if place == uri:
        return file
    try:
        return open_member(file, parts(uri)[1])
    except BaseException:
        file.close()
        raise


def size(uri: str) -> int:
    """The bytes of a file; 0 of one that is compressed inside a WACZ, which is a stream. Errors as of `open_binary`."""
    place = file_of(uri)
    if place != uri:
        member = parts(uri)[1]
        with open_binary(place, storage.NEAR) as file:
            return dict(members(file, (member,))).get(member, 0)
    filesystem, path = storage.filesystem_of(uri)
    with _store_errors(uri):
        return int(filesystem.size(path) or 0)


def normal(uri: str) -> str:
    """One spelling for one place: an absolute path, or the URI as it is."""
    uri = re.sub(r"^file://|^file:(?=/)", "", uri)  # the second as Hadoop writes it
    if "://" in uri:
        return uri.rstrip("/")
    # Windows writes places with another stroke; fsspec and we with this one everywhere.
    return os.path.abspath(uri).replace(os.sep, "/")  # noqa: PTH100 - resolve() would follow links


def path_of(uri: str) -> str:
    """A place without the query that the address of a file on a web server may have."""
    return uri.partition("?")[0] if uri.startswith(WEB) else uri


def modification_time(uri: str) -> datetime | None:
    """The time of a file's last change (UTC); None where its store does not say, a StoreError if it gives no answer."""
    filesystem, path = storage.filesystem_of(uri)
    try:
        with _store_errors(uri):
            moment = cast("datetime", filesystem.modified(path))
    except NotImplementedError:  # fsspec's answer for a kind of store that keeps no such time
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def state(uri: str) -> str:
    """Size and time of change of a file, which tell it from a changed one, as far as its store says; "" if it is gone."""
    try:
        stored, changed = size(uri), modification_time(file_of(uri))
    except (OSError, StoreError):
        return ""
    return f"{stored} bytes, changed {changed}"


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
    place_store, folder_store = ("/".join(each.split("/")[:3]).lower() for each in (place, folder))
    return place_store == folder_store and ".." not in unquote(place).split("/")


def special_file(uri: str) -> str | None:
    """The kind of a place on a local disk that is neither file nor folder ("a fifo"); else None."""
    place = file_of(uri)
    filesystem, path = storage.filesystem_of(place)
    if not isinstance(filesystem, LocalFileSystem):
        return None
    leads_nowhere = Path(path).is_symlink() and not Path(path).exists()
    return "a link that leads nowhere" if leads_nowhere else storage.special(path)


def file_of(uri: str) -> str:
    """The file that a place is in: of what is inside a WACZ the WACZ, of any other the place itself."""
    place, member = parts(uri)
    return uri if not member or is_folder(place) else place


def exists(uri: str) -> bool:
    """True if there is such a file or folder; of what is inside a WACZ, if there is the WACZ."""
    place = file_of(uri)
    filesystem, path = storage.filesystem_of(place)
    with _store_errors(place):
        if not storage.speaks_http(filesystem):
            return bool(filesystem.exists(path))
    return _header(filesystem, path) is not None


def check_there(uri: str) -> None:
    """Raise a StoreError if a file that was there before has vanished, which says nothing about what it holds."""
    if not exists(uri):
        raise StoreError(f"{uri} has vanished; bring it back")


def is_folder(uri: str) -> bool:
    filesystem, path = storage.filesystem_of(uri)
    if storage.speaks_http(filesystem):
        header = _header(filesystem, path)
        if header is None or header.get("mimetype", "text/html") != "text/html":
            return False
    with _store_errors(uri):
        return bool(filesystem.isdir(path))


def _header(filesystem: AbstractFileSystem, path: str) -> dict[str, object] | None:
    """The answer of an HTTP server on a file without the file, which fsspec would ask for; None if it is gone."""
    try:
        with _store_errors(path):
            return dict(filesystem.info(path))
    except FileNotFoundError:
        return None


def find(folder: str) -> list[str]:
    """All files below a folder, sorted; a UsageError if a folder cannot be read."""
    filesystem, path = storage.filesystem_of(folder)
    try:
        with _store_errors(folder):
            files = [
                f"{place}/{name}"
                for place, _, names in filesystem.walk(path, on_error="raise")
                for name in names
            ]
    except (FileNotFoundError, StoreError) as e:
        if isinstance(filesystem, LocalFileSystem):
            raise UsageError(f"cannot read the folder {folder}: {e.__cause__ or e}") from e
        raise
    return _as_given(filesystem, files)


def glob(pattern: str) -> list[str]:
    filesystem, path = storage.filesystem_of(pattern)
    with _store_errors(pattern):
        return _as_given(filesystem, filesystem.glob(path))


def read_names(uri: str) -> str:
    """The text of a small file of names, which are bytes (`dbce.model.byte_names`); a UsageError if it is missing."""
    try:
        with open_binary(uri) as file:
            return file.read().decode("utf-8-sig", "surrogateescape")
    except OSError as e:
        raise UsageError(f"cannot read {uri}: {e.strerror or e}") from e


@contextmanager
def _store_errors(uri: str) -> Iterator[None]:
    try:
        yield
    except NotImplementedError:  # what a kind of store cannot tell: no failure of it
        raise
    except Exception as e:  # noqa: BLE001 - every kind of store has its own errors
        storage.fail(uri, e)


def _as_given(filesystem: AbstractFileSystem, paths: Iterable[str]) -> list[str]:
    return sorted(str(filesystem.unstrip_protocol(path)).removeprefix("file://") for path in paths)


# Kinds of input files by how they are called, and the sentence that refuses one that cannot be read.

ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_ARCHIVES = (*ENDINGS, ENDING)
KINDS = f"{', '.join(ENDINGS)} or {ENDING} file"
SUPPORTED = (
    f"supported are {', '.join(ENDINGS)} and {ENDING} files, folders and globs of them, .cdx, .cdxj and .parquet "
    "indexes, @list.txt, .html files, and - for standard input"
)
TEXTS = (".wet", ".wet.gz", ".wat", ".wat.gz")  # plain texts and headers: records without pages


def has_ending(uri: str, endings: Sequence[str]) -> bool:
    """True if a file is called so, in whatever case."""
    return path_of(uri).lower().endswith(tuple(endings))


def is_archive(uri: str) -> bool:
    return has_ending(uri, _ARCHIVES)


def is_note_of_mac(uri: str) -> bool:
    """True if a file is called as what a Mac keeps beside another one: `._x.warc.gz`."""
    return path_of(uri).rpartition("/")[2].startswith("._")


def is_texts(uri: str) -> bool:
    return has_ending(uri, TEXTS)


def refusal(uri: str) -> str:
    """One sentence on why a file of no kind that can be read is refused."""
    if has_ending(uri, (".lz4",)):
        return lz4_sentence(uri)
    if is_texts(uri):
        what = "headers (WAT)" if has_ending(uri, TEXTS[2:]) else "plain texts (WET)"
        return f"{uri} holds {what} and no pages; give the WARC that they were made of (dbce check takes both)"
    return f"{uri} is not a supported file type; {SUPPORTED}"


def lz4_sentence(what: str) -> str:
    name = what if has_ending(what, (".lz4",)) else "FILE.warc.lz4"
    return f"{what} is compressed with LZ4, which is not read; unpack it on the way: lz4 -dc {name} | dbce run - ..."


def archives_in(uri: str) -> list[str]:
    """The places of the archives that a file holds: of a WACZ its members and theirs, of any other itself.

    A WACZ that cannot be opened as one is read like any file, for what is left in it. An index holds none.
    """
    if not is_archive(uri):
        return []
    if not has_ending(uri, (ENDING,)):
        return [uri]
    # One within another is opened, and none within that: a zip file can hold itself.
    endings = ENDINGS if parts(uri)[1] else _ARCHIVES
    with open_binary(uri, storage.NEAR) as file:
        inside = [f"{uri}/{name}" for name, _ in members(file, endings) if not is_note_of_mac(name)]
    return [archive for place in inside for archive in archives_in(place)] or [uri]


# Standard input as a file: a run reads twice, and what comes through a pipe can be read once.

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


def spool() -> str:
    """The path of a file that holds all of standard input, with an ending that says what it is.

    It stays until `remove_spooled`, or until the process ends.

    Raises:
        UsageError: nothing comes, or what cannot be read.
        StoreError: there is no room for it.
    """
    stream = sys.stdin.buffer
    if stream.isatty():
        raise UsageError("standard input is a terminal; pipe an archive into it, or name a file")
    head = stream.read(_HEAD)
    if not head:
        raise UsageError("nothing came on standard input; an archive or an HTML page was expected")
    if head.startswith(_LZ4):
        raise UsageError(lz4_sentence("standard input"))
    ending = next((ending for magic, ending in _ENDINGS if head.startswith(magic)), "")
    folder = keep_temporary()
    path = f"{folder}/stdin{ending or ('.html' if looks_html(head) else '.warc')}"
    try:
        with Path(path).open("wb") as file:
            file.write(head)
            copyfileobj(stream, file)
    except OSError as e:
        raise StoreError(
            f"standard input cannot be kept in {folder}: {e.strerror or e}; make room, or let TMPDIR name a folder that has some"
        ) from e
    return path


def keep_temporary() -> Path:
    """New folder that stays until `remove_spooled`, or until the process ends."""
    folder = TemporaryDirectory(prefix="dbce-")
    _spooled.append(folder)
    return Path(folder.name)


def is_spooled(path: str) -> bool:
    """True if the file is one that standard input, or a page that was fetched, is kept in."""
    return any(path.startswith(f"{folder.name}/") for folder in _spooled)


def remove_spooled() -> None:
    while _spooled:
        _spooled.pop().cleanup()


RUN = "run.json"  # makes a folder a finished run
_SOFTWARE = re.compile(rb"^software:[ \t]*dbce/", re.IGNORECASE | re.MULTILINE)
_FIRST_RECORD = 16 * 1024  # bytes; a warcinfo has some hundred
_AT_ONCE = 16  # files that a store is asked for
_NAMED = 3  # of what is left out


@dataclass
class InputFilter:
    """Sorts out, of what folders and globs find, what must not be read; tells it in one line."""

    _left_out: dict[str, str] = field(default_factory=dict)

    def readable(self, files: list[str], top: str) -> list[str]:
        """The files that dbce has not written, and that are no fifo, socket, device or link that leads nowhere.

        `top` is the folder where they were looked for.
        """
        special = {file: kind for file in files if (kind := special_file(file))}
        special |= dict.fromkeys(filter(is_note_of_mac, files), "what a Mac notes on a file")
        runs = finished_runs(files, top)
        free = exclude_runs([file for file in files if file not in special], runs)
        ours = written_by_us(free)
        self._left_out |= special | dict.fromkeys(sorted(runs), "a finished run")
        self._left_out |= dict.fromkeys(ours, "written by dbce")
        return [file for file in free if file not in ours]

    def tell(self) -> None:
        """Says what was left out, if anything was."""
        if self._left_out:
            named = [f"{place} ({what})" for place, what in self._left_out.items()][:_NAMED]
            more = len(self._left_out) - len(named)
            also = f" and {more} more" if more else ""
            LOG.warning("left out: %s%s; what is named itself is read", ", ".join(named), also)


def finished_runs(files: Sequence[str], top: str) -> set[str]:
    """The folders among those of the files, `top` and below it, that are finished runs."""
    folders: set[str] = set()
    for folder in map(posixpath.dirname, files):
        place = folder
        while place not in folders and place.startswith(top):
            folders.add(place)
            place = posixpath.dirname(place)
    return {folder for folder in folders if _has_run(folder)}


def _has_run(folder: str) -> bool:
    with suppress(StoreError):  # who reads what is in it says so
        return exists(join(folder, RUN))
    return False


def exclude_runs(files: Sequence[str], runs: set[str]) -> list[str]:
    return [file for file in files if not any(file.startswith(f"{run}/") for run in runs)]


def written_by_us(files: Sequence[str]) -> list[str]:
    """The files with an archive whose first record, a warcinfo, says so."""
    if not any("://" in file for file in files):
        return list(filter(_is_ours, files))
    # A store takes its time to answer, and can be asked for many files meanwhile.
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        return list(compress(files, pool.map(_is_ours, files)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_ours(file: str) -> bool:
    return any(map(_begins_as_ours, archives_in(file)))


def _begins_as_ours(place: str) -> bool:
    try:
        with open_binary(place, _FIRST_RECORD) as file:
            first = next(records(BytesIO(file.read(_FIRST_RECORD))), None)
    except (OSError, StoreError):
        return False  # who reads it says so
    if not isinstance(first, Record) or first.get("WARC-Type") != "warcinfo":
        return False
    return _SOFTWARE.search(first.read(_FIRST_RECORD)) is not None
