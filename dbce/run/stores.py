"""Folders in which a run keeps its files."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.output import at_work

if TYPE_CHECKING:
    from dbce.archive import Source
    from dbce.storage import Folder


@dataclass(frozen=True, slots=True)
class Stores:
    """The index that a run writes, the folder of its outputs, and the indexes that it compares with.

    The captures of the indexes in `known` may become neighbours; they are not judged again. With
    `is_night` it is noted which files are worked at.
    """

    index: Folder
    out: Folder
    known: tuple[Folder, ...] = ()
    is_night: bool = False

    def at_work(self, source: Source) -> AbstractContextManager[None]:
        """The time that a file is worked at."""
        return at_work(self.out, source) if self.is_night else nullcontext()
