"""Outputs of a rendering: tables (docs/formats.md), screenshots and rejects of one file, and `rendered.json`.

Those of a file appear together. `rendered.json` has settings, versions, and counts of pages that add up.
"""

import dataclasses
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from typing import Any

import pyarrow as pa

import dbce
from dbce import storage
from dbce.archive import ScreenshotWriter, verify
from dbce.model import Capture, Reject, Rendering, Status, count_of
from dbce.output import REJECTS, TIME, Row, columns, count_outcomes, reject_row, strings
from dbce.storage import Folder, Table
from dbce.visual import Element, Rect, RenderedPage, Style, Text
from dbce.visual.render.renderer import RenderedCapture

PAGES = pa.schema(
    [
        *strings("record_id", "url", "title"),
        ("fetch_time", TIME),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        *strings("status", "reason"),
        *columns(pa.int32(), "viewport_width", "viewport_height", "width", "height"),
        ("quirks", pa.bool_()),
        *columns(pa.int32(), "elements", "texts", "texts_numbered", "requests", "requests_found"),
        ("resources_found", pa.float64()),
        *columns(pa.int32(), "style_sheets", "style_sheets_found", "images", "images_found"),
        ("console_errors", pa.int32()),
        ("fonts", pa.list_(pa.string())),
        ("seconds", pa.float64()),
        ("screenshot_offset", pa.int64()),
    ]
)

_FOUR = pa.list_(pa.float64(), 4)  # of a rectangle, or of the widths of a border

_ARROW = {str: pa.string(), float: pa.float64(), int: pa.int32(), bool: pa.bool_()}

ELEMENTS = pa.schema(
    [
        ("record_id", pa.string()),
        *columns(pa.int32(), "element", "parent", "order"),
        *strings("tag", "xpath"),
        ("rect", _FOUR),
        ("attributes", pa.map_(pa.string(), pa.string())),
        *((name, _ARROW.get(kind, _FOUR)) for name, kind in Style.__annotations__.items()),
    ]
)

TEXTS = pa.schema(
    [
        ("record_id", pa.string()),
        *columns(pa.int32(), "parent", "order", "node"),
        ("text", pa.string()),
        ("rects", pa.list_(_FOUR)),
    ]
)


