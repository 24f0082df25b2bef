"""The outputs of one input file: tables, screenshots and rejects, which appear together."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

import dbce
from dbce.archive import ScreenshotWriter, verify
from dbce.model import Dropped, Status
from dbce.output import REJECTS, reject_row
from dbce.storage import Table, mark_done, outcome_rows, stem
from dbce.visual.render.rows import dropped_row, element_rows, page_row, text_rows
from dbce.visual.render.schemas import ELEMENTS, PAGES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.model import Rendering
    from dbce.storage import Folder
    from dbce.visual.render.renderer import Rendered

TABLES = ("pages", "elements", "texts", "rejects")
SCREENSHOTS = "screenshots"


def screenshots_of(name: str) -> str:
    """Path of the screenshots of an input's pages; `name` is what its tables are called."""
    return f"{SCREENSHOTS}/{name}.dbce.warc.gz"


def write_unit(
    folder: Folder, name: str, results: Iterable[Rendered | Dropped], config: Rendering
) -> None:
    """Writes all outputs of the input called `name`, then its account as the mark of completion.

    Raises:
        StoreError: what is stored is not what was written.
    """
    base = stem(name)
    account: Counter[tuple[str, str]] = Counter()
    lines: list[str] = []
    with ExitStack() as files:
        # Streams first, tables after: what is entered last is closed first, so no file takes its name
        # before all are written out.
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
            if isinstance(result, Dropped):
                account[result.status, result.reason] += 1
                if result.status is Status.REJECTED:
                    rejects.add(reject_row(result))
                    if result.is_html:
                        pages.add(dropped_row(result))
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
    mark_done(folder, name, {"input": name, "account": outcome_rows(account)}, lines)
