"""Work in a folder, unit by unit: what is begun, what is done, and the account of each unit.

A unit is most often an input file. Its outputs carry its stem; that they are all there is marked last,
by a file in `work/units/`, so a unit can be done again without touching another.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from dbce.progress import LOG
from dbce.storage.folder import Digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dbce.storage.folder import Folder

WORK = "work"
"""The folder of what only the job's own stages read; removed when the job ends."""

BEGUN = f"{WORK}/begun.json"
"""The note of what is to be done, written before anything else."""

_DONE = f"{WORK}/units"

Kind = TypeVar("Kind", dict[str, Any], list[Any])


def stem(name: str) -> str:
    """The name that an input's outputs share: without `.warc.gz`; other endings tell files apart."""
    base = (name.removesuffix(".warc.gz") or name).replace("/", "%2F")
    # Readers of Parquet folders pass over names that begin so (macOS leaves "._x.warc.gz").
    return f"%{ord(base[0]):02X}{base[1:]}" if base[0] in "._" else base


def write_note(folder: Folder, name: str, note: Mapping[str, Any] | list[Any]) -> None:
    """Write the JSON value of a small file of ours, with a checksum of it."""
    text = json.dumps(note, sort_keys=True)
    folder.write(name, f'{{"crc32": {crc32(text.encode())}, "note": {text}}}\n'.encode())


def read_note(folder: Folder, name: str, kind: type[Kind]) -> Kind | None:
    """Return the JSON value of a small file of ours; None if it is missing or, with a warning, damaged.

    After a power cut it may be empty or full of zeros, after years a bit of it another. What it was for is done again then.
    """
    if not folder.exists(name):
        return None
    try:
        note = json.loads(folder.read(name))
        if isinstance(note, dict) and note.keys() == {"crc32", "note"}:
            is_sound = note["crc32"] == crc32(json.dumps(note["note"], sort_keys=True).encode())
            note = note["note"] if is_sound else None
    except (ValueError, RecursionError):
        note = None
    if isinstance(note, kind):
        return note
    _warn_of_damage(folder.at(name))
    return None


@cache  # once: a note is read several times
def _warn_of_damage(path: str) -> None:
    LOG.warning("warning: %s is damaged and counts as missing", path)


def has_begun(folder: Folder) -> bool:
    """Return whether a job has begun in this folder and not ended."""
    return read_note(folder, BEGUN, dict) is not None


def is_done(folder: Folder, unit: str) -> bool:
    """Return whether all outputs of a unit are there."""
    return read_note(folder, f"{_DONE}/{stem(unit)}.json", dict) is not None


def mark_done(
    folder: Folder, unit: str, account: Mapping[str, Any], index: Iterable[str] = ()
) -> None:
    """Write the account of a unit, which says that its outputs are all there, and which they are.

    `index` are the lines of its records for a CDXJ.
    """
    note = {**account, "index": list(index), "files": folder.take_digests()}
    write_note(folder, f"{_DONE}/{stem(unit)}.json", note)


def accounts(folder: Folder) -> list[dict[str, Any]]:
    """The accounts of all units that are done, in the order of their names."""
    notes = (read_note(folder, name, dict) for name in folder.names(f"{_DONE}/*.json"))
    return [note for note in notes if note is not None]


def index_lines(units: Iterable[Mapping[str, Any]]) -> list[str]:
    """The CDXJ lines of all units that are done, sorted."""
    return sorted(f"{line}\n" for unit in units for line in unit["index"])


def files_of(units: Iterable[Mapping[str, Any]]) -> dict[str, Digest]:
    """The files of all units that are done, by name."""
    return {name: Digest(*digest) for unit in units for name, digest in unit["files"].items()}


def outcome_rows(outcomes: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    """The rows of an account: captures by status and reason."""
    return [
        {"status": status, "reason": reason, "captures": captures}
        for (status, reason), captures in sorted(outcomes.items())
    ]


def outcomes_of(units: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Captures by status and reason, of all accounts together."""
    total: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for row in unit["account"]:
            total[row["status"], row["reason"]] += row["captures"]
    return total


def tidy(folder: Folder) -> None:
    """Remove what only the job's own stages read; its note first, so that half of it is no job to go on with.

    The folder of its work goes last: while it is there a resumed job begins this again.
    """
    folder.remove(BEGUN)
    folder.remove_drafts()
    folder.remove(WORK)


def move_all(source: Folder, target: Folder, names: Iterable[str]) -> None:
    """Put files and folders in the place of those of the same name; what is not there stays as it is.

    A crash in the middle can be made good by doing it again: where a folder is renamed at once, it is either
    here or there; elsewhere, as on S3, the source stays whole until the caller removes it.
    """
    for name in names:
        if source.exists(name):
            target.remove(name)
            above = target.at(name).rpartition("/")[0]
            target.make(above)
            put = source.fs.mv if source.renames else source.fs.copy
            put(source.at(name), target.at(name), recursive=True)
            target.sync(above)
