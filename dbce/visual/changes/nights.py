"""The changes of a night: its captures against the last known ones of an archive that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dbce.output import JUDGED
from dbce.visual.changes.change_model import STRUCTURE
from dbce.visual.changes.local import told, work_locally
from dbce.visual.changes.plan import COLUMNS, frames, keys, plan_of, rows_of
from dbce.visual.changes.stages import TABLES, WORK, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.storage import Folder
    from dbce.visual.changes.local import Found
    from dbce.visual.changes.plan import Keys

_WHERE = ["night", "name"]


def find_changes_of_night(archive: Folder, night: str, before: Sequence[str]) -> Found:
    """Writes the table of changes of a night into its folder, without pictures.

    `before` are the nights that count and came before, folders as `night` is. Of each URL of the
    night the last capture before it that has verdicts is what the first of the night is compared with.

    Raises:
        UsageError: the files of a night do not belong together.
        StoreError: what is stored is not what was written.
    """
    folder = archive.within(night)
    tonight = list(frames(folder))
    known = _last(archive, before, np.concatenate([_no_keys(), *map(_urls, tonight)]))
    chosen = plan_of([*tonight, known], STRUCTURE)
    folder.remove(TABLES)
    for (of_night, name), found in known.groupby(_WHERE):
        rows = rows_of(found[COLUMNS].reset_index(drop=True), chosen)
        old = [row | {"is_new": False} for row in rows]
        write_rows(archive.within(str(of_night)), str(name), old, folder, STRUCTURE)
    work_locally(folder, chosen)
    folder.remove(WORK)
    return told(folder, chosen.singles)


def _last(archive: Folder, nights: Sequence[str], urls: Keys) -> pd.DataFrame:
    """The last capture with verdicts of each of some URLs, and in which night and file it is."""
    parts = [pd.DataFrame(columns=[*COLUMNS, *_WHERE])]
    for night in nights:
        folder = archive.within(night)
        for name, found in zip(_names(folder), frames(folder), strict=True):
            judged = found["status"].isin([str(status) for status in JUDGED])
            some = found[judged & np.isin(_urls(found), urls)]
            parts.append(some.assign(night=night, name=name))
    every = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    by_time = every.sort_values(["fetch_time", "record_id"], kind="stable")
    return by_time.drop_duplicates("url_surtkey", keep="last").reset_index(drop=True)


def _names(folder: Folder) -> Iterator[str]:
    return (name.removeprefix("pages/") for name in folder.names("pages/*.parquet"))


def _urls(found: pd.DataFrame) -> Keys:
    return keys(found, "url_surtkey")


def _no_keys() -> Keys:
    return np.empty(0, np.uint64)
