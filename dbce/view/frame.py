"""Archived page as it is shown in a frame: inert, with every text run numbered, and changes marked; and its outline.

The outline has the headings of its content, and where each begins.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dbce import html, wing
from dbce.history import align
from dbce.model import DbceError, Label
from dbce.output import Row, fits, text_runs
from dbce.view.inert import inert
from dbce.view.marks import marked_parts
from dbce.view.resources import archived_resources
from dbce.view.run import Run
from dbce.view.timeline import texts_of

SHEET = '<link rel="stylesheet" href="/frame.css">'

LARGEST = 5_000_000
"""Characters of a page that is shown; a larger one makes browsers halt for seconds."""


def frame_document(run: Run, page: Row, pair: Sequence[Row] = (), show: str = "") -> str:
    """Return the document of the frame that shows a judged capture.

    Elements have `data-dbce-at`, the place of their run among those of the capture, and `data-dbce`,
    its label. Nothing in it acts, and nothing refers to anything but our own resources. With a pair of snapshots, of
    which the capture is one, what changed between them is marked; `show` is what is shown of the marks from the start.
    """
    annotated = run.annotated_html(page)
    document = _number_runs(run, page, html.strip(annotated), pair) or annotated.decode(
        errors="replace"
    )
    if len(document) > LARGEST:
        return f"<!doctype html><title>-</title>{SHEET}<p>This page is too large to be shown here."
    shown = inert(document, archived_resources(run, page["url"], page["fetch_time"], document))
    if show:
        shown = shown.replace("<html", f'<html data-dbce-show="{show}"', 1)
    # Last in <head>, behind the page's own style.
    before, head, after = shown.partition("</head>")
    return f"{before}{SHEET}{head}{after}" if head else f"{SHEET}{shown}"


def _number_runs(run: Run, page: Row, stripped: bytes, pair: Sequence[Row]) -> str | None:
    """Return the page with its runs marked, and what changed; None if it does not read as it did."""
    rows = run.runs(page)
    document = _read_again(run, stripped, rows)
    if document is None:
        return None
    parts = [html.RunPart(of_row, place) for place, of_row in enumerate(text_runs(rows))]
    if pair:
        units = align(*(texts_of(run.runs(side)) for side in pair))
        is_later = page["record_id"] == pair[-1]["record_id"]
        parts = marked_parts(document.page, parts, units, is_later=is_later)
    return html.number_runs(document.root, document.page, document.handles, parts)


def _read_again(run: Run, stripped: bytes, rows: Sequence[Row]) -> html.Document | None:
    """Return a page as it is parsed; None if it does not read as it did when it was judged."""
    try:
        document = html.load(stripped, "text/html; charset=utf-8", run.config.limits)
    except DbceError:
        return None
    return document if fits(document.page, rows) else None


class OutlineEntry(NamedTuple):
    """A heading: its level from 1 on, its words, and the place of its first text run in the capture."""

    level: int
    text: str
    at: int


def outline(run: Run, page: Row, rows: Sequence[Row]) -> list[OutlineEntry]:
    """Return the headings of a judged capture in document order; `rows` are its text runs.

    None are told of a page that does not read as it did when it was judged, and none without the wing.
    """
    outline_of = wing.part("outline_of")
    if outline_of is None:
        return []
    document = _read_again(run, html.strip(run.annotated_html(page)), rows)
    if document is None:
        return []
    first = {row["node"]: place for place, row in reversed(list(enumerate(rows)))}
    content = sorted({row["node"] for row in rows if row["label"] == Label.CONTENT})
    nodes = document.page.nodes
    return [
        OutlineEntry(
            level, " ".join(" ".join(nodes[n].text for n in of_one).split()), first[of_one[0]]
        )
        for level, of_one in outline_of(document, content)
    ]
