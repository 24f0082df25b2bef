"""Outputs of dbce itself, where a folder or a glob finds them: a run must not read those."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from itertools import compress
from typing import TYPE_CHECKING

from dbce.archive.inputs.uri import exists, join, open_binary, parent, special_file
from dbce.archive.records import Damage, records
from dbce.model import StoreError
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

RUN = "run.json"
"""The file that makes a folder a finished run."""

_SOFTWARE = re.compile(rb"^software:[ \t]*dbce/", re.IGNORECASE | re.MULTILINE)
_HEAD = 16 * 1024  # bytes; a warcinfo has some hundred
_AT_ONCE = 16  # files that a store is asked for
_NAMED = 3  # of what is left out


class OwnOutputs:
    """Sorts out, of what folders and globs find, what must not be read; tells it in one line."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def others(
        self, files: list[str], top: str, archives_in: Callable[[str], list[str]]
    ) -> list[str]:
        """The files that dbce has not written, and that are no fifo, socket, device or link that leads nowhere.

        `top` is the folder where they were looked for, `archives_in` says what archives a file holds.
        """
        special = {file: kind for file in files if (kind := special_file(file))}
        runs = finished_runs(files, top)
        free = outside([file for file in files if file not in special], runs)
        ours = written_by_us(free, archives_in)
        self._told |= special | dict.fromkeys(sorted(runs), "a finished run")
        self._told |= dict.fromkeys(ours, "written by dbce")
        return [file for file in free if file not in ours]

    def tell(self) -> None:
        """Says what was left out, if anything was."""
        if self._told:
            named = [f"{place} ({what})" for place, what in self._told.items()][:_NAMED]
            more = len(self._told) - len(named)
            also = f" and {more} more" if more else ""
            LOG.warning("left out: %s%s; what is named itself is read", ", ".join(named), also)


def finished_runs(files: Sequence[str], top: str) -> set[str]:
    """The folders among those of the files, `top` and below it, that are finished runs."""
    folders: set[str] = set()
    for folder in {parent(file) for file in files}:
        place = folder
        while place not in folders and place.startswith(top):
            folders.add(place)
            place = parent(place)
    return {folder for folder in folders if _has_run(folder)}


def _has_run(folder: str) -> bool:
    with suppress(StoreError):  # who reads what is in it says so
        return exists(join(folder, RUN))
    return False


def outside(files: Sequence[str], runs: set[str]) -> list[str]:
    """The files that are in none of the runs."""
    return [file for file in files if not any(file.startswith(f"{run}/") for run in runs)]


def written_by_us(files: Sequence[str], archives_in: Callable[[str], list[str]]) -> list[str]:
    """The archives whose first record, a warcinfo, says so; `archives_in` says what archives a file holds."""

    def ours(file: str) -> bool:
        return any(map(_is_ours, archives_in(file)))

    if not any("://" in file for file in files):
        return list(filter(ours, files))
    # A store takes its time to answer, and can be asked for many files meanwhile.
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        return list(compress(files, pool.map(ours, files)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_ours(place: str) -> bool:
    return any(_SOFTWARE.search(block) for block in _warcinfo(place))


def _warcinfo(place: str) -> Iterator[bytes]:
    """The block of an archive's first record, if that is a warcinfo."""
    try:
        with open_binary(place, _HEAD) as file:
            head = BytesIO(file.read(_HEAD))
    except (OSError, StoreError):
        return  # who reads it says so
    first = next(records(head), None)
    if first is not None and not isinstance(first, Damage) and first.get("WARC-Type") == "warcinfo":
        yield first.read(_HEAD)
