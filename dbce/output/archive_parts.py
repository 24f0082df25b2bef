"""The parts of a nightly archive: its nights, their indexes, and the list of both with the digest of each.

A night that is gone, with its own list, is still in that of the archive.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.output.metrics import NAME as METRICS
from dbce.storage import FIXITY, Fixity, SealedFolder, file_digest, fixity_of, read_note

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dbce.storage import Digest, Folder

RUN = "run.json"

NIGHTS = "nights"
"""In an archive: the folders of its nights."""

_INDEX = "index"

COMPACTED = "_nights.json"
"""In a compact index: the list of its nights; Spark passes over names that begin so."""


def complete_nights(archive: Folder) -> list[str]:
    """The names of the nights that count, in order."""
    return [name.split("/")[1] for name in archive.names(f"{NIGHTS}/*/{RUN}")]


def indexes(index: Folder, nights: Sequence[str]) -> tuple[SealedFolder, ...]:
    """The folders that hold what is known of some nights: the compact one, and those of nights since.

    Raises:
        UsageError: one of them is not there.
    """
    names = index_names(index, nights)
    for name in sorted({*names} - {*index.entries()}):
        archive = posixpath.dirname(index.uri.rstrip("/"))
        raise UsageError(f"{index.at(name)}: missing; dbce repair {archive} rebuilds it")
    return tuple(SealedFolder(index.within(name).uri) for name in names)


def index_names(index: Folder, nights: Sequence[str]) -> list[str]:
    """The names of the folders that hold, or held, what is known of some nights."""
    compact, covered = compact_in(index)
    return [
        *([compact] if compact else []),
        *(night for night in nights if night not in covered),
    ]


def listed_nights(archive: Folder, *, with_lost: bool = False) -> tuple[str, ...]:
    """The nights that the list of an archive has, without those that are lost for good or with them.

    Raises:
        UsageError: the list is damaged.
    """
    fixity = fixity_of(archive) or Fixity({})
    names = fixity.files.keys() - (frozenset() if with_lost else fixity.lost)
    return tuple(sorted(name.split("/")[1] for name in names if name.startswith(f"{NIGHTS}/")))


def check_nights(archive: Folder, nights: Sequence[str]) -> None:
    """Do nothing if all nights are there that the list of an archive has.

    Raises:
        UsageError: one is not.
    """
    for night in sorted({*listed_nights(archive)} - {*nights}):
        path = archive.at(f"{NIGHTS}/{night}")
        what = f"its {RUN} is missing" if archive.fs.exists(path) else "missing"
        raise UsageError(f"{path}: {what}; dbce repair {archive.uri} rebuilds what it can")


def compact_in(index: Folder) -> tuple[str | None, frozenset[str]]:
    """The compact folder that counts, which holds all that earlier ones did, and its nights."""
    lists = index.names(f"compact-*/{COMPACTED}")
    if not lists:
        return None, frozenset()
    covered = read_note(index, lists[-1], list)
    if (
        covered is None
    ):  # without it the index of these nights would be removed as not made to the end
        raise UsageError(
            f"{index.at(lists[-1])} must list, as JSON, the names of all nights without a folder of their own "
            f"in {index.uri}; restore it from a copy, or write it"
        )
    return lists[-1].split("/")[0], frozenset(covered)


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
