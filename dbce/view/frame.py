"""Archived page as it is shown in a frame: inert, with every text run numbered, and changes marked; and its outline."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise

from dbce import html, wing
from dbce.history import PassageKind, Stretch, align, tokens
from dbce.html import RunPart, allows_spans
from dbce.model import DbceError, Label, Page, TextRun
from dbce.output import Row, fits, text_runs
from dbce.view.inert import REMOVED_TEXT, archived_resources, inert
from dbce.view.run import Run
from dbce.view.timeline import Unit, mark_kind, texts_of

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
    marked = _number_runs(run, page, html.strip(annotated), pair)
    document = marked or annotated.decode(errors="replace")
    if len(document) > LARGEST:
        return f"<!doctype html><title>-</title>{SHEET}<p>This page is too large to be shown here."
    resources = archived_resources(run, page["url"], page["fetch_time"], document)
    document = inert(document, resources)
    if show:
        document = document.replace("<html", f'<html data-dbce-show="{show}"', 1)
    # Last in <head>, behind the page's own style.
    before, head, after = document.partition("</head>")
    return f"{before}{SHEET}{head}{after}" if head else f"{SHEET}{document}"


def _number_runs(run: Run, page: Row, stripped: bytes, pair: Sequence[Row]) -> str | None:
    """Return the page with its runs marked, and what changed; None if it does not read as it did."""
    rows = run.runs(page)
    document = _read_again(run, stripped, rows)
    if document is None:
        return None
    parts = [RunPart(of_row, place) for place, of_row in enumerate(text_runs(rows))]
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


def outline(run: Run, page: Row, rows: Sequence[Row]) -> list[tuple[int, str, int]]:
    """Return (level from 1 on, words, place of the first text run) of the headings of a judged capture.

    There are none without the wing, or if it does not read as it did when it was judged.
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
        (level, " ".join(" ".join(nodes[n].text for n in of_one).split()), first[of_one[0]])
        for level, of_one in outline_of(document, content)
    ]


def marked_parts(
    page: Page, whole: Sequence[RunPart], units: Sequence[Unit], *, is_later: bool
) -> list[RunPart]:
    """Return the text runs of a page, parted and marked by the changes of its texts, which are numbered in the order of `units`."""
    runs = [part.run for part in whole]
    parts = [[part] for part in whole]
    removed: list[str] = []
    number = -1
    for unit in units:
        attributes = ""
        if unit.kind is not PassageKind.KEPT:
            number += 1
            attributes = f' data-dbce-change="{mark_kind(unit)}" data-dbce-number="{number}"'
        side = unit.new if is_later else unit.old
        if side is None:
            if is_later and unit.old:
                removed.append(f"{attributes} {_removed_text(unit.old.text)}")
            continue
        places = range(side.place, side.place + side.runs)
        if attributes:
            words = _changed_words(page, runs, places, unit.wording, is_later=is_later)
            for place in places:
                of_run = [word for word in words if word.place == place]
                parts[place] = list(_tile(RunPart(runs[place], place, attributes), of_run))
        if removed and allows_spans(page, page.nodes[runs[side.place].node].element):
            parts[side.place][:0] = _empty_parts(runs[side.place], runs[side.place].start, removed)
            removed = []
    if removed and runs:
        parts[-1] += _empty_parts(runs[-1], runs[-1].end, removed)
    return [part for of_run in parts for part in of_run]


def _removed_text(text: str) -> str:
    return f'{REMOVED_TEXT}="{escape(text)}" role="deletion"'


def _empty_parts(run: TextRun, at: int, attributes: Sequence[str]) -> Iterator[RunPart]:
    empty = run._replace(start=at, end=at)
    yield from (RunPart(empty, -1, f'{attribute} data-dbce-whole=""') for attribute in attributes)


def _changed_words(
    page: Page,
    runs: Sequence[TextRun],
    places: Sequence[int],
    wording: Sequence[Stretch],
    *,
    is_later: bool,
) -> list[RunPart]:
    """Return what differs in a text that was reworded; nothing if its words are not those of the wording."""
    spans = [
        RunPart(run._replace(start=run.start + start, end=run.start + end), place)
        for place in places
        for run in [runs[place]]
        for start, end in tokens(page.nodes[run.node].text[run.start : run.end]).spans
    ]
    ends = [0]
    for part in wording:
        words = part.after if is_later or part.stayed else part.before
        ends.append(ends[-1] + len(tokens(words).spans))
    if ends[-1] != len(spans):
        return []
    marked: list[RunPart] = []
    for (start, end), part in zip(pairwise(ends), wording, strict=True):
        if part.stayed:
            continue
        if is_later and part.before:
            run, place, _ = spans[min(start, len(spans) - 1)]
            at = run.start if start < len(spans) else run.end
            empty = run._replace(start=at, end=at)
            marked.append(RunPart(empty, place, f" {_removed_text(part.before)}"))
        kind = "added" if is_later else "removed"
        for place, group in groupby(spans[start:end], key=lambda span: span.place):
            of_run = [span.run for span in group]
            changed = of_run[0]._replace(end=of_run[-1].end)
            marked.append(RunPart(changed, place, f' data-dbce-word="{kind}"'))
    return marked


def _tile(part: RunPart, words: Sequence[RunPart]) -> Iterator[RunPart]:
    """Yield the parts of a run, with those that differ by themselves."""
    run, at = part.run, part.run.start
    for word in words:
        if word.run.start > at:
            yield part._replace(run=run._replace(start=at, end=word.run.start))
        place = part.place if word.run.end > word.run.start else -1
        yield RunPart(word.run, place, part.attributes + word.attributes)
        at = word.run.end
    if at < run.end or not words:
        yield part._replace(run=run._replace(start=at))
