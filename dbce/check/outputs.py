"""Check of a finished run or of a nightly archive against the lists of its files: what is missing, cut or changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from dbce.model import UsageError
from dbce.output import INDEX, NIGHTS, RUN, complete_nights, index_names, listed_nights
from dbce.storage import FIXITY, Damage, Fixity, Folder, damages, fixity_of

NEEDED = {
    FIXITY: "dbce check",
    RUN: "every command that reads this run",
    "pages": "texts and metadata of its captures, and all that lists them",
    "nodes": "verdicts on single texts: view, report, --with and --without",
    "rejects": "the account of what was left out, and why",
    "warc": "annotated pages: Markdown, HTML, strip, replay",
    "wet": "texts for other tools",
    "wacz": "replay",
    INDEX: "comparing with later captures, and reports",
    NIGHTS: "every command that reads this archive",
    "changes": "changes between snapshots",
}
"""Dependents of a file, by the folder that it is in or its name."""


@dataclass(frozen=True, slots=True)
class OutputsAccount:
    """The number of verified files of a run or an archive, their bytes, and the damaged ones."""

    folder: str
    files: int
    bytes: int
    damages: tuple[Damage, ...]


def is_output_folder(uri: str) -> bool:
    """Return whether a place is the folder of a finished run or of a nightly archive."""
    if "://" in uri and uri.startswith("http"):
        return False
    folder = Folder(uri)
    return folder.fs.isdir(folder.path) and (
        folder.exists(RUN) or folder.exists(FIXITY) or bool(complete_nights(folder))
    )


def check_outputs(uri: str) -> OutputsAccount:
    """Verify every file of a run or an archive against its digest."""
    top = Folder(uri)
    files = size = 0
    found: dict[str, Damage] = {}
    for folder in _sealed_folders(top):
        try:
            fixity = fixity_of(folder)
        except UsageError:
            found[folder.full_path(FIXITY)] = Damage(folder, FIXITY, "changed")
            continue
        if fixity is None:
            what = "missing; no file next to it can be verified"
            found[folder.full_path(FIXITY)] = Damage(folder, FIXITY, what)
            continue
        if folder.path == top.path and not folder.exists(RUN):
            fixity = _without_replaced(top, fixity)
        files += len(fixity.files)
        size += sum(digest.size for digest in fixity.files.values())
        found |= {folder.full_path(damage.name): damage for damage in damages(folder, fixity)}
    return OutputsAccount(uri, files, size, tuple(found.values()))


def _sealed_folders(top: Folder) -> Iterator[Folder]:
    """The folders that have a list of their own, or should."""
    marked = (FIXITY, RUN)
    paths = top.fs.find(top.path)
    above = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in marked}
    places = {top.path.rstrip("/")} | above
    for path in sorted(places):
        yield Folder(top.fs.unstrip_protocol(path) if not top.renames else path)


def _without_replaced(archive: Folder, fixity: Fixity) -> Fixity:
    """The list of an archive without the indexes that a compact one has replaced since."""
    nights = {*complete_nights(archive), *listed_nights(archive)}
    try:
        current = index_names(archive.subfolder(INDEX), sorted(nights))
    except UsageError:  # the list of the compact index is damaged, and told with that
        return fixity
    files = {
        name: digest
        for name, digest in fixity.files.items()
        if name.split("/")[0] != INDEX or name.split("/")[1] in current
    }
    return Fixity(files, lost=fixity.lost)


def outputs_as_text(account: OutputsAccount) -> str:
    """Lines for people."""
    whole = "all intact" if not account.damages else "damaged:"
    lines = [f"{account.folder}: {account.files:,} files, {account.bytes:,} bytes, {whole}"]
    for damage in account.damages:
        lines.append(f"  ! {damage}")
        lines.append(f"      needed by {_dependents(damage)}")
    if account.damages:
        lines.append(
            f"  dbce repair {account.folder}: rebuilds them if the inputs are still available"
        )
    return "\n".join(lines)


def outputs_as_json(account: OutputsAccount) -> str:
    """One line."""
    found = [
        {"file": one.folder.full_path(one.name), "what": one.what, "needed_by": _dependents(one)}
        for one in account.damages
    ]
    values = {"folder": account.folder, "files": account.files, "bytes": account.bytes}
    return json.dumps(values | {"damages": found}, ensure_ascii=False)


def _dependents(damage: Damage) -> str:
    words = damage.folder.full_path(damage.name).split("/")[-3:]
    return next(
        (NEEDED[word] for word in reversed(words) if word in NEEDED), "commands that read it"
    )
