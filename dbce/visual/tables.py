"""Places of tables in a folder that has several kinds of them: a folder for each kind, so that it may be read whole.

The main table of blocks, of headings and of migrated pages stood above its folder once, beside those of the other
kinds. Such folders are read on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.storage import Folder


def table_path(folder: Folder, kind: str, name: str) -> str:
    """Path of a table in a folder: below that of its kind, or above it where only an older dbce has left one."""
    path = f"{kind}/{name}"
    return name if folder.exists(name) and not folder.exists(path) else path


def table_names(folder: Folder, kind: str) -> list[str]:
    """Names of all tables of a kind in a folder, wherever they stand, in order."""
    below = [name.removeprefix(f"{kind}/") for name in folder.names(f"{kind}/*.parquet")]
    return sorted({*below, *folder.names("*.parquet")})
