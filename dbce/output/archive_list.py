"""The list of a nightly archive: those of its nights and of their indexes, with the digest of each, and its figures.

So a night that is gone, with all that it told of itself, is still known to have been.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.output.metrics import NAME as METRICS
from dbce.output.nights import NIGHTS, RUN, complete_nights, index_names, listed_nights
from dbce.storage import FIXITY, Fixity, file_digest, fixity_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from dbce.storage import Digest, Folder

_INDEX = "index"


def seal_archive(archive: Folder, *, lost: Collection[str] = ()) -> None:
    """List the nights that count and those that the list had, which may be gone, with the indexes of all.

    Nights that are `lost` for good are marked so.

    Raises:
        UsageError: the list is damaged.
    """
    before = fixity_of(archive) or Fixity({})
    nights = sorted({*complete_nights(archive), *listed_nights(archive)})
    known = {name.rpartition("/")[0]: name for name in before.files}
    folders = [f"{NIGHTS}/{night}" for night in nights]
    folders += [f"{_INDEX}/{name}" for name in index_names(archive.within(_INDEX), nights)]
    files: dict[str, Digest] = {}
    for folder in folders:
        names = (f"{folder}/{FIXITY}", f"{folder}/{RUN}")  # the second of one by an older dbce
        name = next(filter(archive.exists, names), None)
        if name is not None:
            files[name] = file_digest(archive, name)
        elif folder in known:
            files[known[folder]] = before.files[known[folder]]
    if archive.exists(METRICS):
        files[METRICS] = file_digest(archive, METRICS)
    gone = {name: before.files[name] for name in before.lost}
    marked = {name for name in files if name.startswith(tuple(f"{NIGHTS}/{one}/" for one in lost))}
    archive.write(FIXITY, bytes(Fixity(gone | files, lost=before.lost | frozenset(marked))))
