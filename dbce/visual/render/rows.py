"""Rendered pages as rows of the tables, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from dbce.visual import Element, Rect, RenderedPage, Style, Text
from dbce.visual.render.schemas import ELEMENTS, STYLE, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Dropped
    from dbce.output import Row
    from dbce.visual.render.renderer import Rendered


_ELEMENT = tuple(name for name in Element._fields if name != "style")


def page_row(rendered: Rendered, screenshot_offset: int | None) -> Row:
    """The row of a page that was laid out, in `pages`; without an offset no picture of it was taken."""
    page, laid_out = rendered.page, rendered.laid_out
    origin = rendered.capture.origin
    return {
        "record_id": page.record_id,
        "url": page.url,
        "title": laid_out.collected.title,
        "fetch_time": page.timestamp,
        "warc_filename": origin.filename,
        "warc_record_offset": origin.offset,
        "status": "rendered",
        "viewport_width": page.viewport[0],
        "viewport_height": page.viewport[1],
        "width": page.size[0],
        "height": page.size[1],
        "quirks": laid_out.collected.is_quirks,
        "elements": len(page.elements),
        "texts": len(page.texts),
        "texts_numbered": sum(text.node >= 0 for text in page.texts),
        "requests": laid_out.requests,
        "requests_found": laid_out.found,
        "resources_found": laid_out.found / laid_out.requests if laid_out.requests else None,
        "style_sheets": laid_out.style_sheets[0],
        "style_sheets_found": laid_out.style_sheets[1],
        "images": laid_out.images[0],
        "images_found": laid_out.images[1],
        "console_errors": laid_out.console_errors,
        "fonts": laid_out.collected.fonts,
        "seconds": round(laid_out.seconds, 3),
        "screenshot_offset": screenshot_offset,
    }


def dropped_row(dropped: Dropped) -> Row:
    """The row of a page that was not laid out, in `pages`."""
    return {
        "record_id": dropped.record_id,
        "url": dropped.url,
        "fetch_time": dropped.timestamp,
        "warc_filename": dropped.origin.filename,
        "warc_record_offset": dropped.origin.offset,
        "status": dropped.status,
        "reason": dropped.reason,
    }


def element_rows(page: RenderedPage) -> pa.RecordBatch:
    """The rows of a page in `elements`, in document order."""
    elements = page.elements
    styles = [page.styles[element.style] for element in elements]
    columns: dict[str, Sequence[Any]] = {
        "record_id": [page.record_id] * len(elements),
        "element": range(len(elements)),
        "parent": [one.parent for one in elements],
        "order": [one.order for one in elements],
        "tag": [one.tag for one in elements],
        "xpath": [one.xpath for one in elements],
        "rect": [one.rect for one in elements],
        "attributes": [list(one.attributes.items()) for one in elements],
    }
    for n, (name, _) in enumerate(STYLE):
        columns[name] = [style[n] for style in styles]
    return pa.RecordBatch.from_pydict(columns, ELEMENTS)


def text_rows(page: RenderedPage) -> pa.RecordBatch:
    """The rows of a page in `texts`, in document order."""
    texts = page.texts
    columns: dict[str, Sequence[Any]] = {
        "record_id": [page.record_id] * len(texts),
        "parent": [one.parent for one in texts],
        "order": [one.order for one in texts],
        "node": [one.node for one in texts],
        "text": [one.text for one in texts],
        "rects": [one.rects for one in texts],
    }
    return pa.RecordBatch.from_pydict(columns, TEXTS)


def page_of(row: Row, elements: pa.Table, texts: pa.Table) -> RenderedPage:
    """A page from its row in `pages` and its rows in the other tables."""
    style_columns = [elements[name].to_pylist() for name, _ in STYLE]
    places: dict[Style, int] = {}
    styles = [
        places.setdefault(_style(values), len(places))
        for values in zip(*style_columns, strict=True)
    ]
    rows = zip(*(elements[name].to_pylist() for name in _ELEMENT), strict=True)
    of_texts = zip(*(texts[name].to_pylist() for name in Text._fields), strict=True)
    return RenderedPage(
        record_id=row["record_id"],
        url=row["url"],
        timestamp=row["fetch_time"],
        viewport=(row["viewport_width"], row["viewport_height"]),
        size=(row["width"], row["height"]),
        elements=tuple(
            Element(parent, order, tag, xpath, rect and Rect(*rect), style, dict(attributes))
            for (parent, order, tag, xpath, rect, attributes), style in zip(
                rows, styles, strict=True
            )
        ),
        styles=tuple(places),
        texts=tuple(
            Text(parent, order, text, tuple(Rect(*rect) for rect in rects), node)
            for parent, order, text, rects, node in of_texts
        ),
    )


def _style(values: tuple[Any, ...]) -> Style:
    style = Style(*values)
    top, right, bottom, left = style.border
    return style._replace(border=(top, right, bottom, left))
