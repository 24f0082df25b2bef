"""The pages of a folder, and the tables of their headings beside them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.model import UsageError, fault_detail
from dbce.storage import Folder, Table
from dbce.visual.headings.blocks import body_of
from dbce.visual.headings.lines import Groups, LineOptions, counted
from dbce.visual.headings.pages import pages_of
from dbce.visual.headings.registry import Known, headings
from dbce.visual.headings.schema import HEADINGS, REJECTS, heading_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.headings.pages import Pages
    from dbce.visual.segment.boxes import Options

TABLES = "headings"
"""The folder of the tables, beside that of the rendered pages."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be found: by which method, in which content body, with styles from where.

    `body` is "verdicts", "body" or an XPath, `bodies` that of single pages by their record ids: if there
    are any, no other page is looked at. `styles` is "rendered" or "sheets".
    """

    method: str
    options: Options
    body: str = "verdicts"
    bodies: Mapping[str, str] | None = None
    styles: str = "rendered"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was done: pages looked at and rejected, their headings, and the table they are in."""

    pages: int
    rejected: int
    headings: int
    table: str


def headings_folder(uri: str, asked: Asked) -> Extracted:
    """Finds the headings of all pages of a folder; the table takes its name when all are found.

    A page that this fails with is a row of `headings/rejects/`.

    Raises:
        UsageError: the pages are not there, or no verdicts that the content body is told by.
        StoreError: what is stored is not what was written.
    """
    pages = pages_of(uri, asked.styles)
    if asked.body == "verdicts" and asked.bodies is None and not pages.judged:
        raise UsageError(f"{uri} holds no verdicts to tell the content body by: add --body body")
    groups = _groups(pages, asked)
    folder = Folder(uri).within(TABLES)
    name = f"{label(asked)}.parquet"
    looked_at = rejected = count = 0
    with ExitStack() as files:
        streams = [files.enter_context(folder.create(n)) for n in (name, f"rejects/{name}")]
        found = files.enter_context(Table(streams[0], HEADINGS, _joined))
        rejects = files.enter_context(Table(streams[1], REJECTS, _joined))
        for page, content in pages.read():
            if not _is_wanted(page, asked):
                continue
            known = Known(content, groups.get(pages.templates.get(page.record_id, "")))
            try:
                body = body_of(page, _body(page, asked), content)
                hierarchy = headings(page, body, asked.method, asked.options, known)
            except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
                rejects.add([_reject(page, asked.method, _detail(page, e))])
                rejected += 1
                continue
            found.add(heading_rows(page, hierarchy), len(hierarchy.blocks))
            count += len(hierarchy.headings)
            looked_at += 1
    return Extracted(looked_at, rejected, count, folder.at(name))


def label(asked: Asked) -> str:
    """What the table is called: the method, where styles are from, and each option not the default."""
    changed = (
        f"{field.name}-{getattr(asked.options, field.name)}"
        for field in fields(asked.options)
        if getattr(asked.options, field.name) != field.default
    )
    styles = [asked.styles] if asked.styles != "rendered" else []
    return ".".join([asked.method, *styles, *changed])


def _groups(pages: Pages, asked: Asked) -> dict[str, Groups]:
    """The groups of lines of each template, for the method that asks for them."""
    found: dict[str, Groups] = {}
    if not (isinstance(asked.options, LineOptions) and asked.options.template):
        return found
    for page, content in pages.read():
        template = pages.templates.get(page.record_id)
        if template is None:
            continue
        try:
            body = body_of(page, _body(page, asked), content)
        except UsageError:  # it is told when the page's own turn comes
            continue
        counted(page, body, content, found.setdefault(template, Groups()))
    return found


def _is_wanted(page: RenderedPage, asked: Asked) -> bool:
    return asked.bodies is None or page.record_id in asked.bodies


def _body(page: RenderedPage, asked: Asked) -> str:
    return (asked.bodies or {}).get(page.record_id, asked.body)


def _joined(parts: list[list[Row]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(list(chain.from_iterable(parts)), schema)


def _detail(page: RenderedPage, error: Exception) -> str:
    """Why a page is rejected; that it has no such element is its own matter."""
    return str(error) if isinstance(error, UsageError) else fault_detail(error, page.record_id)


def _reject(page: RenderedPage, method: str, detail: str) -> Row:
    return {
        "record_id": page.record_id,
        "url": page.url,
        "algorithm": method,
        "detail": detail,
    }
