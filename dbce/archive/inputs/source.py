"""Sources: container files to read, whole, in pieces or at some offsets, and single records of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, Self

from warcio.statusandheaders import StatusAndHeaders

from dbce.archive.inputs import files, wacz
from dbce.archive.inputs.page import PageFile, open_page
from dbce.archive.inputs.selection import EVERYTHING, UNDECLARED, Draw, Selection, rank
from dbce.archive.records import message
from dbce.archive.records.answer import looks_html
from dbce.archive.records.feed import PIECE
from dbce.archive.records.head import (
    CAPTURES,
    Head,
    HeadReader,
    plain_id,
    plain_url,
    read_reference,
)
from dbce.archive.records.identity import plain_digest, surt, timestamp14
from dbce.archive.records.members import MEMBER, Container
from dbce.archive.records.record import Damage, Record, next_place, records, records_at
from dbce.model import (
    InputError,
    Limits,
    Reason,
    Reference,
    StoreError,
    escape_bytes,
    unescape_bytes,
)
from dbce.storage import AHEAD, NEAR


@dataclass(frozen=True, slots=True)
class FilePiece:
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
    piece: FilePiece | None = None
    selection: Selection = EVERYTHING
    page: PageFile | None = None

    @property
    def unit(self) -> str:
        """The name of what is read from it and written for it: its own, with the piece's number."""
        return self.name if self.piece is None else f"{self.name}.{self.piece.number:04}"

    @property
    def is_packed(self) -> bool:
        return wacz.parts(self.uri)[1] != ""

    def plain(self) -> dict[str, Any]:
        return asdict(self) | {"uri": escape_bytes(self.uri)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        offsets, piece, page = plain["offsets"], plain["piece"], plain["page"]
        return cls(
            plain["name"],
            unescape_bytes(plain["uri"]),
            None if offsets is None else tuple(offsets),
            None if piece is None else FilePiece(**piece),
            Selection.from_plain(plain["selection"]),
            None if page is None else PageFile(**page),
        )


# Large files as several sources, so that several tasks read one file.
#
# A file is cut at offsets at which a reader of the whole file finds a record. In a compressed
# file a place that looks like the beginning of a member may lie inside another one, which holds
# an archive that was itself archived. Compressors store what they cannot compress as it is, but
# never more than VERBATIM bytes of it in one go, with bytes of their own between. So a place
# counts only where whole members follow each other directly for longer than that. A plain file
# has no such sign: it is walked through from its beginning, from header to header by the lengths
# they declare.

VERBATIM = 128 * 1024  # bytes; a block of Zstandard, twice one of deflate
SEARCH = 64 * 1024 * 1024  # bytes behind a cut that are searched, and decompressed to make sure


def split(sources: Iterable[Source], split_bytes: int) -> tuple[Source, ...]:
    """The sources in order, large ones in pieces of about `split_bytes` (0: none is); a StoreError if one cannot be read."""
    return tuple(piece for source in sources for piece in _pieces(source, split_bytes))


def _pieces(source: Source, split_bytes: int) -> Iterator[Source]:
    whole = source.page is not None or not split_bytes
    starts = [0] if whole else _starts(source.uri, split_bytes)
    if len(starts) == 1:
        yield source
        return
    for number, (start, stop) in enumerate(zip(starts, [*starts[1:], None], strict=True)):
        offsets = source.offsets
        if offsets is not None:
            offsets = tuple(o for o in offsets if start <= o and (stop is None or o < stop))
        if offsets != ():
            yield replace(source, offsets=offsets, piece=FilePiece(number, start, stop))


def share_done(source: Source) -> Callable[[int], float]:
    """Return a function that says what share of a source is read when the capture at an offset is, from 0 to 1."""
    if source.offsets is not None:
        number = {offset: n for n, offset in enumerate(source.offsets, 1)}
        return lambda offset: number.get(offset, 0) / len(number)
    with suppress(OSError, StoreError):  # who reads it says so
        start, stop = (source.piece.start, source.piece.stop) if source.piece else (0, None)
        length = max((stop or files.size(source.uri)) - start, 1)
        return lambda offset: (offset - start) / length
    return lambda _: 0.0


def _starts(uri: str, split_bytes: int) -> list[int]:
    """Beginnings of the pieces of a file, about `split_bytes` each; 0 alone if it is small.

    They depend on the file alone. A piece begins where a record does. Where no record begins near a cut,
    that cut is left out.
    """
    with suppress(FileNotFoundError):  # who reads it says so
        size = files.size(uri)
        count = (size + split_bytes // 2) // split_bytes
        if count > 1:
            with files.open_binary(uri, NEAR) as file:
                places = _places(file, [size * number // count for number in range(1, count)])
                return sorted({0, *(place for place in places if place is not None)})
    return [0]


def _places(file: BinaryIO, cuts: list[int]) -> Iterator[int | None]:
    container = Container(file)
    first = container.open(0)
    if not (first and first.is_compressed):
        yield from _plain_places(file, cuts)
        return
    place: int | None = None
    for cut in cuts:
        if place is None or place < cut:  # else it is that of this cut, too
            place = _certain_place(container, cut)
            yield place


def _plain_places(file: BinaryIO, cuts: list[int]) -> Iterator[int]:
    left = list(cuts)
    for entry in records(file):
        if left and isinstance(entry, Record) and entry.offset >= left[0]:
            yield entry.offset
            left = [cut for cut in left if cut > entry.offset]
        if not left:
            return


def _certain_place(container: Container, cut: int) -> int | None:
    """The first place at or behind a cut where a member surely begins, and a record in it."""
    place, stop = cut, cut + SEARCH
    while (candidate := next_place(container, place, MEMBER, stop)) is not None:
        if _is_certain(container, candidate, stop):
            return candidate
        place = candidate + 1
    return None


def _is_certain(container: Container, place: int, stop: int) -> bool:
    """True where whole members follow each other from here on, for longer than is stored verbatim."""
    window = container.open(place)
    passed = 0
    while window:
        while data := window.read(PIECE):
            passed += len(data)
            if passed > SEARCH or window.end > stop:
                return False
        if window.fault:
            return False
        if window.end - place > VERBATIM:
            return True
        end, window = window.end, window.following()
    return end == container.size


# Reading of a source: a whole file, a piece of it or the records at some offsets, and which are
# selected.


def open_source(source: Source) -> BinaryIO:
    """The open file of a source; of a remote one little more is fetched than is asked for.

    Raises:
        FileNotFoundError: it is not there, on a web server, or is not in a WACZ any more.
        StoreError: it has vanished or cannot be opened; reading from it may raise the same.
    """
    try:
        if source.page:
            return open_page(source.uri, source.page)
        return files.open_binary(source.uri, AHEAD if source.offsets is None else NEAR)
    except FileNotFoundError:
        # Of what an index names on a web server not all was looked for.
        if not source.uri.startswith(files.WEB):
            files.check_there(source.uri)
        raise


def records_of(source: Source, file: BinaryIO) -> Iterator[Record | Damage]:
    if source.offsets is not None:
        return records_at(file, source.offsets)
    if source.piece is not None:
        return records(file, source.piece.start, source.piece.stop)
    return records(file)


def is_wanted(selection: Selection, record: Record, head: Head) -> bool:
    """True if the record is selected; nothing of its block is passed."""
    return selection.takes_all or selection.wants(*_selection_facts(selection, record, head))


def _selection_facts(
    selection: Selection, record: Record, head: Head
) -> tuple[str | None, str | None, str | None]:
    """URL, 14-digit timestamp and media type of a record; None for what it does not tell.

    The media type is told where it is asked for, and not of revisits: the record that a revisit refers to has it.
    """
    timestamp = timestamp14(head.timestamp) if head.timestamp else None
    return head.url or None, timestamp, _mime(record, head) if selection.mimes else None


def _mime(record: Record, head: Head) -> str | None:
    if head.kind == "resource":
        return message.media_type(head.media) or UNDECLARED
    if head.kind != "response":
        return None
    headers = message.header_ahead(record.peek)
    if headers is not None:
        return message.media_type(message.content_type(headers)) or UNDECLARED
    media = message.media_type(head.media)  # dns:, ftp: and the like
    return media if message.is_telling(media) and media != message.HTTP_TYPE else None


# The headers of captures, without their blocks: samples are drawn and revisits resolved by them.


def ranks(source: Source) -> Iterator[int]:
    """The ranks of the captures in a file that its selection wants; errors as of `_captures_with_heads`."""
    for record, head in _captures_with_heads(source):
        facts = url, timestamp, _ = _selection_facts(source.selection, record, head)
        if url and timestamp and source.selection.wants(*facts):
            yield rank(url, timestamp)


def heads(source: Source) -> Iterator[Head]:
    """The heads of the captures but revisits in a file that its selection wants; errors as of `_captures_with_heads`."""
    for record, head in _captures_with_heads(source):
        if head.kind != "revisit" and is_wanted(source.selection, record, head):
            yield head


def _captures_with_heads(source: Source) -> Iterator[tuple[Record, Head]]:
    """The sound captures of a file with what their headers say.

    Of a file that is not on its web server nothing: who reads it says so.
    Raises StoreError: the file has vanished, or cannot be read to its end.
    """
    with suppress(OSError), open_source(source) as file:
        heads = HeadReader(source.name, file)
        for item in records_of(source, file):
            if not isinstance(item, Damage) and (head := heads.read(item)).kind in CAPTURES:
                yield item, head


def draw_sample(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources with the sample drawn that they take together, if it is still to be drawn; errors as of `ranks`."""
    if not sources or not sources[0].selection.is_undrawn:
        return tuple(sources)
    cutoff = cutoff_of(Draw(sources[0].selection.sample or 0), sources)
    selection = replace(sources[0].selection, cutoff=cutoff)
    return tuple(replace(source, selection=selection) for source in sources)


def cutoff_of(draw: Draw, sources: Iterable[Source]) -> int:
    """The largest rank of a sample to which all captures of the sources are offered, too; errors as of `ranks`."""
    for source in sources:
        for each in ranks(source):
            draw.offer(each)
    return draw.cutoff


class StoredCapture(NamedTuple):
    """A record that answers a request: of what URL and time, and its byte offset in the stored file."""

    record_id: str
    url: str
    timestamp: datetime
    offset: int


def stored_captures(source: Source) -> Iterator[StoredCapture]:
    """All captures in a file with a URL and a time, wanted or not, revisits too; errors as of `_captures_with_heads`."""
    for record, head in _captures_with_heads(source):
        if head.url and head.timestamp is not None:
            yield StoredCapture(head.record_id, head.url, head.timestamp, record.offset)


# One record of a file, found by its offset: as the answer that a browser gets, or as a file of a
# page.


@contextmanager
def _record_at(
    uri: str, offset: int, is_wanted: Callable[[Record], bool], name: str
) -> Iterator[Record]:
    """The first record at an offset of a file that is wanted, while the block lasts.

    Raises:
        InputError: there is none, or it cannot be read; `name` is what it is called then.
        StoreError: the file cannot be read.
    """
    try:
        with files.open_binary(uri, NEAR) as file:
            for entry in records_at(file, (offset,)):
                if isinstance(entry, Damage):
                    raise InputError(entry.fault.reason, entry.fault.detail)
                if is_wanted(entry):
                    yield entry
                    return
    except OSError as e:
        raise InputError(Reason.DAMAGED, f"{uri} cannot be read: {e.strerror or e}") from e
    raise InputError(Reason.DAMAGED, f"{name} is not at {offset} of {uri}")


def _body_of(record: Record, limits: Limits) -> tuple[StatusAndHeaders | None, bytes]:
    """The HTTP header of a record (of a resource its type, else None where it has none), and as much as there is of its body, without encodings."""
    limit = limits.payload_bytes
    pieces = iter(lambda: record.read(message.BODY_PIECE), b"")
    if record.get("WARC-Type").lower() == "resource":
        declared = [("Content-Type", record.get("Content-Type"))]
        return StatusAndHeaders("200", declared), message.collect(pieces, limit).data
    first, headers = message.read_header(record.line, record.peek)
    if headers is None:
        pieces = chain((first,), pieces)
    elif message.is_chunked(headers):
        pieces = message.dechunk(record.read)
    return headers, message.decode(message.collect(pieces, limit), headers, limit).data


class Reply(NamedTuple):
    """An answer; `payload` is without transfer and content encodings.

    `digest` is the declared one of the payload, "" where none is. A revisit has what it `refers_to`,
    and no body of its own.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    payload: bytes
    digest: str
    refers_to: Reference | None


def read_reply_at(uri: str, offset: int, key: str, limits: Limits) -> Reply:
    """The answer at an offset whose URL has this sort key (any: ""), as far as it is there; errors as of `_record_at`."""

    def is_wanted(record: Record) -> bool:
        return key in ("", surt(plain_url(record.get("WARC-Target-URI"))))

    with _record_at(uri, offset, is_wanted, f"a record of {key}" if key else "a record") as record:
        return _reply(record, limits)


def _reply(record: Record, limits: Limits) -> Reply:
    digest = plain_digest(record.get("WARC-Payload-Digest"))
    if record.get("WARC-Type").lower() == "revisit":
        return Reply(0, (), b"", digest, read_reference(record))
    headers, body = _body_of(record, limits)
    if headers is None and looks_html(body):
        return Reply(200, (("Content-Type", "text/html"),), body, digest, None)
    if headers is None:
        raise InputError(Reason.BAD_HTTP, "no HTTP answer")
    return Reply(int(message.status(headers)), tuple(headers.headers), body, digest, None)


def read_resource_at(uri: str, offset: int, record_id: str, limits: Limits) -> tuple[str, bytes]:
    """Declared type and content without encodings of a record at an offset, as far as it is there; errors as of `_record_at`."""

    def is_wanted(record: Record) -> bool:
        return plain_id(record.get("WARC-Record-ID")) in ("", record_id)

    with _record_at(uri, offset, is_wanted, record_id or "no record") as record:
        headers, body = _body_of(record, limits)
        return message.content_type(headers) if headers else "", body
