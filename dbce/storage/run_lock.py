"""The lock of a folder in which a process works.

On a file system the operating system holds it, and it ends with the process, however that ends: neither a number that
another process has by now nor one that another container cannot see misleads anybody. NFS carries it to the other machines. An
object store has no such locks: there the file says whose it is, and counts until that process is known to be dead.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.storage.folder import Folder

try:
    import fcntl
except ImportError:  # not every system has it: there the file says whose the lock is
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"
"""There while a process works in the folder; it names the process."""

TAKING = "run.lock.taking"
"""There, on an object store, for the moment in which one process takes over the lock of another that died."""

BOOT = Path("/proc/sys/kernel/random/boot_id")
"""What Linux calls the time since it was started."""

NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}
"""Errors of file systems that the operating system holds no locks on."""


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Keep other processes out of a folder while the block lasts.

    A lock that a process has left when it died is taken over. A folder that was not there before, and is empty in
    the end, is removed again, and so are those above it.

    Raises:
        UsageError: another process works there, or seems to; or nothing can be written there.
    """
    made = folder.missing()
    try:
        handle = _held(folder) if folder.renames and fcntl else None
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


def _held(folder: Folder) -> int | None:
    """Lock the file; its handle, which holds the lock while it is open; None where there are no such locks."""
    path = folder.at(LOCK)
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
                f"another dbce works in {folder.uri}: {_who(_holder(folder))}; wait for it"
            ) from None
        except OSError as e:
            folder.remove(LOCK)
            os.close(handle)
            if e.errno in NO_LOCKS:
                return None
            raise
        os.close(handle)  # whoever held it removed the file just then


def _note(folder: Folder) -> None:
    """Write whose the folder is, if it is nobody's.

    Raises:
        UsageError: it is another's.
    """
    own = json.dumps(_process(os.getpid())).encode()
    if not (folder.create_once(LOCK, own) or _taken_over(folder, own)):
        raise UsageError(
            f"another dbce works in {folder.uri}: {_who(_holder(folder))}; wait for it or, if you know "
            f"that it is dead, remove {folder.at(LOCK)}"
        )


def _who(holder: dict[str, object]) -> str:
    return f"process {holder['pid']} on {holder['host']}" if "pid" in holder else "one unknown"


def _taken_over(folder: Folder, own: bytes) -> bool:
    """Take over the lock of a dead process; return whether it is ours now: one caller gets it."""
    if not (_is_dead(_holder(folder)) and folder.create_once(TAKING, own)):
        return False
    try:
        dead = _is_dead(_holder(folder))  # still: another one may have been faster
        if dead:
            folder.write(LOCK, own)
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
    own, pid = _process(os.getpid()), holder.get("pid")
    if not isinstance(pid, int) or any(holder.get(n) != own[n] for n in ("host", "namespace")):
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
    about: dict[str, object] = {"host": socket.gethostname(), "pid": pid}
    about |= dict.fromkeys(("namespace", "boot", "started"), "")
    with suppress(OSError):
        about["namespace"] = str(Path("/proc/self/ns/pid").readlink())
        about["boot"] = BOOT.read_text("ascii").strip()
        # The 22nd word, after one in parentheses that may hold anything: ticks since the machine started.
        about["started"] = (
            Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[19]
        )
    return about
