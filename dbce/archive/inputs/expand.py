"""From what a user types to the container files to read, by folders, lists and indexes."""

import ntpath
import os
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import unquote

from dbce.archive.inputs import files, wacz
from dbce.archive.inputs.cdx import COLUMNAR, IndexEntry, index_lines, is_index
from dbce.archive.inputs.page import PageFile, is_page, page_of
from dbce.archive.inputs.selection import EVERYTHING, UNRANKED, Draw, RankedOffsets, Selection, rank
from dbce.archive.inputs.source import Source, cutoff_of
from dbce.archive.inputs.texts import page_of_text
from dbce.model import LOG, StoreError, UsageError, escape_bytes

Way = tuple[str, Callable[[str], str]]  # the folder, and what of a name is looked for there

_MAGIC = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class NamedInput:
    """An input. `line` says where in a list it stands; "" if it was typed."""

    text: str
    line: str = ""

    @property
    def uri(self) -> str:
        return files.normal(self.text)

    @property
    def is_glob(self) -> bool:
        return bool(_MAGIC & set(self.text))

    @property
    def top(self) -> str:
        """The folder in which it, or what it matches, is looked for; of a URI that is no glob itself."""
        if self.is_glob:
            fixed = self.uri[: min(self.uri.index(sign) for sign in _MAGIC & set(self.uri))]
            return fixed.rpartition("/")[0] or "/"
        is_file = "://" not in self.uri and not os.path.isdir(self.uri)  # noqa: PTH112 - a plain string
        return posixpath.dirname(self.uri) if is_file else self.uri

    @contextmanager
    def redact_errors(self) -> Iterator[None]:
        """Keeps what a list holds out of the errors of the block: it may be no list, but a secret."""
        try:
            yield
        except (UsageError, StoreError) as e:
            if not self.line:
                raise
            raise type(e)(f"{self.line} names nothing that can be read") from None


def named_inputs(named: NamedInput, lists: tuple[str, ...] = ()) -> Iterator[NamedInput]:
    """An input, or in place of a list (`@list.txt`) what it names; a UsageError if that is no list of inputs."""
    if not named.text.startswith("@"):
        yield named
        return
    uri = files.normal(named.text[1:])
    if uri in lists:
        raise UsageError(f"the list {uri} names itself")
    with named.redact_errors():
        lines = files.read_names(uri).splitlines()
    called = named.line and f"a list that {named.line} names"
    folder = posixpath.dirname(uri)
    names_any = False
    for number, line in enumerate(map(str.strip, lines), 1):
        if line and not line.startswith("#"):
            names_any = True
            mark = "@" if line.startswith("@") else ""
            text = f"{mark}{files.join(folder, line.removeprefix('@'))}"
            where = f"line {number} of {called or uri}"
            yield from named_inputs(NamedInput(text, where), (*lists, uri))
    if not names_any:
        raise UsageError(f"the list {called or uri} names no input")


# The captures that an index lists: CDX, CDXJ and columnar ones.

_NAMED = 3  # bad lines that are named; the others are counted


def parquet_files(folder: str) -> list[str]:
    """The files of a columnar index in a folder and below it, sorted; tables of runs there are none."""
    tables = [file for file in files.find(folder) if files.has_ending(file, (COLUMNAR,))]
    regular = [file for file in tables if not files.special_file(file)]
    return files.exclude_runs(regular, files.finished_runs(regular, folder))


def index_entries(uri: str, selection: Selection) -> Iterator[tuple[str, IndexEntry]]:
    """Line and capture, for every one in an index that may be wanted.

    An index is a file, or a folder of Parquet files. What a line says decides; where it does not say
    enough, the record must be asked. Texts that crawlers stored of pages go with their pages. Lines that do not parse
    are left out with a warning: one bad line of ten million must not cost the others.
    Raises UsageError: the index cannot be read to its end, holds nothing, or no line of it parses.
    """
    good = bad = 0
    first = ""
    for where, line in _entries(uri, selection):
        if isinstance(line, IndexEntry):
            good += 1
            if selection.wants(line.url, line.timestamp, line.mime) or is_text_of(line, selection):
                yield where, line
            continue
        bad += 1
        first = first or f"{where}: {line}"
        if bad <= _NAMED:
            LOG.warning("warning: left out: %s: %s", where, line, extra={"file": uri})
    if not good and first:
        raise UsageError(f"the index {uri} has no line that can be read; {first}")
    # What a columnar index leaves out is not seen here.
    if not good and (selection.takes_all or not _is_columnar(uri)):
        raise UsageError(f"the index {uri} lists no capture")
    if bad > _NAMED:
        counts = bad, bad + good, uri
        LOG.warning("warning: left out: %d of %d lines of %s", *counts, extra={"file": uri})


def is_text_of(line: IndexEntry, selection: Selection) -> bool:
    """True if a line is of a text that a crawler stored of a page whose URL is selected, whatever else is."""
    page = page_of_text(line.url or "")
    return page is not None and selection.wants(page, None, None)


