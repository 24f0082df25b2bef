"""Runs of a small site whose pages change, and its lighthouse as `dbce render` leaves it, without a browser."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from dbce.archive import capture
from dbce.cli import main
from dbce.model import Capture
from dbce.output import Row
from dbce.visual import RenderedPage
from tests import site
from tests.site import MENU, article, png, stored, story
from tests.visual.pages import box, numbered, page, words, write_rendered

TOPICS = ("ferry", "clocks", "benches", "maps")
OTHER_MENU = (*MENU, "Jobs at the harbour office")


def run(folder: Path, *captures: Capture) -> Path:
    """The folder of a run on captures, with those of a site of four articles beside them."""
    others = [site.page(topic, f"{year}0101000000") for year in (2014, 2015) for topic in TOPICS]
    return finished(folder, stored(*others, *captures))


def finished(folder: Path, archive: bytes) -> Path:
    """The folder of a run on an archive."""
    folder.mkdir(exist_ok=True)
    (folder / "a.warc.gz").write_bytes(archive)
    out = folder / "clean"
    assert main(["run", str(folder / "a.warc.gz"), "--out", str(out), "--master", "none"]) == 0
    return out


def harbour(at: str, html: str) -> Capture:
    return capture("http://harbour.example/lighthouse", html, f"{at}0101000000")


def lighthouse(*words: str, menu: tuple[str, ...] = MENU) -> str:
    """The article on the lighthouse with some more paragraphs."""
    return article("lighthouse", story("lighthouse"), story("keeper"), *words, menu=menu)


def changes_of(folder: Path, *pages: str) -> list[Row]:
    """The rows of the table of changes of a run on snapshots of the lighthouse, a year apart from 2014 on."""
    captures = (harbour(str(2014 + n), html) for n, html in enumerate(pages))
    return changes(run(folder, *captures))


def changes(out: Path, *options: str) -> list[Row]:
    """The rows of the table of changes of a run, in order."""
    assert main(["changes", str(out), "--overwrite", *options]) == 0
    parts = sorted((out / "changes").glob("part-*.parquet"))
    rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
    return [row for row in rows if "lighthouse" in row["url"]]


SIZE = (1000, 800)

STORY = 5
"""The number of the first paragraph of the lighthouse among its text nodes, by the verdicts content."""


def laid_out(of: Capture, *paragraphs: str) -> RenderedPage:
    """A capture with paragraphs one below the other; they are the first texts of the archived page."""
    lines = [
        box("div", (0, 100 * n, 1000, 80), words(text, (10, 100 * n, 900, 20)))
        for n, text in enumerate(paragraphs)
    ]
    return _page_of(of, numbered(page(*lines, size=SIZE)))


def linked(of: Capture, addresses: dict[str, str]) -> RenderedPage:
    """The lighthouse with a paragraph of content of two words, links and images in it, and another one.

    `addresses` are those of the elements by tag.
    """
    inside = [
        box(tag, (10, 40, 50, 20), **{"src" if tag == "img" else "href": address})
        for tag, address in addresses.items()
    ]
    shown = page(
        box("p", (0, 0, 1000, 80), words("harbour map", (10, 0, 900, 20)), *inside),
        box("p", (0, 500, 1000, 80), words("and its end", (10, 500, 900, 20))),
        size=SIZE,
    )
    return _page_of(of, numbered(shown, STORY))


def _page_of(of: Capture, shown: RenderedPage) -> RenderedPage:
    return replace(shown, record_id=of.record_id, url=of.url, timestamp=of.timestamp)


def write_looks(
    out: Path,
    pages: Sequence[RenderedPage],
    resources: Sequence[Mapping[str, int]] = (),
    *,
    in_pieces: bool = False,
) -> None:
    """Writes pages beside the tables of a run, each with a picture of its own shade.

    `in_pieces`: as if each had been in a piece of its own when it was rendered.
    """
    (name,) = (path.stem for path in (out / "pages").iterdir())
    pictures = [png((200 + 10 * n, 240, 255), *SIZE) for n in range(len(pages))]
    if not in_pieces:
        write_rendered(out, pages, pictures, name, more=resources)
        return
    for n, (one, picture) in enumerate(zip(pages, pictures, strict=True)):
        write_rendered(out, [one], [picture], f"{name}.warc.gz.{n:04}")
