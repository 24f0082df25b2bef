"""From what a user types to the container files to read."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from dbce.archive import index, wacz
from dbce.archive.heads import ranks
from dbce.archive.locate import located
from dbce.archive.page_file import PageFile, is_page, page_of
from dbce.archive.refused import is_texts, refusal
from dbce.archive.sample import UNRANKED, Draw, Places
from dbce.archive.selection import EVERYTHING, Selection
from dbce.archive.spool import STANDARD_INPUT, spooled
from dbce.archive.stored import NEAR
from dbce.archive.uri import (
    exists,
    find,
    glob,
    is_folder,
    join,
    normal,
    open_binary,
    parent,
    path_of,
    read_text,
)
from dbce.errors import UsageError
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Located = Callable[[str], Iterator[tuple[str, int, int]]]

ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
_FILES = (*ENDINGS, wacz.ENDING)
_KINDS = ".warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz file"
_ACCEPTED = (
    f"give a {_KINDS}, a folder or glob of them, a .cdx, .cdxj or .parquet index, @list.txt, one "
    ".html file, or - for what comes on standard input"
)
_MAGIC = frozenset("*?[")
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a container file: the records that begin in it, and its number in the file.

    `start` and `stop` are offsets where records begin; the last piece has no `stop`.
    """

    number: int
    start: int
    stop: int | None