def page_row(rendered: RenderedCapture, screenshot_offset: int | None) -> Row:
    """Return the row of a rendered page in `pages`; the offset is None without a screenshot."""
    page, laid_out = rendered.page, rendered.laid_out
    return _identity(rendered.capture) | {
        "title": laid_out.collected.title,
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


def _identity(capture: Capture | Reject) -> Row:
    return {
        "record_id": capture.record_id,
        "url": capture.url,
        "fetch_time": capture.timestamp,
        "warc_filename": capture.origin.filename,
        "warc_record_offset": capture.origin.offset,
    }


def element_rows(page: RenderedPage) -> pa.RecordBatch:
    elements = page.elements
    styles = [page.styles[element.style] for element in elements]
    columns: dict[str, Sequence[Any]] = {
        "record_id": [page.record_id] * len(elements),
        "element": range(len(elements)),
        **_columns(elements, Element._fields),
        "attributes": [list(e.attributes.items()) for e in elements],
        **_columns(styles, Style._fields),
    }
    return pa.RecordBatch.from_pydict(columns, ELEMENTS)


def text_rows(page: RenderedPage) -> pa.RecordBatch:
    columns = {
        "record_id": [page.record_id] * len(page.texts),
        **_columns(page.texts, Text._fields),
    }
    return pa.RecordBatch.from_pydict(columns, TEXTS)


def _columns(rows: Sequence[Sequence[Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    return {name: [row[n] for row in rows] for n, name in enumerate(names)}


def page_of(row: Row, elements: pa.Table, texts: pa.Table) -> RenderedPage:
    """Return a page from its row in `pages` and its rows in the other tables."""
    places: dict[Style, int] = {}
    styles = [
        places.setdefault(
            Style._make(tuple(v) if isinstance(v, list) else v for v in values), len(places)
        )
        for values in _rows(elements, Style._fields)
    ]
    rows = _rows(elements, ("parent", "order", "tag", "xpath", "rect", "attributes"))
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
            for parent, order, text, rects, node in _rows(texts, Text._fields)
        ),
    )


def _rows(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[name].to_pylist() for name in names), strict=True)


TABLES = ("pages", "elements", "texts", "rejects")
SCREENSHOTS = "screenshots"


def screenshots_of(name: str) -> str:
    """Return the path of the screenshots of an input's pages; `name` is that of its tables."""
    return f"{SCREENSHOTS}/{name}.dbce.warc.gz"


def write_unit(
    folder: Folder, name: str, results: Iterable[RenderedCapture | Reject], config: Rendering
) -> None:
    """Write all outputs of the input called `name`, then its account as the mark of completion.

    Raises StoreError: stored data differ from what was written.
    """
    base = storage.stem(name)
    account: Counter[tuple[str, str]] = Counter()
    lines: list[str] = []
    with ExitStack() as files:
        # Streams before tables: the last entered are closed first, so no file is renamed before
        # all are written.
        streams = [files.enter_context(folder.create(f"{kind}/{base}.parquet")) for kind in TABLES]
        check = partial(verify, lines=lines)
        stream = files.enter_context(folder.create(screenshots_of(base), check))
        warc = screenshots_of(base).rpartition("/")[2]
        pictures = ScreenshotWriter(stream, warc, config.digest(), dbce.__version__)
        pages = files.enter_context(Table(streams[0], PAGES, pa.Table.from_pylist))
        elements = files.enter_context(Table(streams[1], ELEMENTS, pa.Table.from_batches))
        texts = files.enter_context(Table(streams[2], TEXTS, pa.Table.from_batches))
        rejects = files.enter_context(Table(streams[3], REJECTS, pa.Table.from_pylist))
        for result in results:
            if isinstance(result, Reject):
                account[result.status, result.reason] += 1
                if result.status is Status.REJECTED:
                    rejects.add(reject_row(result))
                    if result.is_html:
                        outcome = {"status": result.status, "reason": result.reason}
                        pages.add(_identity(result) | outcome)
                continue
            account["rendered", ""] += 1
            offset = None
            if result.laid_out.screenshot is not None:
                line, offset = pictures.write(result.capture, result.laid_out.screenshot)
                lines.append(line)
            pages.add(page_row(result, offset))
            elements.add(element_rows(result.page), len(result.page.elements))
            texts.add(text_rows(result.page), len(result.page.texts))
        pictures.close()
    outcomes = sorted((*outcome, captures) for outcome, captures in account.items())
    storage.mark_done(folder, name, {"account": outcomes}, lines)


MANIFEST = "rendered.json"

OUTPUTS = (MANIFEST, storage.FIXITY, *TABLES, SCREENSHOTS)
"""Outputs of a rendering, in the order in which a new one removes them: the mark of completion first."""

PACKAGES = ("dbce", "lxml", "pyarrow", "warcio")

Manifest = dict[str, Any]


def finish(folder: Folder, inputs: Sequence[str], config: Rendering) -> Manifest:
    """Write the index of the screenshots and, last of all, `rendered.json`; remove leftovers."""
    units = storage.accounts(folder)
    folder.write(f"{SCREENSHOTS}/index.cdxj", "".join(storage.index_lines(units)).encode())
    account = storage.outcomes_of(units)
    manifest = {
        "inputs": list(dict.fromkeys(inputs)),
        "config": dataclasses.asdict(config),
        "config_digest": config.digest(),
        "fonts": fonts(),
        "versions": {package: version(package) for package in PACKAGES},
        "captures": count_outcomes(account, ("rendered", "skipped", "rejected")),
    }
    known = storage.files_of(units) | folder.take_digests()
    data = json.dumps(manifest, indent=1).encode()
    storage.seal(folder, OUTPUTS[2:], known, last=MANIFEST, data=data)
    storage.tidy(folder)
    return manifest


def fonts() -> list[str]:
    """Return the families of installed fonts by fontconfig; none without it."""
    program = shutil.which("fc-list")
    if program is None:
        return []
    command = [program, ":", "family"]
    listed = subprocess.run(command, capture_output=True, check=False).stdout  # noqa: S603 - fixed
    lines = listed.decode("utf-8", "replace").splitlines()
    return sorted({line.partition(",")[0].strip() for line in lines} - {""})


def summary(manifest: Manifest, out: str) -> str:
    captures = manifest["captures"]
    rendered, rejected, skipped = (captures[k] for k in ("rendered", "rejected", "skipped"))
    lines = [
        f"{count_of(rendered, 'page')} rendered, {rejected} rejected; {count_of(skipped, 'record')} skipped"
    ]
    lines += [f"  {count} {why}" for why, count in captures["reasons"].items()]
    what = "tables and screenshots" if manifest["config"]["pictures"] else "tables"
    lines.append(f"{what}: {out.rstrip('/')}/rendered")
    return "\n".join(lines)
