"""Files that a night dies of: marked while they are worked at, counted by the next call, and set aside.

A process that is killed says nothing, so the mark is there before the work begins. What fails with an
error says so in its mark; then the others that were worked at in the same moment are not to blame. A
store that fails, what was asked for, and a person who stops a night are no fault of a file. A file that was
only there when nights were killed may be sound: it is tried once more, alone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dbce.archive import Source
from dbce.model import DbceError, escape_bytes, speakable, unescape_bytes
from dbce.storage import WORK, Folder, read_note, stem

AT_WORK = f"{WORK}/at-work"  # the marks of a night

ASIDE = "set-aside.json"
"""In an archive: by the place of a file what it was, and in which nights it was died of."""

TRIES = 2  # nights that may die of a file among others


@contextmanager
def mark_at_work(out: Folder, source: Source) -> Iterator[None]:
    """Leave a mark of a file if the block does not end, or ends with an error that may be the file's."""
    mark = f"{AT_WORK}/{stem(source.unit)}.json"
    note = {"uri": escape_bytes(source.uri), "error": ""}
    out.write(mark, json.dumps(note).encode())
    try:
        yield
    except Exception as e:
        if not isinstance(e, (DbceError, OSError)):
            note["error"] = speakable(f"{type(e).__name__}: {e}")[:200]
        raise
    finally:
        if note["error"]:
            out.write(mark, json.dumps(note).encode())
        else:
            out.remove(mark)


def count_tries(
    archive: Folder, out: Folder, night: str, versions: Mapping[str, Any]
) -> frozenset[str]:
    """Count the files that an interrupted night was working on, and remove its marks; return their places.

    `versions` says of the files of the night what they were.
    """
    names = out.names(f"{AT_WORK}/*.json")
    marks = [mark for name in names if (mark := read_note(out, name, dict))]
    failed = [mark for mark in marks if mark["error"]]
    errors = {unescape_bytes(mark["uri"]): mark["error"] for mark in failed or marks}
    known = _read(archive)
    for uri in sorted(errors):
        before = known.get(uri, {})
        same = before.get("version") == versions[uri]
        known[uri] = {
            "version": versions[uri],
            "nights": [*(before["nights"] if same else []), night],
            "error": errors[uri] or (before.get("error", "") if same else ""),
        }
    if names:
        _write(archive, known)
        out.remove(AT_WORK)
    return frozenset(errors)


@dataclass(frozen=True, slots=True)
class QuarantinedFile:
    """A file that is not taken with others: what it was, how many nights died of it, and if it may be sound."""

    version: str
    nights: int
    may_be_sound: bool


def quarantined_files(archive: Folder) -> dict[str, QuarantinedFile]:
    """Return the files, by place, that are not to be taken with others until their version changes."""
    return {
        uri: QuarantinedFile(entry["version"], nights, nights == TRIES and not entry.get("error"))
        for uri, entry in _read(archive).items()
        if (nights := len(entry["nights"])) >= TRIES
    }


def forget_tries(archive: Folder, uris: Iterable[str]) -> None:
    """Files that a night has got through are not to blame any more."""
    known = _read(archive)
    left = {uri: entry for uri, entry in known.items() if uri not in set(uris)}
    if not left:
        archive.remove(ASIDE)
    elif left != known:
        _write(archive, left)


def _read(archive: Folder) -> dict[str, Any]:
    known = read_note(archive, ASIDE, dict) or {}
    return {unescape_bytes(uri): entry for uri, entry in known.items()}


def _write(archive: Folder, known: Mapping[str, Any]) -> None:
    written = {escape_bytes(uri): entry for uri, entry in known.items()}
    archive.write(ASIDE, json.dumps(written, indent=1, sort_keys=True).encode())
