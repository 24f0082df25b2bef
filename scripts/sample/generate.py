"""The whole of the sample: the plan of its files and fetches, with their index and gold.

    python -m scripts.sample.generate

writes them to where the package has them, `dbce/sample/sample.tar.zst`.
"""

from __future__ import annotations

import json
import tarfile
from dataclasses import dataclass, replace
from datetime import timedelta
from io import BytesIO
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import zstandard

import dbce.sample
from dbce.archive import surt
from dbce.sample import GOLD, NODES, PACKED
from scripts.sample import extras, sites
from scripts.sample.exchange import answer, request, sent, timestamp, warcinfo
from scripts.sample.fetch import CRAWLS, Quirk
from scripts.sample.gold import Gold, truth
from scripts.sample.records import damaged, digest, member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scripts.sample.fetch import Fetch

INDEX = "sample.cdxj"
_BROKEN = (Quirk.DAMAGED, Quirk.CUT)
_PAUSE = timedelta(seconds=37)  # between two fetches


@dataclass(frozen=True, slots=True)
class Deposit:
    """One WARC file: its name, the WARC version its software wrote, the crawls it holds."""

    name: str
    version: str
    crawls: tuple[int, ...]


DEPOSITS = (
    Deposit("sample-2013.warc.gz", "WARC/1.0", (0, 1)),
    Deposit("sample-2017.warc.gz", "WARC/1.1", (2, 3, 4)),
)


def fetches(crawl: int) -> tuple[Fetch, ...]:
    """The fetches of a crawl, by time."""
    planned = chain(extras.before(crawl), *map(extras.recorded, _mixed(crawl)))
    timed = (replace(fetch, later=fetch.later + n * _PAUSE) for n, fetch in enumerate(planned))
    return tuple(sorted(timed, key=lambda fetch: fetch.later))


def _mixed(crawl: int) -> Iterator[Fetch]:
    """The sites' pages in turn, as a crawler with one queue a host leaves them."""
    queues = [queue(crawl) for queue in (sites.articles, sites.dishes, sites.essays, sites.small)]
    return (fetch for turn in zip_longest(*queues) for fetch in turn if fetch is not None)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it lies in a file: its gzip member's offset and length in bytes."""

    fetch: Fetch
    filename: str
    offset: int
    length: int


def cdxj(entry: StoredAnswer) -> str:
    """The index line of a stored answer; what its server did not declare is left out."""
    fetch = entry.fetch
    fields = {
        "url": fetch.url,
        "mime": "warc/revisit" if fetch.quirk is Quirk.REVISIT else fetch.media.split(";")[0],
        "status": fetch.status.split()[0],
        "digest": digest(sent(fetch)),
        "length": str(entry.length),
        "offset": str(entry.offset),
        "filename": entry.filename,
    }
    declared = {name: value for name, value in fields.items() if value}
    return f"{surt(fetch.url)} {timestamp(fetch)} {json.dumps(declared)}"


def generate() -> dict[str, bytes]:
    """Return the files of the sample by name: archives, index and gold.

    They have the same bytes at every call and on every machine.
    """
    files: dict[str, bytes] = {}
    stored: list[StoredAnswer] = []
    for deposit in DEPOSITS:
        placed = list(members(deposit))
        files[deposit.name] = b"".join(data for data, _ in placed)
        stored += _placed(deposit.name, placed)
    sound = [entry for entry in stored if entry.fetch.quirk not in _BROKEN]
    golds = [Gold(fetch, truth(fetch.marked)) for fetch in _judged(sound)]
    files[INDEX] = _lines(sorted(map(cdxj, sound)))
    files[GOLD] = _lines(gold.page() for gold in golds)
    files[NODES] = _lines(line for gold in golds for line in gold.nodes())
    return files


def pack(sample: dict[str, bytes]) -> bytes:
    """Return the files as the package holds them: a tar of members without times and owners.

    Its compressed bytes may differ between versions of zstd; those of its members do not.
    """
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in sample.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, BytesIO(data))
    return zstandard.ZstdCompressor(level=22).compress(packed.getvalue())


def members(deposit: Deposit) -> Iterator[tuple[bytes, Fetch | None]]:
    """The gzip members of a file, each with the fetch whose answer it holds."""
    yield member(warcinfo(deposit.version, deposit.name, CRAWLS[deposit.crawls[0]])), None
    seen: dict[str, Fetch] = {}
    for crawl in deposit.crawls:
        for fetch in fetches(crawl):
            yield member(request(deposit.version, fetch)), None
            original = seen[fetch.url] if fetch.quirk is Quirk.REVISIT else None
            data = member(answer(deposit.version, fetch, original))
            yield _spoilt(data, fetch), fetch
            if fetch.quirk is Quirk.TWICE:
                yield data, fetch
            seen[fetch.url] = fetch


def _spoilt(data: bytes, fetch: Fetch) -> bytes:
    match fetch.quirk:
        case Quirk.DAMAGED:
            return damaged(data)
        case Quirk.CUT:
            return data[: len(data) // 2]
        case _:
            return data


def _placed(filename: str, members: Iterable[tuple[bytes, Fetch | None]]) -> Iterator[StoredAnswer]:
    offset = 0
    for data, fetch in members:
        if fetch is not None:
            yield StoredAnswer(fetch, filename, offset, len(data))
        offset += len(data)


def _judged(sound: Iterable[StoredAnswer]) -> Iterable[Fetch]:
    """The fetches of pages with content, each once."""
    return dict.fromkeys(entry.fetch for entry in sound if entry.fetch.has_content)


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


if __name__ == "__main__":
    Path(dbce.sample.__file__).with_name(PACKED).write_bytes(pack(generate()))
