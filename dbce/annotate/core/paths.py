"""A gold file and its journal: where they are, and how the file is written anew."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.model import StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


def gold_path(path: Path) -> Path:
    """Where a gold file is, links followed.

    Raises:
        UsageError: none can be written there.
    """
    if path.suffix == ".gz":
        raise UsageError(f"{path} would be compressed; name a file without .gz")
    found = Path(os.path.realpath(path))
    if found.is_dir() or not found.parent.is_dir():
        raise UsageError(f"cannot write {path}; name a file in a folder that is there")
    return found


def journal_path(gold: Path) -> Path:
    """Where the journal of a gold file is."""
    return gold.with_name(f"{gold.name}.journal")


def write_gold(path: Path, lines: Iterable[bytes], journal: Path) -> None:
    """Writes a gold file, whole or not at all.

    Raises:
        StoreError: it cannot be written; the sentence says that what was said is in the journal.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as stream:
            stream.writelines(lines)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as e:
        with suppress(OSError):
            draft.unlink()
        raise StoreError(
            f"the label is in {journal}, but {path} cannot be written: {e.strerror}"
        ) from e
