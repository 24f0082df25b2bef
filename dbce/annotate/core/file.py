"""A gold file that people work on, and its journal beside it.

Whatever is said goes to FILE.journal first, then FILE is written anew from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import RLock
from typing import TYPE_CHECKING

from dbce.annotate.core.journal import Journal
from dbce.annotate.core.paths import gold_path, journal_path, write_gold
from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class GoldFile(ABC):
    """A gold file that is open to be added to, by as many threads as like.

    `command` is what writes its journal, as sentences name it.

    Raises:
        UsageError: it cannot be written, or is open elsewhere; and what `_open` raises.
    """

    def __init__(self, path: Path, command: str) -> None:
        self.path = gold_path(path)
        self._turn = RLock()
        self._journal = Journal(journal_path(self.path), command)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _open(self) -> None:
        """Takes in what journal and file say, and writes the file anew."""

    def close(self) -> None:
        """Lets others open the file."""
        self._journal.close()

    def _put(self, lines: Iterable[bytes]) -> None:
        """Writes the file anew, whole or not at all.

        Raises:
            StoreError: it cannot be written.
        """
        write_gold(self.path, lines, self._journal.path)

    def _changed_elsewhere(self) -> UsageError:
        return UsageError(
            f"{self.path} is not what {self._journal.path.name} says: something else changed it. "
            "Move the journal away to go on with the file, or the file to go on with the journal"
        )
