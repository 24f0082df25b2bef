"""Lines of CDX and CDXJ indexes, in the dialects that are in use; and finding them in a sorted file.

CDX: a line of fields, which a header line names by letters; 9, 10 or 11 fields without one. CDXJ: sort
key, time and a JSON object, as pywb, cdxj-indexer and Common Crawl write it, or with a record type
before the object, as OpenWayback does, or the object alone, as servers of indexes answer.

Sources: https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/,
https://iipc.github.io/warc-specifications/specifications/cdx-format/openwayback-cdxj/,
https://specs.webrecorder.net/cdxj/0.1.0/.
"""

import json
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, BinaryIO

from dbce.archive.inputs.files import has_ending, open_binary
from dbce.archive.records.identity import parse_date, timestamp14
from dbce.archive.records.message import media_type
from dbce.model import UsageError, unescape_bytes

# The letters of a CDX header: V is the offset in the stored file, g its name.
_LAYOUTS = [tuple("NbamskrMSVg"), tuple("NbamskrMVg"), tuple("NbamskrVg")]
_HEADER = re.compile(r"(?P<delimiter>[ \t,;|]?)CDX(?P<between>[ \t,;|])")
_REFERENCE = re.compile(r"warcfile:(?P<name>.+)#(?P<offset>\d+)")  # of OpenWayback
_OBJECT = re.compile(r'^(?=\{ ?"\w+" ?:)|[ \t](?=\{)')  # no key begins so
_DIGITS = re.compile(r"\d{14,}", re.ASCII)
_BLANKS = 8  # in the fields of a line
_FORMS = {"b": "[0-9]{4,20}|-", "s": "[0-9]{1,3}|-", "S": "[0-9]+|-", "V": "[0-9]+"}
_SURROGATE = re.compile("[\ud800-\udfff]")  # of a byte that is no UTF-8, or so named in JSON
_LARGEST = 2**63  # the first number that no 64 bits with a sign hold; tables keep offsets in these
_MISSING = frozenset({"", "-"})  # CDX has a hyphen where a field is empty
# How an index says that it does not know a media type, or that the original record has it.
_NO_MIME = frozenset({"", "-", "unk", "warc/revisit"})


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A capture as a line of an index lists it; None for what the line does not say.

    `timestamp` has 14 digits, `mime` is the media type in lower case.
    """

    filename: str
    offset: int
    url: str | None = None
    timestamp: str | None = None
    mime: str | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a CDX, by their letters in order, and what stands between them."""

    letters: tuple[str, ...]
    delimiter: str


def layout_of(line: str) -> Layout | None:
    """The layout that a CDX header line declares; None where a line is no such header."""
    header = _HEADER.match(line)
    if header is None:
        return None
    delimiter = header["delimiter"] or header["between"]
    return Layout(tuple(line[header.end() :].split(delimiter)), delimiter)


def parse_line(line: str, layout: Layout | None) -> IndexEntry:
    """The capture of a line, read by the last header line before it if there was one.

    A line with a JSON object is CDXJ, whatever the header says.
    Raises ValueError: it does not parse; the message says why.
    """
    # A URL in a field of CDX has no plain space, so that this opens an object and nothing else.
    head, *text = _OBJECT.split(line, maxsplit=1)
    if text:
        return _from_json(head, text[0])
    return _from_fields(line, layout)


def _from_json(head: str, text: str) -> IndexEntry:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"no JSON: {e}") from e
    columns = head.split()
    place = _REFERENCE.fullmatch(str(fields.get("ref", "")))
    return checked_entry(
        place["name"] if place else fields.get("filename"),
        place["offset"] if place else fields.get("offset"),
        _text(fields.get("url", fields.get("uri"))),
        columns[1] if len(columns) > 1 else fields.get("timestamp"),
        fields.get("mime", fields.get("mct")),
    )


def _from_fields(line: str, layout: Layout | None) -> IndexEntry:
    name, offset, url, time, mime = map(_by_letter(line, layout).get, "gVabm")
    return checked_entry(name, offset, None if url in _MISSING else _text(url), time, mime)


def _by_letter(line: str, layout: Layout | None) -> dict[str, str]:
    """The fields of a CDX line; where there are more than letters, some of them have blanks."""
    delimiter = "\t" if "\t" in line else layout.delimiter if layout else " "
    fields = line.split(delimiter)
    known = [layout.letters] if layout else _LAYOUTS
    exact = next((letters for letters in known if len(letters) == len(fields)), ())
    likely = [letters for letters in known if 0 <= len(fields) - len(letters) <= _BLANKS]
    for blanks, letters in product(("Nar", "Narg"), likely if not (exact and layout) else ()):
        if match := _line_pattern(letters, delimiter, blanks).fullmatch(line):
            return dict(zip(letters, match.groups(), strict=True))
    if exact:
        return dict(zip(exact, fields, strict=True))  # as it is, also where its place is none
    wanted = f"the header names {len(layout.letters)}" if layout else "a CDX has 9 or 11"
    raise ValueError(f"{len(fields)} fields where {wanted}")


@cache
def _line_pattern(letters: tuple[str, ...], delimiter: str, blanks: str) -> re.Pattern[str]:
    """A pattern of lines with a group for each letter; the fields of some, and parameters of media types, have blanks."""
    border = re.escape(delimiter)
    field = f"[^{border}]*"
    more = f"(?:{border}{field}){{0,{_BLANKS}}}?"
    forms = {"m": f"{field}(?:(?<=[;,]){more})?"} | dict.fromkeys(blanks, field + more) | _FORMS
    forms["g"] = f"(?!-{border}){forms.get('g', field)}"  # that is no file, but no offset
    return re.compile(border.join(f"({forms.get(letter, field)})" for letter in letters), re.DOTALL)


