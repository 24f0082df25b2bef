"""Pages as `dbce render` leaves them, without a browser."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import ScreenshotWriter
from dbce.visual import RenderedPage
from dbce.visual.render.outputs import PAGES, element_rows, text_rows


class _Shot(NamedTuple):
    record_id: str
    url: str
    surt: str
    timestamp: datetime


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
                shot = _Shot(one.record_id, one.url, one.url, one.timestamp)
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
