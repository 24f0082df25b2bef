"""Diagnosis of a place that is not the folder of a finished run, and what was probably meant."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from dbce.archive import is_archive, is_index
from dbce.storage import FIXITY, Folder, has_begun

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN = "run.json"
NAMED = 3  # runs in a folder that are named


def no_run(folder: Folder) -> str:
    """Why a folder, or a file, is no finished run, and the command that does what was meant."""
    meant = next(_meant(folder), f"holds no finished run: dbce run INPUT --out {folder.uri}")
    return f"{folder.uri} {meant}"


def _meant(folder: Folder) -> Iterator[str]:
    uri = folder.uri.rstrip("/")
    above = Folder(posixpath.dirname(uri) or ".")
    if folder.fs.isfile(folder.path):
        if is_archive(uri) or is_index(uri):
            yield f"is an archive, no run: dbce run {uri} --out DIR"
    elif not folder.exists(""):
        return
    elif has_begun(folder):
        yield f"holds an unfinished run: dbce run INPUT --out {uri} --resume"
    elif folder.exists(RUN) or (folder.exists(FIXITY) and not folder.exists("nights")):
        yield f"holds a run whose {RUN} is damaged or missing: dbce repair {uri}"
    elif nights := folder.names(f"nights/*/{RUN}"):
        last = posixpath.dirname(nights[-1])
        yield f"is a nightly archive, of which every night is a run: dbce COMMAND {uri}/{last}"
    elif runs := [posixpath.dirname(name) for name in folder.names(f"*/{RUN}")]:
        more = f" and {len(runs) - NAMED} more" if len(runs) > NAMED else ""
        yield f"is not a run but contains some ({', '.join(runs[:NAMED])}{more}): dbce COMMAND {uri}/{runs[0]}"
    elif any(map(is_archive, folder.entries())):
        yield f"holds archives, no run: dbce run {uri} --out DIR"
    if above.exists(RUN):
        yield f"is inside of a run: dbce COMMAND {above.uri}"
