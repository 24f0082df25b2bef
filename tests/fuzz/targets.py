"""Targets of `make fuzz`, and what it begins with."""

import atexit
import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

import fsspec
import zstandard
from flask.testing import FlaskClient
from lxml import html

from dbce import sample
from dbce.archive import Source, expand, inspect, read
from dbce.html import load, xpaths
from dbce.model import Capture, InputError, Limits, Reject, Status
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.inert import DROPPED, GONE, URLS
from scripts.sample.records import member
from tests.archive.account import unaccounted
from tests.archive.build import answer, arc_head, arc_record, members, record
from tests.html.soup import ODD_PAGE, comes_back
from tests.view.conftest import let_in
from tests.view.mutants import HOSTILE, Mutants, mutants
from tests.view.mutants import seeds as mutant_seeds

# The bytes of an archive file, to captures. The first byte of an input says how the rest is stored, since mutations hardly
# ever make a gzip member whose checksum is right.


PLACE = "/fuzz.warc.gz"
CODINGS = ("gzip", "deflate", "br", "zstd")


def _in_two(data: bytes) -> bytes:
    """A record over two members."""
    half = len(data) // 2
    return gzip.compress(data[:half], 1, mtime=0) + gzip.compress(data[half:], 1, mtime=0)


def _body(data: bytes) -> bytes:
    """The body of an answer that says it has a content coding."""
    coding = CODINGS[data[0] % len(CODINGS)] if data else ""
    return record(1, answer(data[1:], Content_Encoding=coding))


STORED: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda data: gzip.compress(data, 1, mtime=0),
    lambda data: zstandard.ZstdCompressor(1, write_checksum=True).compress(data),
    _in_two,
    lambda data: record(1, data),
    lambda data: record(1, answer(data, Transfer_Encoding="chunked")) + record(2),
    _body,
)
"""What an input stands for, by its first byte."""


def read_container(data: bytes) -> None:
    """Reads a file as `dbce check` does.

    Raises:
        AssertionError: bytes are not accounted for, or a capture is not what is promised.
    """
    if not data:
        return
    file = STORED[data[0] % len(STORED)](data[1:])
    fsspec.filesystem("memory").pipe(PLACE, file)
    found = list(inspect(Source("fuzz", f"memory:/{PLACE}"), Limits(), verify=True))
    shared = Counter(entry.offset for entry in found)
    for entry in found:
        result = entry.result
        assert 0 <= entry.offset <= len(file)
        if isinstance(result, Capture):
            assert result.payload
        elif isinstance(result, Reject) and result.status is Status.REJECTED:
            # What is lost of a member with several records has no length of its own.
            assert result.origin.length or shared[entry.offset] > 1 or not file, result
    assert not (wrong := unaccounted(file)), wrong


# The bytes of a page, decoded, parsed, marked and stripped. The first byte of an input chooses what the HTTP header says
# of the charset.


CONTENT_TYPES = tuple(
    f"text/html; charset={charset}"
    for charset in ("", "utf-8", "iso-8859-1", "windows-1251", "shift_jis", "utf-16", "utf-7")
)
LIMITS = Limits(elements=20_000, texts=20_000, words=50_000)
"""Less than a run allows, so that inputs of some kilobytes reach them."""


def mark_page(data: bytes) -> None:
    """Takes a page the whole way.

    Raises:
        AssertionError: the page without its marks is another than before.
    """
    if not data:
        return
    try:
        document = load(data[1:], CONTENT_TYPES[data[0] % len(CONTENT_TYPES)], LIMITS)
    except InputError:
        return
    page = document.page
    assert len(page.tags) == len(page.parents) == len(page.hidden)
    assert all(node.text.strip() and node.element < len(page.tags) for node in page.nodes)
    assert len(set(xpaths(page))) == len(page.nodes)
    assert comes_back(document, data[0])


# The bytes of a page, through the server of `dbce view`, to the page in its frame.


OURS = re.compile(r"/frame\.css|/resource\?id=[^/]*|data:image/.*|#.*", re.DOTALL)
"""The addresses that an inert page may hold."""


@cache
def shown() -> tuple[Mutants, FlaskClient]:
    """A run to put pages into, and what asks the application that shows it."""
    run = mutants(Path(mkdtemp(prefix="dbce-frames-")))
    atexit.register(run.tables.close)
    return run, let_in(create_app(run, Guard()))  # an error in it is a finding


