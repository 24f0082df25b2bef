"""Lists of a run: its sites, changes by month, rejects, damaged captures; and any list as rows of a table, in a file."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

import pandas as pd
from flask import Response, request

from dbce.archive import iso
from dbce.history import TextHistory
from dbce.model import NotInRun
from dbce.output import CaptureQuality, Row, capture_qualities
from dbce.report.figures import table
from dbce.storage import Folder
from dbce.view.run import JUDGED_ONLY, Run
from dbce.view.timeline import Step, Unit

LISTED = 1_000  # rejected, or damaged, captures that a page lists

_CHANGES = """
    SELECT strftime(fetch_time, '%Y-%m') AS month, count(*) AS snapshots,
           count(*) FILTER (class = 'equal') AS equal,
           count(*) FILTER (class = 'boilerplate only') AS boilerplate,
           count(*) FILTER (class = 'content') AS content,
           count(*) FILTER (important) AS important,
           count(*) FILTER (class = 'redesign') AS redesigns,
           count(*) FILTER (class = 'gone') AS gone,
           count(*) FILTER (class IS NULL) AS not_compared,
           arg_min(record_id, (CASE class WHEN 'redesign' THEN 0 WHEN 'gone' THEN 1 WHEN 'content' THEN 2
                               WHEN 'boilerplate only' THEN 3 ELSE 4 END, url, record_id)) AS example
    FROM changes WHERE site = ? GROUP BY month ORDER BY month DESC
"""


def sites(run: Run) -> list[Row]:
    """A row for each site with captures, judged ones, URLs, span, words, confidence."""
    return run.tables.rows(f"""
        SELECT site, count(*) AS captures,
               count(*) FILTER ({JUDGED_ONLY}) AS judged,
               count(*) FILTER (status = 'skipped') AS skipped,
               count(*) FILTER (status = 'rejected') AS rejected,
               approx_count_distinct(url_surtkey) AS urls,
               min(fetch_time) AS first, max(fetch_time) AS last,
               coalesce(sum(words), 0)::BIGINT AS words,
               coalesce(sum(words_content), 0)::BIGINT AS words_content,
               avg(confidence::DECIMAL(18, 15)) AS confidence  -- whose sum is exact, in whatever order
        FROM pages GROUP BY site ORDER BY captures DESC, site
    """)  # noqa: S608 - our own names


def site_names(run: Run) -> dict[str, int]:
    """Return the captures of each site with verdicts, sites with more of them first."""
    rows = run.tables.rows(
        f"SELECT site, count(*) AS n FROM pages WHERE {JUDGED_ONLY} GROUP BY site "  # noqa: S608 - our own names
        "ORDER BY n DESC, site"
    )
    return {row["site"]: row["n"] for row in rows}


def changes_by_month(run: Run, site: str) -> list[Row]:
    """A row for each month of a site's snapshots, the latest first: how many changed in which way since the one before.

    `example` is the record id of one whose change outweighs the others'. No rows without a table of changes.
    """
    if not run.tables.has_changes:
        return []
    return run.tables.rows(_CHANGES, [site])


def rejects_by_reason(run: Run) -> list[Row]:
    return run.tables.rows(
        "SELECT reason, count(*) AS n FROM rejects GROUP BY reason ORDER BY n DESC, reason"
    )


def rejects(run: Run, reason: str, most: int | None) -> list[Row]:
    """Return the first rejected captures, of a reason or ("") of any, by file and offset; None is all."""
    return run.tables.rows(
        "SELECT * EXCLUDE (filename, file_row_number) FROM rejects WHERE $reason IN ('', reason) "
        'ORDER BY file, "offset" LIMIT $most',
        {"reason": reason, "most": most},
    )


@lru_cache(maxsize=2)
def _damaged_captures(folder: Folder) -> tuple[CaptureQuality, ...]:
    """Return the damaged captures, by site, URL and time: a run that is finished has the same ones at every visit."""
    return tuple(captured for captured in capture_qualities(folder) if captured.damage)


def damage_kinds(folder: Folder) -> list[tuple[str, int]]:
    counts = Counter(str(c.damage.kind) for c in _damaged_captures(folder) if c.damage)
    return sorted(counts.items(), key=lambda of: (-of[1], of[0]))


def damaged_rows(folder: Folder, kind: str, most: int | None) -> Sequence[Row]:
    """Return the first damaged captures, of a kind or ("") of any; None is all."""
    rows = [
        {
            "damage": str(capture.damage.kind),
            "reason": capture.damage.evidence,
            "fetch_time": capture.time,
            "url": capture.url,
            "record_id": capture.record_id,
        }
        for capture in _damaged_captures(folder)
        if capture.damage and kind in ("", str(capture.damage.kind))
    ]
    return rows[:most]


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
        differences = {"appeared": step.added or (), "vanished": step.removed or ()}
        rows = [
            about | {"what": what} | _values(text, "label", "text")
            for what, texts in differences.items()
            for text in texts
        ]
        yield from rows or [about | {"what": "", "label": "", "text": ""}]


def history_rows(history: TextHistory) -> Iterator[Row]:
    """Yield a row for each passage that changed at a capture, or one row if none did."""
    for step in history.steps:
        about = {"record_id": step.record_id, "fetch_time": step.time, "state": step.state.value}
        about |= {"reason": step.reason, "evidence": step.evidence}
        for passage in step.changes or (None,):
            values = _values(passage, "corrected", "unit", "before", "after")
            yield about | {"what": passage.kind.value if passage else ""} | values


def change_row(change: Unit) -> Row:
    row = {"what": str(change.kind), "corrected": change.corrected}
    for name in ("label", "text"):
        row[f"{name}_before"] = getattr(change.old, name, "")
        row[f"{name}_after"] = getattr(change.new, name, "")
    return row


def _values(of: object, *names: str) -> Row:
    """Attributes by their names, "" of None."""
    return {name: getattr(of, name, "") for name in names}


FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
"""The media types of the formats that lists come in."""


def as_file(name: str, rows: Callable[[], Iterable[Mapping[str, object]]]) -> Response | None:
    """Answer with a list of flat rows as a file; None if the request wants a page, NotInRun if it names no such format.

    In CSV no spreadsheet takes a text of an archive for a formula.
    """
    form = request.args.get("format", "")
    if not form:
        return None
    if form not in FORMATS:
        raise NotInRun(f"lists come as {' or '.join(FORMATS)}, and not as {form[:20]}")
    body: bytes | Iterator[bytes]
    if form == "csv":
        body = table(name, "", pd.DataFrame(list(rows()))).csv()
    else:
        body = (json.dumps(r, ensure_ascii=False, default=_plain).encode() + b"\n" for r in rows())
    answer = Response(body, content_type=FORMATS[form])
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return answer


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return iso(value, "seconds")
    raise TypeError(f"{type(value).__name__} has no place in a list")
