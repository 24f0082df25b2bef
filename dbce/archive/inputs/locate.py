"""Finding the files of the captures that an index lists."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from dbce.archive.inputs import index
from dbce.archive.inputs.sample import UNRANKED
from dbce.archive.inputs.selection import rank
from dbce.archive.inputs.uri import WEB, exists, is_below, join, normal, parent, special_file
from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.archive.inputs.cdx import Listed
    from dbce.archive.inputs.selection import Selection

    Way = tuple[str, bool]  # the folder, and whether by the last part of a name


def located(
    uri: str, warc_base: str | None, selection: Selection, named: Sequence[str] = ()
) -> Iterator[tuple[str, int, int]]:
    """File, offset and rank of every capture that an index lists and that may be wanted.

    Files are looked for under `warc_base` and beside the index, by their whole name and by its last
    part. An index does not say what may be opened, the user does: a name that leads anywhere else
    counts only if it leads below one of these folders, below one in `named`, or into the same store.

    The rank is `UNRANKED` where no sample is to be drawn, or the index does not say enough.

    Raises:
        UsageError: the index cannot be read, or a file is nowhere.
    """
    folders = ([normal(warc_base)] if warc_base else []) + [parent(uri)]
    bounds = (*folders, *named)
    files: dict[str, str] = {}
    way: Way | None = None  # of the file before
    for where, line in index.listed(uri, selection):
        if line.filename not in files:
            way = _way(line.filename, folders, bounds, way)
            if way is None:
                raise UsageError(
                    f"{where} names {line.filename}, which is not in {' or '.join(folders)}; "
                    "say with --warc-base where it lies"
                )
            files[line.filename] = _along(way, line.filename)
        yield files[line.filename], line.offset, _rank(line, selection)


def _way(name: str, folders: list[str], bounds: Sequence[str], known: Way | None) -> Way | None:
    """The way to a file: that to the one before, or the first that leads to a file that may be opened."""
    if "::" in name:  # with which fsspec looks into a place, as into a zip file, or behind it
        return None
    if known and known[0].startswith(WEB) and _is_within(_along(known, name), bounds):
        return known
    ways = ((folder, last) for folder in folders for last in (False, True))
    allowed = (way for way in ways if _is_within(_along(way, name), bounds))
    return next((way for way in allowed if _is_file(_along(way, name))), None)


def _is_within(place: str, bounds: Sequence[str]) -> bool:
    return any(is_below(place, folder) for folder in bounds)


def _is_file(place: str) -> bool:
    return special_file(place) is None and exists(place)


def _along(way: Way, name: str) -> str:
    folder, last = way
    return join(folder, posixpath.basename(name) if last else name)


def _rank(line: Listed, selection: Selection) -> int:
    known = line.url, line.timestamp, line.mime
    if not selection.is_undrawn or not selection.knows(*known):
        return UNRANKED
    if index.is_text_of(line, selection):
        return UNRANKED  # read in any case; its record says whether it is in the sample
    return rank(line.url or "", line.timestamp or "")
