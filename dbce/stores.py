"""Where a run keeps things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.output.folder import Folder


@dataclass(frozen=True, slots=True)
class Stores:
    """The index that a run writes, the folder of its outputs, and the indexes that it compares with.

    The captures of the indexes in `known` may become neighbours; they are not judged again.
    """

    index: Folder
    out: Folder
    known: tuple[Folder, ...] = ()
