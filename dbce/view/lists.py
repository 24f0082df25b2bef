"""Lists as rows of a table, in a file: CSV for spreadsheets, or JSON lines for programs."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

import pandas as pd
from flask import Response, request

from dbce.archive import iso
from dbce.history import TextHistory
from dbce.model import NotInRun
from dbce.output import Row
from dbce.report.figures import table
from dbce.view.timeline import LabelledText, Step, TextChange


def capture_row(row: Row) -> Row:
    """A capture that was found; of the text run with the words its label and text."""
    hit = row.get("hit") or {}
    kept = {name: value for name, value in row.items() if name not in {"hit", "passage"}}
    if "hits" in row:
        kept |= {"label": hit.get("label"), "snippet": hit.get("text") or row.get("passage")}
    return kept


def timeline_rows(steps: Iterable[Step]) -> Iterator[Row]:
    """Yield a row for each text that was added or removed at a snapshot, or one row if none did."""
    for step in steps:
        about = {name: step.page[name] for name in ("record_id", "url", "fetch_time", "status")}
        differences: list[tuple[str, LabelledText | None]] = [
            ("appeared", text) for text in step.added or ()
        ]
        differences += [("vanished", text) for text in step.removed or ()]
        for what, text in differences or [("", None)]:
            yield about | {
                "what": what,
                "label": text.label if text else "",
                "text": text.text if text else "",
            }


def history_rows(history: TextHistory) -> Iterator[Row]:
    """Yield a row for each passage that changed at a capture, or one row if none did."""
    for step in history.steps:
        about = {"record_id": step.record_id, "fetch_time": step.time, "state": step.state.value}
        about |= {"reason": step.reason, "evidence": step.evidence}
        for passage in step.changes or (None,):
            yield about | {
                "what": passage.kind.value if passage else "",
                "corrected": passage.corrected if passage else "",
                "unit": passage.unit if passage else "",
                "before": passage.before if passage else "",
                "after": passage.after if passage else "",
            }


def change_row(change: TextChange) -> Row:
    """A difference of two snapshots."""
    old, new = change.old, change.new
    return {
        "what": str(change.what),
        "corrected": change.corrected,
        "label_before": old.label if old else "",
        "label_after": new.label if new else "",
        "text_before": old.text if old else "",
        "text_after": new.text if new else "",
    }


FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
"""The media types of the formats that lists come in."""


def requested_format() -> str:
    """Return the format that the request names, "" if it wants a page; NotInRun if there is no such format."""
    name = request.args.get("format", "")
    if name and name not in FORMATS:
        raise NotInRun(f"lists come as {' or '.join(FORMATS)}, and not as {name[:20]}")
    return name


def export_list(name: str, rows: Iterable[Mapping[str, object]], form: str) -> Response:
    """Answer with a list of flat rows as a file; in CSV no spreadsheet takes a text of an archive for a formula."""
    body: bytes | Iterator[bytes]
    if form == "csv":
        body = table(name, "", pd.DataFrame(list(rows))).csv()
    else:
        body = (json.dumps(r, ensure_ascii=False, default=_plain).encode() + b"\n" for r in rows)
    answer = Response(body, content_type=FORMATS[form])
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return answer


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return iso(value, "seconds")
    raise TypeError(f"{type(value).__name__} has no place in a list")
