"""Writes the sample: the WARC files, their index and their gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.sample.exchange import answer, request, warcinfo
from dbce.sample.fetch import CRAWLS, Quirk
from dbce.sample.gold import truth
from dbce.sample.plan import DEPOSITS, fetches
from dbce.sample.records import damaged, member
from dbce.sample.tables import Gold, Stored, cdxj

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from dbce.sample.fetch import Fetch
    from dbce.sample.plan import Deposit

INDEX, GOLD, NODES = "sample.cdxj", "sample.gold.jsonl", "sample.nodes.gold.jsonl"
_BROKEN = (Quirk.DAMAGED, Quirk.CUT)


@dataclass(frozen=True, slots=True)
class Summary:
    """What was written: the paths, and how many records, pages with gold and gold runs."""

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
    stored: list[Stored] = []
    records = 0
    for deposit in DEPOSITS:
        members = list(_members(deposit))
        (directory / deposit.name).write_bytes(b"".join(data for data, _ in members))
        stored += _placed(deposit.name, members)
        records += len(members)
    sound = [entry for entry in stored if entry.fetch.quirk not in _BROKEN]
    known = [Gold(fetch, truth(fetch.marked)) for fetch in _judged(sound)]
    pages = [gold.page() for gold in known]
    nodes = [line for gold in known for line in gold.nodes()]
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


def _placed(filename: str, members: Iterable[tuple[bytes, Fetch | None]]) -> Iterator[Stored]:
    offset = 0
    for data, fetch in members:
        if fetch is not None:
            yield Stored(fetch, filename, offset, len(data))
        offset += len(data)


def _judged(sound: Iterable[Stored]) -> Iterable[Fetch]:
    """The fetches of pages with content, each once."""
    return dict.fromkeys(entry.fetch for entry in sound if entry.fetch.has_content)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
