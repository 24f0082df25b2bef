"""The whole of the sample: the plan of its files and fetches, and writing them with index and gold."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from dbce.archive import surt
from dbce.sample import extras, sites
from dbce.sample.exchange import answer, request, sent, timestamp, warcinfo
from dbce.sample.fetch import CRAWLS, Quirk
from dbce.sample.gold import Gold, truth
from dbce.sample.records import damaged, digest, member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from dbce.sample.fetch import Fetch

INDEX, GOLD, NODES = "sample.cdxj", "sample.gold.jsonl", "sample.nodes.gold.jsonl"
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


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of all that was written: the paths, and numbers of records, pages with gold and runs."""

    paths: tuple[Path, ...]
    records: int
    pages: int
    runs: int

    def __str__(self) -> str:
        """The summary as one sentence."""
        folder = self.paths[0].parent
        return (
            f"wrote {self.records} records in {len(DEPOSITS)} WARC files to {folder}, "
            f"with their index and the gold of {self.pages} pages ({self.runs} text runs)"
        )


def write(directory: Path) -> Summary:
    """Writes the sample archive with its index and gold into the directory, made if need be.

    The files have the same bytes at every call and on every machine; existing ones are replaced.
    """
    directory.mkdir(parents=True, exist_ok=True)
    stored: list[StoredAnswer] = []
    records = 0
    for deposit in DEPOSITS:
        members = list(_members(deposit))
        (directory / deposit.name).write_bytes(b"".join(data for data, _ in members))
        stored += _placed(deposit.name, members)
        records += len(members)
    sound = [entry for entry in stored if entry.fetch.quirk not in _BROKEN]
    golds = [Gold(fetch, truth(fetch.marked)) for fetch in _judged(sound)]
    pages = [gold.page() for gold in golds]
    nodes = [line for gold in golds for line in gold.nodes()]
    for name, lines in ((INDEX, sorted(map(cdxj, sound))), (GOLD, pages), (NODES, nodes)):
        _write_lines(directory / name, lines)
    names = [deposit.name for deposit in DEPOSITS] + [INDEX, GOLD, NODES]
    return Summary(tuple(directory / name for name in names), records, len(pages), len(nodes))


def _members(deposit: Deposit) -> Iterator[tuple[bytes, Fetch | None]]:
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


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