def _is_columnar(uri: str) -> bool:
    return files.has_ending(uri, (COLUMNAR,)) or files.is_folder(uri)


def _entries(uri: str, selection: Selection) -> Iterator[tuple[str, IndexEntry | ValueError]]:
    if not _is_columnar(uri):
        return index_lines(uri)
    from dbce.archive.inputs import columnar  # a slow start, and few archives have such an index

    tables = parquet_files(uri) if files.is_folder(uri) else [uri]
    return ((uri, row) for row in columnar.rows(tables, selection))


def locate_captures(
    uri: str, warc_base: str | None, selection: Selection, named: Sequence[str]
) -> Iterator[tuple[str, int, int]]:
    """File, offset and rank of every capture that an index lists and that may be wanted.

    Files are looked for under `warc_base` and beside the index, by their whole name and by its last
    part. An index does not say what may be opened, the user does: a name that leads anywhere else
    counts only if it leads below one of these folders, below one in `named`, or into the same store.

    The rank is `UNRANKED` where no sample is to be drawn, or the index does not say enough.
    Raises UsageError: the index cannot be read, or a file is nowhere.
    """
    folders = ([files.normal(warc_base)] if warc_base else []) + [posixpath.dirname(uri)]
    bounds = (*folders, *named)
    places: dict[str, str] = {}
    way: Way | None = None  # of the file before
    for where, line in index_entries(uri, selection):
        if line.filename not in places:
            way = _way(line.filename, folders, bounds, way)
            if way is None:
                raise UsageError(
                    f"{where} names {line.filename}, which is not in {' or '.join(folders)}; "
                    "say with --warc-base where it lies"
                )
            places[line.filename] = _follow(way, line.filename)
        yield places[line.filename], line.offset, _rank(line, selection)


def _without_codes(name: str) -> str:
    return ntpath.basename(unquote(name, errors="surrogateescape"))


# Parts of a name by which a file is looked for: all of it, its last part, that where Windows wrote it, and without
# percent codes.
_PARTS = (str, posixpath.basename, ntpath.basename, _without_codes)


def _way(name: str, folders: list[str], bounds: Sequence[str], known: Way | None) -> Way | None:
    """The way to a file: that to the one before, or the first that leads to a file that may be opened."""
    if "::" in name:  # with which fsspec looks into a place, as into a zip file, or behind it
        return None
    if known and known[0].startswith(files.WEB) and _is_within(_follow(known, name), bounds):
        return known
    ways = ((folder, part) for folder in folders for part in _PARTS)
    allowed = (way for way in ways if _is_within(_follow(way, name), bounds))
    for way in allowed:
        place = _follow(way, name)
        if files.special_file(place) is None and files.exists(place):
            return way
    return None


def _is_within(place: str, bounds: Sequence[str]) -> bool:
    return any(files.is_below(place, folder) for folder in bounds)


def _follow(way: Way, name: str) -> str:
    folder, part = way
    return files.join(folder, part(name))