def show_frame(data: bytes) -> None:
    """Shows a page in the frame.

    Raises:
        AssertionError: the server fails, or something that acts is left.
    """
    run, client = shown()
    if not run.add("x", data):
        return
    for path in ("/capture", "/frame", "/source"):
        assert client.get(path, query_string={"id": "x"}).status_code == 200
    framed = client.get("/frame?id=x").get_data(as_text=True)
    for element in html.document_fromstring(
        framed.encode(), html.HTMLParser(encoding="utf-8")
    ).iter():
        if isinstance(element.tag, str):
            check_inert(element.tag, dict(element.attrib))


def check_inert(tag: str, attributes: dict[str, str]) -> None:
    """Makes sure of one element that a parser saw."""
    assert tag not in (GONE | DROPPED) - {"link"}, tag
    if tag == "link":
        assert attributes["rel"] == "stylesheet"
    for name, value in attributes.items():
        assert not name.startswith("on"), name
        assert name not in {"name", "srcdoc", "target"}, name
        assert name not in URLS or OURS.fullmatch(value), (name, value)


# What a fuzzer begins with: records and pages of the sample archive, stored in all ways.


TARGETS: dict[str, Callable[[bytes], None]] = {
    "containers": read_container,
    "pages": mark_page,
    "frames": show_frame,
}
"""What is done with an input, by the target's name."""

SMALL = 8_000  # bytes; small inputs are mutated more often in a given time
SHARE = 4
"""Of the small records and pages of the sample one in so many is taken: the others are like it."""


def write(folder: Path) -> dict[str, Path]:
    """Writes the seeds of all targets; their folders by the target's name."""
    archive = folder / "sample"
    sample.write(archive)
    made = {"containers": _files(archive), "pages": _bodies(archive), "frames": _frames()}
    for name, seeds in made.items():
        (folder / name).mkdir(exist_ok=True)
        for number, seed in enumerate(seeds):
            (folder / name / f"seed-{number:03}").write_bytes(seed)
    return {name: folder / name for name in made}


def _files(archive: Path) -> Iterator[bytes]:
    """Inputs of the target `containers`."""
    some = _records(archive)
    threes = [b"".join(some[at : at + 3]) for at in range(0, len(some), 3)]
    for plain in threes:
        for stored in range(len(STORED)):
            yield bytes([stored]) + plain
    raw = bytes([0])
    yield raw + b"".join(members(some[:3]))
    yield raw + b"".join(map(member, some[:3]))
    yield raw + b"".join(map(zstandard.ZstdCompressor().compress, some[:3]))
    arc = [arc_head(), arc_record(1), arc_record(2)]
    yield raw + b"".join(arc)
    yield raw + b"".join(members(arc))
    dictionary = zstandard.ZstdCompressionDict(some[0], zstandard.DICT_TYPE_RAWCONTENT)
    frame = zstandard.ZstdCompressor(dict_data=dictionary).compress(some[1])
    head = b"\x5d\x2a\x4d\x18" + len(some[0]).to_bytes(4, "little")
    yield raw + head + some[0] + frame
    yield (
        raw + record(1, kind="revisit", WARC_Refers_To="<urn:test:0>") + record(2, kind="resource")
    )


def _records(archive: Path) -> list[bytes]:
    """Records of all types, small ones, uncompressed."""
    found = []
    for file in sorted(archive.glob("*.warc.gz")):
        for source in expand([str(file)]):
            data = file.read_bytes()
            spans = {
                (one.origin.offset, one.origin.length)
                for one in read(source, Limits())
                if isinstance(one, Capture) and one.origin.length < SMALL and not one.truncated
            }
            found += [gzip.decompress(data[at : at + size]) for at, size in sorted(spans)]
    return list(islice(found, 0, None, SHARE))


def _bodies(archive: Path) -> Iterator[bytes]:
    """Inputs of the target `pages`."""
    captures = (one for source in expand([str(archive)]) for one in read(source, Limits()))
    small = (c for c in captures if isinstance(c, Capture) and len(c.payload) < SMALL)
    for number, capture in enumerate(islice(small, 0, None, SHARE)):
        yield bytes([number % len(CONTENT_TYPES)]) + capture.payload
    for number in range(len(CONTENT_TYPES)):
        yield bytes([number]) + ODD_PAGE.encode()


def _frames() -> Iterator[bytes]:
    """Inputs of the target `frames`."""
    yield from mutant_seeds()
    for hostile in HOSTILE:
        yield b"<p>before</p>" + hostile + b"<p>behind</p>"