def checked_entry(name: Any, offset: Any, url: str | None, time: Any, mime: Any) -> IndexEntry:
    """The capture that an index lists by these values; a ValueError if they do not tell its place."""
    return IndexEntry(
        _checked_name(name), _checked_offset(offset), url, _known_timestamp(time), _known_mime(mime)
    )


def _checked_name(name: Any) -> str:
    """The name of a file as an index gives it; a ValueError if it is missing or no text."""
    if not isinstance(name, str) or name in _MISSING:
        raise ValueError(f"the file name is {_describe(name)}")
    unescaped: str = unescape_bytes(name)  # our own tables are indexes, too
    unescaped.encode("utf-8", "surrogateescape")  # raises ValueError of what no file can be called
    return unescaped


def _checked_offset(offset: Any) -> int:
    """An offset as an index gives it, as a number or as its digits; a ValueError if it is none."""
    if isinstance(offset, str) and offset.isascii() and offset.isdigit():
        offset = int(offset) if len(offset) < len(str(_LARGEST)) else _LARGEST
    if type(offset) is not int or not 0 <= offset < _LARGEST:
        raise ValueError(f"the offset is {_describe(offset)}")
    return offset


def _known_mime(mime: Any) -> str | None:
    """The media type that an index gives, None where it does not tell."""
    media = media_type(mime) if isinstance(mime, str) else ""
    return None if media in _NO_MIME else media


def _known_timestamp(text: Any) -> str | None:
    """The 14 digits of a time that an index gives: 14 or more digits, or an ISO date; or None."""
    if not isinstance(text, str):
        return None
    if _DIGITS.fullmatch(text):
        return text[:14]
    moment = parse_date(text)
    return timestamp14(moment) if moment else None


def _describe(value: Any) -> str:
    return "missing" if value is None else repr(value)[:80]


def _text(value: Any) -> str | None:
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) and value else None


# The files of such indexes.

COLUMNAR = ".parquet"
_INDEX_ENDINGS = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", COLUMNAR)
_NUMBERED = re.compile(r"(?:^|/)cdx-\d+\.gz$")  # part of a ZipNum, as Common Crawl calls it
_GZIP = b"\x1f\x8b"
_PIECE = 256 * 1024  # bytes read at a time
_LONGEST = 1024 * 1024  # bytes; a longer line is none of an index


def is_index(uri: str) -> bool:
    return has_ending(uri, _INDEX_ENDINGS) or _NUMBERED.search(uri) is not None


# A line that sorts before those of captures, such as `!meta 0 {}`: a URL may begin so too, and has a time behind it.
_NO_CAPTURE = re.compile(r"!(?!\S* [0-9]{14} )")


def index_lines(uri: str) -> Iterator[tuple[str, IndexEntry | ValueError]]:
    """The place of each line of a CDX or CDXJ, and its capture or why it does not parse; a UsageError if the file cannot be read."""
    layout = None
    for number, line in _text_lines(uri):
        declared = layout_of(line)
        layout = declared or layout
        if not line or declared or _NO_CAPTURE.match(line):
            continue
        try:
            entry: IndexEntry | ValueError = parse_line(line, layout)
        except ValueError as e:
            entry = ValueError(f"{e}: {line[:80]!r}")
        yield f"{uri}, line {number}", entry


def _text_lines(uri: str) -> Iterator[tuple[int, str]]:
    try:
        with open_binary(uri) as file:
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            pieces = _gunzip(file) if packed else iter(lambda: file.read(_PIECE), b"")
            for number, line in enumerate(_split(pieces), 1):
                # File names are bytes.
                yield number, line.decode("utf-8", "surrogateescape").rstrip()
    except (OSError, EOFError, zlib.error) as e:
        raise UsageError(f"cannot read the index {uri}: {e}") from e


def _gunzip(file: BinaryIO) -> Iterator[bytes]:
    """The content of a file's gzip members; each ends with a line end, which blocks of a ZipNum lack."""
    packed = file.read(_PIECE)
    while packed:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS + 16)
        last = b""
        while not member.eof:
            if not packed:
                raise EOFError("it breaks off within a gzip member")
            if piece := member.decompress(packed):
                last = piece
                yield piece
            packed = member.unused_data if member.eof else file.read(_PIECE)
        if not last.endswith(b"\n"):
            yield b"\n"
        packed = (packed or file.read(_PIECE)).lstrip(b"\0")  # padding, as gzip passes over it


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST:
            raise OSError(f"a line of more than {_LONGEST:,} bytes")
    if rest:
        yield rest


def lines_of(uri: str, surt: str, timestamp: str) -> Iterator[tuple[str, int]]:
    """(file name, offset) of all lines of a sorted CDXJ file with this key and time, by bisection; OSErrors are passed on."""
    key = f"{surt} {timestamp} ".encode()
    with open_binary(uri) as file:

        def line_from(place: int) -> bytes:
            """The first line that begins at a place or behind it."""
            file.seek(max(0, place - 1))
            if place:
                file.readline()  # the line that begins before, or its end
            return file.readline()

        def is_reached(place: int) -> bool:
            line = line_from(place)
            return not line or line >= key

        line = line_from(bisect_left(range(file.seek(0, 2)), True, key=is_reached))
        while line.startswith(key):
            fields = json.loads(line[len(key) :])
            yield str(fields["filename"]), int(fields["offset"])
            line = file.readline()