def _rank(line: IndexEntry, selection: Selection) -> int:
    known = line.url, line.timestamp, line.mime
    if not selection.is_undrawn or not selection.knows(*known):
        return UNRANKED
    if is_text_of(line, selection):
        return UNRANKED  # read in any case; its record says whether it is in the sample
    return rank(line.url or "", line.timestamp or "")


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
    no index tells enough of; with `draw=False` it is left to `draw_sample`.
    Raises UsageError: an input is missing, holds no archive, or cannot be read as an index; or the selection leaves
    nothing.
    """
    sample = Draw(selection.sample) if draw and selection.sample else None
    wanted: dict[str, RankedOffsets | None] = {}
    inputs = [
        files.spool() if uri == files.STANDARD_INPUT else os.fspath(uri)
        for uri in dict.fromkeys([inputs] if isinstance(inputs, (str, os.PathLike)) else inputs)
    ]
    named = [name for text in inputs for name in named_inputs(NamedInput(text))]
    tops = tuple({name.top for name in named})
    for file in _files(named, may_be_empty=may_be_empty, texts=texts):
        if files.is_archive(file) or is_page(file) or files.is_texts(file):
            wanted[file] = None
            continue
        for uri, offset, drawn_rank in locate_captures(file, warc_base, selection, tops):
            if (sample is None or sample.offer(drawn_rank)) and (
                (places := wanted.setdefault(uri, RankedOffsets())) is not None
            ):
                places.add(offset, drawn_rank)
    if not (inputs or may_be_empty):
        raise UsageError(f"no input; {files.SUPPORTED}")
    pages = _pages(wanted, url, at)
    if sample:
        unsure = _sources(wanted, pages, selection, UNRANKED)
        selection = replace(selection, cutoff=cutoff_of(sample, unsure))
    nothing = not wanted or selection.cutoff == UNRANKED
    if nothing and not may_be_empty:
        raise UsageError("no capture of the inputs matches the selection")
    cutoff = _LARGEST if selection.cutoff is None else selection.cutoff
    return _sources(wanted, pages, selection, cutoff)


def _pages(
    wanted: Mapping[str, RankedOffsets | None], url: str | None, at: str | None
) -> dict[str, PageFile]:
    """URL and date of the HTML files among those that are wanted whole."""
    pages = [uri for uri, places in wanted.items() if places is None and is_page(uri)]
    for option in ("--url" if url else "", "--at" if at else ""):
        if option and len(pages) != 1:
            raise UsageError(
                f"{option} is of one HTML file, and {len(pages) or 'none'} are among the inputs"
            )
    return {uri: page_of(uri, url, at) for uri in pages}


def _sources(
    wanted: Mapping[str, RankedOffsets | None],
    pages: Mapping[str, PageFile],
    selection: Selection,
    cutoff: int,
) -> tuple[Source, ...]:
    """The files that are wanted whole, and those with places up to a cutoff."""
    offsets = {
        uri: None if places is None else places.offsets_up_to(cutoff)
        for uri, places in wanted.items()
    }
    names = unique_names(sorted(uri for uri, listed in offsets.items() if listed != ()))
    sources = [
        Source(names[uri], uri, listed, selection=selection, page=pages.get(uri))
        for uri, listed in offsets.items()
        if uri in names
    ]
    return tuple(sorted(sources, key=lambda source: (source.name, source.uri)))


class EmptyFolder(UsageError):  # noqa: N818 - says what is there
    """A folder without archives, which is an error only where there is nothing else."""


def _files(inputs: Iterable[NamedInput], *, may_be_empty: bool, texts: bool) -> Iterator[str]:
    """Every file that is named: archives, indexes, pages and texts."""
    left = files.InputFilter()
    empty: list[EmptyFolder] = []
    has_files = False
    for named in inputs:
        try:
            with named.redact_errors():
                stood_for = list(_files_of(named, left, may_be_empty=may_be_empty, texts=texts))
        except EmptyFolder as e:
            empty.append(e)
            continue
        for file in stood_for:
            has_files = True
            yield from files.archives_in(file) or [file]
    left.tell()
    if empty and not has_files:
        raise empty[0]
    for each in empty:
        LOG.warning("warning: %s", each)


def _files_of(
    named: NamedInput, left: files.InputFilter, *, may_be_empty: bool, texts: bool
) -> Sequence[str]:
    """The archives and indexes that an input stands for; a folder of tables is an index as a whole."""
    if not files.exists(named.uri):
        if not named.is_glob:
            raise UsageError(f"{named.text} does not exist")
        kinds = (is_page,) if is_page(named.uri) else (files.is_archive, is_index)
        archives = [file for file in files.glob(named.uri) if any(kind(file) for kind in kinds)]
        others = left.readable(archives, named.top)
        if not others:
            raise UsageError(
                f"{named.text} matches no archive{_BUT if archives else ''}; {files.SUPPORTED}"
            )
        return others
    if files.is_folder(named.uri):
        return _in_folder(named.uri, left, may_be_empty=may_be_empty)
    if kind := files.special_file(named.uri):
        raise UsageError(f"{named.uri} is {kind}, which is never opened; {files.SUPPORTED}")
    known = files.is_archive(named.uri) or is_index(named.uri) or is_page(named.uri)
    if not known and not (texts and files.is_texts(named.uri)):
        raise UsageError(files.refusal(named.uri))
    return [named.uri]


def _in_folder(uri: str, left: files.InputFilter, *, may_be_empty: bool) -> Sequence[str]:
    every = files.find(uri)
    archives = [file for file in every if files.is_archive(file)]
    if others := left.readable(archives, uri):
        return others
    if parquet_files(uri):
        return [uri]
    if may_be_empty:
        return []
    if files.exists(files.join(uri, files.RUN)):
        raise UsageError(
            f"{uri} is a finished run, whose outputs are not read again: dbce text {uri}, dbce view {uri}"
        )
    pages = {posixpath.dirname(file) for file in every if files.has_ending(file, (".html",))}
    named = f"; its pages are read as {min(pages)}/*.html" if pages else ""
    raise EmptyFolder(f"the folder {uri} holds no {files.KINDS}{_BUT if archives else named}")


_BUT = " but what a run must not read: its own outputs, fifos, sockets, devices, links that lead nowhere"


def unique_names(uris: Sequence[str]) -> dict[str, str]:
    """For every URI its base name, with as many parent folders as make it unique.

    The base name of what is inside a WACZ begins with that of the WACZ. Names are valid UTF-8
    (`dbce.model.byte_names`); URIs are what files are opened by.
    """
    parts = {uri: [part for part in uri.replace("://", "/").split("/") if part] for uri in uris}
    members = {uri: wacz.parts(uri)[1] for uri in uris}
    depth = {uri: 1 + (member.count("/") + 1 if member else 0) for uri, member in members.items()}
    while True:
        names = {uri: "/".join(parts[uri][-depth[uri] :]) for uri in uris}
        count = Counter(names.values())
        clashing = [u for u in uris if count[names[u]] > 1 and depth[u] < len(parts[u])]
        if not clashing:
            return {uri: escape_bytes(name) for uri, name in names.items()}
        for uri in clashing:
            depth[uri] += 1
