"""Work in a folder, unit by unit: its lock, what is begun, what is done, and the account of each unit."""

import errno
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from dbce.model import LOG, UsageError
from dbce.storage.folder import Digest, Folder

# The lock of a folder in which a process works.
#
# On a file system the operating system holds it, and it ends with the process, however that ends:
# neither a number that another process has by now nor one that another container cannot see
# misleads anybody. NFS carries it to the other machines. An object store has no such locks: there
# the file says whose it is, and counts until that process is known to be dead.

try:
    import fcntl
except ImportError:  # not every system has it: there the file says whose the lock is
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"  # there while a process works in the folder; it names the process
# There, on an object store, for the moment in which one process takes over the lock of another that died.
TAKING = "run.lock.taking"
BOOT = Path("/proc/sys/kernel/random/boot_id")  # names the time since the machine was started
NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}  # of file systems that know no locks


@contextmanager
def folder_lock(folder: Folder) -> Iterator[None]:
    """Keep other processes out of a folder while the block lasts.

    A lock that a process has left when it died is taken over. A folder that was not there before, and is empty in
    the end, is removed again, and so are those above it.
    Raises UsageError: another process works there, or seems to; or nothing can be written there.
    """
    made = folder.missing()
    try:
        handle = _flock(folder) if folder.renames and fcntl else None
        if handle is None:
            _note(folder)
    except OSError as e:
        raise UsageError(
            f"{folder.uri} cannot be written to: {e.strerror or e}; fix that or name another"
        ) from e
    try:
        yield
    finally:
        folder.remove(LOCK)
        if handle is not None:
            os.close(handle)
        with suppress(OSError):  # somebody has put something there, or taken it away
            folder.sync(folder.path)  # what the block has removed does not come back
            for path in made:
                folder.fs.rmdir(path)


def _flock(folder: Folder) -> int | None:
    """Lock the file; its handle, which holds the lock while it is open; None where there are no such locks."""
    path = folder.full_path(LOCK)
    folder.make(folder.path)
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), Path(path).stat()):
                    os.ftruncate(handle, 0)
                    os.write(handle, json.dumps(_process(os.getpid())).encode())
                    return handle
        except BlockingIOError:
            os.close(handle)
            raise UsageError(
                f"another dbce works in {folder.uri}: {_describe(_holder(folder))}; wait for it"
            ) from None
        except OSError as e:
            folder.remove(LOCK)
            os.close(handle)
            if e.errno in NO_LOCKS:
                return None
            raise
        os.close(handle)  # whoever held it removed the file just then


def _note(folder: Folder) -> None:
    """Write whose the folder is; a UsageError if it is another's."""
    note = json.dumps(_process(os.getpid())).encode()
    if not (folder.create_once(LOCK, note) or _take_over(folder, note)):
        raise UsageError(
            f"another dbce works in {folder.uri}: {_describe(_holder(folder))}; wait for it or, if you know "
            f"that it is dead, remove {folder.full_path(LOCK)}"
        )


def _describe(holder: dict[str, object]) -> str:
    return f"process {holder['pid']} on {holder['host']}" if "pid" in holder else "one unknown"


def _take_over(folder: Folder, note: bytes) -> bool:
    """Take over the lock of a dead process; return whether it is ours now: one caller gets it."""
    if not (_is_dead(_holder(folder)) and folder.create_once(TAKING, note)):
        return False
    try:
        dead = _is_dead(_holder(folder))  # still: another one may have been faster
        if dead:
            folder.write(LOCK, note)
        return dead
    finally:
        folder.remove(TAKING)


def _holder(folder: Folder) -> dict[str, object]:
    try:
        return dict(json.loads(folder.read(LOCK)))
    except (OSError, ValueError, TypeError):
        return {}


def _is_dead(holder: dict[str, object]) -> bool:
    """Return whether the process of a note, as seen from where it ran, is known not to run any more."""
    here, pid = _process(os.getpid()), holder.get("pid")
    if not isinstance(pid, int) or any(holder.get(n) != here[n] for n in ("host", "namespace")):
        return False
    if sys.platform == "win32":  # where the question below is a Ctrl-C
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return _process(pid) != holder or pid == os.getpid()


def _process(pid: int) -> dict[str, object]:
    """Return what tells a process from all others, also from a later one of its number; "" for what a system does not tell."""
    about = {"host": socket.gethostname(), "pid": pid, "namespace": "", "boot": "", "started": ""}
    with suppress(OSError):
        about["namespace"] = str(Path("/proc/self/ns/pid").readlink())
        about["boot"] = BOOT.read_text("ascii").strip()
        # The 22nd word, after one in parentheses that may hold anything: ticks since the machine started.
        words = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        about["started"] = words[19]
    return about


