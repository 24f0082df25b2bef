"""Rendered pages from short descriptions (tags, rectangles, texts), and as `dbce render` leaves them, without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import ScreenshotWriter, capture, iso
from dbce.visual import Element, Rect, RenderedPage, Style, Text
from dbce.visual.render.outputs import PAGES, element_rows, text_rows

PLAIN = Style(
    display="block",
    visibility="visible",
    position="static",
    floating="none",
    opacity=1.0,
    font_size=16.0,
    font_style="normal",
    font_weight=400,
    text_decoration="none",
    text_align="start",
    color="rgb(0, 0, 0)",
    background_color="rgba(0, 0, 0, 0)",
    background_image=False,
    border=(0.0, 0.0, 0.0, 0.0),
    writing_mode="horizontal-tb",
    direction="ltr",
)
INLINE = PLAIN._replace(display="inline")
HIDDEN = PLAIN._replace(visibility="hidden")


@dataclass(frozen=True)
class Words:
    """A text with the boxes of its lines."""

    text: str
    rects: tuple[Rect, ...]


@dataclass(frozen=True)
class Box:
    """An element with what is in it."""

    tag: str
    rect: Rect | None
    inside: tuple[Box | Words | str, ...] = ()
    style: Style = PLAIN
    attributes: dict[str, str] = field(default_factory=dict)


def box(
    tag: str,
    rect: Iterable[float] | None,
    *inside: Box | Words | str,
    style: Style = PLAIN,
    **attributes: str,
) -> Box:
    """An element; a bare string in it is a text that has the element's own box."""
    return Box(tag, Rect(*rect) if rect is not None else None, inside, style, attributes)


def words(text: str, *rects: Iterable[float]) -> Words:
    """A text with lines; without any it is not laid out."""
    return Words(text, tuple(Rect(*rect) for rect in rects))


def page(
    *inside: Box | Words | str,
    size: tuple[int, int] = (1000, 2000),
    viewport: tuple[int, int] = (1000, 800),
    root: str = "body",
) -> RenderedPage:
    """A page whose body holds `inside` and fills the document."""
    elements: list[Element] = []
    texts: list[Text] = []
    styles: list[Style] = []

    def add(one: Box, parent: int, path: str) -> None:
        place, number = len(elements), len(elements) + len(texts)
        if one.style not in styles:
            styles.append(one.style)
        style = styles.index(one.style)
        elements.append(Element(parent, number, one.tag, path, one.rect, style, one.attributes))
        counts: dict[str, int] = {}
        for item in one.inside:
            if isinstance(item, Box):
                counts[item.tag] = counts.get(item.tag, 0) + 1
                add(item, place, f"{path}/{item.tag}[{counts[item.tag]}]")
            else:
                text = item if isinstance(item, Words) else words(item, *filter(None, [one.rect]))
                order = len(elements) + len(texts)
                texts.append(Text(place, order, text.text, text.rects, -1))

    add(Box(root, Rect(0, 0, *size), inside), -1, f"/html[1]/{root}[1]")
    return RenderedPage(
        "urn:uuid:00000000-0000-0000-0000-000000000001",
        "https://example.org/",
        datetime(2014, 9, 24, tzinfo=UTC),
        viewport,
        size,
        tuple(elements),
        tuple(styles),
        tuple(texts),
    )


def numbered(shown: RenderedPage, first: int = 0) -> RenderedPage:
    """The page with its texts numbered as those of a run are."""
    texts = tuple(text._replace(node=n) for n, text in enumerate(shown.texts, first))
    return replace(shown, texts=texts)


def page_row(
    one: RenderedPage,
    screenshot_offset: int | None = None,
    more: Mapping[str, int | str] | None = None,
) -> dict[str, Any]:
    """The row of a page in `pages`; `more` is what else is said of it, by column."""
    return {
        "record_id": one.record_id,
        "url": one.url,
        "fetch_time": one.timestamp,
        "status": "rendered",
        "viewport_width": one.viewport[0],
        "viewport_height": one.viewport[1],
        "width": one.size[0],
        "height": one.size[1],
        "elements": len(one.elements),
        "texts": len(one.texts),
        "screenshot_offset": screenshot_offset,
    } | dict(more or {})


def write_rendered(
    out: Path,
    shown: Sequence[RenderedPage],
    pictures: Sequence[bytes] = (),
    name: str = "site",
    *,
    rows: int = 2,
    more: Sequence[Mapping[str, int | str]] = (),
) -> None:
    """Writes `out/rendered`: the tables of one file, in groups of so many rows, and its screenshots.

    `more` is what else its rows in `pages` say, by column.
    """
    folder = out / "rendered"
    offsets: list[int | None] = [None] * len(shown)
    if pictures:
        (folder / "screenshots").mkdir(parents=True, exist_ok=True)
        with (folder / "screenshots" / f"{name}.dbce.warc.gz").open("wb") as stream:
            writer = ScreenshotWriter(stream, f"{name}.dbce.warc.gz", "config", "0")
            for n, (one, png) in enumerate(zip(shown, pictures, strict=True)):
                shot = capture(one.url, b"", iso(one.timestamp), record_id=one.record_id)
                offsets[n] = writer.write(shot, png)[1]
            writer.close()
    said = more or [None] * len(shown)
    for kind, table in (
        ("pages", pa.Table.from_pylist(list(map(page_row, shown, offsets, said)), PAGES)),
        ("elements", pa.Table.from_batches(map(element_rows, shown))),
        ("texts", pa.Table.from_batches(map(text_rows, shown))),
    ):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        pq.write_table(table, folder / kind / f"{name}.parquet", row_group_size=rows)
    (folder / "rendered.json").write_text(
        json.dumps({"config": {"pictures": bool(pictures)}}), encoding="utf-8"
    )
