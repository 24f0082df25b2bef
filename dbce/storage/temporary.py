"""Temporary files: values that wait for their turn, and files of programs that we start."""

import os
import pickle
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir, mkdtemp
from time import sleep
from typing import Generic, TypeVar

from dbce.model import StoreError

# Values that wait for their turn outside memory: sketches for their block's, what is found of
# them for their file's.

Value = TypeVar("Value")
# Bytes that are kept in memory; with more, all of them go to a temporary file, which has no name.
IN_MEMORY = 64_000_000


class Shelf(AbstractContextManager["Shelf[Value]"], Generic[Value]):
    """Values put aside and taken again by what `put` gives: 8 bytes of memory each, once they are many.

    Where a value lies says nothing to others: a shelf is of one process, and closed at its end.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed as the shelf is
        self._end = 0

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, value: Value) -> int:
        """Put a value aside; the place that it is taken from. A StoreError if the disk for temporary files is full."""
        at = self._end
        try:
            self._file.seek(at)
            self._file.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
            self._end = self._file.tell()
        except OSError as e:
            raise StoreError(
                f"{gettempdir()} cannot be written: {os.strerror(e.errno or 0)}; TMPDIR names another folder for temporary files"
            ) from e
        return at

    def take(self, at: int) -> Value:
        self._file.seek(at)
        value: Value = pickle.load(self._file)  # noqa: S301 - written by this process alone
        return value


@dataclass(frozen=True)
class ShelfItems(Generic[Value]):
    """Values on a shelf, in an order of their own; they travel to other processes as a list."""

    shelf: Shelf[Value]
    places: list[int]

    def __iter__(self) -> Iterator[Value]:
        return map(self.shelf.take, self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __reduce__(self) -> tuple[type[list[Value]], tuple[list[Value]]]:
        return list, (list(self),)


# Temporary files of programs that we start (browsers), in a folder that goes with its owner.
#
# Chromium makes several folders and leaves some behind, all of them where it is killed. It makes
# them in the folder for temporary files, so that is one of ours for it.

try:
    import fcntl
except ImportError:  # not every system has it: there nothing is swept
    fcntl = None  # type: ignore[assignment]

PREFIX = "dbce-"
# Characters that the path of such a folder may have: Chromium makes a socket in it, and Unix names that.
LONGEST = 108 - len("/org.chromium.Chromium.abcdef/SingletonSocket") - 1
# Place of the folder where the one for temporary files has a longer name than that leaves room for.
SHORT = "/tmp"  # noqa: S108 - a folder in it is made as all temporary ones are
LOCK = "owner"  # the file in it that is locked as long as its owner lives, however that ends
ATTEMPTS = 30  # to remove it, each a tenth of a second after the other


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Make a folder for temporary files, which is gone after the block; first remove those whose owner is."""
    sweep_temporary()
    folder = mkdtemp(prefix=PREFIX, dir=_place())
    lock = _lock(folder)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def sweep_temporary() -> None:
    """Remove the folders of this user whose owner ended without doing so."""
    if fcntl is None:
        return
    for folder in Path(_place()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else's, alive, or gone
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(str(folder))
            finally:
                os.close(lock)


def _place() -> str:
    place = gettempdir()
    fits = len(place) + len(f"/{PREFIX}abcdefgh") <= LONGEST
    return place if fits or not os.access(SHORT, os.W_OK) else SHORT


def _lock(folder: str) -> int:
    """Lock a folder; the lock is there under its name when it is held, so that nobody comes in between."""
    new = Path(folder, f"{LOCK}.new")
    lock = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    if fcntl is not None:
        fcntl.flock(lock, fcntl.LOCK_EX)
    new.rename(Path(folder, LOCK))
    return lock


def _remove(folder: str) -> None:
    """Remove a folder, into which processes that are about to end may still write."""
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).exists():
            return
        sleep(0.1)