# A unit is most often an input file. Its outputs carry its stem; that they are all there is
# marked last, by a file in `work/units/`, so a unit can be done again without touching another.

WORK = "work"  # folder of what only the job's own stages read; removed when the job ends
BEGUN = f"{WORK}/begun.json"  # note of what is to be done, written before anything else
_DONE = f"{WORK}/units"
Kind = TypeVar("Kind", dict[str, Any], list[Any])


def stem(name: str) -> str:
    """The name that an input's outputs share: without `.warc.gz`; other endings tell files apart."""
    base = (name.removesuffix(".warc.gz") or name).replace("/", "%2F")
    # Readers of Parquet folders pass over names that begin so (macOS leaves "._x.warc.gz").
    return f"%{ord(base[0]):02X}{base[1:]}" if base[0] in "._" else base


def write_note(folder: Folder, name: str, note: Mapping[str, Any] | list[Any]) -> None:
    """Write the JSON value of a small file of ours, with a checksum of it."""
    text = json.dumps(note, sort_keys=True)
    folder.write(name, f'{{"crc32": {crc32(text.encode())}, "note": {text}}}\n'.encode())


def read_note(folder: Folder, name: str, kind: type[Kind]) -> Kind | None:
    """Return the JSON value of a small file of ours; None if it is missing or, with a warning, damaged.

    After a power cut it may be empty or full of zeros, after years a bit of it another. What it was for is done again then.
    """
    if not folder.exists(name):
        return None
    try:
        note = json.loads(folder.read(name))
        if isinstance(note, dict) and note.keys() == {"crc32", "note"}:
            is_sound = note["crc32"] == crc32(json.dumps(note["note"], sort_keys=True).encode())
            note = note["note"] if is_sound else None
    except (ValueError, RecursionError):
        note = None
    if isinstance(note, kind):
        return note
    warn_once(f"{folder.full_path(name)} is damaged and counts as missing")
    return None


@cache
def warn_once(message: str) -> None:
    """Warn of what is met each time that a note or a list is read, which is several times."""
    LOG.warning("warning: %s", message)


def has_begun(folder: Folder) -> bool:
    return read_note(folder, BEGUN, dict) is not None


def is_done(folder: Folder, unit: str) -> bool:
    return read_note(folder, f"{_DONE}/{stem(unit)}.json", dict) is not None


def mark_done(
    folder: Folder, unit: str, account: Mapping[str, Any], index: Iterable[str] = ()
) -> None:
    """Write the account of a unit, which says that its outputs are there and which, and the lines of its records for a CDXJ."""
    note = {**account, "index": list(index), "files": folder.take_digests()}
    write_note(folder, f"{_DONE}/{stem(unit)}.json", note)


def accounts(folder: Folder) -> list[dict[str, Any]]:
    notes = (read_note(folder, name, dict) for name in folder.names(f"{_DONE}/*.json"))
    return [note for note in notes if note is not None]


def index_lines(units: Iterable[Mapping[str, Any]]) -> list[str]:
    """The CDXJ lines of all units that are done, sorted."""
    return sorted(f"{line}\n" for unit in units for line in unit["index"])


def files_of(units: Iterable[Mapping[str, Any]]) -> dict[str, Digest]:
    """The files of all units that are done, by name."""
    return {name: Digest(*digest) for unit in units for name, digest in unit["files"].items()}


def outcomes_of(units: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Captures of all units that are done, by status and reason, from the rows of their accounts."""
    total: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for status, reason, captures in unit["account"]:
            total[status, reason] += captures
    return total


def tidy(folder: Folder) -> None:
    """Remove what only the job's own stages read; its note first, so that half of it is no job to go on with.

    The folder of its work goes last: while it is there a resumed job begins this again.
    """
    folder.remove(BEGUN)
    folder.remove_drafts()
    folder.remove(WORK)


def move_all(source: Folder, target: Folder, names: Iterable[str]) -> None:
    """Put files and folders in the place of those of the same name; what is not there stays as it is.

    A crash in the middle can be made good by doing it again: where a folder is renamed at once, it is either
    here or there; elsewhere, as on S3, the source stays whole until the caller removes it.
    """
    for name in names:
        if source.exists(name):
            target.remove(name)
            above = target.full_path(name).rpartition("/")[0]
            target.make(above)
            put = source.fs.mv if source.renames else source.fs.copy
            put(source.full_path(name), target.full_path(name), recursive=True)
            target.sync(above)
