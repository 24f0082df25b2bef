"""From what a user types to the container files to read."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive import index
from dbce.archive.uri import exists, find, glob, is_folder, join, normal, parent, read_text
from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
_ACCEPTED = (
    "give a .warc, .warc.gz, .arc or .arc.gz file, a folder or glob of them, "
    "a .cdx or .cdxj index, or @list.txt"
)
_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Source:
    """One container file to read: all of it, or the records at `offsets` (sorted).

    `name` is the base name, with as many parent folders as make it unique among the inputs: results
    do not depend on where the files lie.
    """

    name: str
    uri: str
    offsets: tuple[int, ...] | None


def expand(
    inputs: Sequence[str], warc_base: str | None = None, *, may_be_empty: bool = False
) -> tuple[Source, ...]:
    """The files that the inputs name, sorted by name, each once.

    An input is an archive file, a folder, a glob, an index (its files are looked for under
    `warc_base` and beside it), or `@list.txt` with one input a line (relative ones from the list's folder).
    A file that is given both whole and by index is read whole. Folders without archives are an error
    unless they may be empty.

    Raises:
        UsageError: an input is missing, holds no archive, or has lines that do not parse.
    """
    wanted: dict[str, set[int] | None] = {}
    for uri, offset in _files(inputs, warc_base, may_be_empty=may_be_empty):
        known = wanted.setdefault(uri, set() if offset is not None else None)
        if offset is None:
            wanted[uri] = None
        elif known is not None:
            known.add(offset)
    if not (wanted or may_be_empty):
        raise UsageError(f"no input: {_ACCEPTED}")
    names = unique_names(sorted(wanted))
    sources = [
        Source(names[uri], uri, None if offsets is None else tuple(sorted(offsets)))
        for uri, offsets in wanted.items()
    ]
    return tuple(sorted(sources, key=lambda source: (source.name, source.uri)))


def _files(
    inputs: Iterable[str],
    warc_base: str | None,
    lists: tuple[str, ...] = (),
    *,
    may_be_empty: bool = False,
) -> Iterator[tuple[str, int | None]]:
    """Every file that is named, and the offset where an index names one."""
    for text in inputs:
        if text.startswith("@"):
            uri = normal(text[1:])
            if uri in lists:
                raise UsageError(f"the list {uri} names itself")
            yield from _files(_listed(uri), warc_base, (*lists, uri), may_be_empty=may_be_empty)
            continue
        uri = normal(text)
        if may_be_empty and is_folder(uri) and not _archives(uri):
            continue
        if exists(uri):
            yield from _existing(uri, warc_base)
        elif _MAGIC & set(text):
            found = [file for file in glob(uri) if file.endswith(ENDINGS + index.ENDINGS)]
            if not found:
                raise UsageError(f"{text} matches no archive: {_ACCEPTED}")
            for file in found:
                yield from _existing(file, warc_base)
        else:
            raise UsageError(f"there is no {text}: {_ACCEPTED}")


def _existing(uri: str, warc_base: str | None) -> Iterator[tuple[str, int | None]]:
    if is_folder(uri):
        found = _archives(uri)
        if not found:
            raise UsageError(f"the folder {uri} holds no .warc, .warc.gz, .arc or .arc.gz file")
        yield from ((file, None) for file in found)
    elif uri.endswith(ENDINGS):
        yield uri, None
    elif uri.endswith(index.ENDINGS):
        yield from _indexed(uri, warc_base)
    else:
        raise UsageError(f"{uri} is not of a kind that can be read: {_ACCEPTED}")


def _archives(folder: str) -> list[str]:
    return [file for file in find(folder) if file.endswith(ENDINGS)]


def _indexed(uri: str, warc_base: str | None) -> Iterator[tuple[str, int]]:
    folders = ([normal(warc_base)] if warc_base else []) + [parent(uri)]
    places: dict[str, str] = {}
    for number, name, offset in index.locations(uri):
        if name not in places:
            names = (name, posixpath.basename(name))
            tried = (join(folder, each) for folder in folders for each in names)
            place = next((file for file in tried if exists(file)), None)
            if place is None:
                raise UsageError(
                    f"{uri}, line {number} names {name}, which is not in {' or '.join(folders)}; "
                    "say with --warc-base where it lies"
                )
            places[name] = place
        yield places[name], offset
    if not places:
        raise UsageError(f"the index {uri} lists no capture")


def _listed(uri: str) -> list[str]:
    lines = (line.strip() for line in read_text(uri).splitlines())
    inputs = [line for line in lines if line and not line.startswith("#")]
    if not inputs:
        raise UsageError(f"the list {uri} names no input")
    folder = parent(uri)
    return [
        f"@{join(folder, line[1:])}" if line.startswith("@") else join(folder, line)
        for line in inputs
    ]


def unique_names(uris: Sequence[str]) -> dict[str, str]:
    """For every URI its base name, with as many parent folders as make it unique."""
    parts = {uri: [part for part in uri.replace("://", "/").split("/") if part] for uri in uris}
    depth = dict.fromkeys(uris, 1)
    while True:
        names = {uri: "/".join(parts[uri][-depth[uri] :]) for uri in uris}
        count = Counter(names.values())
        clashing = [u for u in uris if count[names[u]] > 1 and depth[u] < len(parts[u])]
        if not clashing:
            return names
        for uri in clashing:
            depth[uri] += 1
