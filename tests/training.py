"""Labelled archives of small invented sites, for models that learn in a moment."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dbce.archive import capture
from dbce.model import Capture
from tests.site import TOPICS, article, stored

Texts = tuple[str, ...]

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


def remarks(host: str, topic: str) -> tuple[str, ...]:
    """Three comments of readers that no other page has."""
    name = host.partition(".")[0]
    return tuple(
        f"I read of the {topic} in the {name} and {topic}{name}{n} is what my aunt calls it too!"
        for n in ("one", "two", "three")
    )


def labelled_pages(host: str) -> list[tuple[Capture, str]]:
    """The pages of a site, each with its gold text."""
    return [
        (
            capture(f"http://{host}/{topic}", _html(host, topic), "20160101000000"),
            "\n".join([f"{topic} in the old town", *paragraphs(host, topic)]),
        )
        for topic in TOPICS
    ]


def commented_pages(host: str) -> list[tuple[Capture, str, str]]:
    """The same pages with comments of readers below the article; the gold tells them apart."""
    return [
        (
            capture(one.url, _with_remarks(_html(host, topic), host, topic), "20160101000000"),
            text,
            "\n".join(remarks(host, topic)),
        )
        for topic, (one, text) in zip(TOPICS, labelled_pages(host), strict=True)
    ]


def _html(host: str, topic: str) -> str:
    menu = tuple(f"{item} of {host}" for item in ("Home", "Letters", "People"))
    return article(topic, *paragraphs(host, topic), menu=menu)


def _with_remarks(html: str, host: str, topic: str) -> str:
    below = "".join(f'<p class="remark">{remark}</p>' for remark in remarks(host, topic))
    footer = '<div class="foot">'
    return html.replace(footer, f'<div class="remarks">{below}</div>{footer}')


def write_labelled(
    folder: Path,
    name: str,
    hosts: Iterable[str] = HOSTS,
    pages_of: Callable[[str], Sequence[tuple[Capture, *Texts]]] = labelled_pages,
) -> tuple[Path, Path]:
    """An archive of the sites and its text gold."""
    pages = [page for host in hosts for page in pages_of(host)]
    archive, gold = folder / f"{name}.warc.gz", folder / f"{name}.gold.jsonl"
    archive.write_bytes(stored(*(one for one, *_ in pages)))
    write_gold(gold, pages)
    return archive, gold


def write_gold(path: Path, pages: Iterable[tuple[Capture, *Texts]]) -> Path:
    """Text gold of the pages, each with its text and perhaps its comments of readers."""
    names = ("gold_text", "gold_text_comments")
    lines = [
        {"record_id": one.record_id} | dict(zip(names, texts, strict=False))
        for one, *texts in pages
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
