"""Writes the report of a run: an overview, and a page for every capture up to a limit."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa
from markupsafe import Markup

from dbce.html import STYLE
from dbce.model import Status
from dbce.model.style import environment, own_file
from dbce.output import open_whole, recounted
from dbce.report import tables, views
from dbce.report.inert import inert

if TYPE_CHECKING:
    from jinja2 import Environment

    from dbce.output import RowSelection
    from dbce.report.tables import Shown

LIMIT = 2_000
"""Captures that get a page: more than a person leafs through; 50 to 200 KB each."""

EMBEDDED = 5_000_000
"""Characters of an archived page that is shown; a larger one makes browsers halt for seconds."""

RUNS = 5_000
"""Rows of a table of text runs, for the same reason."""

REPORT = "report"


def write(folder_uri: str, limit: int = LIMIT, selection: RowSelection | None = None) -> str:
    """Writes `report/` into the folder of a finished run, in place of an earlier one.

    At most `limit` captures are shown, of those selected the first of each site; the page says so. Returns the path
    of the page to open. Equal runs give equal bytes.

    Raises:
        UsageError: the folder does not hold a finished run.
    """
    folder, account = open_whole(folder_uri, selection)
    account = recounted(folder, account)
    of_run = tables.RunTables(folder)
    pages = tables.summaries(of_run)
    verdicts = tables.judged(pages)
    skipped = tables.with_status(pages, Status.SKIPPED)
    of_sites = verdicts["site"].to_pylist()
    places = pa.array(tables.first_of_each(of_sites, limit), pa.int64())
    rows = verdicts.take(places).to_pylist()
    shown = frozenset(row["record_id"] for row in rows)
    neighbours = tables.by_record(verdicts, (i for row in rows for i in views.member_ids(row)))
    templates = _templates()

    folder.remove(REPORT)
    for capture in tables.shown(folder, shown):
        html = templates.get_template("capture.html").render(
            **_capture(capture), cross=views.cross(capture.page, neighbours, shown)
        )
        name = views.short_id(capture.page["record_id"])
        folder.write(f"{REPORT}/captures/{name}.html", html.encode())
    html = templates.get_template("index.html").render(
        account=account,
        sites=views.sites(rows, Counter(of_sites), account["partner_recall"]["sites"]),
        judged=len(verdicts),
        shown=len(rows),
        skipped=skipped[:limit].to_pylist(),
        all_skipped=len(skipped),
        rejected=tables.rejected(of_run, limit),
    )
    folder.write(f"{REPORT}/index.html", html.encode())
    return f"{folder.uri.rstrip('/')}/{REPORT}/index.html"


def _capture(capture: Shown) -> dict[str, object]:
    page = capture.page
    html = capture.html.decode(errors="replace")
    return {
        "page": page,
        "archived": inert(html) if len(html) <= EMBEDDED else None,
        "runs": capture.nodes[:RUNS],
        "all_runs": len(capture.nodes),
        "site_key": views.site_key(page),
        "url_key": views.url_key(page),
    }


def _templates() -> Environment:
    found = environment("dbce.report", own_file("dbce.report", "captures.css") + STYLE)
    script = own_file("dbce.report", "filter.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    found.globals |= {
        "script": Markup(script),  # noqa: S704 - our own file
        "script_digest": digest,
        "boxes": views.boxes,
        "labels": views.labels,
        "key": views.short_id,
    }
    found.filters |= {"content": views.content, "paragraphs": views.paragraphs}
    return found
