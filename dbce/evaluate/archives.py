"""Archives that are scored: read and compared once for all systems, with what their gold says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dbce.archive import expand, read
from dbce.evaluate.gold import GoldText, by_kind, read_gold
from dbce.model import Capture
from dbce.pipeline import compare_all, sketch_all
from dbce.storage import json_objects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from dbce.model import Annotation, Config, Dropped


@dataclass(frozen=True, slots=True)
class About:
    """What a gold file says of a page beside its text, "" where it does not."""

    url: str
    kind: str
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """An archive, compared and ready to be judged, with its gold.

    `about` is by record id. `with_up` and `with_down` are shares of the captures that can be judged.
    """

    captures: tuple[Capture | Dropped, ...]
    dropped: dict[int, Dropped]
    annotations: dict[str, Annotation]
    gold: tuple[GoldText, ...]
    about: dict[str, About]
    judged: int
    with_up: float
    with_down: float


def open_archive(path: Path, gold_path: Path, config: Config) -> Archive:
    """Reads an archive and compares its pages, once for all methods."""
    captures = tuple(captures_of(str(path), config))
    annotations, dropped = compare_all(captures, sketch_all(captures, config), config)
    first = [one.crosses[0] for one in annotations.values()]
    count = len(captures) - len(dropped)
    texts, _ = by_kind(read_gold(str(gold_path)))
    return Archive(
        captures=captures,
        dropped=dropped,
        annotations=annotations,
        gold=texts,
        about=read_about(str(gold_path)),
        judged=count,
        with_up=sum(cross.up is not None for cross in first) / max(count, 1),
        with_down=sum(cross.down is not None for cross in first) / max(count, 1),
    )


def captures_of(uri: str, config: Config) -> Iterator[Capture | Dropped]:
    """What an archive holds, in its order."""
    for source in expand([uri]):
        yield from read(source, config.limits, verify=config.verify)


def read_about(gold: str) -> dict[str, About]:
    """What a gold file says of its pages, by record id."""
    return {
        str(row.get("record_id", "")).strip("<>"): About(
            *(str(row.get(name, "")) for name in ("url", "kind", "language"))
        )
        for _, row in json_objects(gold)
    }


def only(archive: Archive, pages: Collection[str]) -> Archive:
    """The archive with some of its captures alone, by record id; all were compared with all."""
    captures = tuple(one for one in judged(archive) if one.record_id in pages)
    return replace(archive, captures=captures, dropped={})


def judged(archive: Archive) -> Iterator[Capture]:
    """The captures that have verdicts."""
    for number, one in enumerate(archive.captures):
        if isinstance(one, Capture) and number not in archive.dropped:
            yield one


def snapshots(archive: Archive) -> dict[str, int]:
    """Of how many captures of its URL, itself among them, each capture is one, by record id."""
    times = Counter(one.surt for one in judged(archive))
    return {one.record_id: times[one.surt] for one in judged(archive)}