@dataclass(frozen=True, slots=True)
class Source:
    """One container file to read: all of it, or the records at `offsets` (sorted), or a piece of it.

    `name` is the base name, with as many parent folders as make it unique among the inputs: results
    do not depend on where the files lie. A file inside a WACZ has the WACZ's place and name with its
    own behind it: `crawl.wacz/archive/data.warc.gz`. With a `page` the file is an HTML page.
    """

    name: str
    uri: str
    offsets: tuple[int, ...] | None = None
    piece: Piece | None = None
    selection: Selection = EVERYTHING
    page: PageFile | None = None

    @property
    def unit(self) -> str:
        """The name of what is read from it and written for it: its own, with the piece's number."""
        return self.name if self.piece is None else f"{self.name}.{self.piece.number:04}"

    def plain(self) -> dict[str, Any]:
        """The same as values that JSON knows."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """A source from its `plain` values, after a way through JSON too."""
        offsets, piece, page = plain["offsets"], plain["piece"], plain.get("page")
        return cls(
            plain["name"],
            plain["uri"],
            None if offsets is None else tuple(offsets),
            None if piece is None else Piece(**piece),
            Selection.of(plain["selection"]),
            None if page is None else PageFile(**page),
        )


def expand(
    inputs: Sequence[str],
    warc_base: str | None = None,
    selection: Selection = EVERYTHING,
    *,
    may_be_empty: bool = False,
    draw: bool = True,
    texts: bool = False,
    url: str | None = None,
) -> tuple[Source, ...]:
    """The files that the inputs name, sorted by name, each once.

    An input is an archive file, a folder, a glob, an index (its files are looked for under
    `warc_base` and beside it), or `@list.txt` with one input a line (relative ones from the list's folder).
    A file that is given both whole and by index is read whole. A folder without archives is a warning,
    and an error if there is nothing else, unless folders may be empty.

    `-` is standard input, which is kept until `remove_spooled`. An HTML file is an input too; `url` is
    the URL of the only one. With `texts` files of plain texts (WET) are read as well.

    The sources carry the selection. A sample is drawn here, which reads the headers of all records that
    no index tells enough of; with `draw=False` it is left to `drawn`.

    Raises:
        UsageError: an input is missing, holds no archive, or cannot be read as an index; or the
            selection leaves nothing.
    """
    sample = Draw(selection.sample) if draw and selection.sample else None
    wanted: dict[str, Places | None] = {}
    look = partial(located, warc_base=warc_base, selection=selection)
    inputs = [spooled() if text == STANDARD_INPUT else text for text in dict.fromkeys(inputs)]
    for uri, offset, rank in _files(inputs, look, may_be_empty=may_be_empty, texts=texts):
        if offset is None:
            wanted[uri] = None
        elif (sample is None or sample.offer(rank)) and (
            (places := wanted.setdefault(uri, Places())) is not None
        ):
            places.add(offset, rank)
    if not (inputs or may_be_empty):
        raise UsageError(f"no input: {_ACCEPTED}")
    pages = _pages(wanted, url)
    if sample:
        selection = _drawn(sample, wanted, pages, selection)
    nothing = not wanted or selection.cutoff == UNRANKED
    if nothing and not may_be_empty:
        raise UsageError("the selection leaves nothing of the inputs")
    return _sources(wanted, pages, selection)


def _pages(wanted: Iterable[str], url: str | None) -> dict[str, PageFile]:
    """What is to be known of the HTML files among those that are wanted."""
    pages = [uri for uri in wanted if is_page(uri)]
    if url is not None and len(pages) != 1:
        raise UsageError(
            f"--url is the URL of one HTML file, and {len(pages) or 'none'} are among the inputs"
        )
    return {uri: page_of(uri, url) for uri in pages}


def _drawn(
    sample: Draw,
    wanted: Mapping[str, Places | None],
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
    wanted: Mapping[str, Places | None], pages: Mapping[str, PageFile], selection: Selection
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
    inputs: Iterable[str],
    look: Located,
    lists: tuple[str, ...] = (),
    *,
    may_be_empty: bool = False,
    texts: bool = False,
) -> Iterator[tuple[str, int | None, int]]:
    """Every file that is named; where an index names one, with an offset and its rank."""
    empty: list[EmptyFolder] = []
    some = False
    for text in inputs:
        try:
            for found in _named(text, look, lists, may_be_empty=may_be_empty, texts=texts):
                some = True
                yield found
        except EmptyFolder as e:
            empty.append(e)
    if empty and not some:
        raise empty[0]
    for each in empty:
        LOG.warning("warning: %s", each)


def _named(
    text: str, look: Located, lists: tuple[str, ...], *, may_be_empty: bool, texts: bool
) -> Iterator[tuple[str, int | None, int]]:
    """The files that one input names."""
    if text.startswith("@"):
        uri = normal(text[1:])
        if uri in lists:
            raise UsageError(f"the list {uri} names itself")
        also = {"may_be_empty": may_be_empty, "texts": texts}
        yield from _files(_listed(uri), look, (*lists, uri), **also)
        return
    uri = normal(text)
    if may_be_empty and is_folder(uri) and not (_archives(uri) or index.parquet_files(uri)):
        return
    if exists(uri):
        yield from _existing(uri, look, texts=texts)
    elif _MAGIC & set(path_of(text)):
        found = [file for file in glob(uri) if file.endswith(_FILES) or index.is_index(file)]
        if not found:
            raise UsageError(f"{text} matches no archive: {_ACCEPTED}")
        for file in found:
            yield from _existing(file, look)
    else:
        raise UsageError(f"there is no {text}: {_ACCEPTED}")


def _existing(
    uri: str, look: Located, *, texts: bool = False
) -> Iterator[tuple[str, int | None, int]]:
    if is_folder(uri):
        found = _archives(uri)
        if found:
            yield from ((place, None, UNRANKED) for file in found for place in _held(file))
        elif index.parquet_files(uri):
            yield from look(uri)
        else:
            raise EmptyFolder(f"the folder {uri} holds no {_KINDS}")
    elif path_of(uri).endswith(_FILES):
        yield from ((place, None, UNRANKED) for place in _held(uri))
    elif index.is_index(uri):
        yield from look(uri)
    elif is_page(uri) or (texts and is_texts(uri)):
        yield uri, None, UNRANKED
    else:
        raise UsageError(refusal(uri, _ACCEPTED))


def _archives(folder: str) -> list[str]:
    return [file for file in find(folder) if file.endswith(_FILES)]


def _held(uri: str) -> list[str]:
    """The places of the archives that a file holds: of a WACZ its members, of any other itself.

    A WACZ that cannot be opened as one is read like any file, for what is left in it.
    """
    if not uri.endswith(wacz.ENDING):
        return [uri]
    with open_binary(uri, NEAR) as file:
        return [f"{uri}/{name}" for name, _ in wacz.members(file, ENDINGS)] or [uri]


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


def _depth(member: str) -> int:
    return member.count("/") + 1 if member else 0


def unique_names(uris: Sequence[str]) -> dict[str, str]:
    """For every URI its base name, with as many parent folders as make it unique.

    The base name of what is inside a WACZ begins with that of the WACZ.
    """
    parts = {uri: [part for part in uri.replace("://", "/").split("/") if part] for uri in uris}
    depth = {uri: 1 + _depth(wacz.parts(uri)[1]) for uri in uris}
    while True:
        names = {uri: "/".join(parts[uri][-depth[uri] :]) for uri in uris}
        count = Counter(names.values())
        clashing = [u for u in uris if count[names[u]] > 1 and depth[u] < len(parts[u])]
        if not clashing:
            return names
        for uri in clashing:
            depth[uri] += 1
