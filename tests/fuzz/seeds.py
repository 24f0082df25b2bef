"""What a fuzzer begins with: records and pages of the sample archive, stored in all ways."""

from __future__ import annotations

import gzip
from itertools import islice
from typing import TYPE_CHECKING

import zstandard

from dbce import sample
from dbce.archive import expand, read
from dbce.model import Capture, Limits
from scripts.sample.records import member
from tests.archive.build import arc_head, arc_record, members, record
from tests.fuzz import containers, pages
from tests.html.soup import ODD_PAGE
from tests.view import mutants

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
        for stored in range(len(containers.STORED)):
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
        yield bytes([number % len(pages.CONTENT_TYPES)]) + capture.payload
    for number in range(len(pages.CONTENT_TYPES)):
        yield bytes([number]) + ODD_PAGE.encode()


def _frames() -> Iterator[bytes]:
    """Inputs of the target `frames`."""
    yield from mutants.seeds()
    for hostile in mutants.HOSTILE:
        yield b"<p>before</p>" + hostile + b"<p>behind</p>"
