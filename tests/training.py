"""Labelled archives of small invented sites, for models that learn in a moment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dbce.archive import capture
from tests.site import TOPICS, article, stored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from dbce.model import Capture

HOSTS = tuple(
    f"{name}.example"
    for name in "harbour museum orchard quarry bakery station library mill".split()
)


def paragraphs(host: str, topic: str) -> tuple[str, ...]:
    """Three paragraphs that no other page has."""
    name = host.partition(".")[0]
    return tuple(
        f"The {topic} of the {name} was number {n}, which nobody there, neither {topic}{name}{n} "
        f"nor the others, had counted before; it took them all summer."
        for n in range(3)
    )


def labelled_pages(host: str) -> list[tuple[Capture, str]]:
    """The pages of a site, each with its gold text."""
    menu = tuple(f"{item} of {host}" for item in ("Home", "Letters", "People"))
    return [
        (
            capture(
                f"http://{host}/{topic}",
                article(topic, *paragraphs(host, topic), menu=menu),
                "20160101000000",
            ),
            "\n".join([f"{topic} in the old town", *paragraphs(host, topic)]),
        )
        for topic in TOPICS
    ]


def write_labelled(folder: Path, name: str, hosts: Iterable[str] = HOSTS) -> tuple[Path, Path]:
    """An archive of the sites and its text gold."""
    pages = [page for host in hosts for page in labelled_pages(host)]
    archive, gold = folder / f"{name}.warc.gz", folder / f"{name}.gold.jsonl"
    archive.write_bytes(stored(*(one for one, _ in pages)))
    write_gold(gold, pages)
    return archive, gold


def write_gold(path: Path, pages: Iterable[tuple[Capture, str]]) -> Path:
    """Text gold of the pages."""
    lines = [{"record_id": one.record_id, "gold_text": text} for one, text in pages]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
