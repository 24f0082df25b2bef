"""From what a user types to the container files to read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from dbce.archive.inputs import index, wacz
from dbce.archive.inputs.file_kinds import ACCEPTED, ENDINGS, KINDS, is_archive, is_texts, refusal
from dbce.archive.inputs.input_list import NamedInput, named_inputs
from dbce.archive.inputs.locate import located
from dbce.archive.inputs.own_outputs import RUN, OwnOutputs
from dbce.archive.inputs.page_file import is_page, page_of
from dbce.archive.inputs.sample import UNRANKED, Draw, RankedOffsets
from dbce.archive.inputs.scan import ranks
from dbce.archive.inputs.selection import EVERYTHING, Selection
from dbce.archive.inputs.source import Source
from dbce.archive.inputs.spool import STANDARD_INPUT, spooled
from dbce.archive.inputs.uri import (
    exists,
    find,
    glob,
    is_folder,
    join,
    open_binary,
    special_file,
)
from dbce.model import UsageError, escape_bytes
from dbce.progress import LOG
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from dbce.archive.inputs.page_file import PageFile

    Located = Callable[[str], Iterator[tuple[str, int, int]]]

_LARGEST = 2**63  # above every rank


def expand(
    inputs: Sequence[str],
    warc_base: str | None = None,
    selection: Selection = EVERYTHING,
    *,
    may_be_empty: bool = False,
    draw: bool = True,
    texts: bool = False,
    url: str | None = None,
    at: str | None = None,
) -> tuple[Source, ...]:
    """The files that the inputs name, sorted by name, each once.

    An input is an archive file, a folder, a glob, an index (its files are looked for under
    `warc_base` and beside it), or `@list.txt` with one input a line (relative ones from the list's folder).
    A file that is given both whole and by index is read whole. Of what a folder or a glob finds, outputs
    of dbce itself are left out. A folder without archives is a warning, and an error if there is
    nothing else, unless folders may be empty.

    `-` is standard input, which is kept until `remove_spooled`. An HTML file is an input too; `url` is
    the URL of the only one, and `at` when it was captured, else it is as old as the file. With `texts` files of plain texts (WET) are read as well.

    The sources carry the selection. A sample is drawn here, which reads the headers of all records that
    no index tells enough of; with `draw=False` it is left to `drawn`.

    Raises:
        UsageError: an input is missing, holds no archive, or cannot be read as an index; or the
            selection leaves nothing.
    """
    sample = Draw(selection.sample) if draw and selection.sample else None
    wanted: dict[str, RankedOffsets | None] = {}
    inputs = [spooled() if text == STANDARD_INPUT else text for text in dict.fromkeys(inputs)]
    named = tuple(named_inputs(inputs))
    tops = tuple({name.top for name in named})
    look = partial(located, warc_base=warc_base, selection=selection, named=tops)
    for uri, offset, rank in _files(named, look, may_be_empty=may_be_empty, texts=texts):
        if offset is None:
            wanted[uri] = None
        elif (sample is None or sample.offer(rank)) and (
            (places := wanted.setdefault(uri, RankedOffsets())) is not None
        ):
            places.add(offset, rank)
    if not (inputs or may_be_empty):
        raise UsageError(f"no input: {ACCEPTED}")
    pages = _pages(wanted, url, at)
    if sample:
        selection = _drawn(sample, wanted, pages, selection)
    nothing = not wanted or selection.cutoff == UNRANKED
    if nothing and not may_be_empty:
        raise UsageError("no capture of the inputs matches the selection")
    return _sources(wanted, pages, selection)


def _pages(wanted: Iterable[str], url: str | None, at: str | None) -> dict[str, PageFile]:
    """URL and date of the HTML files among those that are wanted."""
    pages = [uri for uri in wanted if is_page(uri)]
    for option in ("--url" if url else "", "--at" if at else ""):
        if option and len(pages) != 1:
            raise UsageError(
                f"{option} is of one HTML file, and {len(pages) or 'none'} are among the inputs"
            )
    return {uri: page_of(uri, url, at) for uri in pages}


def _drawn(
    sample: Draw,
    wanted: Mapping[str, RankedOffsets | None],
    pages: Mapping[str, PageFile],
    selection: Selection,
) -> Selection:
    """The selection with the sample drawn; asks the records that no index tells enough of."""
    for uri, places in wanted.items():
        unsure = None if places is None else places.up_to(UNRANKED)
        if unsure != ():
            source = Source(uri, uri, unsure, selection=selection, page=pages.get(uri))
            for rank in ranks(source):
                sample.offer(rank)
    return replace(selection, cutoff=sample.cutoff)


def _sources(
    wanted: Mapping[str, RankedOffsets | None], pages: Mapping[str, PageFile], selection: Selection
) -> tuple[Source, ...]:
    """The files that hold anything wanted, by name."""
    cutoff = _LARGEST if selection.cutoff is None else selection.cutoff
    offsets = {
        uri: None if places is None else places.up_to(cutoff) for uri, places in wanted.items()
    }
    names = unique_names(sorted(uri for uri, some in offsets.items() if some != ()))
    sources = [
        Source(names[uri], uri, some, selection=selection, page=pages.get(uri))
        for uri, some in offsets.items()
        if uri in names
    ]
    return tuple(sorted(sources, key=lambda source: (source.name, source.uri)))


class EmptyFolder(UsageError):  # noqa: N818 - says what is there
    """A folder without archives, which is an error only where there is nothing else."""


def _files(
    inputs: Iterable[NamedInput], look: Located, *, may_be_empty: bool = False, texts: bool = False
) -> Iterator[tuple[str, int | None, int]]:
    """Every file that is named; where an index names one, with an offset and its rank."""
    left = OwnOutputs()
    empty: list[EmptyFolder] = []
    some = False
    for given in inputs:
        try:
            with given.unechoed():
                files = list(_files_of(given, left, may_be_empty=may_be_empty, texts=texts))
        except EmptyFolder as e:
            empty.append(e)
            continue
        for file in files:
            some = True
            if is_archive(file):
                yield from ((place, None, UNRANKED) for place in _archives_in(file))
            elif is_page(file) or is_texts(file):
                yield file, None, UNRANKED
            else:
                yield from look(file)
    left.tell()
    if empty and not some:
        raise empty[0]
    for each in empty:
        LOG.warning("warning: %s", each)


def _files_of(
    given: NamedInput, left: OwnOutputs, *, may_be_empty: bool, texts: bool
) -> Sequence[str]:
    """The archives and indexes that an input stands for; a folder of tables is an index as a whole."""
    if not exists(given.uri):
        if not given.is_glob:
            raise UsageError(f"there is no {given.text}: {ACCEPTED}")
        files = [file for file in glob(given.uri) if is_archive(file) or index.is_index(file)]
        others = left.others(files, given.top, _archives_in_any)
        if not others:
            raise UsageError(f"{given.text} matches no archive{_except(files)}: {ACCEPTED}")
        return others
    if is_folder(given.uri):
        return _in_folder(given.uri, left, may_be_empty=may_be_empty)
    if kind := special_file(given.uri):
        raise UsageError(f"{given.uri} is {kind}, which is never opened: {ACCEPTED}")
    known = is_archive(given.uri) or index.is_index(given.uri) or is_page(given.uri)
    if not known and not (texts and is_texts(given.uri)):
        raise UsageError(refusal(given.uri))
    return [given.uri]


def _in_folder(uri: str, left: OwnOutputs, *, may_be_empty: bool) -> Sequence[str]:
    files = [file for file in find(uri) if is_archive(file)]
    if others := left.others(files, uri, _archives_in_any):
        return others
    if index.parquet_files(uri):
        return [uri]
    if may_be_empty:
        return []
    if exists(join(uri, RUN)):
        raise UsageError(
            f"{uri} is a finished run, whose outputs are not read again: dbce text {uri}, dbce view {uri}"
        )
    raise EmptyFolder(f"the folder {uri} holds no {KINDS}{_except(files)}")


def _except(left: Sequence[str]) -> str:
    if not left:
        return ""
    return " but what a run must not read: its own outputs, fifos, sockets, devices, links that lead nowhere"


def _archives_in(uri: str) -> list[str]:
    """The places of the archives that a file holds: of a WACZ its members, of any other itself.

    A WACZ that cannot be opened as one is read like any file, for what is left in it.
    """
    if not uri.endswith(wacz.ENDING):
        return [uri]
    with open_binary(uri, NEAR) as file:
        return [f"{uri}/{name}" for name, _ in wacz.members(file, ENDINGS)] or [uri]


def _archives_in_any(file: str) -> list[str]:
    """The same of any file: an index holds none."""
    return _archives_in(file) if is_archive(file) else []


def _depth(member: str) -> int:
    return member.count("/") + 1 if member else 0


def unique_names(uris: Sequence[str]) -> dict[str, str]:
    """For every URI its base name, with as many parent folders as make it unique.

    The base name of what is inside a WACZ begins with that of the WACZ. Names are valid UTF-8
    (`dbce.model.byte_names`); URIs are what files are opened by.
    """
    parts = {uri: [part for part in uri.replace("://", "/").split("/") if part] for uri in uris}
    depth = {uri: 1 + _depth(wacz.parts(uri)[1]) for uri in uris}
    while True:
        names = {uri: "/".join(parts[uri][-depth[uri] :]) for uri in uris}
        count = Counter(names.values())
        clashing = [u for u in uris if count[names[u]] > 1 and depth[u] < len(parts[u])]
        if not clashing:
            return {uri: escape_bytes(name) for uri, name in names.items()}
        for uri in clashing:
            depth[uri] += 1
