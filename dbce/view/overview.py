"""Lists of a run: its sites, changes by month, rejects by reason, damaged captures."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from dbce.output import CaptureQuality, Row, capture_qualities
from dbce.storage import Folder
from dbce.view.run import Run
from dbce.view.tables import JUDGED_ONLY

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
               avg(confidence) AS confidence
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


def rejects(run: Run, reason: str, most: int | None = LISTED) -> list[Row]:
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
    counts = Counter(str(one.damage.kind) for one in _damaged_captures(folder) if one.damage)
    return sorted(counts.items(), key=lambda of: (-of[1], of[0]))


def damaged_rows(folder: Folder, kind: str, most: int | None = LISTED) -> Sequence[Row]:
    """Return the first damaged captures, of a kind or ("") of any; None is all."""
    rows = [
        {
            "damage": str(one.damage.kind),
            "reason": one.damage.evidence,
            "fetch_time": one.time,
            "url": one.url,
            "record_id": one.record_id,
        }
        for one in _damaged_captures(folder)
        if one.damage and kind in ("", str(one.damage.kind))
    ]
    return rows[:most]
