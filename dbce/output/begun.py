"""A run that has begun: its lock, and what `--resume` must find unchanged."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from dbce.archive import Source
from dbce.model import UsageError
from dbce.output.unit_writer import WORK
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.storage import Folder

LOCK = "run.lock"
"""There while a process works in the folder; it says which."""

TAKING = "run.lock.taking"
"""There for the moment in which one process takes over the lock of another that died."""

BEGUN = f"{WORK}/begun.json"
"""What was to be done: archive files and the digest of the configuration."""


class Settings(Protocol):
    """What a run is configured by, as far as it must be the same when it is gone on with."""

    def digest(self) -> str: ...
    def also(self) -> tuple[str, ...]: ...


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Keeps other runs out of a folder while the block lasts.

    A lock that a process of this machine has left when it died is taken over. A folder that was not
    there before, and is empty in the end, is removed again.

    Raises:
        UsageError: another run works there, or seems to; or nothing can be written there.
    """
    was_there = folder.exists("")
    try:
        _lock(folder)
    except OSError as e:
        raise UsageError(
            f"{folder.uri} cannot be written to: {e.strerror or e}; mend that or name another"
        ) from e
    try:
        yield
    finally:
        folder.remove(LOCK)
        if not was_there:
            with suppress(OSError):  # somebody has put something there
                folder.fs.rmdir(folder.path)


def _lock(folder: Folder) -> None:
    own = json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode()
    if not (folder.create_once(LOCK, own) or _taken_over(folder, own)):
        holder = _holder(folder)
        who = f"process {holder['pid']} on {holder['host']}" if holder else "another process"
        raise UsageError(
            f"{who} works in {folder.uri}; wait for it or, if you know that it is dead, remove "
            f"{folder.at(LOCK)}"
        )


def _taken_over(folder: Folder, own: bytes) -> bool:
    """Whether the lock was that of a dead process and is ours now; of several callers, of one."""
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
    except (OSError, ValueError):
        return {}


def _is_dead(holder: dict[str, object]) -> bool:
    """Whether a process of this machine is known not to run any more."""
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    if sys.platform == "win32":  # where the question below is a Ctrl-C
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return pid == os.getpid()


def begin(folder: Folder, sources: Sequence[Source], config: Settings) -> None:
    """Notes what a run is to do, before it does anything."""
    files = [source.plain() for source in sources]
    note = {"config_digest": config.digest(), "also": config.also(), "files": files}
    folder.write(BEGUN, json.dumps(note).encode())


def is_free(folder: Folder) -> bool:
    """Whether no run has left anything in this folder, but for what one did before it began."""
    return set(folder.entries()) <= {LOCK, TAKING, WORK} and not has_begun(folder)


def has_begun(folder: Folder) -> bool:
    """Whether a run has begun in this folder and not ended."""
    return folder.exists(BEGUN)


def is_to_write(folder: Folder, config: Settings) -> bool:
    """Whether the run that has begun in this folder is to write what a configuration says."""
    note = json.loads(folder.read(BEGUN))
    return (note["config_digest"], note.get("also")) == (config.digest(), list(config.also()))


def begun(folder: Folder) -> tuple[Source, ...]:
    """The archive files that the run in this folder began with."""
    return tuple(Source.of(plain) for plain in json.loads(folder.read(BEGUN))["files"])


def resumed(folder: Folder, sources: Sequence[Source], config: Settings) -> tuple[Source, ...]:
    """Those of the archive files that the run began with; others came later and are left out.

    Raises:
        UsageError: the configuration is another, or files are missing or lie elsewhere now.
    """
    if not is_to_write(folder, config):
        raise UsageError(
            f"{folder.uri} was begun with another configuration; give the same options to go on, or "
            "start anew with --overwrite"
        )
    # Known by where they lie: a file that came later may have changed the names of others.
    now = {source.uri for source in sources}
    files = begun(folder)
    if not files[0].selection.is_as(sources[0].selection):
        raise UsageError(
            f"{folder.uri} was begun with another selection; give the same options to go on, or start "
            "anew with --overwrite"
        )
    known = {source.uri for source in files}
    if missing := sorted(known - now):
        raise UsageError(
            f"{folder.uri} was begun with {missing[0]}, which is not among the inputs now; give the "
            "same ones to go on, or start anew with --overwrite"
        )
    if late := len(now - known):
        LOG.warning("%d files have come since the run began; they are left to another run", late)
    return files
